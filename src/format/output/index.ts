/** The interface of output: results on stdout in several forms, everything else on stderr. */
export { type Bin, barOf, histogram, sparkline } from './charts.js'
export { colourLevel } from './colour.js'
export { columnKeys } from './columns.js'
export { type RowWatch, type RowWatching, withRowCount } from './counted.js'
export { withLists } from './json.js'
export { LabelledOutput } from './labelled.js'
export { createOutput } from './output.js'
export { recordText, wholeRecord } from './personal.js'
export { qrCode } from './qr.js'
export { safeLine, safeText } from './safe-text.js'
export { rowsText } from './table.js'
export { type PruneOptions, pruneTree } from './tree.js'
export type {
  Canvas,
  ColourLevel,
  Column,
  ColumnKind,
  FlatNode,
  Form,
  ListOptions,
  Output,
  OutputOptions,
  Paint,
  Progress,
  ProgressOptions,
  TextStream,
  Tone,
  TreeView,
  View,
} from './types.js'
export { FORMS, UnknownColumnError } from './types.js'
export { kronor, swedishTime, thousands } from './values.js'
export { wrap } from './width.js'
