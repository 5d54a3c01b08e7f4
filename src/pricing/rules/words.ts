/** A rule in words, for the plan and the title of the job: whoever reads "10 kr less each" sees that 10 % was meant. */
import { amountText, thousands } from '../../contract/numbers.js'
import type { Addition, CostRule, PriceRule } from './rule.js'

/** `10 % less each, ending with 9, at least 99 kr`. @param unit of amounts */
export function ruleWords({ set, add, byCost, endWith, floor, ceiling }: PriceRule, unit: string): string {
  const amount = (kronor: number): string => amountText(kronor, unit)
  return [
    set === undefined ? undefined : `${amount(set)} each`,
    add === undefined ? undefined : additionWords(add, amount),
    byCost === undefined ? undefined : costWords(byCost),
    endWith === undefined ? undefined : `ending with ${endWith}`,
    floor === undefined ? undefined : `at least ${amount(floor)}`,
    ceiling === undefined ? undefined : `at most ${amount(ceiling)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

function additionWords({ kind, amount: by }: Addition, amount: (kronor: number) => string): string {
  const size = kind === 'kronor' ? amount(Math.abs(by)) : `${thousands(Math.abs(by))} %`
  return `${size} ${by < 0 ? 'less' : 'more'} each`
}

function costWords(rule: CostRule): string {
  if (rule.kind === 'recommended') return 'the recommended price'
  const roundingWords = { up: '', nearest: ', to the nearest krona', below: ', rounded down' }[rule.rounding ?? 'up']
  return `a ${rule.kind} of ${thousands(Math.round(rule.share * 100_000) / 1000)} %${roundingWords}`
}
