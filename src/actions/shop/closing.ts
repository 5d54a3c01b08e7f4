/**
 * A shop that is closed for a time: shop:settings --close plans it, jobs:due closes the shop and opens it again, with the message
 * of before. How the shop was is in the ledger before it is closed, so that a run that is killed anywhere is continued by the
 * next.
 */

import type { Context } from '../../cli/context.js'
import { endAt } from '../../cli/values.js'
import type { ClosingRecord, ShopOpening } from '../../contract/closings.js'
import { instantOf, minuteOf, type Output, ShopSettingsData } from '../../contract/index.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { closingView } from '../../format/views/shop.js'
import { closingStep, type Ledger, nextTry, type ShopKey, type StoredClosing } from '../../jobs/index.js'
import { type Message, run, say } from '../../messages/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { isoOf } from '../../system/time.js'
import { DueReport } from '../discounts/due.js'
import { shopOf } from '../own.js'
import { emptyPeriod } from '../period.js'
import { type Result, recordResult } from '../result.js'

type Settings = Output<typeof ShopSettingsData>

export interface CloseFlags {
  /** ISO 8601; now by default. */
  readonly from?: string | undefined
  /** As readEnd gives it. */
  readonly until?: string | undefined
  /** The message that the shop has by default. */
  readonly message?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly yes?: boolean | undefined
}

/** The settings of the shop. @throws {SellerError} no_shop; what the client throws */
export async function shopSettings(client: SoapClient): Promise<Settings> {
  const settings = await client.call('GetShopSettings', {})
  if (settings !== null) return settings
  throw new SellerError(
    'no_shop',
    'The service returned no settings: this seller has no shop.',
    say`Check which account you use with: ${run('account:show')}`,
  )
}

/** State of a shop. @throws {SellerError} broken_contract where the service does not say whether it is closed */
function openingOf(settings: Settings): ShopOpening {
  const { IsTemporaryClosed: closed, TemporaryClosedMessage: message } = settings
  if (closed === undefined) throw leftOut('IsTemporaryClosed', 'so it is not known whether the shop is closed')
  return { Closed: closed === true, Message: message ?? null }
}

/** Settings that every reply has, if only as nil. One that is missing is not known, and SetShopSettings would empty it. */
const ALWAYS = Object.entries(ShopSettingsData.fields).flatMap(([name, { min }]) => (min === 1 ? [name as keyof Settings] : []))

function leftOut(name: string, so: string): SellerError {
  return new SellerError(
    'broken_contract',
    `GetShopSettings: the reply has no ${name}, ${so}.`,
    'Nothing was sent. Try again later; --trace shows the reply.',
    { operation: 'GetShopSettings', element: `GetShopSettingsResult.${name}` },
  )
}

/**
 * The settings to send: all as they are but for these two. One that the reply may leave out, and does, stays as it is at the
 * service: it is not sent, and an empty message only where there is one to take away.
 * @throws {SellerError} broken_contract where the reply lacks a setting that must be sent
 */
export function settingsToSend(settings: Settings, { Closed, Message }: ShopOpening): Settings {
  const missing = ALWAYS.find((name) => settings[name] === undefined)
  if (missing !== undefined) throw leftOut(missing, 'and all settings are sent together, so it would be emptied')
  const known = Object.keys(ShopSettingsData.fields).map((name) => [name, settings[name as keyof Settings]])
  const none = settings.TemporaryClosedMessage === undefined ? undefined : ''
  return { ...Object.fromEntries(known), IsTemporaryClosed: Closed, TemporaryClosedMessage: Message ?? none }
}

/**
 * Plans that the shop is closed for a time; what begins now is sent at once.
 * @returns the closing
 * @throws {SellerError} usage for a period that is empty or past, or while another one is open; guard (6) without a yes; what the
 * client throws
 */
