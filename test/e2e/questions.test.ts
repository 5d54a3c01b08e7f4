/**
 * The question of every command that asks, as a terminal of 80 columns and 24 lines shows it: what is said yes to stands on the
 * screen, next to the question. questions.golden.txt holds the screens; UPDATE_GOLDEN=1 writes them anew, to be looked at before
 * they are committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { textWidth } from '../../src/format/output/width.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { thisProcess } from '../../src/system/process-owner.js'
import { closing, opened } from '../opened.js'
import { Hands } from './clock.js'
import { ensureBuilt, openHome, root } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { wordsOf } from './session.js'
import { OWN_SELLERS, openShops } from './several-shops.js'

const GOLDEN = join(root, 'test', 'e2e', 'questions.golden.txt')
const SCREEN = { columns: 80, lines: 24 }

const HOUR_MS = 3_600_000

/** Lets a process of another machine hold a job. */
async function holdJob({ dataDir }: ObservedHome, job: number): Promise<void> {
  const store = openStore(join(dataDir, 'ledger.db'), 'power')
  const owner = JSON.stringify({ ...JSON.parse(thisProcess()), host: 'another-machine', pid: 4711 })
  store.run('UPDATE jobs SET lock_owner = ?, lock_beat = ? WHERE id = ?', owner, hands.time, job)
  store.close()
}

/** The time of all commands. */
const hands = new Hands()

async function run(home: ObservedHome, line: string) {
  const ended = await home.run(wordsOf(line), { clock: hands })
  expect(ended.code, ended.stdout + ended.stderr).to.equal(EXIT.ok)
  return ended
}

interface Asked {
  readonly command: string
  /** Answers before the question. */
  readonly answers?: readonly (readonly [question: string, answer: string])[]
  /** Text of the question itself. */
  readonly question: string
  /** Done before. */
  readonly before?: (home: ObservedHome) => Promise<unknown>
}

const MANY = Array.from({ length: 12 }, (_, at) => at)

/** @param items live shop items */
const filesOf = (
  items: readonly { readonly Id: number; readonly BuyItNowPrice: number }[],
): Readonly<Record<string, string>> => ({
  'prices.csv': `Id,Price\n${MANY.map((at) => `${items[at]?.Id},${Math.round((items[at]?.BuyItNowPrice ?? 0) * (at % 5 === 0 ? 20 : 1 + at / 100) + 1)}`).join('\n')}\n`,
  'stock.csv': `Id,Antal\n${MANY.map((at) => `${items[at]?.Id},${20 + at * at}`).join('\n')}\n`,
  'gone.csv': `Id\n${MANY.map((at) => items[at]?.Id).join('\n')}\n`,
  'auctions.csv': 'Id,OpeningPrice,ReservedPrice\n600000177,95,150\n600000074,60,\n',
  'sent.csv': 'OrderId\n70020\n70021\n',
  'new.csv': `Title,CategoryId,StartPrice,ReservePrice,Duration,Restarts\n${MANY.map((at) => `Vara ${at},${CATEGORY},${50 + at},${at === 3 ? 99 : 0},${7 + (at % 3)},${at % 2}`).join('\n')}\n`,
  'shop-new.csv': `Title,CategoryId,Price,AbsoluteQuantity,ActivateDate\n${MANY.map((at) => `Ny ${at},${CATEGORY},${50 + at},1,2026-12-0${1 + (at % 9)}T09:00:00`).join('\n')}\n`,
  'catalogue.csv': `OwnReferences,Title,CategoryId,Price,AbsoluteQuantity\n${MANY.map((at) => `NY-${at},Ny ${at},${CATEGORY},${50 + at},1`).join('\n')}\n`,
})

