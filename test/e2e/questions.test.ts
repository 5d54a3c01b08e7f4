/**
 * The question of every command that asks, as a terminal of 80 columns and 24 lines shows it: what is said yes to stands on the screen, next
 * to the question. questions.golden.txt holds the screens; UPDATE_GOLDEN=1 writes them anew, to be looked at before they are committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { textWidth } from '../../src/format/output/width.js'
import { Hands } from './clock.js'
import { ensureBuilt, root } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { wordsOf } from './session.js'

const GOLDEN = join(root, 'test', 'e2e', 'questions.golden.txt')
const SCREEN = { columns: 80, lines: 24 }

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
  /** Texts that must stand on the same screen. */
  readonly shows: readonly RegExp[]
  /** Done before. */
  readonly before?: (home: ObservedHome) => Promise<unknown>
}

const SUM = /Sum of (?:what changes|its prices): [\d ]+ kr to [\d ]+ kr \([+-][\d.]+ %\)/
const MANY = Array.from({ length: 12 }, (_, at) => at)

/** @param items live shop items */
const filesOf = (
  items: readonly { readonly Id: number; readonly BuyItNowPrice: number }[],
): Readonly<Record<string, string>> => ({
  'prices.csv': `Id,Price\n${MANY.map((at) => `${items[at]?.Id},${Math.round((items[at]?.BuyItNowPrice ?? 0) * (at % 5 === 0 ? 20 : 1 + at / 100) + 1)}`).join('\n')}\n`,
  'stock.csv': `Id,Antal\n${MANY.map((at) => `${items[at]?.Id},${20 + at * at}`).join('\n')}\n`,
  'gone.csv': `Id\n${MANY.map((at) => items[at]?.Id).join('\n')}\n`,
  'auctions.csv': 'Id,OpeningPrice,ReservedPrice\n600000177,95,150\n600000074,60,\n',
  'new.csv': `Title,CategoryId,StartPrice,ReservePrice,Duration,Restarts\n${MANY.map((at) => `Vara ${at},${CATEGORY},${50 + at},${at === 3 ? 99 : 0},${7 + (at % 3)},${at % 2}`).join('\n')}\n`,
  'shop-new.csv': `Title,CategoryId,Price,AbsoluteQuantity,ActivateDate\n${MANY.map((at) => `Ny ${at},${CATEGORY},${50 + at},1,2026-12-0${1 + (at % 9)}T09:00:00`).join('\n')}\n`,
  'catalogue.csv': `OwnReferences,Title,CategoryId,Price,AbsoluteQuantity\n${MANY.map((at) => `NY-${at},Ny ${at},${CATEGORY},${50 + at},1`).join('\n')}\n`,
})

