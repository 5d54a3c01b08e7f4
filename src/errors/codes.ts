/**
 * Every error code that scripts may compare: its category, its exit code if it differs from the category's, the keys of its
 * details, and its meaning. docs/scripting.md is generated from this table. A code that is not here does not compile.
 */
import { type Category, EXIT, EXIT_OF, type ExitCode } from './exit-codes.js'

export interface ErrorEntry {
  readonly category: Category
  /** Only if it differs from the category's. */
  readonly exitCode?: ExitCode
  /** Keys of its details, in addition to those that every error may have (JOB_KEYS). */
  readonly keys: readonly string[]
  readonly meaning: string
}

/** Added to any error that ends the work on a job, or the wait for a queued request. */
export const JOB_KEYS = ['jobId', 'state', 'counts', 'requestId', 'requestIds'] as const

/** Keys of errors from a call: the operation, whether it may have arrived, and what HTTP, the fault or the system reported. */
export const CALL_KEYS = [
  'operation',
  'sent',
  'httpStatus',
  'faultCode',
  'faultString',
  'retryAfterMs',
  'reason',
  'element',
] as const

export const ERROR_CODES = {
  // The command line.
  unknown_command: { category: 'usage', keys: [], meaning: 'There is no such command.' },
  unknown_flag: { category: 'usage', keys: [], meaning: 'The command has no such flag.' },
  unknown_column: { category: 'usage', keys: [], meaning: '--columns or --sort names a field that the records do not have.' },
  unexpected_argument: { category: 'usage', keys: [], meaning: 'More arguments than the command takes.' },
  missing_argument: { category: 'usage', keys: [], meaning: 'An argument is missing.' },
  missing_flags: {
    category: 'usage',
    keys: ['missing'],
    meaning: 'Flags are missing and prompts are off; `missing` names them.',
  },
  wrong_usage: {
    category: 'usage',
    keys: [],
    meaning: 'The command line is wrong in another way, such as flags that exclude each other.',
  },
  too_many_arguments: { category: 'usage', keys: [], meaning: 'An argument is given that does not go with another flag.' },
  stray_flag: { category: 'usage', keys: [], meaning: 'A flag does not apply to this kind of job or file.' },
  several_inputs: { category: 'usage', keys: [], meaning: 'Input is given in two ways at once.' },
  nothing_to_do: { category: 'usage', keys: [], meaning: 'The command line asks for nothing.' },
  no_prices: { category: 'usage', keys: [], meaning: 'No prices are given.' },
  rule_without_items: { category: 'usage', keys: [], meaning: 'A price rule is given without the items it is for.' },
  empty_period: { category: 'usage', keys: [], meaning: 'A period ends before it begins.' },
  not_at_public_service: { category: 'usage', keys: [], meaning: 'The public service has no such filter.' },
  invalid_values: {
    category: 'usage',
    keys: ['count', 'faults'],
    meaning: 'Values of flags or arguments are invalid; `faults` names each.',
  },
  invalid_duration: { category: 'usage', keys: [], meaning: 'A duration cannot be read.' },
  invalid_date: { category: 'usage', keys: [], meaning: 'A date cannot be read.' },
  invalid_price: { category: 'usage', keys: [], meaning: 'A price is not in whole kronor.' },
  invalid_percent: { category: 'usage', keys: [], meaning: 'A percentage cannot be read.' },
  invalid_number: { category: 'usage', keys: [], meaning: 'A whole number cannot be read or is out of range.' },
  service_contradicts: {
    category: 'usage',
    keys: [],
    meaning: 'The name of the operation and --service name different services.',
  },
  invalid_operation: { category: 'usage', keys: [], meaning: 'A text is not a valid name of an operation.' },
  unknown_operation: { category: 'usage', keys: [], meaning: 'There is no such operation.' },
  operation_not_offered: {
    category: 'usage',
    keys: ['operation'],
    meaning: 'The service does not offer the operation that the command needs, or no saved description says so.',
  },
  operation_changed: {
    category: 'usage',
    keys: ['operation'],
    meaning:
      'The saved description says that the service takes another request for the operation, or answers without what decisions rest on. Nothing was sent.',
  },
  binding_too_narrow: { category: 'usage', keys: [], meaning: 'The binding of the profile cannot carry this operation.' },
  insecure_address: {
    category: 'usage',
    keys: [],
    meaning: 'The binding get would put the key and the token into the address of a write. Nothing was sent.',
  },
  // Files and stdin.
  unreadable_file: { category: 'usage', keys: [], meaning: 'An input file cannot be read.' },
  unreadable_input: {
    category: 'usage',
    keys: ['count', 'faults'],
    meaning: 'An input is not of the format it should be, or has the wrong columns.',
  },
  unwritable_file: { category: 'usage', keys: [], meaning: 'A file cannot be written, or exists already.' },
  overwrites_input: { category: 'usage', keys: [], meaning: 'Two flags name the same file.' },
  stdin_is_terminal: { category: 'usage', keys: [], meaning: 'Stdin should be read, but it is a terminal.' },
  stdin_twice: { category: 'usage', keys: [], meaning: 'Two flags read stdin.' },
  // Profiles and settings.
  unknown_member: {
    category: 'usage',
    keys: [],
    meaning: 'A member is named by an alias that was not shown before; the service looks up ids only.',
  },
  unknown_name: {
    category: 'usage',
    keys: ['matches'],
    meaning: 'No category, payment type or shipping provider has the name.',
  },
  ambiguous_name: {
    category: 'usage',
    keys: ['matches'],
    meaning: 'A name fits several categories, payment types or providers; `matches` lists them.',
  },
  no_draft: { category: 'usage', keys: [], meaning: '--draft is given, and there is no draft.' },
  approval_needed: {
    category: 'guard',
    keys: [],
    meaning: 'SELLER_APPROVE=plan is set, and what would be sent is not a saved plan, sent by a person at a terminal.',
  },
  draft_taken: { category: 'guard', keys: [], meaning: 'Another run has continued the draft; nothing was sent.' },
  no_such_profile: { category: 'usage', keys: [], meaning: 'There is no such profile.' },
  invalid_profile_name: { category: 'usage', keys: [], meaning: 'A text is not a valid name of a profile.' },
  sandbox_is_built_in: { category: 'usage', keys: [], meaning: 'The credentials of the profile "sandbox" cannot be changed.' },
  half_a_user: { category: 'usage', keys: [], meaning: 'Only one of user id and token is given.' },
  unknown_setting: { category: 'usage', keys: [], meaning: 'Stdin of auth:login holds an unknown setting.' },
  invalid_setting: { category: 'usage', keys: [], meaning: 'The value of a setting cannot be used.' },
  empty_stdin: { category: 'usage', keys: [], meaning: 'Stdin of auth:login holds no settings.' },
  invalid_stdin: { category: 'usage', keys: [], meaning: 'Stdin of auth:login cannot be read.' },
  settings_damaged: { category: 'usage', keys: [], meaning: 'The settings file cannot be used.' },
  settings_locked: { category: 'internal', keys: [], meaning: 'Another process is changing the settings.' },
  settings_unreadable: { category: 'internal', keys: [], meaning: 'The settings file cannot be read or written.' },
  not_logged_in: {
    category: 'auth',
    keys: ['missing', 'profile'],
    meaning: 'The profile lacks settings that the call needs; `missing` names them.',
  },
  secret_command_failed: {
    category: 'auth',
    keys: ['setting', 'profile', 'status'],
    meaning: 'A command that should print a secret failed; `status` is its exit code.',
  },
  refused: {
    category: 'auth',
    keys: CALL_KEYS,
    meaning: 'The service refused the credentials, or the application may not use the operation.',
  },
  // Values that are refused by this tool or by the service.
  invalid_input: {
    category: 'validation',
    keys: ['count', 'faults'],
    meaning: 'Values of the input are invalid; nothing was sent. `faults` names each.',
  },
  refused_by_service: {
    category: 'validation',
    keys: [...CALL_KEYS, 'itemId', 'reasons'],
    meaning: 'The service refused the request; nothing changed.',
  },
  never_committed: {
    category: 'validation',
    keys: [],
    meaning: 'The item will never be committed, so waiting for it is of no use.',
  },
  not_an_auction: {
    category: 'validation',
    keys: ['itemType'],
    meaning: 'items:price is for auctions, and the item is not one.',
  },
  not_active_yet: { category: 'validation', keys: [], meaning: 'A shop item that is not active yet cannot be removed.' },
  cannot_be_ended: { category: 'validation', keys: [], meaning: 'An item has bids, is a shop item, or is not there.' },
  cannot_be_changed: { category: 'validation', keys: [], meaning: 'An id is not that of a shop item.' },
  cannot_be_removed: { category: 'validation', keys: [], meaning: 'An id is not that of a shop item.' },
  request_committed: {
    category: 'validation',
    keys: ['requestId', 'itemId'],
    meaning: 'The item takes no more images: its request is committed, or the id is that of an item.',
  },
  image_changed: { category: 'validation', keys: ['path'], meaning: 'An image has changed since its job began.' },
  image_not_cleaned: {
    category: 'validation',
    keys: ['path'],
    meaning: 'The metadata of an image, with the place where it was taken, cannot be removed.',
  },
  item_twice: { category: 'validation', keys: ['id', 'line'], meaning: 'An item has two rows in a job.' },
  feedback_already_left: {
    category: 'validation',
    keys: ['transactionId', 'left'],
    meaning: 'You have already left feedback for this transaction.',
  },
  feedback_not_left: {
    category: 'validation',
    keys: ['transactionId', 'left'],
    meaning: 'The service left no feedback and gives no reason.',
  },
  // Guards and confirmations.
  price_held: { category: 'guard', keys: ['itemId'], meaning: 'A price guard holds the price.' },
  nothing_chosen: {
    category: 'guard',
    keys: [],
    meaning: 'No live item is in the category, has such an own reference or such words in its title, or exists at all.',
  },
  item_held: {
    category: 'guard',
    keys: [],
    meaning: 'The own reference of an item is live, or was added before; --again adds it.',
  },
  list_short: {
    category: 'guard',
    keys: ['seenAt', 'before', 'now'],
    meaning: 'The live list lacks more of what it had than the guard max_shrink allows, so nothing is concluded from it.',
  },
  sync_held: {
    category: 'guard',
    keys: ['limit'],
    meaning: 'A guard over all new prices, numbers in stock, additions or removals stops a sync; nothing was sent.',
  },
  fees_not_accepted: { category: 'guard', keys: ['fees', 'accepted'], meaning: 'The fees are higher than --accept fees allows.' },
  confirmation_missing: {
    category: 'guard',
    keys: ['flag'],
    meaning: 'A confirmation is required and prompts are off; `flag` gives it.',
  },
  declined: { category: 'guard', keys: [], meaning: 'The question was answered with no.' },
  // Jobs.
  job_not_found: { category: 'not_found', keys: ['jobId'], meaning: 'There is no such job in the ledger.' },
  job_of_another_kind: { category: 'usage', keys: ['jobId', 'kind'], meaning: 'The command is for jobs of another kind.' },
  run_unreadable: {
    category: 'validation',
    keys: ['command', 'profile'],
    meaning: 'Another version recorded a run over several shops that this one cannot read. Nothing of it is begun.',
  },
  job_unreadable: { category: 'validation', keys: [], meaning: 'Another version wrote a job that this one cannot read.' },
  row_unreadable: {
    category: 'validation',
    keys: ['jobId', 'row', 'field'],
    meaning: 'Another version wrote a row of a job that this one cannot read. Nothing of it is sent.',
  },
  booked_unreadable: {
    category: 'validation',
    keys: ['event', 'field'],
    meaning: 'Another version wrote an event of the books that this one cannot read. No file is written.',
  },
  job_over: { category: 'usage', keys: ['jobId', 'state'], meaning: 'The job is finished or dropped.' },
  discount_not_found: { category: 'not_found', keys: ['discountId'], meaning: 'There is no such discount in the ledger.' },
  discount_unreadable: {
    category: 'validation',
    keys: ['discountId', 'field'],
    meaning: 'Another version wrote a discount that this one cannot read. No price of it is changed.',
  },
  discount_state: {
    category: 'usage',
    keys: ['discountId', 'state'],
    meaning: 'The discount is not in a state for this: it has not begun, runs, or is over.',
  },
  closing_state: {
    category: 'usage',
    keys: ['startsAt', 'endsAt'],
    meaning: 'The shop is to be closed already, for the time in startsAt and endsAt; or it is open, and nothing is planned.',
  },
  job_of_discount: {
    category: 'usage',
    keys: ['jobId', 'discountId'],
    meaning: 'The job starts or ends a discount, and the command would work against that discount.',
  },
  discounts_claimed: { category: 'guard', keys: [], meaning: 'Another process works on the discounts of the shop.' },
  discounts_claim_lost: { category: 'guard', keys: [], meaning: 'Another process took over the discounts of the shop.' },
  moved_already: {
    category: 'guard',
    keys: ['shops'],
    meaning: 'The same relative command has moved prices of these shops within the hour.',
  },
  job_locked: { category: 'guard', keys: ['jobId', 'pid', 'host'], meaning: 'Another process works on the job.' },
  job_lock_lost: { category: 'guard', keys: ['jobId'], meaning: 'Another process took over the job.' },
  job_in_flight: {
    category: 'guard',
    keys: ['jobId', 'unknown', 'queued'],
    meaning: 'Parts of the job are sent and not finished, so dropping it needs --yes.',
  },
  no_bulk_job: { category: 'usage', keys: ['jobId'], meaning: 'The job has steps and no rows.' },
  undo_impossible: { category: 'usage', keys: ['jobId'], meaning: 'The job cannot be undone.' },
  undo_of_several_kinds: {
    category: 'usage',
    keys: ['jobId'],
    meaning: 'The job holds prices of several kinds, which are undone one kind at a time.',
  },
  wrong_profile: { category: 'usage', keys: ['jobId', 'profile'], meaning: 'The job belongs to another profile or seller.' },
  plan_of_another: { category: 'usage', keys: [], meaning: 'The plan belongs to another profile or seller.' },
  item_outcome_unknown: {
    category: 'unknown_outcome',
    keys: ['jobId', 'step', 'sentAt', 'title'],
    meaning: 'The reply to AddItem was lost.',
  },
  image_outcome_unknown: {
    category: 'unknown_outcome',
    keys: ['jobId', 'step', 'path', 'sentAt'],
    meaning: 'The reply to AddItemImage was lost.',
  },
  // Things that do not exist.
  not_whole: {
    category: 'not_found',
    keys: ['notRead'],
    meaning: 'Part of a list is missing, and --whole was given; `notRead` says what.',
  },
  no_known_prices: { category: 'not_found', keys: [], meaning: 'The ledger knows no price of the shop for the date.' },
  item_not_found: { category: 'not_found', keys: [], meaning: 'There is no such item.' },
  category_not_found: { category: 'not_found', keys: [], meaning: 'There is no such category.' },
  request_not_found: { category: 'not_found', keys: [], meaning: 'Neither the ledger nor the service knows the request.' },
  no_account: { category: 'usage', keys: ['account', 'orderId'], meaning: 'No account is set for what is to be booked.' },
  broken_label: { category: 'service', keys: ['orderId'], meaning: 'The label of an order is no whole PDF.' },
  books_currency: {
    category: 'validation',
    keys: ['currency'],
    meaning: 'The account is not in kronor, and the books are.',
  },
  no_begin: { category: 'usage', keys: [], meaning: 'The first export of what is new does not say where the books begin.' },
  export_taken: { category: 'guard', keys: ['orderId'], meaning: 'Another process exports the same new orders.' },
  export_unknown: {
    category: 'unknown_outcome',
    keys: ['file'],
    meaning: 'An export of new orders broke off, and its file is not there.',
  },
  order_not_found: { category: 'not_found', keys: [], meaning: 'The order is not among yours.' },
  transaction_not_found: { category: 'not_found', keys: [], meaning: 'The transaction is not among your sales.' },
  no_token: { category: 'auth', keys: [], meaning: 'The service has no token for the seller and the secret key.' },
  no_page: { category: 'not_found', keys: [], meaning: 'The service gave no address to open.' },
  no_user: { category: 'not_found', keys: [], meaning: 'The service returned no user for the credentials.' },
  no_shop: { category: 'not_found', keys: [], meaning: 'The seller has no shop.' },
  no_logo: { category: 'not_found', keys: [], meaning: 'The shop has no logo.' },
  no_result: { category: 'not_found', keys: [], meaning: 'The service answered the operation without a result.' },
  order_ref_not_taken: { category: 'usage', keys: [], meaning: 'The service has no place for an order reference.' },
  no_eid_session: { category: 'not_found', keys: [], meaning: 'The sandbox has no verification in progress.' },
  // The service and the connection to it.
  fault: { category: 'service', keys: CALL_KEYS, meaning: 'The service answered with a fault.' },
  unavailable: { category: 'service', keys: CALL_KEYS, meaning: 'The service is busy or down (HTTP 502, 503, 504).' },
  no_order_service: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The service has no order service, or it is not activated for the application (HTTP 403 or 404).',
  },
  redirected: { category: 'service', keys: CALL_KEYS, meaning: 'The address answered with a redirect, which is never followed.' },
  proxy_refused: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The proxy asks for credentials, does not accept them (HTTP 407), or does not let the call pass.',
  },
  binding_refused: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The service does not take this version of SOAP (HTTP 415).',
  },
  server_failed: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The web server failed with a page of its own, or with a reply that is not a fault (HTTP 500 and above).',
  },
  request_too_large: {
    category: 'validation',
    keys: CALL_KEYS,
    meaning: 'The web server takes no request of this size (HTTP 413, 414 or 431); nothing changed.',
  },
  wrong_address: { category: 'service', keys: CALL_KEYS, meaning: 'There is no service at the address (HTTP 404 or 405).' },
  wrong_namespace: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The service uses another XML namespace than the profile.',
  },
  operation_not_recognized: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The service does not know the operation in this namespace.',
  },
  not_soap: { category: 'service', keys: CALL_KEYS, meaning: 'The reply is not SOAP, or not what the operation returns.' },
  broken_contract: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The reply lacks a value that the command needs.',
  },
  no_effect: {
    category: 'service',
    keys: CALL_KEYS,
    meaning: 'The service has taken a change, and a look right after shows the old state.',
  },
  reply_too_large: { category: 'service', keys: CALL_KEYS, meaning: 'The reply is larger than the limit.' },
  memory_short: {
    category: 'internal',
    keys: ['entries'],
    meaning: 'The results do not fit in memory.',
  },
  eid_not_begun: { category: 'service', keys: ['serviceError'], meaning: 'The service did not start a verification.' },
  unreachable: { category: 'network', keys: CALL_KEYS, meaning: 'The connection was never made; nothing was sent.' },
  connection_lost: {
    category: 'network',
    keys: CALL_KEYS,
    meaning: 'The connection was lost; running the command again is safe.',
  },
  unknown_outcome: {
    category: 'unknown_outcome',
    keys: CALL_KEYS,
    meaning: 'The reply to a write that must not be repeated was lost.',
  },
  output_lost: {
    category: 'unknown_outcome',
    keys: ['operations', 'errno'],
    meaning: 'A write was carried out, and its result could not be written to stdout.',
  },
  too_many_calls: {
    category: 'quota',
    keys: CALL_KEYS,
    meaning: 'The service refused the call because of its quota (HTTP 429).',
  },
  call_budget_spent: {
    category: 'quota',
    keys: ['allowed', 'used', 'freeAt'],
    meaning: "The application's budget of calls is spent.",
  },
  call_share_spent: {
    category: 'quota',
    keys: ['allowed', 'used', 'freeAt', 'profile', 'percent'],
    meaning: "The profile's share of the call budget is spent, or what the shares of other profiles leave of it.",
  },
  quota_away: {
    category: 'quota',
    keys: ['server', 'reason'],
    meaning: 'The shared quota could not be asked, so the call was not sent.',
  },
  max_calls_reached: { category: 'quota', keys: ['allowed', 'used'], meaning: 'The limit of --max-calls is reached.' },
  exec_not_started: { category: 'usage', keys: ['command'], meaning: 'The command of `--exec` cannot be started.' },
  interrupted: { category: 'pending', exitCode: EXIT.interrupted, keys: [], meaning: 'Ctrl-C or a signal ended the command.' },
  // Descriptions of the service.
  no_release: { category: 'service', keys: [], meaning: 'There is no release file at the address of update:check.' },
  no_description: {
    category: 'service',
    keys: ['url', 'httpStatus'],
    meaning: 'The address does not return a description (WSDL).',
  },
  not_a_description: {
    category: 'service',
    keys: ['url'],
    meaning: 'The reply of the address is not a readable description.',
  },
  invalid_description: { category: 'usage', keys: [], meaning: 'A file cannot be read as a description.' },
  description_twice: { category: 'usage', keys: [], meaning: 'Two descriptions of the same service are given.' },
  description_damaged: { category: 'internal', keys: ['path'], meaning: 'A saved description was changed or cut short.' },
  // The sandbox.
  invalid_fault_injection: { category: 'usage', keys: [], meaning: 'A fault injection flag of the sandbox is invalid.' },
  invalid_seed: { category: 'usage', keys: [], meaning: 'The file with items for the sandbox cannot be used.' },
  sandbox_refused: { category: 'usage', keys: [], meaning: 'The sandbox cannot use this file or port.' },
  sandbox_unusable: { category: 'internal', keys: [], meaning: "The sandbox's file cannot be written." },
  // This machine.
  ledger_damaged: { category: 'internal', keys: ['path'], meaning: 'The ledger is damaged. It was not changed.' },
  ledger_newer: { category: 'internal', keys: ['path'], meaning: 'The ledger was written by a newer version.' },
  ledger_foreign: { category: 'internal', keys: ['path'], meaning: 'The file of the ledger is a database of another program.' },
  ledger_unreadable: { category: 'internal', keys: ['path'], meaning: 'The ledger cannot be opened or written.' },
  ledger_full: { category: 'internal', keys: ['path'], meaning: 'The ledger cannot grow: the disk is full.' },
  ledger_busy: { category: 'internal', keys: ['path'], meaning: 'Another process held the ledger too long.' },
  ledger_missing: { category: 'not_found', keys: ['path'], meaning: 'There is no ledger yet.' },
  no_ledger_copy: { category: 'usage', keys: ['path'], meaning: 'A file is not a copy of a ledger that can be restored.' },
  engine_missing: { category: 'internal', keys: [], meaning: 'The database engine cannot be loaded on this system.' },
  directory_unusable: { category: 'internal', keys: ['path'], meaning: 'A directory cannot be made or used.' },
  system_error: {
    category: 'internal',
    keys: ['path', 'errno'],
    meaning: 'The system refused a file or a port; `errno` says why, such as ENOSPC for a full disk.',
  },
  unexpected: { category: 'internal', keys: [], meaning: 'A bug in this tool.' },
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type ErrorCode = keyof typeof ERROR_CODES

/** The exit code of an error with this code, unless a more serious one applies. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  const entry: ErrorEntry = ERROR_CODES[code]
  return entry.exitCode ?? EXIT_OF[entry.category]
}
