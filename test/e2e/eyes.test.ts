/**
 * Text that a person reads on every kind of terminal: narrow, without colour, one that only prints, and one that is read aloud.
 */
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { stock } from './shop.js'
import { hasTmux } from './terminal.js'

/** Characters that are drawn: boxes, blocks and braille; the marks of inquirer. */
const DRAWN = /[\u2500-\u259f\u2800-\u28ff✔❯]/
const ESCAPE = '\u001b'

/** Commands whose results a person reads, of the seeded shop. */
const SHOWN: readonly (readonly string[])[] = [
  ['items:list', '--limit', '20'],
  ['shop:price', '--all', '--add', '-10%', '--dry-run'],
  ['orders:list'],
  ['orders:show', '70006'],
  ['transactions:list'],
  ['sales:report'],
  ['sales:report', '--by', 'category', '--compare', 'period'],
  ['jobs:list'],
  ['jobs:show', '1'],
  ['requests:list'],
  ['calls:usage'],
  ['prices:history', '600000415'],
  ['reference:categories', '--depth', '2'],
  ['service:operations'],
  ['doctor'],
  ['shop:settings'],
  ['account:show'],
]

describe('what a person reads', () => {
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 }, extended: true } }))
  before(async () => {
    await home.done('shop:price', '600000415=170', '600000408=230', '--yes', '--wait')
  })

  const read = (args: readonly string[], columns: number, env: Record<string, string> = {}) =>
    home.run(args, { terminal: true, columns, env })

  it('fits forty columns, and is broken between words', async () => {
    for (const args of SHOWN) {
      const { stdout, stderr } = await read(args, 40, { NO_COLOR: '1' })
      const shown = stripVTControlCharacters(stdout + stderr)
      const wide = shown.split(/[\n\r]/).filter((line) => line.length > 40 && line.trim().includes(' '))
      // A command is there to be copied: the terminal breaks it.
      expect(
        wide.filter((line) => !/seller [a-z]+/.test(line)),
        args.join(' '),
      ).to.deep.equal([])
    }
  })

  it('has the price of an item, and the state and the sum of an order, on forty columns', async () => {
    const head = async (...args: string[]) =>
      (await read(args, 40, { NO_COLOR: '1' })).stdout.split('\n')[0]?.trim().split(/ {2,}/)
    expect(await head('items:list')).to.deep.equal(['Id', 'Title', 'Price'])
    expect(await head('transactions:list')).to.include.members(['Title', 'Amount'])
    expect(await head('orders:list')).to.deep.equal(['Order', 'State', 'Items', 'SubTotal'])
    const job = (await read(['jobs:show', '1'], 40, { NO_COLOR: '1' })).stdout
    expect(job).to.match(/^ *(?:Row +)?(?:Line +)?Id +(?:Title +)?Old +Price +State/m)
  })

  it('of any plan has what was and what will be, on forty columns', async () => {
    const [id = 0] = await stock(home, [200], { reference: () => 'LAMP-40' })
    const auction = (await home.run(['items:list', '--type', 'auction', '--json'])).json()[0]
    const plans: readonly (readonly [string[], RegExp, string?])[] = [
      [['shop:price', `${id}=190`, '--dry-run'], /^ *Id .*Old +New$/m],
      [['shop:stock', `${id}=7`, '--dry-run'], /^ *Id .*Old +Stock/m],
      [['shop:discount', 'Flash', `${id}=150`, '--from', 'now', '--until', '+6h', '--dry-run'], /^ *Id .*Before +During/m],
      [['items:price', '--file', '-', '--dry-run'], /^ *Id .*Opening/m, `Id,OpeningPrice\n${auction.Id},2\n`],
      [['shop:sync', '--file', '-', '--dry-run'], /^Do +.*Live +Wanted/m, 'OwnReference,Price\nLAMP-40,180\n'],
    ]
    for (const [args, head, stdin] of plans) {
      const file = stdin === undefined ? [] : [await home.file('rows.csv', stdin)]
      const run = await read([...args.map((arg) => (arg === '-' ? (file[0] ?? arg) : arg))], 40, { NO_COLOR: '1' })
      expect(run.stdout, `${args.join(' ')}\n${run.stderr}`).to.match(head)
    }
  })

  it('is one fact a line and nothing drawn, where it is read aloud', async () => {
    for (const args of SHOWN) {
      const { stdout, stderr } = await read(args, 40, { SELLER_PLAIN: '1' })
      expect(stdout + stderr, args.join(' '))
        .to.not.match(DRAWN)
        .and.not.include(ESCAPE)
    }
    const items = (await read(['items:list', '--limit', '2'], 40, { SELLER_PLAIN: '1' })).stdout
    expect(items).to.match(/^Id: \d+\nTitle: .+\nType: shop\nPrice: \d[\d ]* kr\n/)
    const report = (await read(['sales:report'], 40, { SELLER_PLAIN: '1' })).stdout
    expect(report).to.not.include('Amount by day').and.not.match(/^ *: /m)
    expect(report).to.match(/^Day: 2\d{3}-\d\d-\d\d\nSales: \d+\nAmount: \d/)
  })

  it('has money and times in one form, whatever they are of', async () => {
    for (const args of SHOWN) {
      const { stdout } = await read(args, 200, { NO_COLOR: '1' })
      const text = stdout.replace(/Description +[\s\S]*/, '')
      expect(text, args.join(' ')).to.not.match(/\d{4}-\d\d-\d\dT\d/)
      for (const [amount] of text.matchAll(/(?<=^|[^\d] | {2})[-+]?\d+(?: \d+)*(?:[.,]\d+)? kr\b/gm)) {
        expect(amount.trim(), args.join(' ')).to.match(/^[-+]?\d{1,3}(?: \d{3})*(?:\.\d\d)? kr$/)
      }
    }
  })

  it('is the same in every language and time zone', async () => {
    const of = async (env: Record<string, string>) => {
      const runs = await Promise.all(
        [
          ['orders:list', '-o', 'table'],
          ['jobs:show', '1', '-o', 'table'],
        ].map((args) => home.spawn(args, { env }).done),
      )
      return runs.map(({ stdout, stderr }) => stdout + stderr).join('')
    }
    const expected = await of({ LANG: 'C.UTF-8', TZ: 'Europe/Stockholm' })
    expect(expected).to.match(/\d{4}-\d\d-\d\d \d\d:\d\d/)
    for (const env of [
      { LANG: 'C', LC_ALL: 'C', TZ: 'UTC' },
      { LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8', TZ: 'Pacific/Kiritimati' },
      { LANG: 'sv_SE.ISO-8859-1', TZ: 'America/St_Johns' },
      { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Etc/GMT+12' },
    ] as Record<string, string>[]) {
      expect(await of(env), JSON.stringify(env)).to.equal(expected)
    }
  })

  describe('in a terminal', () => {
    before(function () {
      if (!hasTmux) this.skip()
    })

    it('has no colour with NO_COLOR and on one that only prints, which gets no escape sequence at all', async () => {
      const colours = async (env: Record<string, string>) => {
        const terminal = await home.terminal(['orders:list'], { env })
        const { code } = await terminal.done()
        expect(code).to.equal(0)
        return terminal.colours()
      }
      expect(await colours({})).to.include(ESCAPE)
      expect(await colours({ NO_COLOR: '1' })).to.not.include(ESCAPE)
      expect(await colours({ TERM: 'dumb' })).to.not.include(ESCAPE)
    })

    it('is not broken inside a word on forty columns', async () => {
      for (const args of [['items:list', '--limit', '5'], ['sales:report'], ['shop:price', '--help'], ['jobs:show', '1']]) {
        const terminal = await home.terminal(args, { width: 40, height: 60, env: { NO_COLOR: '1' } })
        // Lines that the terminal has broken are joined here.
        const { screen } = await terminal.done()
        const wide = screen.split('\n').filter((line) => line.length > 40 && !line.includes('seller '))
        expect(wide, args.join(' ')).to.deep.equal([])
      }
    })

    it('asks with a line for each question where nothing may be drawn, and takes a number for a choice', async () => {
      for (const [env, draft] of [
        [{ SELLER_PLAIN: '1' }, []],
        [{ TERM: 'dumb' }, [[/1: Go on with it\n2: .*\nNumber:/, '2']]],
      ] as [Record<string, string>, [RegExp, string][]][]) {
        const terminal = await home.terminal(['items:add', '--dry-run'], { env, width: 80, height: 200 })
        const answers: [string | RegExp, string][] = [
          ...draft,
          ['Title:', 'Vas i glas'],
          ['Category (type words):', 'vaser'],
          [/1: .*Vaser[\s\S]*Number, or other words:/, '1'],
        ]
        for (const [question, answer] of answers) {
          await terminal.shows(question)
          await terminal.type(`${answer}\n`)
        }
        await terminal.shows(/\n1: [\s\S]*\nNumber( \(\d\))?:/)
        await terminal.type('99\n')
        const screen = await terminal.shows('Give a number of the list.')
        expect(screen).to.not.match(DRAWN)
        await terminal.press('C-c')
        expect((await terminal.done()).code).to.equal(130)
      }
    })
  })
})