const ASKED: readonly Asked[] = [
  { command: 'shop:price --all --add -5%', question: 'Type' },
  { command: 'shop:price --file prices.csv --allow max_held', question: 'Send' },
  { command: 'shop:discount Rea --all --add -20% --from +1d --until +7d', question: 'Type' },
  { command: 'shop:stock --file stock.csv', question: 'Set 12 stock levels?' },
  { command: 'shop:remove 600000405 600000407', question: 'from the shop?' },
  { command: 'shop:remove --file gone.csv', question: 'Remove 12 shop items?' },
  { command: 'shop:sync --file catalogue.csv', question: 'Send 12 new items?' },
  { command: 'shop:add --file shop-new.csv', question: 'Add 12 shop items?' },
  { command: 'items:add --file new.csv', question: 'Add 12 items?' },
  { command: 'items:relist --unsold --since 2026-01-01', question: 'Put up' },
  { command: 'items:relist --unsold --since 2026-01-01 --add -10% --from 18:00 --interval 10m', question: 'Put up' },
  { command: 'items:price --file auctions.csv --allow max_change --allow factor_ten', question: 'Accept?' },
  {
    command: 'items:price --file auctions.csv --allow max_change --allow factor_ten --accept fees=40',
    question: 'Set the prices of',
  },
  { command: 'items:price 600000177 --opening 9000', question: 'Set it anyway?' },
  { command: 'items:end 600000177', question: 'now?' },
  {
    command: 'jobs:drop 1',
    before: (home) => run(home, 'shop:price 600000405=47 --yes --json'),
    question: 'Drop job 1?',
  },
  { command: 'jobs:undo 1', question: 'Set back' },
  { command: 'shop:restore --at 2026-11-22T08:59', question: 'Send' },
  {
    command: 'discounts:end 1',
    before: async (home) => {
      await run(home, 'shop:discount Rea --reference 1001-00* --add -20% --from now --until +7d --yes --json')
      return run(home, 'jobs:due --wait --json')
    },
    question: 'End the discount',
  },
  {
    command: 'orders:forget --all',
    before: (home) => run(home, 'orders:list --json'),
    question: 'Forget',
  },
  { command: 'orders:labels 70015 70016', question: 'Mark 2 orders as sent' },
  { command: 'orders:mark --file sent.csv --sent', question: 'Mark 2 orders' },
  { command: 'shop:update --search Fantomen --set Title="Fantomen nr 3/1974 – fint skick, ny"', question: '(y/N)' },
  { command: 'shop:activate 600000405 --at +3d', question: 'out of the shop' },
  { command: 'shop:settings --close --from +1d --until +7d --message Semester', question: 'Close the shop' },
  {
    command: 'shop:settings --open',
    before: (home) => run(home, 'shop:settings --close --until +8d --message Semester --yes --json'),
    question: 'Open it now?',
  },
  {
    command: 'jobs:resume 1 --take-over',
    before: (home) => holdJob(home, 1),
    question: 'Take job 1 over?',
  },
  {
    command: 'service:check --save',
    before: async (home) => {
      await using older = closing(await openHome({ sandbox: { edition: '2022' } }))
      const env = { SELLER_BASE_URL: older.sandbox.url, SELLER_NAMESPACE: older.sandbox.namespace }
      await home.run(wordsOf('service:check --save --yes --json'), { clock: hands, env })
    },
    question: 'Replace the description',
  },
  { command: 'sandbox:reset', question: 'Delete' },
  { command: 'ledger:prune --older-than 1d', question: 'Remove' },
  { command: 'feedback:leave 300000015 "Aldrig betalt" --negative', question: 'Type' },
  { command: 'call EndItem itemId=600000177', question: 'End item' },
  {
    command: 'auth:logout --profile north',
    before: (home) => run(home, 'auth:login --profile north --no-verify --json'),
    question: 'Remove the profile',
  },
  {
    command:
      'items:add --category 344481 --type auction --opening 50 --reserve 90 --buy-now 200 --days 7 --condition used --description Hel. --payment 4096 --shipping pickup --image front.png',
    answers: [['? Title', 'Krus']],
    question: 'Put on sale?',
  },
  {
    command: 'ledger:restore copy.db',
    before: async (home) => {
      await run(home, 'ledger:backup copy.db --json')
      hands.time += 3 * HOUR_MS
      return run(home, 'shop:price 600000407=150 --yes --json')
    },
    question: 'Restore the ledger',
  },
]

