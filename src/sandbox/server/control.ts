/**
 * The control plane under /_sandbox/: commands for testers that sellers do not have. It is separate from the service, not counted
 * as calls, and not affected by fault injection. Commands come as JSON, or from forms of the console.
 */
import type { IncomingMessage } from 'node:http'
import { nearest } from '../../contract/index.js'
import { SandboxError } from '../marketplace/index.js'
import { mediaType, readBody, UnreadBody } from './body.js'
import { FAULT_FLAGS, FaultSettingsError, formatFaults, parseFaults, readDuration } from './fault-injection-texts.js'
import type { Reply } from './reply.js'
import { applyFaults, type Site } from './site.js'

type Order = Readonly<Record<string, unknown>>

/** A command that cannot be understood. */
class BadOrder extends Error {}

const MAX_ORDER_BYTES = 32 * 1024 * 1024
const OUTCOMES = ['approve', 'fail', 'cancel'] as const

/** Changes the given flags of sandbox:start; the others stay. @returns every flag with its text */
function changeFaults(site: Site, order: Order): Record<string, string> {
  const texts = Object.entries(order).map(([flag, text]) => [
    flag,
    typeof text === 'number' ? String(text) : requiredText(flag, text),
  ])
  applyFaults(site.marketplace, site.faults.change(parseFaults(Object.fromEntries(texts))))
  return formatFaults(site.faults.now)
}

/** One command of the control plane. */
interface Action {
  readonly summary: string
  /** Its fields with what each is. */
  readonly fields: Readonly<Record<string, string>>
  /** An older name is understood, but not listed. */
  readonly hidden?: boolean
  carryOut(site: Site, order: Order): object | Promise<object>
}

function orderAction(summary: string, act: 'pay' | 'cancel'): Action {
  return {
    summary,
    fields: { orderId: 'The order' },
    carryOut(site, order) {
      const OrderId = wholeOf('orderId', order.orderId)
      site.marketplace.control[act](OrderId)
      return { OrderId }
    },
  }
}

const FLAGS = Object.fromEntries(
  Object.entries(FAULT_FLAGS).map(([flag, { example, summary }]) => [flag, `${summary} E.g. ${example}`]),
)

const actions: Readonly<Record<string, Action>> = {
  faults: {
    summary: 'Changes fault injection; flags that are left out stay.',
    fields: FLAGS,
    carryOut: (site, order) => ({ faults: changeFaults(site, order) }),
  },
  /** The name of `faults` in version 0.1, with its old reply. */
  weather: {
    summary: 'The old name of faults.',
    fields: FLAGS,
    hidden: true,
    carryOut: (site, order) => ({ weather: changeFaults(site, order) }),
  },
  clock: {
    summary: 'Moves the clock forward, and carries out what comes due.',
    fields: { advance: 'A duration, e.g. 1h' },
    carryOut(site, order) {
      const ms = readDuration('advance', requiredText('advance', order.advance))
      return { now: new Date(site.marketplace.control.advance(ms)).toISOString() }
    },
  },
  reset: {
    summary: 'Throws all state away, and seeds it again.',
    fields: {},
    carryOut(site) {
      site.marketplace.control.reset()
      return { reset: true }
    },
  },
  seed: {
    summary: 'Adds items from CSV text: all rows or none.',
    fields: { csv: 'The text; its first line names the columns, Title and Price at least' },
    async carryOut(site, order) {
      const ids = await site.marketplace.control.seedCsv(requiredText('csv', order.csv))
      return { items: ids.length, ids }
    },
  },
  eid: {
    summary: 'Answers for the phone of an electronic ID.',
    fields: { outcome: OUTCOMES.join(', '), orderRef: 'The session; the latest open one by default' },
    carryOut(site, order) {
      const outcome = OUTCOMES.find((one) => one === order.outcome)
      if (outcome === undefined)
        throw new BadOrder(`outcome is "${String(order.outcome)}"; one of ${OUTCOMES.join(', ')} is expected.`)
      const orderRef = order.orderRef === undefined ? undefined : requiredText('orderRef', order.orderRef)
      return { EidOrderRef: site.marketplace.control.completeEid(orderRef, outcome) }
    },
  },
  buy: {
    summary: 'Buys an item as a made-up member.',
    fields: {
      itemId: 'The item',
      quantity: '1 by default',
      buyerId: 'The member; a buyer by default',
      orderId: 'An open order to add it to',
    },
    carryOut(site, order) {
      const itemId = wholeOf('itemId', order.itemId)
      const [quantity, buyerId, orderId] = ['quantity', 'buyerId', 'orderId'].map((name) => maybeWhole(order, name))
      return { TransactionId: site.marketplace.control.buy(itemId, quantity, buyerId, orderId) }
    },
  },
  pay: orderAction('Pays an order as its buyer.', 'pay'),
  cancel: orderAction('Deletes the sales of an order, as the operator of the service does.', 'cancel'),
  bid: {
    summary: 'Bids on an auction as a made-up member.',
    fields: { itemId: 'The auction', amount: 'Kronor', bidderId: 'The member; a buyer by default' },
    carryOut(site, order) {
      const itemId = wholeOf('itemId', order.itemId)
      return { TotalBids: site.marketplace.control.bid(itemId, wholeOf('amount', order.amount), maybeWhole(order, 'bidderId')) }
    },
  },
}