export async function closeShop(ctx: Context, flags: CloseFlags): Promise<Result> {
  const now = ctx.clock.now()
  const startsAt = flags.from === undefined ? now : instantOf(flags.from)
  const endsAt = endAt(flags.until ?? '', startsAt)
  if (endsAt <= startsAt) throw emptyPeriod(startsAt, endsAt, ['--from', '--until'])
  if (endsAt <= now) throw new SellerError('wrong_usage', `--until is past: ${minuteOf(endsAt)}.`, 'Give an end that is to come.')
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const other = ledger.closings.open(shop)
  const message = flags.message?.trim() || null
  const isSame = other?.starts_at === startsAt && other.ends_at === endsAt && other.message === message
  // A run over several shops that has stopped midway is typed again.
  if (other !== undefined && isSame && ctx.approve !== undefined && flags['dry-run'] !== true)
    return shownClosing(ctx, ledger, shop)
  if (other !== undefined) throw isPlanned(other)
  const settings = await shopSettings(await ctx.client())
  const live = openingOf(settings)
  // A setting that would stop it later stops it now.
  settingsToSend(settings, live)
  if (live.Closed)
    ctx.output.warn('The shop is closed already. It stays so when the time is over, with the message that it has now.')
  const period = `from ${minuteOf(startsAt)} until ${minuteOf(endsAt)}`
  if (flags['dry-run'] === true) {
    ctx.output.note(`Nothing was sent. The shop would be closed ${period}.`)
    return {
      ...recordResult(closingView, draftOf(shop, { startsAt, endsAt, message }, now)),
      waiting: true,
      message: `Closed ${period}.`,
    }
  }
  const closingMessage = message ?? live.Message
  const how = `${period}${closingMessage === null ? '' : `, with the message "${closingMessage}"`}`
  // A run over several shops asks once, when it has read how each is.
  const facts = [`Closed ${how}. A shop sells nothing while it is closed.`]
  await ctx.approve?.({ rows: 1, verb: 'Close', noun: 'shop', counts: { change: 1 }, facts, stopped: null })
  if (ctx.approve === undefined)
    await ctx.prompts.confirm({
      message: say`Close the shop ${how}? It sells nothing while it is closed. It is opened again by: ${run('jobs:due')}`,
      flag: '--yes',
      given: flags.yes,
    })
  // Another process may have planned one meanwhile.
  if (!ledger.closings.create(shop, { startsAt, endsAt, message })) {
    const first = ledger.closings.latest(shop)
    throw first === undefined ? new Error('The ledger has no closing.') : isPlanned(first)
  }
  return startsAt <= now ? stepNow(ctx, ledger, shop) : shownClosing(ctx, ledger, shop)
}

/** @returns the closing as it is, and the commands that carry it out */
function shownClosing(ctx: Context, ledger: Ledger, shop: ShopKey, code = EXIT.ok as Result['code']): Result {
  const closing = ledger.closings.latest(shop)
  if (closing === undefined) throw new Error('The ledger has no closing.')
  const below = () => {
    if (closing.next_at === null) return
    const what = closing.state === 'closed' ? 'opens the shop again' : 'closes the shop, and opens it again'
    ctx.output.hint(say`${run('jobs:due')} ${what}. Let the system run it every minute: ${run('schedule:show')}`)
  }
  const { state, starts_at: from, ends_at: until } = closing
  const message = `Closed from ${minuteOf(from)} until ${minuteOf(until)}.`
  return { ...recordResult(closingView, ledger.closings.shown(closing), code, below), waiting: state === 'planned', message }
}

function isPlanned({ starts_at, ends_at }: StoredClosing): SellerError {
  return new SellerError(
    'closing_state',
    `The shop is to be closed from ${minuteOf(starts_at)} until ${minuteOf(ends_at)} already.`,
    say`Nothing was changed. Call that off, or open the shop, with: ${run('shop:settings', { '--open': true })}`,
    { startsAt: isoOf(starts_at), endsAt: isoOf(ends_at) },
  )
}

function draftOf(
  { profile, userId }: ShopKey,
  { startsAt, endsAt, message }: { readonly startsAt: number; readonly endsAt: number; readonly message: string | null },
  now: number,
): ClosingRecord {
  return {
    ...{ State: 'planned', StartsAt: isoOf(startsAt), EndsAt: isoOf(endsAt), Message: message, Before: null },
    ...{ Profile: profile, UserId: userId ?? null, CreatedAt: isoOf(now), ClosedAt: null, EndedAt: null, NextAt: null },
  }
}

