/** The parts of the console, each as the HTML inside one element. All texts from the store are escaped. */

import { requestState } from '../../contract/index.js'
import { durationText } from '../../system/durations.js'
import type { ConsoleCalls, ConsoleEidSession, ConsoleItem, ConsoleRequest } from '../marketplace/index.js'
import { escaped } from '../markup.js'

export const ITEMS_PER_PAGE = 25

/** The kinds of items as people call them. */
export const ITEM_TYPE_WORDS: Readonly<Record<ConsoleItem['type'], string>> = {
  Auction: 'Auction',
  PureBuyItNow: 'Buy it now',
  ShopItem: 'Shop item',
  ContactOnly: 'Contact only',
}

const STATE_COLOURS: Readonly<Record<ConsoleItem['state'], string>> = { active: 'good', future: 'warn', ended: 'soft' }

/** Items that end later than any plan run until they are removed. */
const NO_END_YEAR = 2090

/** 12 345 kr, with no-break spaces. */
export function kronor(amount: number | null): string {
  return amount === null ? '' : `${grouped(amount)}\u00a0kr`
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u00a0')
}

/** Day and minute of a dateTime, in its own zone. */
export function minute(dateTime: string): string {
  return `${dateTime.slice(0, 10)}\u00a0${dateTime.slice(11, 16)}`
}

/** The page of items that begins at `offset`, out of `total`. @param query the filter as the page was asked for it */
export function itemsPanel(items: readonly ConsoleItem[], offset: number, total: number, query: URLSearchParams): string {
  if (items.length === 0) {
    return [...query.keys()].length > 0
      ? '<p class="quiet">No item matches. <a href="/#items" data-key="all">Show all items</a></p>'
      : '<p class="quiet">No items here. Add one by AddItem or AddShopItem, or seed some from CSV.</p>'
  }
  const rows = items.map(
    (item) => `<tr><td class="pic">${picture(item)}</td>
<td class="what"><span class="title">${escaped(item.title)}</span><br><span class="soft small">${ITEM_TYPE_WORDS[item.type]} ${item.id} · ${escaped(item.sellerAlias)}</span></td>
<td class="num">${kronor(item.price)}</td>
<td class="num">${item.type === 'Auction' ? `${item.bids} ${item.bids === 1 ? 'bid' : 'bids'}` : item.type === 'ShopItem' ? `${grouped(item.quantity)} left` : ''}</td>
<td class="nowrap"><span class="state ${STATE_COLOURS[item.state]}">${item.state}</span><br><span class="soft small">${span(item)}</span></td>
<td>${buyForm(item)}</td></tr>`,
  )
  return `<div class="scroll" role="region" aria-label="Items" tabindex="0" data-key="table-items"><table class="stacks">
<thead><tr><th scope="col" class="pic"><span class="skip">Picture</span></th><th scope="col">Item</th><th scope="col" class="num">Price</th><th scope="col" class="num">Bids, stock</th><th scope="col">State</th><th scope="col"><span class="skip">Act</span></th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>
${pager(offset, total, query)}`
}

/** The position of the page among all items, for the heading of the panel. */
export function itemsRange(count: number, offset: number, total: number): string {
  return count === 0 ? 'none' : `${grouped(offset + 1)} to ${grouped(offset + count)} of ${grouped(total)}`
}

/** When an item begins, ends or ended, shortened. */
function span({ state, startDate, endDate }: ConsoleItem): string {
  if (state === 'future') return `from ${minute(startDate)}`
  if (state === 'ended') return minute(endDate)
  return Number(endDate.slice(0, 4)) >= NO_END_YEAR ? 'until removed' : `to ${minute(endDate)}`
}

/** A letter in place of the picture of an item without one. */
function initialOf(title: string): string {
  return (/[\p{L}\p{N}]/u.exec(title)?.[0] ?? '?').toUpperCase()
}

function picture({ imageId, imageLink, title }: ConsoleItem): string {
  if (imageId === undefined || imageLink === undefined) {
    return `<span class="none" aria-hidden="true">${escaped(initialOf(title))}</span>`
  }
  // Only the path, because the page may have been opened as localhost.
  return `<img src="${escaped(new URL(imageLink).pathname)}" alt="" loading="lazy" width="42" height="42">`
}

function buyForm({ id, title, type, state, quantity, price }: ConsoleItem): string {
  const buyable = state === 'active' && price !== null && (type === 'PureBuyItNow' || (type === 'ShopItem' && quantity > 0))
  if (!buyable) return ''
  return `<form method="post" action="/_sandbox/buy"><input type="hidden" name="itemId" value="${id}"><button class="slim" data-key="buy-${id}" aria-label="Buy ${escaped(title)} as a made-up member">Buy</button></form>`
}

function pager(offset: number, total: number, query: URLSearchParams): string {
  if (total <= ITEMS_PER_PAGE) return ''
  const link = (to: number, text: string) => {
    const address = new URLSearchParams([...query, ['offset', String(to)]])
    return `<a href="/?${escaped(String(address))}#items" data-key="${text}">${text}</a>`
  }
  const newer = offset > 0 ? link(Math.max(0, offset - ITEMS_PER_PAGE), 'Newer') : '<span class="soft">Newer</span>'
  const older = offset + ITEMS_PER_PAGE < total ? link(offset + ITEMS_PER_PAGE, 'Older') : '<span class="soft">Older</span>'
  return `<nav class="pager" aria-label="Pages of items">${newer}${older}</nav>`
}

