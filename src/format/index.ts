/** The door of format: results on stdout in five forms, everything else on stderr. */
export { barOf, histogram, sparkline } from './charts.js'
export { colourLevel } from './colour.js'
export { createOutput } from './output.js'
export { safeText } from './safe-text.js'
export type {
  ColourLevel,
  Column,
  ColumnKind,
  FlatNode,
  Form,
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
export * from './views/index.js'