/**
 * Opens the shop now, or calls off a closing that has not begun.
 * @returns the closing
 * @throws {SellerError} usage where the shop is open and nothing is planned; guard (6) without a yes; what the client throws
 */
export async function openShop(ctx: Context, { yes, 'dry-run': dryRun }: CloseFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const open = ledger.closings.open(shop)
  const now = ctx.clock.now()
  if (open?.state === 'planned' && dryRun !== true) {
    const over = { state: 'dropped', ended_at: now, next_at: null } as const
    if (ledger.closings.change(shop, ['planned'], over)) {
      ctx.output.note('The shop is not closed: the plan was called off. Nothing was sent.')
      return shownClosing(ctx, ledger, shop)
    }
  }
  const live = openingOf(await shopSettings(await ctx.client()))
  if (open === undefined && !live.Closed)
    throw new SellerError('closing_state', 'The shop is open, and nothing is planned.', say`See it with: ${run('shop:settings')}`)
  if (dryRun === true) {
    ctx.output.note(
      open?.state === 'planned'
        ? 'Nothing was sent. The plan would be called off.'
        : 'Nothing was sent. The shop would be opened.',
    )
    return recordResult(
      closingView,
      open === undefined
        ? draftOf(shop, { startsAt: now, endsAt: now, message: live.Message }, now)
        : ledger.closings.shown(open),
    )
  }
  const later = open === undefined ? '' : ` It would open by itself at ${minuteOf(open.ends_at)}.`
  const messageNote = live.Message === null ? '' : `, with the message "${live.Message}"`
  await ctx.prompts.confirm({
    message: `The shop is ${live.Closed ? 'closed' : 'being closed'}${messageNote}.${later} Open it now?`,
    flag: '--yes',
    given: yes,
  })
  const due = { ends_at: now, next_at: now, tries: 0 }
  if (!ledger.closings.change(shop, ['planned', 'closing', 'closed'], due)) {
    // Closed elsewhere, or held because its message was changed: it is opened with the message that it has.
    const before = JSON.stringify({ Closed: false, Message: live.Message } satisfies ShopOpening)
    ledger.closings.create(shop, { startsAt: now, endsAt: now, message: live.Message })
    ledger.closings.change(shop, ['planned'], { ...due, state: 'closed', before, closed_at: now })
  }
  return stepNow(ctx, ledger, shop)
}

/** The time of a closing that is not over, with the command that changes it. */
export function closingWords({ state, starts_at: from, ends_at: until }: StoredClosing): Message {
  const what =
    state === 'planned'
      ? `The shop will be closed from ${minuteOf(from)} until ${minuteOf(until)}`
      : `The shop is closed until ${minuteOf(until)}`
  return say`${what}. Change that with: ${run('shop:settings', { '--open': true })}`
}

/** Does what is due, and shows the closing. */
async function stepNow(ctx: Context, ledger: Ledger, shop: ShopKey): Promise<Result> {
  const report = new DueReport()
  await sendDueClosing(ctx, {}, report)
  if (report.error !== undefined) throw report.error
  return shownClosing(ctx, ledger, shop, report.code)
}

/** Closes or opens the shop, if that is due. Of several at once only one does. */
export async function sendDueClosing(
  ctx: Context,
  { 'dry-run': dryRun }: { readonly 'dry-run'?: boolean | undefined },
  report: DueReport,
): Promise<void> {
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const now = ctx.clock.now()
  const isDue = (closing: StoredClosing | undefined) => closing !== undefined && (closing.next_at ?? now + 1) <= now
  const due = ledger.closings.open(shop)
  if (due === undefined || !isDue(due)) return
  if (dryRun === true) {
    const Part = now < due.ends_at ? 'close' : due.before === null ? 'missed' : 'open'
    report.add(undefined, { Part, State: 'due', DueAt: isoOf(due.next_at ?? now) })
    return
  }
  const claim = ledger.discounts.claim(shop)
  if (claim === undefined) return
  try {
    // Another process may have done it between the look and the claim.
    const closing = ledger.closings.open(shop)
    if (closing !== undefined && isDue(closing))
      await report.attempt(() => performStep(ctx, { ledger, shop, closing, report, beat: () => claim.beat() }))
  } finally {
    claim.release()
  }
}

