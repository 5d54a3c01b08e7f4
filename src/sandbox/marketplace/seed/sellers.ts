/** The members and applications of a fresh sandbox. Names, addresses and tokens are made up. */
import { SANDBOX_PROFILE } from '../../profile.js'

/** A member for whom calls can be made. */
export interface SandboxSeller {
  readonly userId: number
  readonly token: string
  readonly alias: string
  /** Use of the member in a test. */
  readonly note: string
}

export interface ShopSeed {
  readonly maxActiveItems: number
  readonly maxInventoryItems: number
  readonly temporarilyClosed?: string
  readonly logo: boolean
}

export interface MemberSeed extends SandboxSeller {
  readonly firstName: string
  readonly lastName: string
  readonly address: string
  readonly zipCode: string
  readonly city: string
  readonly rating: number
  readonly shop?: ShopSeed
  readonly tokenExpired?: boolean
  /** Text of BeginEidVerification's Error; undefined for members whose verification may begin. */
  readonly eidRefusal?: string
}

/** Ids with a special meaning. */
export const SELLERS = {
  standard: SANDBOX_PROFILE.userId,
  second: 1002,
  noShop: 1003,
  expired: 1004,
  noEid: 1005,
  fullShop: 1006,
}
export const BUYERS = [2001, 2002, 2003, 2004, 2005, 2006] as const

/** Alias, first name, last name, address, zip code, city and rating. */
type Person = readonly [string, string, string, string, string, string, number]

function member(
  userId: number,
  note: string,
  person: Person,
  more: Pick<MemberSeed, 'shop' | 'tokenExpired' | 'eidRefusal'> = {},
) {
  const [alias, firstName, lastName, address, zipCode, city, rating] = person
  const token = userId === SELLERS.standard ? SANDBOX_PROFILE.token : `sandbox-token-of-member-${userId}`
  return { userId, token, alias, note, firstName, lastName, address, zipCode, city, rating, ...more }
}

const CLOSED = 'Stängt för semester; åter snart!'

/** Members of a fresh sandbox, the well-known seller first: credentials for tests and for trying things out. */
export const MEMBERS: readonly MemberSeed[] = [
  member(
    SELLERS.standard,
    'the well-known seller, with a shop',
    ['Södermalms_Loppis', 'Åsa', 'Öberg', 'Götgatan 78', '118 30', 'Stockholm', 1287],
    { shop: { maxActiveItems: 100_000, maxInventoryItems: 200_000, logo: true } },
  ),
  member(
    SELLERS.second,
    'a second seller with a shop, closed for the holidays',
    ['skivbörsen_gbg', 'Mårten', 'Lindqvist', 'Andra Långgatan 20', '413 28', 'Göteborg', 654],
    { shop: { maxActiveItems: 500, maxInventoryItems: 2000, temporarilyClosed: CLOSED, logo: false } },
  ),
  member(SELLERS.noShop, 'a seller without a shop', [
    'mormors_vind',
    'Gun-Britt',
    'Sjögren',
    'Storgatan 4 B',
    '903 26',
    'Umeå',
    41,
  ]),
  member(
    SELLERS.expired,
    'a seller whose token has expired',
    ['retro&design', 'Jörgen', 'Dahl', 'Östra Förstadsgatan 12', '211 31', 'Malmö', 90],
    { tokenExpired: true },
  ),
  member(
    SELLERS.noEid,
    'a seller whose electronic-ID verification cannot begin',
    ['nykomlingen', 'Noor', 'Hassan', 'Vasagatan 9', '722 15', 'Västerås', 0],
    { eidRefusal: 'The member has no personal number on file.' },
  ),
  member(
    SELLERS.fullShop,
    'a shop that already holds as many active items as it may',
    ['lilla_garnboden', 'Maj', 'Ek', 'Hamngatan 3', '621 57', 'Visby', 212],
    { shop: { maxActiveItems: 6, maxInventoryItems: 50, logo: false } },
  ),
  ...(
    [
      ['pelle_p', 'Per', 'Persson', 'Björkvägen 11', '582 46', 'Linköping', 23],
      ['samlar-Eva', 'Eva', 'Åkesson', 'Kyrkogatan 5', '222 22', 'Lund', 318],
      ['ÖrebroTord', 'Tord', 'Hägg', 'Rudbecksgatan 40', '702 23', 'Örebro', 77],
      ['lisa<3vinyl', 'Lisa', 'Wikström', 'Skolgatan 18', '753 12', 'Uppsala', 140],
      ['k.nilsson', 'Karin', 'Nilsson', 'Norra Vallgatan 60', '211 22', 'Malmö', 5],
      ['Fjällräven72', 'Nils', 'Blind', 'Adolf Hedinsvägen 1', '981 33', 'Kiruna', 61],
    ] as const
  ).map((person, index) => member(BUYERS[0] + index, 'a member who bids and buys', person)),
]

export interface ApplicationSeed {
  readonly appId: number
  readonly appKey: string
  readonly name: string
  /** True if the order service is activated for it. */
  readonly orders: boolean
}

/** The well-known application, and another with its own quota and without the order service. */
export const APPLICATIONS: readonly ApplicationSeed[] = [
  { appId: SANDBOX_PROFILE.appId, appKey: SANDBOX_PROFILE.appKey, name: 'Sandbox', orders: true },
  { appId: 2, appKey: '0c7b2f6e-2222-4d4f-9a57-2b6f0e5a7d02', name: 'Lagersystemet', orders: false },
]