/** The commands as GET shows them to a program. */
export function listCommands(): Reply {
  const commands = Object.entries(actions)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, { summary, fields }]) => ({ command: `POST /_sandbox/${name}`, summary, fields }))
  const reads = [{ command: 'GET /_sandbox/state', summary: 'The time, and the panels of the console as HTML.', fields: {} }]
  return { ...json(200, {}), text: `${JSON.stringify({ commands: [...commands, ...reads] }, null, 2)}\n` }
}

/** The part of the console to which each of its forms returns. */
const ANCHORS: Readonly<Record<string, string>> = { eid: '#eid', buy: '#items', bid: '#items', clock: '#time', faults: '#faults' }

/** Carries out one command. The reply is JSON or, for a form, a redirect to the console. */
export async function carryOut(site: Site, action: string, request: IncomingMessage): Promise<Reply> {
  const type = mediaType(request)
  let isForm = false
  try {
    const work = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (work === undefined) {
      const near = nearest(action, Object.keys(actions))
      const advice = near === undefined ? `There are ${Object.keys(actions).join(', ')}.` : `Did you mean ${near}?`
      return json(404, { error: `The control plane has no "${action}". ${advice}` })
    }
    const text = (await readBody(request, MAX_ORDER_BYTES)).toString('utf8')
    // curl -d labels everything it sends as a form; a JSON object is not one.
    isForm = type === 'application/x-www-form-urlencoded' && !/^\s*\{/.test(text)
    const order = orderOf(isForm || type !== 'application/x-www-form-urlencoded' ? type : 'application/json', text)
    // The flags of fault injection have a "did you mean" of their own.
    if (work.fields !== FLAGS) refuseOtherFields(order, Object.keys(work.fields))
    const answer = await work.carryOut(site, order)
    site.log(`/_sandbox/${action} done`)
    return isForm ? { status: 303, headers: { Location: `/${ANCHORS[action] ?? ''}` }, text: '' } : json(200, answer)
  } catch (error) {
    const status = refusalStatus(error)
    if (status === undefined) throw error
    const { message } = error as Error
    if (!isForm) return json(status, { error: message })
    const { noticePage } = await import('../pages/notice.js')
    return noticePage(status, message)
  }
}

function refusalStatus(error: unknown): number | undefined {
  if (error instanceof UnreadBody) return error.status
  if (error instanceof BadOrder || error instanceof FaultSettingsError) return 400
  // Understood, but the current state does not allow it: no session is open, the item is sold.
  return error instanceof SandboxError ? 409 : undefined
}

function json(status: number, value: object): Reply {
  return { status, type: 'application/json; charset=utf-8', text: `${JSON.stringify(value)}\n` }
}

function orderOf(type: string, text: string): Order {
  if (type === 'application/x-www-form-urlencoded') {
    return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ''))
  }
  // A CSV file may be sent directly.
  if (type === 'text/csv') return { csv: text }
  if (type !== 'application/json') throw new BadOrder(`Content-Type "${type}" is not understood; send application/json.`)
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new BadOrder('The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadOrder('The body is not a JSON object.')
  return value as Order
}

function refuseOtherFields(order: Order, names: readonly string[]): void {
  const unknown = Object.keys(order).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const takes = names.length === 0 ? 'it takes none.' : `it takes ${names.join(', ')}.`
  throw new BadOrder(`"${unknown}" is not a field of this order; ${takes}`)
}

function requiredText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new BadOrder(value === undefined ? `${name} is missing.` : `${name} is ${JSON.stringify(value)}; a text is expected.`)
}

function wholeOf(name: string, value: unknown): number {
  if (value === undefined) throw new BadOrder(`${name} is missing.`)
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number
  throw new BadOrder(`${name} is "${String(value)}"; a whole number is expected.`)
}

function maybeWhole(order: Order, name: string): number | undefined {
  return order[name] === undefined ? undefined : wholeOf(name, order[name])
}
