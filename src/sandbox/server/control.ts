/**
 * The control plane under /_sandbox/: commands for testers that sellers do not have. It is separate from the service, not counted
 * as calls, and not affected by fault injection. Commands come as JSON, or from forms of the console.
 */
import type { IncomingMessage } from 'node:http'
import { instantOf, nearest } from '../../contract/index.js'
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

/** Fields of a line and of a payment of an entered order; all but the first are optional. */
const LINE_FIELDS = { Title: '', UnitPrice: 0, Quantity: 1, VatRate: 25, OwnReference: '' } as const
const PAYMENT_FIELDS = { Amount: 0, PaidDate: '', PaymentCost: 0 } as const

/** Objects of a list whose fields are texts and whole numbers, negative ones too. */
function parseObjects<T extends Readonly<Record<string, string | number>>>(
  name: string,
  value: unknown,
  fields: T,
): { [K in keyof T]: T[K] extends string ? string : number }[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new BadOrder(`${name} is not a list.`)
  return value.map((each: unknown, at) => {
    if (typeof each !== 'object' || each === null) throw new BadOrder(`${name}[${at}] is not an object.`)
    refuseOtherFields(each as Order, Object.keys(fields))
    const entries = Object.entries(fields).map(([field, otherwise]) => {
      const givenValue = (each as Order)[field] ?? otherwise
      const right = typeof otherwise === 'string' ? typeof givenValue === 'string' : Number.isInteger(givenValue)
      if (!right)
        throw new BadOrder(
          `${name}[${at}].${field} is ${JSON.stringify(givenValue)}; ${typeof otherwise === 'string' ? 'a text' : 'a whole number'} is expected.`,
        )
      return [field, givenValue] as const
    })
    return Object.fromEntries(entries) as { [K in keyof T]: T[K] extends string ? string : number }
  })
}

function dateIn(name: string, value: string): string {
  if (Number.isNaN(instantOf(value)))
    throw new BadOrder(`${name} "${value}" is not a date and time such as 2026-11-30T18:00:00+01:00.`)
  return value
}

/** Enters an order as it is given. */
async function enterOrder(site: Site, order: Order): Promise<object> {
  const items = parseObjects('items', order.items, LINE_FIELDS).map(({ Title, UnitPrice, Quantity, VatRate, OwnReference }) => ({
    ...{ title: Title, unitPrice: UnitPrice, quantity: Quantity, vatRate: VatRate },
    ...(OwnReference === '' ? {} : { reference: OwnReference }),
  }))
  const payments = parseObjects('payments', order.payments, PAYMENT_FIELDS).map(({ Amount, PaidDate, PaymentCost }) => ({
    ...{ amount: Amount, paidDate: dateIn('PaidDate', PaidDate), cost: PaymentCost },
  }))
  const [id, shipping, sellerId, buyerId] = ['orderId', 'shipping', 'sellerId', 'buyerId'].map((name) => maybeWhole(order, name))
  const [created, updated] = (['created', 'updated'] as const).map((name) =>
    order[name] === undefined ? undefined : instantOf(dateIn(name, requiredText(name, order[name]))),
  )
  const [country, zip] = (['country', 'zip'] as const).map((name) =>
    order[name] === undefined ? undefined : requiredText(name, order[name]),
  )
  const isUnlisted = order.unlisted === true
  const wholeOrder = {
    id,
    items,
    payments,
    shippingCost: shipping ?? 0,
    sellerId,
    buyerId,
    created,
    updated,
    country,
    zip,
    unlisted: isUnlisted,
  }
  const enteredOrder = await site.marketplace.control.order(wholeOrder)
  return { OrderId: enteredOrder.id, ItemIds: enteredOrder.items }
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
      const itemId = requireWhole('itemId', order.itemId)
      const [quantity, buyerId, orderId] = ['quantity', 'buyerId', 'orderId'].map((name) => maybeWhole(order, name))
      return { TransactionId: site.marketplace.control.buy(itemId, quantity, buyerId, orderId) }
    },
  },
  pay: {
    summary: 'Pays an order as its buyer.',
    fields: {
      orderId: 'The order',
      amount: 'Kronor, negative for money back; what is left by default',
      cost: 'What the payment costs',
    },
    carryOut(site, order) {
      const OrderId = requireWhole('orderId', order.orderId)
      const amount = order.amount === undefined ? undefined : Number(order.amount)
      if (amount !== undefined && !Number.isInteger(amount))
        throw new BadOrder(`amount is "${String(order.amount)}"; a whole number is expected.`)
      const cost = order.cost === undefined ? undefined : Number(order.cost)
      site.marketplace.control.pay(OrderId, amount, cost)
      return { OrderId }
    },
  },
  cancel: {
    summary: 'Deletes the sales of an order, as the operator of the service does.',
    fields: { orderId: 'The order' },
    carryOut(site, order) {
      const OrderId = requireWhole('orderId', order.orderId)
      site.marketplace.control.cancel(OrderId)
      return { OrderId }
    },
  },
  order: {
    summary:
      'Enters an order as it is given, also one that the rules of the service would not make: parts of a payment, money back.',
    fields: {
      orderId: 'A new one by default; of an order that exists all but the lines is replaced',
      items: 'A list of {Title, UnitPrice, Quantity, VatRate, OwnReference}',
      payments: 'A list of {Amount, PaidDate, PaymentCost}',
      shipping: 'What the shipping costs',
      country: 'Where it goes',
      zip: 'The postcode there',
      created: 'A date and time',
      updated: 'A date and time; that of the last payment by default',
      unlisted: 'true: lists leave it out, and it is found by its id',
      sellerId: 'The seller',
      buyerId: 'The buyer',
    },
    carryOut: enterOrder,
  },
  bid: {
    summary: 'Bids on an auction as a made-up member.',
    fields: { itemId: 'The auction', amount: 'Kronor', bidderId: 'The member; a buyer by default' },
    carryOut(site, order) {
      const itemId = requireWhole('itemId', order.itemId)
      return {
        TotalBids: site.marketplace.control.bid(itemId, requireWhole('amount', order.amount), maybeWhole(order, 'bidderId')),
      }
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
    const order = parseOrder(isForm || type !== 'application/x-www-form-urlencoded' ? type : 'application/json', text)
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

function parseOrder(type: string, text: string): Order {
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

function requireWhole(name: string, value: unknown): number {
  if (value === undefined) throw new BadOrder(`${name} is missing.`)
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number
  throw new BadOrder(`${name} is "${String(value)}"; a whole number is expected.`)
}

function maybeWhole(order: Order, name: string): number | undefined {
  return order[name] === undefined ? undefined : requireWhole(name, order[name])
}
