/** The console at `/`: shows a person what happens in the sandbox. */
import { dateTimeOf } from '../../contract/index.js'
import { type ConsoleFilter, type ConsoleItem, SANDBOX_SELLERS } from '../marketplace/index.js'
import { escaped } from '../markup.js'
import { SANDBOX_PROFILE } from '../profile.js'
import { type FaultInjection, NO_FAULTS } from '../server/fault-injection.js'
import { FAULT_FLAGS, type FaultFlag, formatFaults } from '../server/fault-injection-texts.js'
import type { Reply } from '../server/reply.js'
import type { Site } from '../server/site.js'
import {
  callsPanel,
  ITEM_TYPE_WORDS,
  ITEMS_PER_PAGE,
  itemsPanel,
  itemsRange,
  kronor,
  minute,
  phonePanel,
  queuePanel,
} from './console-panels.js'
import { page } from './layout.js'
import { noticePage } from './notice.js'
import { CONSOLE_STYLE } from './style.js'

const REQUESTS_SHOWN = 12

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#17614f"/><path d="M8 12h16l-2 13H10z M12 12a4 4 0 0 1 8 0" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></svg>`

/** Answers every GET for the console. */
export function consoleReply(site: Site, path: string, query: URLSearchParams): Reply {
  if (path === '/icon.svg')
    return { status: 200, type: 'image/svg+xml', headers: { 'Cache-Control': 'max-age=86400' }, text: ICON }
  if (path.startsWith('/item/')) return itemPage(site, path)
  const panels = renderPanels(site, query)
  if (path === '/_sandbox/state') {
    const text = JSON.stringify({ now: new Date(site.marketplace.now()).toISOString(), panels })
    return { status: 200, type: 'application/json; charset=utf-8', headers: { 'Cache-Control': 'no-store' }, text }
  }
  return consolePage(site, panels, query)
}

type PanelName = 'clock' | 'range' | 'item-rows' | 'queue-rows' | 'call-rows' | 'phones' | 'faults-now'

function renderPanels(site: Site, query: URLSearchParams): Record<PanelName, string> {
  const { console: reads } = site.marketplace
  const filter = parseFilter(query)
  const total = reads.itemCount(filter)
  const askedOffset = Number(query.get('offset') ?? 0)
  const offset = Number.isInteger(askedOffset) && askedOffset > 0 && askedOffset < total ? askedOffset : 0
  const items = reads.items(ITEMS_PER_PAGE, offset, filter)
  const now = site.marketplace.now()
  return {
    clock: `${dateTimeOf(now).slice(0, 19).replace('T', ' ')}, Swedish time`,
    range: itemsRange(items.length, offset, total),
    'item-rows': itemsPanel(items, offset, total, queryOf(filter)),
    'queue-rows': queuePanel(reads.requests(REQUESTS_SHOWN), now),
    'call-rows': callsPanel(reads.calls()),
    phones: phonePanel(reads.eidSessions()),
    'faults-now': faultList(site),
  }
}

function faultList(site: Site): string {
  return Object.entries(formatFaults(site.faults.now))
    .map(([flag, text]) => `<dt>${flag}</dt><dd>${escaped(text)}</dd>`)
    .join('')
}

function consolePage(site: Site, panels: Record<PanelName, string>, query: URLSearchParams): Reply {
  const content = `<h1>Console</h1>
<p class="lead">Base address <code>${escaped(site.marketplace.settings.linkBase)}</code>, namespace <code>${escaped(site.namespace)}</code>. WSDL: <a href="/v3/RestrictedService.asmx?WSDL">restricted</a>, <a href="/v3/PublicService.asmx?WSDL">public</a>${site.served.inOneForm('OrderService').length === 0 ? '' : ', <a href="/v3/OrderService.asmx?WSDL">orders</a>'}.</p>
<div class="board">
<div>
<section class="card" aria-labelledby="queue"><div class="head"><h2 id="queue">Requests</h2><span class="soft">newest first</span></div><div id="queue-rows">${panels['queue-rows']}</div></section>
<section class="card" aria-labelledby="items"><div class="head"><h2 id="items">Items</h2><span class="soft" id="range">${panels.range}</span></div>${filterForm(parseFilter(query))}<div id="item-rows">${panels['item-rows']}</div></section>
</div>
<div>
<section class="card" aria-labelledby="calls"><div class="head"><h2 id="calls">Calls</h2></div><div class="body stack" id="call-rows">${panels['call-rows']}</div></section>
<section class="card" aria-labelledby="eid"><div class="head"><h2 id="eid">Phone</h2></div><div class="body" id="phones" aria-live="polite">${panels.phones}</div></section>
<section class="card" aria-labelledby="time"><div class="head"><h2 id="time">Time</h2></div><div class="body">${clockForm()}</div></section>
<section class="card" aria-labelledby="faults"><div class="head"><h2 id="faults">Fault injection</h2></div><div class="body"><dl id="faults-now">${panels['faults-now']}</dl>${faultForm(site.faults.now)}</div></section>
<section class="card" aria-labelledby="access"><div class="head"><h2 id="access">Credentials</h2></div><div class="body">${credentials()}</div></section>
<section class="card" aria-labelledby="reset"><div class="head"><h2 id="reset">Start over</h2></div><div class="body">${resetForm()}</div></section>
</div>
</div>`
  const aside = `<span class="now" id="clock">${panels.clock}</span>\n`
  return page({ title: 'Marketplace sandbox', content, aside, style: CONSOLE_STYLE, script: CONSOLE_SCRIPT })
}

