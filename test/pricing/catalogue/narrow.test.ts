/** A catalogue's rows that have their number already are not planned: the plan is that of all rows. */
import { expect } from 'chai'
import type { GuardedField, RowsToPlan } from '../../../src/pricing/catalogue/plan.js'
import {
  DEFAULT_GUARDS,
  judgeStock,
  type LiveCatalogueItem,
  matchCatalogue,
  planCatalogue,
  planPrices,
} from '../../../src/pricing/index.js'
import { PriceRows, readCatalogue } from '../../../src/rows/index.js'

const ROWS = 16
/** Numbers that are so few that neighbours have each other's by chance, and so far apart that a guard sees each move. */
const NUMBERS = [80, 100, 200, 300, 1000, 2000, 8000]

/** A shop and a catalogue, most of whose rows have the number that is live, that of a neighbour, or that without VAT. */
async function planOf(random: () => number, field: GuardedField) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const live = Array.from({ length: ROWS }, (): number => pick(NUMBERS))
  const [still, slips, isNet] = [random(), random(), random() < 0.2]
  const rows = live.map((number, at) => {
    if (isNet) return { number: at < still * ROWS ? number : number * 0.8 }
    if (random() < still) return { number }
    const neighbour = live[at + pick([-1, 1])] ?? number
    return { number: random() < slips ? neighbour : pick([Math.round(number * 0.8), pick(NUMBERS)]), allow: pick(['', '', 100]) }
  })
  const text = rows.map(({ number, allow = '' }, at) => `${pick([`R${at}`, `R${at}`, `${at + 1}`])},${number},${allow}`)
  const catalogue = await readCatalogue([`Artikelnr,${field},_Allow\n${text.join('\n')}\nR3,${pick(NUMBERS)},\n`], {})
  const items = live.map((number, at): LiveCatalogueItem => {
    const numbers = field === 'Price' ? { BuyItNowPrice: number } : { RemainingQuantity: number, BuyItNowPrice: 100 }
    return { Id: at + 1, ItemType: 'ShopItem', OwnReferences: [`R${at}`], ...numbers }
  })
  const match = await matchCatalogue(catalogue.rows, items)
  const nothing = { added: new Map(), removed: new Map() }
  const wishes = { removeMissing: false, canRestock: true, canUpdate: false, whole: (given: object) => ({ ...given }) }
  const plan = await planCatalogue(catalogue.rows, match, nothing, { ...wishes, whyNot: () => undefined })
  return { catalogue, match, plan }
}

/** Numbers from 0 to 1 that are the same in each run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('the rows of a catalogue that are planned', () => {
  it('make the plan of prices that all rows make, whatever a guard over all of them sees', async () => {
    const random = seededRandom(8)
    let [left, stopped] = [0, 0]
    for (let round = 0; round < 400; round++) {
      const { catalogue, match, plan } = await planOf(random, 'Price')
      const planned = async ({ rows: matchedRows, same }: RowsToPlan) => {
        const rows = new PriceRows(catalogue.form)
        for (const { row, item } of matchedRows)
          rows.add({ line: row.line, id: item.Id, price: Number(row.given.Price), allow: row.allow || undefined })
        const prices = await planPrices({ rows, same, live: match.shop, guards: DEFAULT_GUARDS })
        return { summary: prices.summary, entries: [...prices.entries('change', 'held')] }
      }
      const narrow = plan.toPlan('Price')
      const found = await planned(narrow)
      expect(found, `round ${round}`).to.deep.equal(await planned(plan.toPlan('Price', () => true)))
      left += narrow.same
      if (found.summary.Stopped !== null) stopped++
    }
    expect(left).to.be.greaterThan(1000)
    expect(stopped).to.be.greaterThan(50)
  })

  it('are stopped by what stops all rows, of numbers in stock', async () => {
    const random = seededRandom(9)
    let stopped = 0
    for (let round = 0; round < 400; round++) {
      const { plan } = await planOf(random, 'AbsoluteQuantity')
      const stop = ({ rows }: RowsToPlan) => {
        const entries = Array.from(rows, ({ row, item }) => {
          const [Old, Value] = [item.RemainingQuantity ?? null, Number(row.given.AbsoluteQuantity)]
          return { Id: item.Id, Old, Value, State: Old === Value ? ('unchanged' as const) : ('change' as const) }
        })
        return judgeStock(entries, () => 100, DEFAULT_GUARDS)
      }
      const found = stop(plan.toPlan('AbsoluteQuantity'))
      expect(found, `round ${round}`).to.deep.equal(stop(plan.toPlan('AbsoluteQuantity', () => true)))
      if (found !== null) stopped++
    }
    expect(stopped).to.be.greaterThan(5)
  })
})
