/** The style of all pages: light or dark by the user's setting, without fonts or pictures from elsewhere. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f7f6f3; --card: #fffefb; --ink: #22211e; --soft: #66625a; --line: #dedad1; --faint: #efece5;
  --accent: #17614f; --accent-ink: #ffffff; --warn: #9a4a08; --bad: #a3262a; --good: #17614f; --code: #f1eee7;
  --sans: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171816; --card: #1f211e; --ink: #e8e6df; --soft: #a09c91; --line: #363832; --faint: #272925;
    --accent: #7cc7b0; --accent-ink: #10231d; --warn: #e7a765; --bad: #f0888a; --good: #7cc7b0; --code: #262824;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans); }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.4rem 0.8rem; z-index: 2; }
header.top, main, footer.foot { width: min(76rem, 100% - 3rem); margin: 0 auto; }
@media (max-width: 40rem) { header.top, main, footer.foot { width: calc(100% - 1.6rem); } }
header.top { display: flex; flex-wrap: wrap; gap: 0.3rem 1.8rem; align-items: baseline; padding-top: 1.1rem; padding-bottom: 0.9rem; border-bottom: 1px solid var(--line); }
header.top .name { font-weight: 650; letter-spacing: -0.01em; color: var(--ink); text-decoration: none; }
header.top nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; font-size: 0.93rem; }
header.top .now { margin-left: auto; color: var(--soft); font-size: 0.87rem; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.65rem; line-height: 1.2; letter-spacing: -0.02em; font-weight: 650; margin: 1.6rem 0 0.3rem; text-wrap: balance; }
h2 { font-size: 1.02rem; letter-spacing: -0.005em; font-weight: 650; margin: 0; }
h3 { font-size: 0.93rem; font-weight: 650; margin: 1.2rem 0 0.4rem; }
p { margin: 0.4rem 0; max-width: 46rem; text-wrap: pretty; }
.lead { color: var(--soft); margin-bottom: 1.2rem; }
.soft { color: var(--soft); }
.small { font-size: 0.87rem; }
code, pre, kbd, .mono { font-family: var(--mono); font-size: 0.87em; }
code { background: var(--code); padding: 0.08em 0.32em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem 1rem; overflow: auto; line-height: 1.45; font-size: 0.82rem; margin: 0.5rem 0 1rem; tab-size: 2; max-height: 34rem; }
pre code { background: none; padding: 0; font-size: inherit; overflow-wrap: normal; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.card > .head { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; padding: 0.7rem 1rem 0.6rem; border-bottom: 1px solid var(--line); }
.card > .head .soft { margin-left: auto; font-size: 0.87rem; }
.card > .body { padding: 0.8rem 1rem 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.93rem; }
caption { text-align: left; color: var(--soft); padding: 0.3rem 0; }
th { text-align: left; font-weight: 550; color: var(--soft); font-size: 0.82rem; padding: 0.45rem 0.75rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 0.42rem 0.75rem; border-bottom: 1px solid var(--faint); vertical-align: middle; }
tr:last-child > td { border-bottom: 0; }
th:first-child, td:first-child { padding-left: 1rem; }
th:last-child, td:last-child { padding-right: 1rem; }
.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.nowrap { white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.state { font-size: 0.87rem; font-weight: 550; white-space: nowrap; }
button, .button { font: 550 0.93rem/1.2 var(--sans); padding: 0.5rem 0.95rem; border-radius: 6px; border: 1px solid var(--line); background: var(--card); color: var(--ink); cursor: pointer; }
button:hover { border-color: var(--soft); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.main:hover { filter: brightness(1.08); }
button.slim { padding: 0.22rem 0.6rem; font-size: 0.85rem; }
form.row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0; }
form.row label { flex: 1 1 8rem; }
label > input, label > select { margin-top: 0.2rem; }
label { font-size: 0.87rem; font-weight: 550; }
input, select, textarea { font: 0.93rem/1.3 var(--sans); padding: 0.42rem 0.6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); width: 100%; }
input:hover, select:hover, textarea:hover { border-color: var(--soft); }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.8rem 1.2rem; margin: 0.3rem 0 1rem; }
.fields .hint { display: block; font-weight: 400; color: var(--soft); font-size: 0.82rem; }
details { border-top: 1px solid var(--line); padding: 0.55rem 0; }
summary { cursor: pointer; font-weight: 550; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.1rem; margin: 0; font-size: 0.93rem; }
dt { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
progress, meter { width: 100%; height: 0.5rem; accent-color: var(--accent); vertical-align: middle; }
footer.foot { color: var(--soft); font-size: 0.87rem; padding-top: 1.5rem; padding-bottom: 2.5rem; }
`

/** Only for the console: its two columns, pictures of items, the phone. */
export const CONSOLE_STYLE = `
.board { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 1.2rem; align-items: start; margin-top: 1.2rem; }
.board > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.2rem; min-width: 0; }
@media (max-width: 62rem) { .board { grid-template-columns: minmax(0, 1fr); } }
td.pic { width: 3.6rem; padding-right: 0; }
.pic img, .pic span { display: block; width: 2.6rem; height: 2.6rem; border-radius: 5px; object-fit: cover; background: var(--faint); border: 1px solid var(--line); }
.pic .none { display: grid; place-items: center; color: var(--soft); font-weight: 550; }
.filter { padding: 0.7rem 1rem; border-bottom: 1px solid var(--faint); }
.filter .wide { flex: 2 1 12rem; }
.filter .button { text-decoration: none; }
.others .fields { grid-template-columns: minmax(0, 1fr); }
@media (max-width: 40rem) {
  .stacks thead { position: absolute; left: -99rem; }
  .stacks tr { display: grid; grid-template-columns: 3.4rem max-content max-content minmax(0, 1fr); gap: 0.1rem 0.7rem; padding: 0.6rem 1rem; border-bottom: 1px solid var(--faint); align-items: center; }
  .stacks td { padding: 0; border: 0; text-align: left; }
  .stacks td:first-child, .stacks td:last-child { padding: 0; }
  .stacks td.pic { grid-row: span 3; width: auto; align-self: start; }
  .stacks td.what { grid-column: 2 / -1; width: auto; min-width: 0; }
  .stacks td:empty { display: none; }
  .stacks td.nowrap { grid-column: 2 / 4; }
  .stacks td:last-child { grid-column: 4; justify-self: end; }
}
td.what { width: 70%; min-width: 12rem; line-height: 1.35; }
.title { font-weight: 550; overflow-wrap: anywhere; }
.bar { min-width: 9rem; }
.ids { font-variant-numeric: tabular-nums; white-space: nowrap; line-height: 1.35; }
.phone { max-width: 17.5rem; margin: 0.2rem auto 0.4rem; border: 1px solid var(--line); border-radius: 2rem; padding: 0.6rem; background: var(--faint); }
.phone .screen { background: var(--card); border: 1px solid var(--line); border-radius: 1.5rem; padding: 1.1rem 1.1rem 1.3rem; text-align: center; min-height: 17rem; display: flex; flex-direction: column; gap: 0.5rem; }
.phone .notch { width: 4.2rem; height: 0.35rem; border-radius: 1rem; background: var(--line); margin: 0 auto 0.5rem; }
.phone .who { font-size: 1.1rem; font-weight: 650; letter-spacing: -0.01em; }
.phone .acts { margin-top: auto; display: grid; gap: 0.5rem; }
.phone .acts form { display: grid; }
.phone .acts button { padding: 0.7rem 1rem; border-radius: 0.8rem; }
.pager { display: flex; gap: 1rem; padding: 0.6rem 1rem; border-top: 1px solid var(--line); font-size: 0.93rem; }
.quiet { padding: 0.9rem 1rem; color: var(--soft); }
.stack > * + * { margin-top: 0.9rem; }
.calls { display: flex; justify-content: space-between; gap: 0.8rem; font-size: 0.93rem; }
.others { margin-top: 0.7rem; padding-bottom: 0; }
.others[open] > :nth-child(2) { margin-top: 0.6rem; }
`
