/** Every environment variable the tool reads, with what it is for: for help and docs. */
import { SETTINGS } from './settings.js'

export const ENVIRONMENT: ReadonlyArray<readonly [string, string]> = [
  ['SELLER_PROFILE', 'profile to use if --profile is not given'],
  ...Object.values(SETTINGS).flatMap(({ env, label }) => (env === undefined ? [] : [[env, label] as const])),
  ['SELLER_CONFIG_DIR', 'where profiles are kept'],
  ['SELLER_DATA_DIR', 'where the ledger, saved descriptions and the sandbox are kept'],
  ['SELLER_CACHE_DIR', 'where compiled code is cached; safe to delete'],
  ['NO_COLOR, FORCE_COLOR', 'turn colour off, or on even in a pipe'],
  ['PAGER', 'pager for long results on a terminal (default less -FRX); cat for none'],
  ['HTTPS_PROXY, NO_PROXY', 'proxy for calls, and hosts that bypass it'],
  ['CI', 'never prompt, like --no-input'],
]