function clockForm(): string {
  return `<form class="row" method="post" action="/_sandbox/clock"><label>Move the clock forward<select name="advance"><option value="1m">1 minute</option><option value="1h">1 hour</option><option value="1d">1 day</option><option value="7d">7 days</option><option value="30d">30 days</option></select></label><button>Move</button></form>
<p class="soft small">Queued requests come due and items end. Time cannot go back, except by starting over.</p>`
}

function credentials(): string {
  const { appId, appKey, userId, token } = SANDBOX_PROFILE
  const others = SANDBOX_SELLERS.filter((seller) => seller.userId !== userId).map(
    (seller) =>
      `<p class="small"><strong>${escaped(seller.alias)}</strong>, ${escaped(seller.note)}<br><code>${seller.userId}</code> <code>${escaped(seller.token)}</code></p>`,
  )
  return `<dl><dt>AppId</dt><dd><code>${appId}</code></dd><dt>AppKey</dt><dd><code>${appKey}</code></dd><dt>UserId</dt><dd><code>${userId}</code></dd><dt>Token</dt><dd><code>${escaped(token)}</code></dd></dl>
<details class="others"><summary>Other members</summary>${others.join('\n')}</details>`
}

function resetForm(): string {
  return `<p class="soft small">Throws away all items, requests and calls, and seeds the sandbox as it was.</p>
<details class="others"><summary>Reset the sandbox</summary><form class="row" method="post" action="/_sandbox/reset"><button>Yes, throw it all away</button></form></details>`
}

/** The page to which an item's ItemLink leads. */
function itemPage(site: Site, path: string): Reply {
  const id = Number(/^\/item\/\d+\/(\d{1,10})(?:\/[^/]*)?$/.exec(path)?.[1] ?? Number.NaN)
  const item = Number.isNaN(id) ? undefined : findItem(site, id)
  if (item === undefined) return noticePage(404, 'This item does not exist.')
  const picture =
    item.imageLink === undefined
      ? ''
      : `<p><img src="${escaped(new URL(item.imageLink).pathname)}" alt="${escaped(item.title)}"></p>`
  const content = `<h1>${escaped(item.title)}</h1>
${picture}
<dl><dt>Price</dt><dd>${kronor(item.price)}</dd><dt>Type</dt><dd>${item.type}</dd><dt>Seller</dt><dd>${escaped(item.sellerAlias)}</dd><dt>Item</dt><dd>${item.id}</dd><dt>State</dt><dd>${item.state}</dd><dt>From</dt><dd>${minute(item.startDate)}</dd><dt>To</dt><dd>${minute(item.endDate)}</dd></dl>`
  return page({ title: item.title, content, style: 'main img { max-width: 100%; border-radius: 8px; }' })
}

/** Its number may be in the texts of other items too. */
function findItem({ marketplace }: Site, id: number): ConsoleItem | undefined {
  const filter = { text: String(id) }
  const items = marketplace.console.items(marketplace.console.itemCount(filter), 0, filter)
  return items.find((item) => item.id === id)
}

const STATES: readonly ConsoleItem['state'][] = ['active', 'future', 'ended']

/** The filter that an address asks for. What it names wrongly is left out. */
function parseFilter(query: URLSearchParams): ConsoleFilter {
  const text = query.get('q')?.trim() ?? ''
  const type = (Object.keys(ITEM_TYPE_WORDS) as ConsoleItem['type'][]).find((one) => one === query.get('type'))
  const state = STATES.find((one) => one === query.get('state'))
  const seller = SANDBOX_SELLERS.find(({ userId }) => String(userId) === query.get('seller'))
  return {
    ...(text === '' ? {} : { text: text.slice(0, 100) }),
    ...(type === undefined ? {} : { type }),
    ...(state === undefined ? {} : { state }),
    ...(seller === undefined ? {} : { sellerId: seller.userId }),
  }
}