interface Step {
  readonly ledger: Ledger
  readonly shop: ShopKey
  readonly closing: StoredClosing
  readonly report: DueReport
  /** @throws JobsError where another process has taken over */
  readonly beat: () => void
}

async function performStep(ctx: Context, step: Step): Promise<void> {
  const { ledger, shop, closing } = step
  try {
    await carryOut(ctx, step)
  } catch (error) {
    const { tries } = closing
    ledger.closings.change(shop, ['planned', 'closing', 'closed'], {
      tries: tries + 1,
      next_at: nextTry(ctx.clock.now(), tries),
    })
    throw error
  }
}

async function carryOut(ctx: Context, { ledger, shop, closing, report, beat }: Step): Promise<void> {
  const { closings } = ledger
  const now = ctx.clock.now()
  const miss = () => {
    closings.change(shop, ['planned'], { state: 'missed', ended_at: now, next_at: null })
    ctx.output.warn(`The shop was to be closed from ${minuteOf(closing.starts_at)} and was not: its end is past.`)
    report.add(undefined, { Part: 'missed', State: 'missed', DueAt: isoOf(closing.starts_at) }, EXIT.held)
  }
  // No call for what is over.
  if (closing.state === 'planned' && closing.before === null && now >= closing.ends_at) return miss()
  const client = await ctx.client()
  const settings = await shopSettings(client)
  const step = closingStep(closing, openingOf(settings), now)
  switch (step.do) {
    case 'miss':
      return miss()
    case 'close': {
      closings.change(shop, ['planned', 'closing'], { state: 'closing', before: JSON.stringify(step.before) })
      const live = step.send === null ? openingOf(settings) : await set(client, settings, step.send, beat)
      // Whoever opens it meanwhile moves the end.
      const ends = closings.latest(shop)?.ends_at ?? closing.ends_at
      // The end compares the message with the one that the service has made of ours.
      const closedState = { state: 'closed', message: live.Message, closed_at: ctx.clock.now(), next_at: ends, tries: 0 } as const
      closings.change(shop, ['closing'], closedState)
      return report.add(undefined, { Part: 'close', State: 'ok' })
    }
    case 'open':
      if (step.send !== null) await set(client, settings, step.send, beat)
      closings.change(shop, ['closing', 'closed'], { state: 'ended', ended_at: ctx.clock.now(), next_at: null, tries: 0 })
      return report.add(undefined, { Part: 'open', State: 'ok' })
    case 'hold':
      closings.change(shop, ['closing', 'closed'], { state: 'held', ended_at: now, next_at: null })
      ctx.output.warn('The shop stays closed: somebody has changed its message since it was closed.')
      ctx.output.hint(say`Open it with: ${run('shop:settings', { '--open': true })}`)
      return report.add(undefined, { Part: 'open', State: 'held' }, EXIT.held)
  }
}

/**
 * Sends the settings, and reads them again: the service answers nothing.
 * @returns how the shop is then
 * @throws {SellerError} where the service has not taken it
 */
async function set(client: SoapClient, settings: Settings, target: ShopOpening, beat: () => void): Promise<ShopOpening> {
  const toSend = settingsToSend(settings, target)
  beat()
  await client.call('SetShopSettings', { shopSettings: toSend })
  const live = openingOf(await shopSettings(client))
  if (live.Closed === target.Closed) return live
  throw new SellerError(
    'no_effect',
    `SetShopSettings: the service answered, and the shop is still ${live.Closed ? 'closed' : 'open'}.`,
    say`It is tried again by ${run('jobs:due')}. See the shop with: ${run('shop:settings')}`,
    { operation: 'SetShopSettings' },
  )
}
