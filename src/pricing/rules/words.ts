/** A rule in words, for the plan and the title of the job: whoever reads "10 kr less each" sees that 10 % was meant. */
import { kronorText, thousands } from '../../contract/numbers.js'
import type { Addition, CostRule, PriceRule } from './rule.js'

/** `10 % less each, ending with 9, at least 99 kr`. */
export function ruleWords({ set, add, byCost, endWith, floor, ceiling }: PriceRule): string {
  return [
    set === undefined ? undefined : `${kronorText(set)} each`,
    add === undefined ? undefined : additionWords(add),
    byCost === undefined ? undefined : costWords(byCost),
    endWith === undefined ? undefined : `ending with ${endWith}`,
    floor === undefined ? undefined : `at least ${kronorText(floor)}`,
    ceiling === undefined ? undefined : `at most ${kronorText(ceiling)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

function additionWords({ kind, amount }: Addition): string {
  const size = kind === 'kronor' ? kronorText(Math.abs(amount)) : `${thousands(Math.abs(amount))} %`
  return `${size} ${amount < 0 ? 'less' : 'more'} each`
}

function costWords(rule: CostRule): string {
  if (rule.kind === 'recommended') return 'the recommended price'
  return `a ${rule.kind} of ${thousands(Math.round(rule.share * 100_000) / 1000)} %`
}
