/** Closings of the shop: by the seller, by jobs:due, and what somebody does on the website; with the promises about them. */
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import type { Chance } from './chance.js'
import type { Part } from './commands.js'
import { rowsOf } from './ledger.js'
import type { Ended } from './machine.js'
import { Broken } from './model.js'
import type { Shop } from './shop.js'

const HOUR_MS = 3600_000
/** The most that a clock is ahead. */
const SKEW_MS = 5 * HOUR_MS
/** Message of the shop while it is open. */
const WELCOME = 'Välkommen in'

/** A time for which the shop is to be closed. */
interface Closing {
  readonly from: number
  until: number
  /** Message for that time; undefined for the one that the shop has. */
  readonly message: string | undefined
  /** True if it was certainly planned, and not called off. */
  isSure: boolean
}

/** The seller's wishes for the opening of the shop. */
export class Opening {
  readonly closings: Closing[] = []
  /** Messages that the shop may have while it is open. */
  says = new Set([WELCOME])
  /** Everything that it ever had a right to say. */
  readonly ever = new Set([WELCOME])
  /** True if somebody else has changed how it is closed, or a copy has taken the ledger's place: then it may stay closed. */
  isForeign = false

  /** The shop may say again what it ever said. */
  forget(): void {
    this.isForeign = true
    for (const each of this.closings) each.isSure = false
    for (const text of this.ever) this.says.add(text)
  }
}

const settings = ({ sandbox }: Shop): Readonly<Record<string, unknown>> =>
  JSON.parse(sandbox.first<{ shop: string }>('SELECT shop FROM members WHERE user_id = ?', SANDBOX_PROFILE.userId)?.shop ?? '{}')

/** Messages of the shop at the service: while it is closed, or open; null for the other. */
export function openingOf(shop: Shop): { readonly closed: string | null; readonly says: string | null } {
  const { temporarilyClosed, openMessage } = settings(shop) as Record<string, string | null | undefined>
  return { closed: temporarilyClosed ?? null, says: openMessage ?? null }
}

function changeShop(shop: Shop, changed: { temporarilyClosed: string | null; openMessage: string | null }): void {
  const text = JSON.stringify({ ...settings(shop), ...changed })
  shop.sandbox.change('UPDATE members SET shop = ? WHERE user_id = ?', text, SANDBOX_PROFILE.userId)
}

/** The shop begins open, with a message. */
export function openFirst(shop: Shop): void {
  changeShop(shop, { temporarilyClosed: null, openMessage: WELCOME })
}

export const isClosed = (shop: Shop): boolean => openingOf(shop).closed !== null

/** Somebody gives the shop another message on the website, or opens it. */
export function changeOpening(shop: Shop, chance: Chance): void {
  const {
    model: { opening: wish },
    step,
  } = shop
  const message = `Hej ${step}`
  wish.ever.add(message)
  if (!isClosed(shop)) {
    wish.says = new Set([message])
    changeShop(shop, { temporarilyClosed: null, openMessage: message })
    // A run that was left may have it in its ledger that the shop is as it was.
    if (isBegun(shop)) wish.forget()
    return
  }
  wish.forget()
  const opens = chance.flip(0.5)
  changeShop(shop, { temporarilyClosed: opens ? null : message, openMessage: opens ? message : null })
}

/** True if a closing has begun, and is not over: by the ledger. */
const isBegun = ({ ledger }: Shop): boolean =>
  rowsOf(ledger, "SELECT 1 FROM shop_closings WHERE next_at IS NOT NULL AND state <> 'planned'").length > 0

const isOpenPlan = ({ ledger }: Shop): boolean =>
  rowsOf(ledger, 'SELECT 1 FROM shop_closings WHERE next_at IS NOT NULL').length > 0