const OF_SHOPS: readonly Asked[] = [
  { command: 'shop:price REF-0=120 REF-1=230 REF-2=1000 --profiles shop-*', question: 'Send 6 new prices in 3 shops?' },
  { command: 'shop:price --all --add 5% --profiles shop-b,shop-d', question: 'Type 78 to confirm' },
  { command: 'shop:discount Rea --reference REF-* --add -20% --from +1d --until +7d --profiles shop-*', question: 'in 3 shops?' },
]

const screens: string[] = []
after(() => {
  if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(GOLDEN, `${screens.join('\n\n')}\n`)
})

/** Cuts a text to the screen: the last lines, each broken where it is full. */
function screenOf(text: string): string[] {
  // Below what was answered, where paths of this machine would break lines elsewhere.
  const answered = text.lastIndexOf('✔')
  const open = answered < 0 ? text : text.slice(text.indexOf('\n', answered) + 1)
  const lines = open.split('\n').flatMap((drawn) => {
    const parts = ['']
    // Text that is drawn over a line that was erased.
    const line = stripVTControlCharacters(drawn.slice(drawn.lastIndexOf('\r\u001b[K') + 1))
    for (const character of line.replace(/\r/g, '')) {
      if (textWidth(parts.at(-1) + character) > SCREEN.columns) parts.push('')
      parts[parts.length - 1] += character
    }
    return parts.map((part) => part.trimEnd())
  })
  return lines.slice(-SCREEN.lines)
}

describe('questions', () => {
  let home: ObservedHome
  before(async () => {
    ensureBuilt()
    home = await openObserved({ clock: hands, faults: { queueDelayMs: 0 }, extended: true })
    const items = (await run(home, 'items:list --type shop --limit 12 --json')).json()
    await home.file('front.png', PIXEL.png)
    for (const [name, content] of Object.entries(filesOf(items))) await home.file(name, content)
  })
  after(() => home.close())

  it('are shown for every command that asks', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
      commands: Record<string, { flags: Record<string, { summary?: string }> }>
    }
    const asking = Object.entries(commands).filter(([, { flags }]) => flags.yes?.summary?.startsWith('Answer yes'))
    const shown = new Set(ASKED.map(({ command }) => command.split(' ', 1)[0]))
    expect(asking.map(([id]) => id).filter((id) => !shown.has(id))).to.deep.equal([])
  })

  for (const { command, before: first, answers = [], question } of ASKED) {
    it(command, async () => {
      await first?.(home)
      const person = ask(home, wordsOf(command), { clock: hands, env: { NO_COLOR: '1' } })
      for (const [text, answer] of answers) await person.answers(text, answer)
      await person.sees(question)
      const screen = screenOf(person.noted())
        .join('\n')
        .replaceAll(home.dir, '~')
        .replace(/http:\/\/127\.0\.0\.1:\d{5}/g, 'http://sandbox')
      expect((await person.stops()).code).to.equal(EXIT.interrupted)
      screens.push(`${'─'.repeat(SCREEN.columns)}\n$ seller ${command}\n${screen}`)
      if (process.env.UPDATE_GOLDEN === undefined) expect(readFileSync(GOLDEN, 'utf8')).to.include(screens.at(-1))
    })
  }
})

describe('questions about several shops', () => {
  const shops = opened(() => openShops({ clock: hands, faults: { queueDelayMs: 0 } }))

  for (const { command, question } of OF_SHOPS) {
    it(command, async () => {
      const person = ask(shops.home, wordsOf(command), { clock: hands, env: { ...OWN_SELLERS, NO_COLOR: '1' } })
      await person.sees(question)
      const screen = screenOf(person.noted()).join('\n')
      expect((await person.stops()).code).to.equal(EXIT.interrupted)
      screens.push(`${'─'.repeat(SCREEN.columns)}\n$ seller ${command}\n${screen}`)
      if (process.env.UPDATE_GOLDEN === undefined) expect(readFileSync(GOLDEN, 'utf8')).to.include(screens.at(-1))
    })
  }
})
