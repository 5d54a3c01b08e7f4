/** Style of a page: light or dark as its reader's system is, and light on paper. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --sheet: #f6f7f9; --ink: #16191d; --quiet: #5a6472; --line: #d9dee5;
  --main: #2563b8; --before: #9aa7b8; --up: #147a3d; --down: #b3261e; --warn: #8a5300; --warn-sheet: #fff4e0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --sheet: #1d2127; --ink: #e8ebef; --quiet: #a3aebb; --line: #343b45;
    --main: #6ea8fe; --before: #64707f; --up: #5bd08a; --down: #ff8a80; --warn: #ffc163; --warn-sheet: #33270f;
  }
}
:root.printing {
  color-scheme: light;
  --paper: #ffffff; --sheet: #ffffff; --ink: #000000; --quiet: #444444; --line: #bbbbbb;
  --main: #2563b8; --before: #9aa7b8; --up: #147a3d; --down: #b3261e; --warn: #8a5300; --warn-sheet: #ffffff;
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
header p { margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
h1 { margin: 0 0 .3rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
.date { white-space: nowrap; }
h2 { margin: 2rem 0 .6rem; font-size: 1.15rem; }
.warning { margin: 1rem 0 0; padding: .7rem .9rem; border-left: 4px solid var(--warn); background: var(--warn-sheet); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.9rem, 1fr)); gap: .6rem; margin: 1.2rem 0 0; }
.tiles div { padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); }
.tiles dt { color: var(--quiet); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tiles .note { font-size: .85rem; font-weight: 400; }
.note { display: block; color: var(--quiet); font-size: .85rem; white-space: normal; }
.up dd .note, tr.up .toned { color: var(--up); }
.down dd .note, tr.down .toned { color: var(--down); }
tr.warn .note { color: var(--warn); }
figure { margin: 1.6rem 0 0; }
figcaption { font-weight: 600; margin-bottom: .4rem; }
.chart { min-height: 260px; }
.u-legend { color: var(--quiet); font-size: .85rem; text-align: left; }
.u-legend th, .u-legend td { padding: 2px 6px; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center; margin-bottom: .6rem; color: var(--quiet); }
input, select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: 6px; padding: .35rem .6rem; }
input { width: 16rem; max-width: 60vw; }
:focus-visible { outline: 2px solid var(--main); outline-offset: 1px; }
table { border-collapse: collapse; }
section table { width: 100%; }
section th, section td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
section thead th { position: sticky; top: 0; background: var(--paper); color: var(--quiet); font-size: .85rem; font-weight: 600; }
section .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
section td:not(.number) { overflow-wrap: anywhere; }
td.bar { width: 16%; min-width: 5rem; vertical-align: middle; }
td.bar rect { fill: var(--main); }
td.picture { width: 52px; }
td img { display: block; object-fit: cover; border-radius: 4px; }
@media (max-width: 640px) {
  body { padding: 1rem .7rem 3rem; font-size: 15px; }
  h1 { font-size: 1.3rem; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr)); }
  section .wide { display: none; }
  section th, section td { padding: .35rem .35rem; }
  .stacked, .stacked thead, .stacked tbody { display: block; }
  .stacked tr { display: grid; grid-template-columns: repeat(6, 1fr); border-bottom: 1px solid var(--line); }
  .stacked th, .stacked td { border: 0; grid-column: 1 / -1; }
  .stacked .number { grid-column: span 2; padding-top: 0; }
  .stacked .picture { grid-column: 1; grid-row: 1; }
  .stacked .picture + td, .stacked .picture + th { grid-column: 2 / -1; grid-row: 1; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .tools, noscript { display: none; }
  section thead th { position: static; }
  thead { display: table-header-group; }
  tr, figure, .tiles div { break-inside: avoid; }
}
`
