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
  ['UpdateShopItem', 'shop:update {shop2} --title Kopp --allow max_shortened --yes'],
  ['UpdateTransactionStatus', 'transactions:mark {transaction} --paid --shipped'],
  ['SetShopSettings', 'shop:settings --close --until +7d --yes'],
  ['SetActivateDateOnShopItems', 'shop:activate {shop2} --at 2099-12-01 --yes'],
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

/**
 * Runs of the other commands that call the service, and of other forms of requests: what they send must be valid too. They follow
 * those above.
 */
export const COMMAND_RUNS: readonly string[] = [
  'items:add --file {full} --image {image} --yes --wait',
  'items:add --title Kanna --category 344481 --type buy-now --buy-now 200 --opening 0 --shipping pickup --condition used --accepted eu --yes',
  'shop:add --file {shopFile} --yes --wait',
  'shop:add --title Fat --category 344481 --price 20 --image {image} --reference F1 --vat 25 --yes --wait',
  'shop:sync --file {sync} --yes --wait',
  'shop:diff --since 1d',
  'shop:export',
  'shop:restore --at 2026-01-01 --dry-run',
  'shop:update {shop2} --category 344481 --description Ny --shipping pickup --payment 4096 --condition new --vat 25 --external-id 7 --until 2099-12-02 --quantity 4 --allow max_shortened --allow other_branch --yes',
  'shop:discount Flash --reference S* --add -10% --from now --until +1h --allow max_change=50% --yes',
  'shop:price {shop3}=150 --allow max_change --yes --wait',
  'jobs:resume {job}',
  'jobs:undo {job} --yes --wait',
  'jobs:due --wait',
  'discounts:end 1 --yes --wait',
  'items:price {auction2} --opening 140 --buy-now 900 --reserve 500 --accept fees=40 --allow max_change',
  'items:price {auction2} --opening 150 --buy-now none --reserve 500 --allow max_change',
  'items:end {auction2} --yes',
  'items:relist {auction2} --yes --wait',
  'items:list --state all --started-before 2026-01-01',
  'items:list --ends-after 2020-01-01 --category 344481 --type auction',
  'items:list --seller 1002 --ends-after 2020-01-01',
  'images:list {auction}',
  'feedback:pending',
  'transactions:list --since 2026-01-01 --item {auction}',
  'transactions:show {transaction}',
  'transactions:watch --once --since 60d',
  'orders:list --since 60d --unpaid',
  'orders:watch --once --since 60d',
  'orders:export --since 60d',
  'orders:slips {order}',
  'requests:show {request}',
  'prices:history {shop2}',
  'sales:report --since 60d',
  'today',
  'doctor',
  'reference:shipping',
  'reference:attributes keramik',
]
