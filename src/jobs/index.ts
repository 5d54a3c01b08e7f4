/** The interface of jobs: work that must not be lost. */

export { type Addition, findAdditions } from './added.js'
export { closingStep, nextTry } from './closings.js'
export * from './ledger/index.js'
export { refusedEntry, settleCall } from './ledger/outcome.js'
export type { ListingChoices } from './listing/choices.js'
export { type ImageFile, inspectImages, readImage, sentImage } from './listing/images.js'
export type { ListingOutcome } from './listing/journal.js'
export { createListing, type ItemRequestInput, removeListing, showListing } from './listing/listing.js'
export { runListing } from './listing/run.js'
export type { ListingStep } from './listing/steps.js'

export { type WaitProgress, waitForRequests } from './poller.js'
export { rememberedReferences, rememberReferences, seenReferences } from './references.js'
export { findRemovals, type Removal } from './removed.js'
export { scheduledItems } from './scheduled.js'
export { recordQueued } from './send.js'
