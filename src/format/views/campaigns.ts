/** Campaign codes: whether one is valid, and every reason if it is not. */
import { type Output, ValidateCampaignCodeResult } from '../../contract/index.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

export type CampaignRecord = Output<typeof ValidateCampaignCodeResult>

const REASONS: readonly (readonly [keyof CampaignRecord, string])[] = [
  ['IsInvalidBecauseDoesNotExist', 'the code does not exist'],
  ['IsInvalidBecauseHasNotStarted', 'the campaign has not started'],
  ['IsInvalidBecauseHasEnded', 'the campaign has ended'],
  ['IsInvalidBecauseCategoryIsNotAllowed', 'it is not valid for this category'],
  ['IsInvalidBecauseAlreadyUsed', 'it is already used'],
  ['IsInvalidBecauseUserIsNotAllowed', 'it is not for this seller'],
]

/** Why a code is not valid, in words; empty if it is, or if the service gave no reason. */
export function campaignFaults(result: CampaignRecord): string[] {
  return REASONS.filter(([key]) => result[key] === true).map(([, words]) => words)
}

export const campaignView: View<CampaignRecord> = {
  type: ValidateCampaignCodeResult,
  card: true,
  columns: [
    {
      key: 'IsValid',
      header: 'Valid',
      kind: 'boolean',
      shown: (result) => (result.IsValid ? 'yes' : ['no', campaignFaults(result).join(', ')].filter(Boolean).join(': ')),
      style: (result, paint) => (result.IsValid ? paint.green : paint.red),
    },
    ...columnsOf('Description', 'DiscountFactor', 'ProvisionFactor', { MaxFeeCap: 'Highest fee' }),
    ...columnsOf({ IsCustomLengthFeeFree: 'Own length free', IsUnsoldFeeFree: 'Unsold free' }),
  ],
}
