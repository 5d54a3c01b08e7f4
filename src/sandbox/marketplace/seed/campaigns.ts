/** Campaign codes: one for each way in which a code can be valid or not. */
import { DAY_MS } from '../../../system/durations.js'
import type { Store } from '../../../system/sqlite.js'
import { SELLERS } from './sellers.js'

interface CampaignSeed {
  readonly code: string
  readonly description: string
  /** Days from now. */
  readonly from: number
  readonly to: number
  readonly categories?: readonly number[]
  readonly users?: readonly number[]
  readonly usedBy?: number
  readonly discountFactor?: number
  readonly provisionFactor?: number
  readonly maxFeeCap?: number
  readonly customLengthFree?: boolean
  readonly unsoldFree?: boolean
}

/** The codes of a fresh sandbox, with their purpose. */
export const CAMPAIGNS: readonly CampaignSeed[] = [
  { code: 'VALKOMMEN', description: 'Halva avgiften för alla annonser.', from: -30, to: 365, discountFactor: 0.5 },
  {
    code: 'STORRABATT',
    description: 'Ingen provision över 100 kr, fri sluttid & inget att betala för osålt.',
    from: -30,
    to: 365,
    provisionFactor: 0.8,
    maxFeeCap: 100,
    customLengthFree: true,
    unsoldFree: true,
  },
  { code: 'KLADER', description: 'Bara i kategorin Kläder.', from: -30, to: 365, categories: [16], discountFactor: 0.75 },
  { code: 'SNART', description: 'Har inte börjat än.', from: 30, to: 60, discountFactor: 0.5 },
  { code: 'SLUT', description: 'Är redan slut.', from: -60, to: -30, discountFactor: 0.5 },
  {
    code: 'FORBRUKAD',
    description: 'Gäller en gång per säljare.',
    from: -30,
    to: 365,
    usedBy: SELLERS.standard,
    discountFactor: 0.5,
  },
  { code: 'INTEDU', description: 'Gäller en annan säljare.', from: -30, to: 365, users: [SELLERS.second], discountFactor: 0.5 },
]

/** Stores the codes; `now` in ms since 1970. */
export function seedCampaigns(store: Store, now: number): void {
  for (const campaign of CAMPAIGNS) {
    store.run(
      `INSERT INTO campaigns (code, description, starts, ends, categories, users, discount_factor, provision_factor, max_fee_cap,
         custom_length_free, unsold_free) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[campaign.code, campaign.description, now + campaign.from * DAY_MS, now + campaign.to * DAY_MS],
      ...[campaign.categories && JSON.stringify(campaign.categories), campaign.users && JSON.stringify(campaign.users)],
      ...[campaign.discountFactor, campaign.provisionFactor, campaign.maxFeeCap],
      ...[campaign.customLengthFree ?? false, campaign.unsoldFree ?? false],
    )
    if (campaign.usedBy !== undefined) {
      store.run('INSERT INTO campaign_uses (code, user_id, at) VALUES (?, ?, ?)', campaign.code, campaign.usedBy, now - DAY_MS)
    }
  }
}
