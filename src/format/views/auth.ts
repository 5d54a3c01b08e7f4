/** Profiles, the source of each value, and electronic-ID sessions. Secrets are masked before they come here. */
import { run, say } from '../../messages/index.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** A setting of the profile in use. */
export interface SettingShown {
  readonly Setting: string
  readonly Value: string | number | null
  /** flag, environment, profile, built-in or default. */
  readonly Source: string
  /** Where exactly: a flag, a variable, a file. */
  readonly From: string
}

export const settingsView: View<SettingShown> = {
  empty: 'Nothing is set.',
  // Whole, or not at all: the beginning of a namespace or of a folder says nothing.
  columns: [
    { key: 'Setting' },
    { key: 'Value', maxWidth: 50, least: 50 },
    { key: 'Source' },
    { key: 'From', maxWidth: 60, least: 60 },
  ],
}

/** A token that was fetched and stored; the token itself is never shown. */
export interface TokenRecord {
  readonly Profile: string
  readonly UserId: number
  /** As the service gave it. */
  readonly Expires: string
}

export const tokenView: View<TokenRecord> = {
  card: true,
  columns: [{ key: 'Profile' }, { key: 'UserId', header: 'Seller', kind: 'int' }, { key: 'Expires', kind: 'date' }],
}

export interface ProfileShown {
  readonly Profile: string
  readonly InUse: boolean
  readonly BaseUrl: string | null
  readonly AppId: number | null
  readonly UserId: number | null
}

export const profilesView: View<ProfileShown> = {
  empty: say`No profiles yet: ${run('auth:login')} makes one.`,
  columns: [
    {
      key: 'Profile',
      maxWidth: 30,
      style: (profile, paint) => (profile.InUse ? paint.bold : undefined),
    },
    { key: 'InUse', header: 'In use', kind: 'boolean' },
    { key: 'BaseUrl', header: 'Service', maxWidth: 50 },
    ...columnsOf({ AppId: 'Application' }, 'UserId'),
  ],
}

/** The state of a session: what began it and what was last read of it. */
export interface EidRecord {
  readonly EidOrderRef?: string | null
  readonly AutoStartToken?: string | null
  readonly IsCompleted?: boolean | null
  readonly Progress?: string | null
  readonly Error?: string | null
}

export const eidView: View<EidRecord> = {
  card: true,
  keys: ['QrData'],
  columns: [
    ...columnsOf({ EidOrderRef: 'Order reference', AutoStartToken: 'Auto-start token' }),
    {
      key: 'IsCompleted',
      header: 'Completed',
      kind: 'boolean',
      style: (session, paint) => (session.IsCompleted === true ? paint.green : undefined),
    },
    { key: 'Progress' },
    { key: 'Error', style: (_session, paint) => paint.red },
  ],
}
