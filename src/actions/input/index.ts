/** The interface of input: turns what a seller gives (flags, a file, answers) into requests of the contract. */

export { InputFaults } from '../../cli/input-faults.js'
export { type InputDocument, readDocument, WrittenNumber } from './document.js'
export { itemInputFlags, shopInputFlags } from './flags.js'
export { foundIds, idsOf, withIds } from './ids.js'
export { type InputKind, ITEM_INPUT, type ItemRequestInput, SHOP_INPUT, type ShopItemInput } from './kinds.js'
export { type Asking, type ReadRequest, readImages, readRequest } from './read.js'
export { skeletonOf } from './skeleton.js'
export { bytesOf, typedFields } from './typed.js'
