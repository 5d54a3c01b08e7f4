/** Commands from outside the service: time, sales, the phone of an eID session, seeding. Each is one transaction. */

import { instantOf } from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import { runDueWork } from '../rules/due-work.js'
import { type EidRow, eidState, endSession } from '../rules/eid.js'
import { cancelOrder, type EnteredPayment, payOrder } from '../rules/orders.js'
import { bid, buy } from '../rules/sales.js'
import { grant } from '../rules/tokens.js'
import type { EnteredLine } from '../seed/orders.js'
import { BUYERS, SELLERS } from '../seed/sellers.js'
import type { Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { type EidOutcome, SandboxError } from '../types.js'

/** The clock is not moved farther than this at once, because dates must keep four-digit years. */
const LONGEST_ADVANCE_MS = 366 * DAY_MS

/** An order to enter; what is left out is made up. Times in ms since 1970. */
export interface GivenWhole {
  readonly id?: number | undefined
  readonly items: readonly EnteredLine[]
  readonly shippingCost: number
  readonly sellerId?: number | undefined
  readonly buyerId?: number | undefined
  readonly created?: number | undefined
  readonly updated?: number | undefined
  readonly payments?: readonly EnteredPayment[]
  readonly country?: string | undefined
  readonly zip?: string | undefined
  readonly unlisted?: boolean
}

/**
 * Commands from outside the service. Each is one transaction on the current state, and throws SandboxError if it cannot be done.
 * `seed` fills an emptied store.
 */
export function createControl(currentScene: () => Scene, seed: () => void) {
  /** In one transaction, after due work. */
  const order = <T>(work: (scene: Scene) => T): T => {
    const scene = currentScene()
    runDueWork(scene)
    return scene.store.transaction(() => work(scene))
  }
  return {
    /** Answers for the phone of the named session, or of the latest open one. @returns its order reference */
    completeEid: (orderRef: string | undefined, outcome: EidOutcome) => order((scene) => completeEid(scene, orderRef, outcome)),
    /**
     * Moves the marketplace's clock forward for every process on the file, and carries out what became due.
     * @returns the new time, ms
     */
    advance(ms: number) {
      if (!Number.isInteger(ms) || ms < 0 || ms > LONGEST_ADVANCE_MS) {
        throw new SandboxError(
          `The clock cannot be moved by ${ms} ms: a whole number from 0 to ${LONGEST_ADVANCE_MS} (366 days) is expected.`,
        )
      }
      order((scene) => scene.store.run("UPDATE meta SET value = value + ? WHERE key = 'clock_offset'", ms))
      const movedScene = currentScene()
      runDueWork(movedScene)
      return movedScene.now
    },
    /** Deletes all state, including the clock, and seeds again. Request ids continue, so that none is used twice. */
    reset() {
      const { store } = currentScene()
      store.transaction(() => {
        const requests = store.first<{ value: number }>("SELECT value FROM meta WHERE key = 'next_request'")?.value ?? 0
        const tables = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (const { name } of tables) store.run(`DELETE FROM ${name}`)
        seed()
        store.run("UPDATE meta SET value = max(value, ?) WHERE key = 'next_request'", requests)
      })
    },
    /**
     * Adds items from CSV text (comma, semicolon or tab): Title and Price, and optionally Type, Quantity, CategoryId,
     * OwnReference, VAT, Description, SellerId, StartDate, EndDate. All rows or none.
     * @returns the ids of the new items, in the order of the rows
     */
    async seedCsv(text: string) {
      // Loaded late: nearly every command that opens a sandbox does without it, and the CSV reader is a third of the
      // marketplace's code.
      const { addFromCsv } = await import('../seed/csv.js')
      return order((scene) => addFromCsv(scene, text))
    },
    /** A member buys at the item's fixed price, and may add it to an open order. @returns the id of the transaction */
    buy: (itemId: number, quantity = 1, buyerId: number = BUYERS[0], orderId?: number) =>
      order((scene) => buy(scene, itemId, quantity, buyerId, orderId)),
    /** The buyer pays an order. */
    pay: (orderId: number, amount?: number, cost?: number) => order((scene) => payOrder(scene, orderId, amount, cost)),
    /**
     * Enters an order as a whole, or replaces what one with its id says besides its lines.
     * @returns its id and those of its items
     */
    async order(givenOrder: GivenWhole) {
      const { enterWhole } = await import('../seed/orders.js')
      return order((scene) => {
        const {
          items,
          id = takeNumbers(scene.store, 'order'),
          payments = [],
          sellerId = SELLERS.standard,
          buyerId = BUYERS[0],
        } = givenOrder
        const paidTimes = payments.map(({ paidDate }) => instantOf(paidDate))
        const { created = Math.min(scene.now, ...paidTimes), updated = Math.max(created, ...paidTimes) } = givenOrder
        const whole = { ...givenOrder, id, payments, sellerId, buyerId, created, updated, bare: items.length === 0 }
        return { id, items: enterWhole(scene, whole, items) }
      })
    },
    /** The operator of the service deletes the sales of an order. */
    cancel: (orderId: number) => order((scene) => cancelOrder(scene, orderId)),
    /** A member bids on an auction, kronor. @returns the number of bids */
    bid: (itemId: number, amount: number, bidderId: number = BUYERS[1]) => order((scene) => bid(scene, itemId, amount, bidderId)),
    /** A member allows an application, with the secret of this login. @returns the member's token and when it ends, ISO 8601 */
    grant: (appId: number, userId: number, secret: string) => order((scene) => grant(scene, { appId, userId, secret })),
  }
}

function completeEid(scene: Scene, orderRef: string | undefined, outcome: EidOutcome): string {
  const rows = scene.store.all<EidRow>('SELECT * FROM eid_sessions ORDER BY started DESC, rowid DESC LIMIT 200')
  const open = rows.filter((row) => eidState(scene, row) === 'pending')
  const row = orderRef === undefined ? open[0] : open.find((candidate) => candidate.order_ref === orderRef)
  if (row === undefined) {
    throw new SandboxError(
      orderRef === undefined
        ? 'No electronic-ID session is open; begin one first.'
        : `No open electronic-ID session has the reference "${orderRef}"; open are ${open.map((candidate) => candidate.order_ref).join(', ') || 'none'}.`,
    )
  }
  endSession(scene, row, outcome)
  return row.order_ref
}
