/**
 * A page in one file that makes no request: its content security policy forbids all of them. Scripts and styles are allowed by
 * their hashes alone, so nothing that the service wrote can run, even if it were not escaped. Every text is escaped here.
 */
import { createHash } from 'node:crypto'
import { safeLine } from '../output/safe-text.js'
import { thousands } from '../output/values.js'
import { PAGE_SCRIPT } from './page-script.js'
import { PAGE_STYLE } from './page-style.js'
import { PLOT_SCRIPT, PLOT_STYLE } from './plot-library.js'

/** A number with its words, at the head of a page. */
export interface Tile {
  readonly label: string
  readonly value: string
  /** Below it, smaller. */
  readonly note?: string | undefined
  readonly tone?: PageTone | undefined
}

export type PageTone = 'up' | 'down' | 'warn'

/** Tone of a change. */
export function toneOf(change: number | null): PageTone | undefined {
  if (change === null || change === 0) return undefined
  return change > 0 ? 'up' : 'down'
}

/** Bars next to each other, one group for each label. */
export interface Chart {
  readonly title: string
  /** Description of the labels. */
  readonly axis: string
  readonly labels: readonly string[]
  readonly series: readonly {
    readonly name: string
    readonly kind: 'bars' | 'line'
    readonly colour: 'main' | 'quiet' | 'up' | 'down'
    /** null draws nothing. */
    readonly values: readonly (number | null)[]
  }[]
  /** After a number, such as "kr". */
  readonly unit: string
}

export interface PageColumn {
  readonly header: string
  /** Bars have a share from 0 to 1 as their cell, pictures a data address. */
  readonly kind: 'text' | 'number' | 'bar' | 'picture'
  /** Left out on a narrow screen. */
  readonly wide?: boolean
  /** Its cells have the colour of their row's tone. */
  readonly toned?: boolean
}

/** With how its cells are made; one that is not there is left out. */
export interface MadeColumn<T> extends PageColumn {
  readonly cell: (row: T) => string | number
  readonly there?: boolean
}

export interface PageRow {
  /** One for each column. */
  readonly cells: readonly (string | number)[]
  /** A line below the first text, such as a reason. */
  readonly note?: string | undefined
  /** One of the table's states. */
  readonly state?: string
  readonly tone?: PageTone | undefined
}

export interface PageTable {
  readonly title: string
  readonly columns: readonly PageColumn[]
  readonly rows: readonly PageRow[]
  /** States that rows can be filtered by, with their words. */
  readonly states?: readonly (readonly [state: string, words: string])[]
  readonly empty: string
  /** The first text is long: on a narrow screen it has a line of its own above the numbers. */
  readonly stacked?: boolean
}

export interface Page {
  readonly title: string
  /** Lines below the title. */
  readonly lead: readonly string[]
  /** Something to know before anything else, such as that nothing would be sent. */
  readonly warning?: string | undefined
  readonly tiles: readonly Tile[]
  readonly charts: readonly Chart[]
  readonly table: PageTable
}

/** The table's states that its rows have, with how many rows. */
export function listStates(words: NonNullable<PageTable['states']>, rows: readonly PageRow[]): NonNullable<PageTable['states']> {
  return words.flatMap(([state, text]): [string, string][] => {
    const count = rows.filter((row) => row.state === state).length
    return count === 0 ? [] : [[state, `${text} (${thousands(count)})`]]
  })
}

/** Rows in the page itself, for readers without scripts; the script shows the others. */
const STATIC_ROWS = 100

/** The text as HTML, in one line: no mark-up, control character or bidirectional override in it has any effect. */
export function escapeHtml(text: string): string {
  return safeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** As escapeHtml, with dates that no line breaks inside. */
function wholeDates(text: string): string {
  return escapeHtml(text).replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d)?/g, '<span class="date">$&</span>')
}

/** The beginning of a page. @param allowed what its policy lets through besides its style */
export function headOf(title: string, style: string, { language = 'en', allowed = '', metas = '' } = {}): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${allowed}style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
${metas}<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const METAS = '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'

