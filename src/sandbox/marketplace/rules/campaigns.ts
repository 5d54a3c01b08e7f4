/** Campaign codes: internal operations of the service that may change at any time (docs/service.md, Addresses). */
import type { Output, ParamsOf, ValidateCampaignCodeResult } from '../../../contract/index.js'
import { type Call, notValid } from '../store/scene.js'
import { categoriesWithin } from './categories.js'
import { findItemRequest } from './commit.js'
import { parsePayload } from './queue.js'

type Validation = Output<typeof ValidateCampaignCodeResult>

interface CampaignRow {
  code: string
  description: string
  starts: number
  ends: number
  categories: string | null
  users: string | null
  discount_factor: number | null
  provision_factor: number | null
  max_fee_cap: number | null
  custom_length_free: number
  unsold_free: number
}

const FIELDS = {
  IsInvalidBecauseDoesNotExist: 'does not exist',
  IsInvalidBecauseHasNotStarted: 'has not started',
  IsInvalidBecauseHasEnded: 'has ended',
  IsInvalidBecauseCategoryIsNotAllowed: 'is not allowed in the category',
  IsInvalidBecauseAlreadyUsed: 'is already used',
  IsInvalidBecauseUserIsNotAllowed: 'is not allowed for the user',
} as const

function parseIds(json: string | null): number[] | undefined {
  return json === null ? undefined : (JSON.parse(json) as number[])
}

/**
 * True if a code is valid for the caller in a category (0: in any), with every reason if it is not. Each user can use a code
 * once.
 */
function validate(call: Call, code: string, categoryId: number): Validation {
  const row = call.store.first<CampaignRow>('SELECT * FROM campaigns WHERE code = ?', code)
  const categories = parseIds(row?.categories ?? null)
  const within = categories === undefined || categoryId === 0 || categories.flatMap(categoriesWithin).includes(categoryId)
  const users = parseIds(row?.users ?? null)
  const isUsed = call.store.first('SELECT 1 FROM campaign_uses WHERE code = ? AND user_id = ?', code, call.userId) !== undefined
  const reasons = {
    IsInvalidBecauseDoesNotExist: row === undefined,
    IsInvalidBecauseHasNotStarted: row !== undefined && call.now < row.starts,
    IsInvalidBecauseHasEnded: row !== undefined && call.now >= row.ends,
    IsInvalidBecauseCategoryIsNotAllowed: !within,
    IsInvalidBecauseAlreadyUsed: isUsed,
    IsInvalidBecauseUserIsNotAllowed: users !== undefined && !users.includes(call.userId),
  }
  return {
    IsValid: !Object.values(reasons).includes(true),
    ...reasons,
    ...(row === undefined ? {} : { Description: row.description }),
    DiscountFactor: row?.discount_factor ?? null,
    ProvisionFactor: row?.provision_factor ?? null,
    MaxFeeCap: row?.max_fee_cap ?? null,
    IsCustomLengthFeeFree: row?.custom_length_free === 1,
    IsUnsoldFeeFree: row?.unsold_free === 1,
  }
}

/** ValidateCampaignCode. A missing code is treated as one that does not exist. */
export function validateCampaignCode(call: Call, params: ParamsOf<'ValidateCampaignCode'>): Validation {
  return validate(call, params.campaignCode ?? '', params.categoryId)
}

/** Why a code cannot be attached to an item of the category, one sentence per reason. */
export function campaignFaults(call: Call, code: string, categoryId: number): string[] {
  const validation = validate(call, code, categoryId)
  return Object.entries(FIELDS)
    .filter(([name]) => validation[name as keyof typeof FIELDS])
    .map(([, reason]) => `Campaign code "${code}" ${reason}.`)
}

/** AddItemCampaignCode: the same code again changes nothing, another one replaces it. */
export function addItemCampaignCode(call: Call, { requestId, campaignCode = '' }: ParamsOf<'AddItemCampaignCode'>): null {
  const itemRequest = findItemRequest(call, requestId, 'a campaign code')
  if ('fault' in itemRequest) throw notValid([itemRequest.fault])
  const { CategoryId } = parsePayload<{ CategoryId: number }>(itemRequest.request)
  const faults = campaignFaults(call, campaignCode, CategoryId)
  if (faults.length > 0) throw notValid(faults)
  call.store.run('UPDATE requests SET campaign_code = ? WHERE first_id = ?', campaignCode, requestId)
  return null
}