const ASKED: readonly Asked[] = [
  { command: 'shop:price --all --add -5%', question: 'Type', shows: [SUM, /The largest changes;/, /Sending takes \d+ calls?/] },
  {
    command: 'shop:price --file prices.csv --max-held off',
    question: 'Send',
    shows: [SUM, /Not to be sent: 3/, /ten times/, /Sending takes 1 call/],
  },
  {
    command: 'shop:discount Rea --all --add -20% --from +1d --until +7d',
    question: 'Type',
    shows: [SUM, /It runs from 2026-11-23 09:00 until 2026-11-30 09:00/],
  },
  {
    command: 'shop:stock --file stock.csv',
    question: 'Set 12 stock levels?',
    shows: [/In stock: \d+ to \d+ \(\+/, /The largest changes; 7 more/],
  },
  { command: 'shop:remove 600000405 600000407', question: 'from the shop?', shows: [/600000405 .*kr/, /together [\d ]+ kr/] },
  {
    command: 'shop:remove --file gone.csv',
    question: 'Remove 12 shop items?',
    shows: [/That is 12 of the \d+ items of the shop \(\d+(?:\.\d)? %\)/],
  },
  { command: 'shop:sync --file catalogue.csv', question: 'Send 12 new items?', shows: [/12 to add/, /Sending takes 12 calls/] },
  {
    command: 'shop:add --file shop-new.csv',
    question: 'Add 12 shop items?',
    shows: [/Sum of the prices: [\d ]+ kr/, /begin from 2026-12-01 09:00 to 2026-12-09 09:00/],
  },
  {
    command: 'items:add --file new.csv',
    question: 'Add 12 items?',
    shows: [/Fees for new reserve prices: 40 kr/, /end from 2026-11-29 09:00 to 2026-12-01 09:00/, /Each restart costs.*6 items/],
  },
  {
    command: 'items:relist --unsold --since 2026-01-01',
    question: 'Put up',
    shows: [/begin at once and end/, /Sum of the start prices/, /listing fee and commission/],
  },
  {
    command: 'items:relist --unsold --since 2026-01-01 --add -10% --from 18:00 --stagger 10m',
    question: 'Put up',
    shows: [/begin from 2026-11-22 18:00 to/, SUM],
  },
  {
    command: 'items:price --file auctions.csv --max-change off --no-factor-ten',
    question: 'Accept?',
    shows: [/costs 40 kr/, /Sum of the opening prices/],
  },
  {
    command: 'items:price --file auctions.csv --max-change off --no-factor-ten --accept-fees 40',
    question: 'Set the prices of',
    shows: [/Sum of the opening prices: .* to /, /Fees for new reserve prices: 40 kr/],
  },
  { command: 'items:price 600000177 --opening 9000', question: 'Set it anyway?', shows: [/opening price 91 kr to 9 000 kr/] },
  { command: 'items:end 600000177', question: 'now?', shows: [/600000177 .*Solglas/] },
  {
    command: 'jobs:drop 1',
    before: (home) => run(home, 'shop:price 600000405=47 --yes --json'),
    question: 'Drop job 1?',
    shows: [/Job 1: shop:price 600000405=47/],
  },
  { command: 'jobs:undo 1', question: 'Set back', shows: [SUM] },
  { command: 'shop:restore --at 2026-11-22T08:59', question: 'Send', shows: [SUM] },
  {
    command: 'discounts:end 1',
    before: async (home) => {
      await run(home, 'shop:discount Rea --reference 1001-00* --add -20% --from now --until +7d --yes --json')
      return run(home, 'jobs:due --wait --json')
    },
    question: 'End the discount',
    shows: [SUM, /would run until/],
  },
  {
    command: 'orders:forget --all',
    before: (home) => run(home, 'orders:list --json'),
    question: 'Forget',
    shows: [/all orders are \(\d+ orders, changed/],
  },
  { command: 'ledger:prune --older-than 1d', question: 'Remove', shows: [/all older than 2026-11-21 09:0/] },
  { command: 'feedback:leave 300000015 "Aldrig betalt" --negative', question: 'Type', shows: [] },
  { command: 'call EndItem itemId=600000177', question: 'End item', shows: [] },
  {
    command: 'auth:logout --profile north',
    before: (home) => run(home, 'auth:login --profile north --no-verify --json'),
    question: 'Remove the profile',
    shows: [],
  },
  {
    command:
      'items:add --category 344481 --type auction --start-price 50 --reserve 90 --buy-now 200 --days 7 --condition used --description Hel. --payment 4096 --shipping pickup --image front.png',
    answers: [['? Title', 'Krus']],
    question: 'Put on sale?',
    shows: [/On sale +at once, until 2026-11-29 09:00/, /Reserve price: 40 kr/, /listing fee and commission/],
  },
]

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
  const screens: string[] = []
  before(async () => {
    ensureBuilt()
    home = await openObserved({ clock: hands, faults: { queueDelayMs: 0 }, extended: true })
    const items = (await run(home, 'items:list --type shop --limit 12 --json')).json()
    await home.file('front.png', PIXEL.png)
    for (const [name, content] of Object.entries(filesOf(items))) await home.file(name, content)
  })
  after(() => {
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(GOLDEN, `${screens.join('\n\n')}\n`)
    return home.close()
  })

  for (const { command, before: first, answers = [], question, shows } of ASKED) {
    it(command, async () => {
      await first?.(home)
      const person = ask(home, wordsOf(command), { clock: hands, env: { NO_COLOR: '1' } })
      for (const [text, answer] of answers) await person.answers(text, answer)
      await person.sees(question)
      const screen = screenOf(person.noted()).join('\n').replaceAll(home.dir, '~').replaceAll(home.sandbox.url, 'http://sandbox')
      await person.presses('Ctrl-C')
      expect((await person.done).code).to.equal(EXIT.interrupted)
      screens.push(`${'─'.repeat(SCREEN.columns)}\n$ seller ${command}\n${screen}`)
      for (const text of shows) expect(screen.replace(/\s+/g, ' ')).to.match(text)
      if (process.env.UPDATE_GOLDEN === undefined) expect(readFileSync(GOLDEN, 'utf8')).to.include(screens.at(-1))
    })
  }
})
