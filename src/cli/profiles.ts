/** Profiles: who the tool works as, and at which service. Flag before environment before profile; every value keeps its source. */
import type { Binding } from '../soap/index.js'

/** What a profile may hold; the names are those of the settings file. */
export interface Settings {
  base_url?: string
  namespace?: string
  app_id?: number
  app_key?: string
  user_id?: number
  token?: string
  /** ConfigurationHeader.Sandbox: 0 live, 1 test (contract.md 3.6). */
  sandbox?: 0 | 1
  /** ConfigurationHeader.MaxResultAge in seconds. */
  max_result_age?: number
  binding?: Binding
  /** Calls allowed in 24 hours for the application. */
  call_budget?: number
  /** Price guards: the largest change in percent, the lowest price in kronor. */
  max_change?: number
  min_price?: number
}

export type SettingName = keyof Settings

export type Source = 'flag' | 'environment' | 'profile' | 'built-in' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly source: Source
  /** Where exactly: `--profile`, `SELLER_TOKEN`, the path of the settings file. */
  readonly from: string
}

export interface ResolvedProfile {
  readonly name: string
  /** Where the choice of this profile came from. */
  readonly chosen: Sourced<string>
  /** The profile is the service inside this process. */
  readonly embedded: boolean
  /** The settings that have a value, each with its source. */
  readonly sourced: { readonly [K in SettingName]?: Sourced<NonNullable<Settings[K]>> }
  /** The same, values only. */
  readonly settings: Readonly<Settings>
}
