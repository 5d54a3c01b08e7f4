/**
 * Every environment variable the tool reads, with what it is for: for help and docs. Imports nothing, because `--help` needs it
 * at a start.
 */

/** The settings of a profile that a variable may replace (settings.ts reads them). */
export const SETTING_VARIABLES = {
  base_url: { env: 'SELLER_BASE_URL', label: 'Base URL of the service' },
  namespace: { env: 'SELLER_NAMESPACE', label: 'XML namespace of the service' },
  app_id: { env: 'SELLER_APP_ID', label: 'Application id' },
  app_key: { env: 'SELLER_APP_KEY', label: 'Application key' },
  public_key: { env: 'SELLER_PUBLIC_KEY', label: 'Public key of the application' },
  user_id: { env: 'SELLER_USER_ID', label: 'User id of the seller' },
  token: { env: 'SELLER_TOKEN', label: 'User token of the seller' },
  binding: { env: 'SELLER_BINDING', label: 'Binding' },
  call_budget: { env: 'SELLER_CALL_BUDGET', label: 'Calls in 24 hours' },
  call_share: { env: 'SELLER_CALL_SHARE', label: 'Share of the calls' },
  quota_url: { env: 'SELLER_QUOTA_URL', label: 'Quota server that machines share' },
  quota_away: { env: 'SELLER_QUOTA_AWAY', label: 'Without the quota server: refuse or local' },
  quota_patience: { env: 'SELLER_QUOTA_PATIENCE', label: 'How long a quota server that is away is tried' },
  update_url: { env: 'SELLER_UPDATE_URL', label: 'Release file of update:check' },
} as const

export const ENVIRONMENT: ReadonlyArray<readonly [string, string]> = [
  ['SELLER_PROFILE', 'profile to use if --profile is not given'],
  ...Object.values(SETTING_VARIABLES).map(({ env, label }) => [env, label] as const),
  ['SELLER_APPROVE', 'plan: send nothing but a saved plan, which a person confirms on a terminal'],
  ['SELLER_AGENT', 'any value, for an assistant: in tables, texts that others write stand in ⟦ ⟧'],
  ['SELLER_CONFIG_DIR', 'where profiles are kept'],
  ['SELLER_DATA_DIR', 'where the ledger, saved descriptions and the sandbox are kept'],
  ['SELLER_CACHE_DIR', 'where compiled code is cached; safe to delete'],
  ['SELLER_PLAIN', 'one fact a line and nothing drawn, e.g. for a screen reader; TERM=dumb too'],
  ['NO_COLOR, FORCE_COLOR', 'turn colour off, or on even in a pipe'],
  ['PAGER', 'pager for long results on a terminal (default less -FRX); cat for none'],
  ['HTTPS_PROXY, NO_PROXY', 'proxy for calls, and hosts that bypass it'],
  ['CI', 'never prompt, like --no-input'],
]