/** The queue, newest first; `now` is the marketplace's time, ms. */
export function queuePanel(requests: readonly ConsoleRequest[], now: number): string {
  if (requests.length === 0)
    return '<p class="quiet">Nothing was queued yet. AddItem, AddShopItem, RemoveShopItem and SetPriceOnShopItems show here.</p>'
  const rows = requests.map((request) => {
    const last = request.requestId + request.count - 1
    const ids = request.count === 1 ? String(request.requestId) : `${request.requestId} to<br>${last}`
    const subject = request.itemId === null ? `${grouped(request.count)} items` : `item ${request.itemId}`
    const images = request.images === 0 ? '' : `, ${request.images} ${request.images === 1 ? 'image' : 'images'}`
    return `<tr><td class="ids">${ids}</td><td class="what">${escaped(request.operation)}<br><span class="soft small">${subject}${images}</span></td>
<td class="soft nowrap">${minute(request.queuedAt)}</td><td class="bar">${progress(request, now)}</td></tr>`
  })
  return `<div class="scroll" role="region" aria-label="Requests" tabindex="0" data-key="table-requests"><table>
<thead><tr><th scope="col">Request</th><th scope="col">Operation</th><th scope="col">Queued</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`
}

function progress({ state, queuedAt, dueAt, resultCode, message }: ConsoleRequest, now: number): string {
  if (state === 'uncommited') return '<span class="state warn">waits for its commit</span>'
  if (state === 'finished') {
    const outcome = requestState(resultCode)
    const colour = outcome === 'ok' ? 'good' : outcome === 'retryable' ? 'warn' : 'bad'
    const why = message === undefined || message === '' ? '' : `<br><span class="soft small">${escaped(message)}</span>`
    return `<span class="state ${colour}">${escaped(resultCode ?? '')}</span>${why}`
  }
  const from = Date.parse(queuedAt)
  const due = dueAt === null ? now : Date.parse(dueAt)
  const remainingMs = Math.max(0, due - now)
  const share = due > from ? Math.min(1, Math.max(0, (now - from) / (due - from))) : 1
  return `<progress max="1" value="${share.toFixed(2)}" aria-label="Time until it is due"></progress><span class="soft small">due in ${durationText(remainingMs)}</span>`
}

/** Calls of each application against the quota. */
export function callsPanel(calls: readonly ConsoleCalls[]): string {
  return calls
    .map(({ appId, used, quota, windowMs }) => {
      const window = durationText(windowMs)
      const label = `Application ${appId}`
      const text =
        quota === null ? `${grouped(used)} in ${window}, no quota` : `${grouped(used)} of ${grouped(quota)} in ${window}`
      const meter =
        quota === null
          ? ''
          : `<meter min="0" max="${Math.max(1, quota)}" high="${quota * 0.8}" optimum="0" value="${Math.min(used, quota)}" aria-label="${label}: calls against the quota"></meter>`
      return `<div><div class="calls"><span>${label}</span> <span class="soft">${text}</span></div>${meter}</div>`
    })
    .join('\n')
}

/** The phone of the latest open session, and how the other sessions ended. */
export function phonePanel(sessions: readonly ConsoleEidSession[]): string {
  const open = sessions.filter(({ state }) => state === 'pending')
  const closedSessions = sessions.filter(({ state }) => state !== 'pending').slice(0, 5)
  const phones = open.length === 0 ? [idlePhone()] : open.slice(0, 3).map(ringingPhone)
  const past = closedSessions.map(
    ({ userName, state, startedAt }) =>
      `<dt class="nowrap">${minute(startedAt)}</dt><dd>${escaped(userName)}: <span class="${state === 'approved' ? 'good' : 'bad'}">${state}</span></dd>`,
  )
  return `${phones.join('\n')}${past.length === 0 ? '' : `<dl class="small">${past.join('')}</dl>`}`
}

function idlePhone(): string {
  return '<div class="phone"><div class="screen"><div class="notch"></div><p class="soft">No one is asked to verify. A session begun by BeginEidVerification shows here.</p></div></div>'
}

function ringingPhone({ orderRef, userName, progress: text, onFile }: ConsoleEidSession): string {
  const act = (outcome: string, label: string, kind: string) =>
    `<form method="post" action="/_sandbox/eid"><input type="hidden" name="orderRef" value="${escaped(orderRef)}"><input type="hidden" name="outcome" value="${outcome}"><button class="${kind}" data-key="${outcome}-${escaped(orderRef)}">${label}</button></form>`
  return `<div class="phone"><div class="screen"><div class="notch"></div>
<p class="soft small">Electronic ID${onFile ? ', on file' : ''}</p>
<p class="who">${escaped(userName)}</p>
<p>The marketplace asks you to verify who you are.</p>
<p class="soft small">${escaped(text)}</p>
<div class="acts">${act('approve', 'Approve', 'main')}${act('cancel', 'Cancel', '')}</div>
</div></div>`
}
