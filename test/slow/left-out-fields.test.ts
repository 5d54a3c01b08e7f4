/**
 * Replies that leave out a field that nobody promises: each optional field of each reply, one at a time, over all commands that
 * read. Whatever a command then does, it never ends as a bug.
 */
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { type Operation, operations } from '../../src/contract/index.js'
import { openHostile } from '../e2e/hostile.js'
import { closing } from '../opened.js'
import { fieldsOfReply, fullReplyOf } from '../soap/damage.js'

/** Commands that read, with all that they do with a reply short of a write. */
const READS = [
  'account:show',
  'campaigns:validate VALKOMMEN',
  'discounts:end 1 --dry-run',
  'doctor',
  'eid:status',
  'feedback:pending',
  'feedback:leave 7 --positive Tack --dry-run',
  'images:list 7',
  'images:list 7 --public',
  'items:add --title A --category 344481 --opening 10 --reference R --shipping pickup --dry-run',
  'items:end 7 --dry-run',
  'items:list',
  'items:list --sort EndDate --type auction',
  'items:list --seller 7',
  'items:show 7',
  'items:show 7 --public',
  'items:price 7 --opening 12 --dry-run',
  'items:price --file auctions.csv --dry-run',
  'items:relist 7 --dry-run',
  'items:relist --unsold --dry-run',
  'members:payments 7',
  'orders:export --since 2026-01-01 --until 2026-12-31',
  'orders:export --since 2026-01-01 --until 2026-12-31 --form sie',
  'orders:labels 7 --dir . --force --dry-run',
  'orders:list',
  'orders:list --unpaid',
  'orders:list --to-send',
  'orders:mark 7 --sent --dry-run',
  'orders:show 7',
  'orders:slips --to-send',
  'orders:slips 7',
  'orders:watch --once',
  'prices:history 7',
  'reference:attributes 7',
  'reference:bidder-types',
  'reference:categories',
  'reference:counties',
  'reference:expo-item-types',
  'reference:item-types',
  'reference:payment-types',
  'reference:shipping',
  'reference:time',
  'requests:show 7',
  'requests:wait 7 --timeout 1ms',
  'sales:report --compare none --since 2026-01-01',
  'sales:report --by item --since 2026-01-01',
  'sales:report --by category --since 2026-01-01',
  'shop:diff --since today',
  'shop:discount Rea --all --add -10% --from +1d --until +1d --dry-run',
  'shop:export',
  'shop:price 8=120 --dry-run',
  'shop:price --all --add -10% --dry-run',
  'shop:remove 8 --dry-run',
  'shop:restore --at 2026-01-01 --dry-run',
  'shop:settings',
  'shop:stock 8=3 --dry-run',
  'shop:stock --all --set 3 --dry-run',
  'shop:sync --file catalogue.csv --dry-run',
  'today',
  'transactions:list',
  'transactions:list --order 7',
  'transactions:list --unpaid',
  'transactions:list --item 7',
  'transactions:list --search vas',
  'transactions:show 7',
  'transactions:watch --once',
]

/** Commands that read after a write, or go on with what another began: their reads are those of the commands above. */
const OTHERS = ['auth:login', 'eid:cancel', 'eid:verify', 'images:upload', 'jobs:due', 'jobs:resume', 'jobs:undo']
const WRITES = ['shop:activate', 'shop:add', 'shop:update']

const READ_OPERATIONS = new Map(Object.entries<Operation>(operations).filter(([, { kind }]) => kind === 'read'))

describe('a reply without a field that nobody promises', function () {
  this.timeout(3_600_000)

  it('is tried with every command that reads', () => {
    const reading = readManifest(process.cwd()).filter(({ operations: named = [] }) =>
      named.some((label) => READ_OPERATIONS.has(label)),
    )
    const tried = [...READS.map((command) => command.split(' ')[0]), ...OTHERS, ...WRITES]
    expect(tried).to.include.members(reading.map(({ id }) => id))
  })

  for (const [label, operation] of READ_OPERATIONS) {
    const fields = [...fieldsOfReply(operation)].filter(([, { relied }]) => relied !== 'id' && relied !== 'always')
    it(`${label}: ${fields.length} of them`, async () => {
      await using home = closing(await openHostile())
      await home.file('catalogue.csv', 'OwnReferences;Title;Price\nR-1;Vas;100\n')
      await home.file('auctions.csv', 'Id,OpeningPrice\n7,12\n')
      let without: string | undefined
      let asked = false
      home.answer((each) => {
        asked ||= each === operation
        return listed(each, fullReplyOf(each, 'ord', each === operation ? without : undefined))
      })
      const bugs: string[] = []
      const run = async (command: string) => {
        const { stdout, stderr } = await home.run(command.split(' '), { terminal: 'stdout' })
        if (/This is a bug/.test(stdout + stderr)) bugs.push(`${command}, without ${without}: ${stdout}${stderr}`)
      }
      const asking: string[] = []
      for (const command of READS) {
        asked = false
        await run(command)
        if (asked) asking.push(command)
      }
      for (const [index, [name]] of fields.entries()) {
        without = name
        // A sale or item that an earlier run has kept is not asked for again.
        Object.assign(home.env, { SELLER_DATA_DIR: `${home.dataDir}-${index}` })
        for (const command of asking) await run(command)
      }
      expect(bugs).to.deep.equal([])
    })
  }
})

/** Two entries: an auction that ended unsold, and a shop item. */
function listed({ name }: Operation, reply: string): string {
  if (!name.endsWith('GetSellerItems')) return reply.replaceAll('<GotWinner>true<', '<GotWinner>false<')
  return reply.replace(/<Item>.*<\/Item>/s, (item) => {
    const shop = item.replaceAll('<Id>7<', '<Id>8<').replace('<ItemType>Auction<', '<ItemType>ShopItem<')
    return item.replace('<GotWinner>true<', '<GotWinner>false<') + shop.replace('<Ended>true<', '<Ended>false<')
  })
}
