/** The console at `/`: shows a person what happens in the sandbox. */
import { dateTimeOf } from '../../contract/index.js'
import { type ConsoleItem, SANDBOX_SELLERS } from '../marketplace/index.js'
import { escaped } from '../markup.js'
import { SANDBOX_PROFILE } from '../profile.js'
import { formatFaults } from '../server/fault-injection-texts.js'
import type { Reply } from '../server/reply.js'
import type { Site } from '../server/site.js'
import { faultForm, filterForm, filterOf, queryOf } from './console-forms.js'
import { callsPanel, ITEMS_PER_PAGE, itemsPanel, itemsRange, kronor, minute, phonePanel, queuePanel } from './console-panels.js'
import { CONSOLE_SCRIPT } from './console-script.js'
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
  const panels = panelsOf(site, query)
  if (path === '/_sandbox/state') {
    const text = JSON.stringify({ now: new Date(site.marketplace.now()).toISOString(), panels })
    return { status: 200, type: 'application/json; charset=utf-8', headers: { 'Cache-Control': 'no-store' }, text }
  }
  return consolePage(site, panels, query)
}

type PanelName = 'clock' | 'range' | 'item-rows' | 'queue-rows' | 'call-rows' | 'phones' | 'faults-now'

function panelsOf(site: Site, query: URLSearchParams): Record<PanelName, string> {
  const { console: reads } = site.marketplace
  const filter = filterOf(query)
  const total = reads.itemCount(filter)
  const asked = Number(query.get('offset') ?? 0)
  const offset = Number.isInteger(asked) && asked > 0 && asked < total ? asked : 0
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
<section class="card" aria-labelledby="items"><div class="head"><h2 id="items">Items</h2><span class="soft" id="range">${panels.range}</span></div>${filterForm(filterOf(query))}<div id="item-rows">${panels['item-rows']}</div></section>
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
