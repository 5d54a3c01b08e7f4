/** Each operation of the service and a command that carries it out. docs/commands.md shows the commands. */
import type { OperationName } from '../../src/contract/index.js'

export interface OperationRun {
  readonly operation: OperationName
  /** As a user types it; words in braces stand for ids that the test fills in. */
  readonly command: string
}

const rows: readonly (readonly [OperationName, string])[] = [
  ['GetItem', 'items:show {auction}'],
  ['GetSellerItems', 'items:list --state active'],
  ['AddItem', 'items:add --file {file}'],
  ['AddItemImage', 'images:upload {request} {image}'],
  ['AddItemCampaignCode', 'campaigns:attach {request} VALKOMMEN'],
  ['AddItemCommit', 'images:upload {request} --commit'],
  ['GetRequestResults', 'requests:wait {request}'],
  ['AddShopItem', 'shop:add --title Mugg --category 344481 --price 149'],
  ['RemoveShopItem', 'shop:remove {shop}'],
  ['SetPriceOnShopItems', 'shop:price {shop2}={price} --yes'],
  ['SetPricesOnNonShopItems', 'items:price {item2} --opening 12'],
  ['GetShopSettings', 'shop:settings'],
  ['GetUserInfo', 'account:show'],
  ['GetSellerTransactions', 'transactions:list'],
  ['LeaveFeedback', 'feedback:leave {transaction} --positive Tack'],
  ['LeaveOrderFeedbackToBuyer', 'feedback:leave --order {order} --positive Tack'],
  ['GetMemberPaymentOptions', 'members:payments {member}'],
  ['ValidateCampaignCode', 'campaigns:validate STORRABATT'],
  ['BeginEidVerification', 'eid:verify --no-wait'],
  ['GetEidVerificationProgress', 'eid:status'],
  ['CancelEidVerification', 'eid:cancel'],
  ['BeginEidOnFileVerification', 'eid:verify --on-file --no-wait'],
  ['SetQuantityOnShopItems', 'shop:stock {shop2}=3 --yes'],
  ['UpdateShopItem', 'shop:update {shop2} --title Kopp'],
  ['UpdateTransactionStatus', 'transactions:mark {transaction} --paid --shipped'],
  ['SetActivateDateOnShopItems', 'shop:activate {shop2} --at 2099-12-01'],
  ['EndItem', 'items:end {item2} --yes'],
  ['GetSellerOrders', 'orders:list'],
  ['GetOrders', 'orders:show {order}'],
  ['SetSellerOrderAsPaid', 'orders:mark {unpaid} --paid'],
  ['SetSellerOrderAsShipped', 'orders:mark {order} --sent'],
  ['GetFreightLabels', 'orders:labels {order} --force'],
  ['GetItemRestarts', 'items:relist --unsold --dry-run'],
  ['GetOfficalTime', 'reference:time'],
  ['GetCategories', 'reference:categories'],
  ['GetPaymentTypes', 'reference:payment-types'],
  ['GetAcceptedBidderTypes', 'reference:bidder-types'],
  ['GetExpoItemTypes', 'reference:expo-item-types'],
  ['GetItemTypes', 'reference:item-types'],
  ['GetCounties', 'reference:counties'],
  ['PublicService.GetItem', 'items:show {auction} --public'],
  ['PublicService.GetSellerItems', 'items:list --seller {member}'],
]

export const OPERATION_RUNS: readonly OperationRun[] = rows.map(([operation, command]) => ({ operation, command }))
