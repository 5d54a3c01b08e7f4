/** The door: what a service says of itself (WSDL), and how it differs from what this tool knows. */
export { compareService, type Known, knownDescription, knownService } from './compare/compare.js'
export type { Difference, DifferenceKind, Direction, Effect } from './compare/difference.js'
export { shapeOf } from './compare/shapes.js'
export type { DescribedBinding } from './definitions.js'
export { DescriptionError, type DescriptionFault } from './errors.js'
export { type DescribedOperation, type Description, readDescription } from './read.js'
export type { Unread } from './schema/notes.js'
export { descriptionText, MAX_DESCRIPTION_BYTES } from './text.js'
