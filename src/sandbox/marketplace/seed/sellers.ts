/** The members and applications of a fresh sandbox. Names, addresses and tokens are made up. */
import { SANDBOX_PROFILE } from '../../profile.js'

/** A member for whom calls can be made. */
export interface SandboxSeller {
  readonly userId: number
  readonly token: string
  readonly alias: string
  /** What the member is useful for in a test. */
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

const token = (userId: number): string => `sandbox-token-of-member-${userId}`

export const MEMBERS: readonly MemberSeed[] = [
  {
    userId: SANDBOX_PROFILE.userId,
    token: SANDBOX_PROFILE.token,
    alias: 'Södermalms_Loppis',
    note: 'the well-known seller, with a shop',
    firstName: 'Åsa',
    lastName: 'Öberg',
    address: 'Götgatan 78',
    zipCode: '118 30',
    city: 'Stockholm',
    rating: 1287,
    shop: { maxActiveItems: 100_000, maxInventoryItems: 200_000, logo: true },
  },
  {
    userId: SELLERS.second,
    token: token(SELLERS.second),
    alias: 'skivbörsen_gbg',
    note: 'a second seller with a shop, closed for the holidays',
    firstName: 'Mårten',
    lastName: 'Lindqvist',
    address: 'Andra Långgatan 20',
    zipCode: '413 28',
    city: 'Göteborg',
    rating: 654,
    shop: { maxActiveItems: 500, maxInventoryItems: 2000, temporarilyClosed: 'Stängt för semester; åter snart!', logo: false },
  },
  {
    userId: SELLERS.noShop,
    token: token(SELLERS.noShop),
    alias: 'mormors_vind',
    note: 'a seller without a shop',
    firstName: 'Gun-Britt',
    lastName: 'Sjögren',
    address: 'Storgatan 4 B',
    zipCode: '903 26',
    city: 'Umeå',
    rating: 41,
  },
  {
    userId: SELLERS.expired,
    token: token(SELLERS.expired),
    alias: 'retro&design',
    note: 'a seller whose token has expired',
    firstName: 'Jörgen',
    lastName: 'Dahl',
    address: 'Östra Förstadsgatan 12',
    zipCode: '211 31',
    city: 'Malmö',
    rating: 90,
    tokenExpired: true,
  },
  {
    userId: SELLERS.noEid,
    token: token(SELLERS.noEid),
    alias: 'nykomlingen',
    note: 'a seller whose electronic-ID verification cannot begin',
    firstName: 'Noor',
    lastName: 'Hassan',
    address: 'Vasagatan 9',
    zipCode: '722 15',
    city: 'Västerås',
    rating: 0,
    eidRefusal: 'The member has no personal number on file.',
  },
  {
    userId: SELLERS.fullShop,
    token: token(SELLERS.fullShop),
    alias: 'lilla_garnboden',
    note: 'a shop that already holds as many active items as it may',
    firstName: 'Maj',
    lastName: 'Ek',
    address: 'Hamngatan 3',
    zipCode: '621 57',
    city: 'Visby',
    rating: 212,
    shop: { maxActiveItems: 6, maxInventoryItems: 50, logo: false },
  },
  ...(
    [
      ['pelle_p', 'Per', 'Persson', 'Björkvägen 11', '582 46', 'Linköping', 23],
      ['samlar-Eva', 'Eva', 'Åkesson', 'Kyrkogatan 5', '222 22', 'Lund', 318],
      ['ÖrebroTord', 'Tord', 'Hägg', 'Rudbecksgatan 40', '702 23', 'Örebro', 77],
      ['lisa<3vinyl', 'Lisa', 'Wikström', 'Skolgatan 18', '753 12', 'Uppsala', 140],
      ['k.nilsson', 'Karin', 'Nilsson', 'Norra Vallgatan 60', '211 22', 'Malmö', 5],
      ['Fjällräven72', 'Nils', 'Blind', 'Adolf Hedinsvägen 1', '981 33', 'Kiruna', 61],
    ] as const
  ).map(
    ([alias, firstName, lastName, address, zipCode, city, rating], index): MemberSeed => ({
      userId: BUYERS[0] + index,
      token: token(BUYERS[0] + index),
      alias,
      note: 'a member who bids and buys',
      firstName,
      lastName,
      address,
      zipCode,
      city,
      rating,
    }),
  ),
]

/** Members of a fresh sandbox, the well-known seller first: credentials for tests and for trying things out. */
export const SANDBOX_SELLERS: readonly SandboxSeller[] = MEMBERS.map(({ userId, token, alias, note }) => ({
  userId,
  token,
  alias,
  note,
}))

export interface ApplicationSeed {
  readonly appId: number
  readonly appKey: string
  readonly name: string
  /** Whether the order service is activated for it. */
  readonly orders: boolean
}

/** The well-known application, and another with its own quota and without the order service. */
export const APPLICATIONS: readonly ApplicationSeed[] = [
  { appId: SANDBOX_PROFILE.appId, appKey: SANDBOX_PROFILE.appKey, name: 'Sandbox', orders: true },
  { appId: 2, appKey: '0c7b2f6e-2222-4d4f-9a57-2b6f0e5a7d02', name: 'Lagersystemet', orders: false },
]
