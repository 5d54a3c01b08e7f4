/** The forms of the console that its panels are not replaced under: the filter of the items, and fault injection. */
import { type ConsoleFilter, type ConsoleItem, SANDBOX_SELLERS } from '../marketplace/index.js'
import { escaped } from '../markup.js'
import { type FaultInjection, NO_FAULTS } from '../server/fault-injection.js'
import { FAULT_FLAGS, type FaultFlag, formatFaults } from '../server/fault-injection-texts.js'
import { ITEM_TYPE_WORDS } from './console-panels.js'

const STATES: readonly ConsoleItem['state'][] = ['active', 'future', 'ended']

/** The filter that an address asks for. What it names wrongly is left out. */
export function filterOf(query: URLSearchParams): ConsoleFilter {
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
export function queryOf({ text, type, state, sellerId }: ConsoleFilter): URLSearchParams {
  const pairs = { q: text, type, state, seller: sellerId === undefined ? undefined : String(sellerId) }
  return new URLSearchParams(Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

export function filterForm(filter: ConsoleFilter): string {
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

function choice(name: string, any: string, options: readonly (readonly [string, string])[], chosen: string | undefined): string {
  const rows = options.map(
    ([value, text]) => `<option value="${escaped(value)}"${value === chosen ? ' selected' : ''}>${escaped(text)}</option>`,
  )
  return `<select name="${name}"><option value="">${any}</option>${rows.join('')}</select>`
}

/** Every flag of fault injection with its present value, and a way back to none. */
export function faultForm(faults: FaultInjection): string {
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
