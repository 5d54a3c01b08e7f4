/** Flags of the commands that set prices of many shop items: which items, and by which rule. */
import { Flags } from '@oclif/core'
import { unquoted } from '../../contract/glob.js'
import { categoryFlag } from '../input/flags.js'

const RULE = 'RULE'

/** Which items a rule is for. @param rows flags that name items row by row, and so go with none of these */
export const selectFlags = (rows: readonly string[]) => ({
  all: Flags.boolean({
    helpGroup: RULE,
    exclusive: ['category', 'reference', ...rows],
    summary: 'For every shop item.',
  }),
  category: categoryFlag({
    helpGroup: RULE,
    exclusive: ['all', 'reference', ...rows],
    summary: 'For the shop items of this category.',
  }),
  reference: Flags.string({
    helpGroup: RULE,
    helpValue: 'GLOB',
    exclusive: ['all', 'category', ...rows],
    summary: 'For the shop items with such an own reference; * and ? stand for any characters.',
    parse: async (glob) => unquoted(glob),
  }),
})

/** Which items a rule is for, and the rule. @param rows as for selectFlags */
export const ruleFlags = (rows: readonly string[]) => ({
  ...selectFlags(rows),
  set: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: ['add', ...rows], summary: 'This price.' }),
  add: Flags.string({
    helpGroup: RULE,
    helpValue: 'KR|PERCENT',
    exclusive: ['set', ...rows],
    summary: 'So much more or less, with its unit, e.g. 25kr, -10% or -10pct (in a batch file of Windows).',
  }),
  'end-with': Flags.string({
    helpGroup: RULE,
    helpValue: 'DIGITS',
    exclusive: [...rows],
    summary: 'Then the nearest price that ends so, e.g. 9 or 95.',
  }),
  floor: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: [...rows], summary: 'Never below this.' }),
  ceiling: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: [...rows], summary: 'Never above this.' }),
})