/** Pieces of the page, in order. */
export function* writePage(page: Page): Generator<string, void> {
  const policy = `script-src ${hashOf(PLOT_SCRIPT)} ${hashOf(PAGE_SCRIPT)}; img-src data:; `
  yield headOf(page.title, `${PLOT_STYLE}\n${PAGE_STYLE}`, { allowed: policy, metas: METAS })
  yield `<header>
<h1>${wholeDates(page.title)}</h1>
${page.lead.map((line) => `<p>${wholeDates(line)}</p>`).join('\n')}
</header>
<main>
`
  if (page.warning !== undefined) yield `<p class="warning" role="alert">${escapeHtml(page.warning)}</p>\n`
  yield `<dl class="tiles">\n${page.tiles.map(tile).join('\n')}\n</dl>\n`
  yield page.charts.map(figure).join('\n')
  yield section(page.table)
  yield '</main>\n'
  yield* data(page)
  yield `<script>${PLOT_SCRIPT}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}

function tile({ label, value, note, tone }: Tile): string {
  const words = note === undefined ? '' : `<span class="note">${escapeHtml(note)}</span>`
  return `<div${tone === undefined ? '' : ` class="${tone}"`}><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}${words}</dd></div>`
}

function figure({ title }: Chart, at: number): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><div class="chart" data-chart="${at}" role="img" aria-label="${escapeHtml(title)}. The table below has the numbers."></div></figure>\n`
}

function section(table: PageTable): string {
  const { title, columns, rows, states = [], empty } = table
  const select =
    states.length === 0
      ? ''
      : `<label>Show <select id="state"><option value="">all</option>${states
          .map(([state, words]) => `<option value="${escapeHtml(state)}">${escapeHtml(words)}</option>`)
          .join('')}</select></label>`
  const heads = columns.map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.header)}</th>`).join('')
  const bodyRows = rows
    .slice(0, STATIC_ROWS)
    .map((row) => tableRow(columns, row))
    .join('\n')
  const more =
    rows.length > STATIC_ROWS
      ? `<noscript><p>These are the first ${STATIC_ROWS} rows. The others need scripts.</p></noscript>`
      : ''
  return `<section aria-labelledby="rows">
<h2 id="rows">${escapeHtml(title)}</h2>
<div class="tools"><label>Filter <input id="filter" type="search" autocomplete="off" spellcheck="false"></label>${select}<output id="count" for="filter"></output></div>
<table${table.stacked === true ? ' class="stacked"' : ''}><thead><tr>${heads}</tr></thead>
<tbody id="body">${bodyRows}</tbody></table>
<p id="empty"${rows.length === 0 ? '' : ' hidden'}>${escapeHtml(empty)}</p>
${more}</section>
`
}

function classOf({ kind, wide, toned }: PageColumn): string {
  const classes = [kind !== 'text' && kind, wide && 'wide', toned && 'toned'].filter(Boolean)
  return classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
}

/** As the page's script makes the others. */
function tableRow(columns: readonly PageColumn[], { cells, note, tone }: PageRow): string {
  const firstText = columns.findIndex(({ kind }) => kind === 'text')
  const cellTexts = columns.map((column, at) => {
    const cell = cells[at] ?? ''
    if (column.kind === 'bar') return `<td${classOf(column)}>${bar(Number(cell))}</td>`
    if (column.kind === 'picture') return `<td${classOf(column)}>${picture(String(cell))}</td>`
    const words = at === firstText && note !== undefined ? `<span class="note">${escapeHtml(note)}</span>` : ''
    return `<td${classOf(column)}>${escapeHtml(String(cell))}${words}</td>`
  })
  return `<tr${tone === undefined ? '' : ` class="${tone}"`}>${cellTexts.join('')}</tr>`
}

/** Drawn by attributes: the policy lets no style of an element through. */
function bar(share: number): string {
  const width = Math.round(share * 1000) / 10
  return width === 0
    ? ''
    : `<svg width="100%" height="10" aria-hidden="true"><rect width="${width}%" height="10" rx="2"></rect></svg>`
}

/** Only what is in the page itself. */
function picture(address: string): string {
  return DATA_PICTURE.test(address) ? `<img src="${address}" alt="" width="40" height="40" loading="lazy">` : ''
}

const DATA_PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/

/** Data for the script: JSON in which no "<" can end the element. A row a piece. */
function* data({ charts, table }: Page): Generator<string, void> {
  const text = (value: unknown): string => JSON.stringify(value, safeStrings).replaceAll('<', '\\u003c')
  const columns = table.columns.map(({ kind, wide, toned }) => ({ kind, wide, toned }))
  yield `<script type="application/json" id="data">{"charts":${text(charts)},"columns":${text(columns)},"rows":[`
  for (const [at, { cells, note, state, tone }] of table.rows.entries()) {
    const safeCells = cells.map((cell, column) =>
      table.columns[column]?.kind === 'picture' && !DATA_PICTURE.test(String(cell)) ? '' : cell,
    )
    yield `${at === 0 ? '\n' : ',\n'}${text([safeCells, note ?? '', state ?? '', tone ?? ''])}`
  }
  yield ']}</script>\n'
}

/** Texts as the page shows them. */
function safeStrings(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? safeLine(value) : value
}
