/** Each operation of the service, a command that carries it out, and where more of it is tested. docs/commands.md shows the commands. */
import type { OperationName } from '../../src/contract/index.js'

export interface OperationRun {
  readonly operation: OperationName
  /** As a user types it; words in braces stand for ids that the test fills in. */
  readonly command: string
  /** A file of test/e2e that runs it over real HTTP, beside operations.test.ts which runs this very line. */
  readonly test: string
}

const rows: readonly (readonly [OperationName, string, string])[] = [
  ['GetItem', 'items:show {auction}', 'items-show'],
  ['GetSellerItems', 'items:list --state active', 'items-list'],
  ['AddItem', 'items:add --file {file}', 'items-add'],
  ['AddItemImage', 'images:upload {request} {image}', 'images'],
  ['AddItemCampaignCode', 'campaigns:attach {request} VALKOMMEN', 'images'],
  ['AddItemCommit', 'images:upload {request} --commit', 'images'],
  ['GetRequestResults', 'requests:wait {request}', 'requests'],
  ['AddShopItem', 'shop:add --title Mugg --category 344481 --price 149', 'shop-items'],
  ['RemoveShopItem', 'shop:remove {shop}', 'shop-items'],
  ['SetPriceOnShopItems', 'shop:price {shop2}={price} --yes', 'shop-price'],
  ['SetPricesOnNonShopItems', 'items:price {item2} --opening 12', 'items-price'],
  ['GetShopSettings', 'shop:settings', 'sales'],
  ['GetUserInfo', 'account:show', 'auth'],
  ['GetSellerTransactions', 'transactions:list', 'sales'],
  ['LeaveFeedback', 'feedback:leave {transaction} --positive Tack', 'feedback'],
  ['LeaveOrderFeedbackToBuyer', 'feedback:leave --order {order} --positive Tack', 'feedback'],
  ['GetMemberPaymentOptions', 'members:payments {member}', 'sessions/marks.txt'],
  ['ValidateCampaignCode', 'campaigns:validate STORRABATT', 'images'],
  ['BeginEidVerification', 'eid:verify --no-wait', 'eid'],
  ['GetEidVerificationProgress', 'eid:status', 'eid'],
  ['CancelEidVerification', 'eid:cancel', 'eid'],
  ['BeginEidOnFileVerification', 'eid:verify --on-file --no-wait', 'eid'],
  ['SetQuantityOnShopItems', 'shop:stock {shop2}=3 --yes', 'extended'],
  ['UpdateShopItem', 'shop:update {shop2} --title Kopp', 'extended'],
  ['UpdateTransactionStatus', 'transactions:mark {transaction} --paid --shipped', 'extended'],
  ['SetActivateDateOnShopItems', 'shop:activate {shop2} --at 2099-12-01', 'extended'],
  ['EndItem', 'items:end {item2} --yes', 'extended'],
  ['GetSellerOrders', 'orders:list', 'orders'],
  ['GetOrders', 'orders:show {order}', 'orders'],
  ['SetSellerOrderAsPaid', 'orders:mark {unpaid} --paid', 'orders'],
  ['SetSellerOrderAsShipped', 'orders:mark {order} --sent', 'orders'],
  ['GetFreightLabels', 'orders:labels {order} --force', 'orders'],
  ['GetItemRestarts', 'items:relist --unsold --dry-run', 'items-relist'],
  ['GetOfficalTime', 'reference:time', 'reference'],
  ['GetCategories', 'reference:categories', 'reference'],
  ['GetPaymentTypes', 'reference:payment-types', 'reference'],
  ['GetAcceptedBidderTypes', 'reference:bidder-types', 'reference'],
  ['GetExpoItemTypes', 'reference:expo-item-types', 'reference'],
  ['GetItemTypes', 'reference:item-types', 'reference'],
  ['GetCounties', 'reference:counties', 'reference'],
  ['PublicService.GetItem', 'items:show {auction} --public', 'items-show'],
  ['PublicService.GetSellerItems', 'items:list --seller {member}', 'items-list'],
]

export const OPERATION_RUNS: readonly OperationRun[] = rows.map(([operation, command, test]) => ({
  operation,
  command,
  test: `test/e2e/${test.endsWith('.txt') ? test : `${test}.test.ts`}`,
}))