/** The seller closes the shop for some hours, now or later. */
export function close(shop: Shop, chance: Chance, name: string): Part | undefined {
  // Another one is refused.
  if (isOpenPlan(shop)) return undefined
  const { now, model } = shop
  const hours = chance.int(20)
  const from = hours === 0 ? now : Math.floor(now / 60_000) * 60_000 + hours * HOUR_MS
  const until = Math.floor(from / 60_000) * 60_000 + (8 + chance.int(80)) * HOUR_MS
  const message = chance.flip(0.7) ? `Stängt ${name}` : undefined
  if (message !== undefined) model.opening.ever.add(message)
  return {
    argv: [
      ...['shop:settings', '--close', ...(hours === 0 ? [] : ['--from', new Date(from).toISOString()])],
      ...['--until', new Date(until).toISOString(), ...(message === undefined ? [] : ['--message', message]), '--yes'],
    ],
    ended: ({ code }) => {
      // A plan is made only where none is open.
      if (code === 0) for (const earlier of model.opening.closings) earlier.isSure = false
      model.opening.closings.push({ from, until, message, isSure: code === 0 })
    },
  }
}

/** The seller opens it before its time, or calls a plan off. */
export function open(shop: Shop): Part | undefined {
  const {
    model: { opening: wish },
  } = shop
  if (!isOpenPlan(shop)) return undefined
  return {
    argv: ['shop:settings', '--open', '--yes'],
    ended: ({ code }) => {
      for (const closing of wish.closings) {
        closing.isSure = false
        if (code === 0) closing.until = Math.min(closing.until, shop.now)
      }
      // A message that somebody else wrote while it was closed is the one from then on.
      if (code !== 0 || wish.isForeign) return
      askOpen(shop)
    },
  }
}

/** Asked after every step: it is closed at no other time, and says nothing that nobody wrote. @throws {Broken} */
export function askOpening(shop: Shop): void {
  const { model, now } = shop
  const { opening: wish } = model
  const { closed, says } = openingOf(shop)
  model.checked('the shop says what somebody wrote')
  const text = closed ?? says ?? ''
  if (closed === null ? !wish.says.has(text) : !wish.ever.has(text))
    throw new Broken('the shop says what somebody wrote', `It says "${text}" and is ${closed === null ? 'open' : 'closed'}.`)
  if (closed === null || wish.isForeign) return
  model.checked('the shop is closed in its time only')
  if (!wish.closings.some(({ from }) => from - SKEW_MS <= now))
    throw new Broken('the shop is closed in its time only', `It is closed, and says "${closed}".`)
}

/** After all that is due was done. @throws {Broken} */
export function askOpeningNow(shop: Shop): void {
  const { model, now } = shop
  const { closings, isForeign } = model.opening
  // Somebody else may be at work on it.
  if (isForeign || rowsOf(shop.ledger, 'SELECT 1 FROM discount_claims').length > 0) return
  const running = closings.find(({ from, until, isSure }) => isSure && from <= now && now < until)
  if (running !== undefined) {
    const { closed } = openingOf(shop)
    model.checked('the shop is closed in its time')
    if (closed === null || (running.message !== undefined && closed !== running.message))
      throw new Broken('the shop is closed in its time', `It should say "${running.message}", and says "${closed}".`)
  } else if (closings.every(({ from, until }) => until <= now || from - SKEW_MS > now)) askOpen(shop)
}

function askOpen(shop: Shop): void {
  const { closed, says } = openingOf(shop)
  shop.model.checked('the shop is open after its time, with the message of before')
  if (closed === null && shop.model.opening.says.has(says ?? '')) return
  throw new Broken(
    'the shop is open after its time, with the message of before',
    closed === null ? `It is open, and says "${says}".` : `It is closed, and says "${closed}".`,
  )
}

/** In the end: it is open, or the seller can open it. @throws {Broken} */
export async function askOpeningAtEnd(shop: Shop, run: (...argv: string[]) => Promise<Ended>): Promise<void> {
  if (isClosed(shop) && shop.model.opening.isForeign) {
    const { code, stdout, stderr } = await run('shop:settings', '--open', '--yes')
    if (isClosed(shop)) throw new Broken('the seller can open the shop', `exit ${code}\n${stdout}${stderr}`)
    shop.model.checked('the seller can open the shop')
    return
  }
  askOpen(shop)
}
