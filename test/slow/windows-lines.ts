/** Command lines that must end and print alike on Linux and on Windows, in their order. */
import { CATEGORY } from '../e2e/observed.js'

export interface Line {
  readonly args: readonly string[]
  readonly stdin?: string
  /** A file that it writes. */
  readonly file?: string
}

const line = (text: string, more: Omit<Line, 'args'> = {}): Line => ({
  args: text.split(' ').map((word) => word.replaceAll('_', ' ')),
  ...more,
})

/** @param ids of nine shop items, the last three with the references S1 to S3 */
export function windowsLines(ids: readonly number[]): Line[] {
  const [a, b, c, d, e, f] = ids
  const outs = ['csv', 'json', 'jsonl', 'tsv', 'txt', 'xlsx', 'yaml'].map((form) => `liståäö.${form}`)
  return [
    ...['--version', '--help', 'help exit-codes', 'items --help', 'items:list --help', 'shop:price --help-all'].map((text) =>
      line(text),
    ),
    ...['bash', 'zsh', 'fish', 'powershell'].map((shell) => line(`completion ${shell}`)),
    ...[
      'items:lst',
      'items:list --sate x',
      'items:show',
      'items:show 1x',
      'items:list --state sleeping --json',
      'items:show 999999999',
    ].map((text) => line(text)),
    ...['account:show', 'items:list --type shop', 'items:list --type shop --sort -Price --limit 3', `items:show ${a}`].map(
      (text) => line(text),
    ),
    ...['json', 'ndjson', 'yaml', 'csv', 'tsv', 'table'].map((form) => line(`items:list --type shop -o ${form}`)),
    ...outs.map((file) => line(`items:list --type shop --columns Id,Title,Price --out ${file}`, { file })),
    line('items:list --type shop --columns Id --out liståäö.csv'),
    line('items:list --type shop --columns Id --out nowhere/x.csv'),
    line('items:list --search Vara_1 --json'),
    ...['categories', 'counties', 'item-types', 'payment-types', 'shipping', 'bidder-types'].map((name) =>
      line(`reference:${name}`),
    ),
    line('shop:export --out affär.csv', { file: 'affär.csv' }),
    line('shop:sync --file affär.csv --dry-run'),
    line('shop:price --file priser.csv --dry-run'),
    line('shop:price --file utf16.csv --dry-run --json'),
    line('shop:price --file windows-1252.csv --dry-run'),
    line('shop:price --file console.csv --dry-run'),
    line('shop:price --file - --dry-run', { stdin: `Id,Price\r\n${a},111\r\n` }),
    line('shop:price --all --add -10'),
    line('shop:price --all --add -10pct --dry-run'),
    line(`shop:price ${a}=101 ${b}=202 ${c}=1 --yes --wait`),
    line('jobs:list'),
    line('jobs:show 1'),
    line('jobs:show 1 --json'),
    line('jobs:undo 1 --yes --wait'),
    line(`shop:stock ${d}=3 --yes --wait`),
    line(`shop:update ${e} --title Blå_vas_på_fot --yes --wait`),
    line(`items:show ${e} --json`),
    line(`shop:add --title Röd_kruka --category ${CATEGORY} --price 149 --wait --json`),
    line(`shop:add --title Mugg --category ${CATEGORY} --price 0`),
    line('shop:sync --file synk.csv --yes --wait'),
    line(`shop:remove ${f} --yes --wait`),
    line(`shop:discount Rea ${a}=90 --from now --until +1h --yes`),
    ...['jobs:due --wait', 'discounts:list', 'discounts:show 1', 'discounts:end 1 --yes --wait'].map((text) => line(text)),
    ...['transactions:list', 'transactions:watch --once --since 60d', 'feedback:pending', 'sales:report --since 60d'].map(
      (text) => line(text),
    ),
    ...['requests:list', 'calls:show', 'prices:history', 'shop:settings', 'members:payments 1002', 'today'].map((text) =>
      line(text),
    ),
    ...[
      'call GetItem itemId=1 --service restricted',
      `call GetItem itemId=${a} --raw`,
      'service:operations',
      'service:check',
    ].map((text) => line(text)),
    line('auth:login --profile butik --stdin --no-verify', {
      stdin: '{"app_id": 1, "app_key": "nyckel-å-0000", "base_url": "http://127.0.0.1:9", "namespace": "http://n.example"}',
    }),
    ...['auth:status --all', 'auth:use butik', 'auth:logout --profile butik --yes'].map((text) => line(text)),
    ...[
      'jobs:list --limit 1',
      'ledger:check',
      'ledger:backup kopia.db',
      'ledger:backup kopia.db',
      'ledger:prune --older-than 400d --dry-run',
    ].map((text) => line(text)),
  ]
}