/** The same filter as an address has it. */
function queryOf({ text, type, state, sellerId }: ConsoleFilter): URLSearchParams {
  const pairs = { q: text, type, state, seller: sellerId === undefined ? undefined : String(sellerId) }
  return new URLSearchParams(Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

function filterForm(filter: ConsoleFilter): string {
  const { text, type, state, sellerId } = filter
  const sellers = SANDBOX_SELLERS.map(({ userId, alias }): [string, string] => [String(userId), alias])
  const all = Object.keys(filter).length === 0 ? '' : '<a class="button" href="/#items">All</a>'
  return `<form class="row filter" method="get" action="/#items" role="search">
<label class="wide">Search<input type="search" name="q" value="${escaped(text ?? '')}" placeholder="title, own reference or id" maxlength="100"></label>
<label>Kind${choice('type', 'any kind', Object.entries(ITEM_TYPE_WORDS), type)}</label>
<label>State${choice(
    'state',
    'any state',
    STATES.map((one) => [one, one]),
    state,
  )}</label>
<label>Seller${choice('seller', 'any seller', sellers, sellerId === undefined ? undefined : String(sellerId))}</label>
<button>Show</button>${all}</form>`
}

function choice(
  name: string,
  any: string,
  options: readonly (readonly [string, string])[],
  chosenValue: string | undefined,
): string {
  const rows = options.map(
    ([value, text]) => `<option value="${escaped(value)}"${value === chosenValue ? ' selected' : ''}>${escaped(text)}</option>`,
  )
  return `<select name="${name}"><option value="">${any}</option>${rows.join('')}</select>`
}

/** Every flag of fault injection with its present value, and a way back to none. */
function faultForm(faults: FaultInjection): string {
  const now = formatFaults(faults)
  const fields = (Object.keys(FAULT_FLAGS) as FaultFlag[]).map((flag) => {
    const { example, summary } = FAULT_FLAGS[flag]
    return `<label>${flag}<span class="hint">${escaped(summary)}</span><input name="${flag}" value="${escaped(now[flag])}" placeholder="${escaped(example)}" autocomplete="off" spellcheck="false"></label>`
  })
  const none = Object.entries(formatFaults(NO_FAULTS)).map(
    ([flag, text]) => `<input type="hidden" name="${flag}" value="${escaped(text)}">`,
  )
  return `<details class="others"><summary>Change</summary>
<form method="post" action="/_sandbox/faults"><div class="fields">${fields.join('\n')}</div><button class="main">Set</button></form></details>
<form class="row" method="post" action="/_sandbox/faults">${none.join('')}<button class="slim">No faults</button></form>`
}

/**
 * Keeps the console's panels up to date: it asks for them once a second and replaces those that changed. The server renders and
 * escapes them, as it does for a browser without scripts. A panel that the user is working in is not replaced.
 */
const CONSOLE_SCRIPT = `
(() => {
  const shown = new Map()
  const typing = (panel) => panel.contains(document.activeElement) && /^(INPUT|SELECT)$/.test(document.activeElement.tagName)
  const put = (panel, html) => {
    if (shown.get(panel.id) === html) return
    if (typing(panel)) return
    shown.set(panel.id, html)
    const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.key : undefined
    const open = new Set([...panel.querySelectorAll('details[open]')].map((one) => one.dataset.key))
    panel.innerHTML = html
    for (const one of panel.querySelectorAll('details')) if (open.has(one.dataset.key)) one.open = true
    if (focused) panel.querySelector('[data-key="' + CSS.escape(focused) + '"]')?.focus()
  }
  const look = async () => {
    try {
      const answer = await fetch('/_sandbox/state' + location.search, { headers: { Accept: 'application/json' } })
      if (!answer.ok) throw new Error(String(answer.status))
      const { panels } = await answer.json()
      for (const [id, html] of Object.entries(panels)) {
        const panel = document.getElementById(id)
        if (panel) put(panel, html)
      }
      document.documentElement.dataset.live = 'yes'
    } catch {
      document.documentElement.dataset.live = 'no'
      const clock = document.getElementById('clock')
      if (clock) clock.textContent = 'The sandbox does not answer; it may have been stopped.'
      shown.clear()
    }
    setTimeout(look, document.hidden ? 5000 : 1000)
  }
  setTimeout(look, 500)
})()
`
