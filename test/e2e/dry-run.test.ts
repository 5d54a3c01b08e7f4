import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { closing } from '../opened.js'
import type { Hands } from './clock.js'
import { BOTH, compareWithRun, openShop, type Shop, totalsOf } from './dry-run.js'
import { type Home, openHome, type Run } from './harness.js'
import { CATEGORY } from './observed.js'
import { ask } from './person.js'
import { stock } from './shop.js'

const ADDED = 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity'
const added = (at: number, reference = `NY-${at}`, price = 99): string => `${reference},Ny ${at},${CATEGORY},${price},1`
const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at))

/** Command lines of a job, and what each must come to, so that none compares nothing. */
type Case = readonly [kind: Awaited<ReturnType<typeof compareWithRun>>['kind'], line: (shop: Shop) => Promise<readonly string[]>]

const file =
  (head: string, lines: (shop: Shop) => readonly unknown[], ...flags: readonly string[]) =>
  async (shop: Shop) => ['--file', await shop.rows(head, lines(shop)), ...flags]

/** Auctions that nobody has bid for, and that run for a while. */
async function openAuctions({ run, hands }: Shop): Promise<{ Id: number; BuyItNowPrice: number | null }[]> {
  const items = (await run(['items:list', '--type', 'auction', '--json'])).json()
  const soon = new Date(hands.time + 3_600_000).toISOString()
  return items.filter(
    ({ TotalBids, EndDate, ReservePrice }: { TotalBids: number; EndDate: string; ReservePrice: number | null }) =>
      TotalBids === 0 && !ReservePrice && new Date(EndDate).toISOString() > soon,
  )
}

const auctions =
  (price: (at: number) => string, ...flags: readonly string[]) =>
  async (shop: Shop) => {
    const open = (await openAuctions(shop)).filter(({ BuyItNowPrice }) => !BuyItNowPrice).slice(0, 3)
    return [
      '--file',
      await shop.rows(
        'Id,OpeningPrice,ReservePrice',
        open.map(({ Id }, at) => `${Id},${price(at)}`),
      ),
      ...flags,
    ]
  }

/** A job before, of which a later command takes something back. */
const after =
  (before: (shop: Shop) => readonly string[], line: (jobId: number, shop: Shop) => Promise<readonly string[]>) =>
  async (shop: Shop) => {
    const sent = (await shop.run([...before(shop), '--yes', '--wait', '--json'])).json()
    shop.hands.time += 60_000
    return line(sent.JobId, shop)
  }
const raised = ({ ids }: Shop): readonly string[] => ['shop:price', ...many(3, (at) => `${ids[at]}=${210 + at}`)]

const JOBS: Readonly<Record<string, readonly Case[]>> = {
  'shop:price': [
    ['sent', async ({ ids }) => [`${ids[0]}=215`, 'R1=216', `${ids[2]}=202`]],
    ['held', file('Id,Price', ({ ids }) => [`${ids[0]},215`, `${ids[1]},20`, `${ids[2]},202`, '7,215'])],
    ['stopped', file('Id,Price', ({ ids }) => ids.map((id) => `${id},120`), '--allow', 'max_change')],
    ['stopped', async () => ['--all', '--add', '-45%', '--allow', 'max_change']],
    ['sent', async () => ['--all', '--add', '1kr']],
    ['sent', async ({ ids }) => ['--blind', `${ids[0]}=215`]],
    ['nothing', async ({ ids }) => [`${ids[0]}=200`]],
    ['refused', file('Id,Price', () => ['x,1,5'])],
    ['skipped', file('Id,Price', () => ['7,215'])],
  ],
  'shop:stock': [
    ['sent', async ({ ids }) => [`${ids[0]}=5`, `${ids[1]}=3`]],
    ['stopped', file('Id,Antal', ({ ids }) => ids.map((id, at) => `${id},${200 + at}`))],
    ['sent', async () => ['--reference', 'R1*', '--set', '7']],
    ['refused', async () => ['--set', '7']],
  ],
  'shop:activate': [
    ['sent', async ({ ids }) => [String(ids[0]), String(ids[1]), '--at', '2099-12-01T08:00']],
    ['sent', file('Id,ActivateDate', ({ ids }) => [`${ids[0]},2099-12-01`, `${ids[1]},`], '--at', '2098-01-01')],
    ['skipped', file('Id', () => [7], '--at', '2099-12-01')],
    ['refused', async ({ ids }) => [String(ids[0]), '--at', '2020-01-01']],
  ],
  'shop:remove': [
    ['sent', file('Id', ({ ids }) => ids.slice(0, 3))],
    ['held', file('Id', ({ ids }) => [ids[0], 7])],
    ['stopped', file('Id', ({ ids }) => ids)],
  ],
  'shop:add': [
    ['sent', file(ADDED, () => many(3, added))],
    ['held', file(ADDED, () => [added(1), added(2, 'R1'), added(3, 'NY-1')])],
    ['stopped', file(ADDED, () => many(20, added))],
    ['stopped', file(ADDED, () => [...many(20, added), added(21, 'R1')])],
    ['sent', file(ADDED, () => many(20, added), '--again')],
    ['refused', file(ADDED, () => [added(1, 'x', -5)])],
  ],
  'items:add': [
    ['sent', file('OwnReferences,Title,CategoryId,StartPrice', () => many(3, (at) => `A-${at},Ny,${CATEGORY},5`))],
    ['held', file('OwnReferences,Title,CategoryId,StartPrice', () => many(3, (at) => `R${at},Ny,${CATEGORY},5`))],
    ['stopped', file('OwnReferences,Title,CategoryId,StartPrice', () => many(20, (at) => `A-${at},Vara ${at},${CATEGORY},5`))],
  ],
  'shop:sync': [
    ['sent', file(ADDED, () => [added(1), `R1,Vara 1,${CATEGORY},219,3`, `R2,Vara 2,${CATEGORY},202,9`])],
    ['held', file(ADDED, () => [added(1), `R1,Vara 1,${CATEGORY},21,3`])],
    ['stopped', file(ADDED, () => [...many(20, added), `R1,Vara 1,${CATEGORY},219,3`])],
    ['stopped', file(ADDED, () => [`R1,Vara 1,${CATEGORY},219,3`], '--remove-missing')],
    ['stopped', file(ADDED, ({ ids }) => ids.map((_, at) => `R${at},Vara ${at},${CATEGORY},120,3`), '--allow', 'max_change')],
    ['nothing', file(ADDED, () => [`R1,Vara 1,${CATEGORY},201,3`])],
  ],
  'shop:update': [
    ['sent', async ({ ids }) => [String(ids[1]), '--title', 'Vara 1, ny']],
    ['held', async ({ ids }) => [String(ids[1]), '--from', '2099-01-01']],
    ['nothing', async ({ ids }) => [String(ids[1]), '--title', 'Vara 1']],
  ],
  'items:price': [
    ['stopped', async () => ['--all', '--add', '-60%']],
    ['held', auctions((at) => `${90 + at},`, '--allow', 'max_change')],
    ['held', auctions((at) => `${at === 0 ? 9000 : 90},`, '--allow', 'max_change=1000%')],
    ['held', auctions(() => '90,500', '--allow', 'max_change', '--accept', 'fees=1000')],
    ['stopped', auctions(() => '90,500', '--allow', 'max_change', '--accept', 'fees=1')],
  ],
  'items:relist': [
    ['held', async ({ home }) => stock(home, [100], { reference: () => '1001-0074' }).then(() => ['--unsold'])],
    ['held', async ({ ids }) => ['600000074', String(ids[0]), '600000191']],
    ['sent', async () => ['600000074', '--add', '-10%']],
  ],
  'shop:restore': [
    ['sent', after(raised, async (_, { hands }) => ['--at', new Date(hands.time - 3_600_000).toISOString()])],
    ['refused', async () => ['--at', '2020-01-01']],
  ],
  'jobs:undo': [
    ['sent', after(raised, async (jobId) => [String(jobId)])],
    [
      'held',
      after(raised, async (jobId, { run, ids }) => {
        await run(['shop:price', `${ids[0]}=190`, '--yes', '--wait', '--json'])
        return [String(jobId)]
      }),
    ],
    ['refused', async () => ['77']],
  ],
  'orders:mark': [
    ['sent', async ({ run }) => run(['orders:list', '--json']).then(() => ['70004', '70005', '--sent', '--paid'])],
    ['nothing', async ({ run }) => run(['orders:list', '--json']).then(() => ['70004', '--paid'])],
    ['sent', async (shop) => ['--file', await shop.rows('OrderId', [70004, 70005]), '--sent']],
  ],
}

/** Single things, and those that make no job: each compares the two by what it shows itself. */
const OTHERS: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  'shop:discount': async ({ run, rows, ids }) => {
    for (const price of [150, 20, 200]) {
      const path = await rows('Id,Price', [`${ids[0]},${price}`, `${ids[1]},150`, '7,50'])
      const line = ['shop:discount', `Rea ${price}`, '--file', path, '--from', '+1d', '--until', '+2d', '--json']
      const dry = await run([...line, '--dry-run'])
      const made = await run([...line, '--yes'])
      // A discount that is there names what to do next.
      const { next, ...planned } = made.json()
      expect({ ...dry.json(), DiscountId: 0 }).to.deep.equal({ ...planned, DiscountId: 0 })
      if (planned.DiscountId !== null) expect(next[0].command).to.equal('seller jobs:due')
      expect(totalsOf(dry)).to.deep.equal(totalsOf(made))
      expect([dry.code, made.code]).to.deep.equal([0, dry.json().Summary.Held > 0 ? 6 : 0])
    }
  },
  'shop:settings': async ({ run }) => {
    for (const from of ['+1h', 'now']) {
      const line = ['shop:settings', '--close', '--from', from, '--until', '+1d', '--message', 'Jul', '--json']
      const [dry, closed] = [await run([...line, '--dry-run']), await run([...line, '--yes'])]
      const { StartsAt, EndsAt, Message, CreatedAt } = dry.json()
      expect(closed.json()).to.deep.include({ StartsAt, EndsAt, Message, CreatedAt })
      expect([dry.code, closed.code]).to.deep.equal([0, 0])
      await run(['shop:settings', '--open', '--yes'])
    }
    const none = ['shop:settings', '--open', '--json']
    expect((await run([...none, '--dry-run'])).json()).to.deep.equal((await run([...none, '--yes'])).json())
  },
  'items:end': async (shop) => {
    const [one, other] = await openAuctions(shop)
    const line = ['items:end', String(one?.Id), String(other?.Id), '--json']
    const [dry, ended] = [await shop.run([...line, '--dry-run']), await shop.run([...line, '--yes'])]
    const idsOf = (rows: { ItemId: number }[]) => rows.map(({ ItemId }) => ItemId)
    expect(idsOf(dry.json())).to.deep.equal(idsOf(ended.json())).and.to.have.length(2)
    const refused = ['items:end', '600000404', '--json']
    expect((await shop.run([...refused, '--dry-run'])).json()).to.deep.equal((await shop.run([...refused, '--yes'])).json())
  },
  // In a home of its own and by processes: nobody else may have the ledger open while it is replaced.
  'ledger:restore': async () => {
    await using home = closing(await openHome({ sandbox: true }))
    const run = (...args: string[]) => home.spawn([...args, '--json']).done
    await run('items:list')
    await run('ledger:backup', 'copy.db')
    const dry = await run('ledger:restore', 'copy.db', '--dry-run')
    const restored = await run('ledger:restore', 'copy.db', '--yes')
    const { KeptAs, ResultsAsked, ...shown } = dry.json()
    expect([dry.code, restored.code, KeptAs, ResultsAsked], restored.stdout).to.deep.equal([EXIT.ok, EXIT.ok, null, false])
    expect(restored.json()).to.deep.include(shown)
  },
  'ledger:prune': async ({ run, hands, ids }) => {
    await run(['shop:price', `${ids[0]}=215`, '--yes', '--wait'])
    hands.time += 900 * 86_400_000
    const line = ['ledger:prune', '--older-than', '400d', '--json']
    const [dry, pruned] = [(await run([...line, '--dry-run'])).json(), (await run([...line, '--yes'])).json()]
    expect({ ...dry, BytesAfter: 0 }).to.deep.equal({ ...pruned, BytesAfter: 0 })
    expect(pruned.BytesAfter).to.be.a('number')
  },
}

/** One item by flags: the reason in the dry run is that of the error. */
const SINGLE: Readonly<Record<string, (shop: Shop) => Promise<readonly (readonly string[])[]>>> = {
  'shop:add': async () =>
    ['R1', 'NY-1'].map((reference) => [
      ...['--title', 'Vara', '--category', CATEGORY, '--price', '99', '--quantity', '1', '--reference', reference],
    ]),
  'items:add': async () =>
    ['R1', 'NY-2'].map((reference) => [
      ...['--title', 'Vara', '--category', CATEGORY, '--opening', '9', '--accepted', 'sweden', '--reference', reference],
    ]),
  'items:price': async (shop) => {
    const [{ Id } = { Id: 0 }] = (await openAuctions(shop)).filter(({ BuyItNowPrice }) => !BuyItNowPrice)
    return ['90000', '90'].map((price) => [String(Id), '--opening', price, '--allow', 'max_change=1000%'])
  },
}

/** Compares the question with the dry run, and answers it with Ctrl-C. @returns false where there is nothing to ask about */
async function isQuestionOf(dry: Run, home: Home, args: readonly string[], clock: Hands): Promise<boolean> {
  const changes = dry.json().Rows.filter(({ State }: { State: string }) => State === 'change').length
  if (changes === 0) return false
  const person = ask(home, [...args, ...(args[0] === 'items:price' ? ['--accept', 'fees=1000'] : [])], { clock, columns: 200 })
  const seen = await person.sees('(y/N)')
  const question = seen.split('\n').at(-1) ?? ''
  const counts = Array.from(question.matchAll(/\d+/g), ([count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(changes)
  expect(totalsOf({ stderr: seen }), seen).to.deep.equal(totalsOf(dry))
  await person.stops()
  return true
}

/** The rows of a plan that a saved one keeps, without the words of what holds them: that is then the plan. */
function judged(rows: readonly { Id: number; NewPrice: number; State: string }[]): unknown[] {
  return rows
    .filter(({ State }) => State === 'change' || State === 'held')
    .map(({ Id, NewPrice, State }) => [Id, NewPrice, State])
}

describe('a dry run is the run', () => {
  let shop: Shop | undefined
  afterEach(async () => {
    await shop?.home.close()
    shop = undefined
  })

  it('is held for every command that has --dry-run and a question', () => {
    expect(BOTH.map(({ id }) => id)).to.have.members(Object.keys({ ...JOBS, ...OTHERS }))
  })

  for (const [command, cases] of Object.entries(JOBS)) {
    it(`of ${command}: rows, states, reasons, totals, the question and the exit code of a guard`, async () => {
      let isAsked = false
      for (const [kind, line] of cases) {
        shop ??= await openShop()
        const { home, hands } = shop
        const args = [command, ...(await line(shop))]
        // Rows that were typed are not asked about.
        const asks = kind !== 'refused' && kind !== 'stopped' && (command === 'jobs:undo' || !/^[\dR]/.test(args[1] ?? ''))
        const compared = await compareWithRun(home, args, { clock: hands }, async (dry) => {
          if (asks && !isAsked) isAsked = await isQuestionOf(dry, home, args, hands)
        })
        expect(compared.differences, args.join(' ')).to.deep.equal([])
        expect(compared.kind, JSON.stringify([args, compared.plan])).to.equal(kind)
        if (!compared.sent) continue
        await home.close()
        shop = undefined
      }
      // Its one item is typed.
      expect(isAsked).to.equal(command !== 'shop:update')
    })
  }

  it('of additions in the sandbox of this machine, which has no login', async () => {
    await using home = closing(await openHome())
    const [live] = (await home.seller('items:list', '--type', 'shop', '-p', 'sandbox', '--json')).json()
    const [reference = ''] = live.OwnReferences
    for (const [kind, lines] of [
      ['stopped', many(20, added)],
      ['held', [added(1), added(2, reference)]],
    ] as const) {
      await home.file('new.csv', `${ADDED}\n${lines.join('\n')}\n`)
      const compared = await compareWithRun(home, ['shop:add', '--file', 'new.csv', '-p', 'sandbox'])
      expect([compared.differences, compared.kind]).to.deep.equal([[], kind])
    }
  })

  it('says what it was not compared with, where nobody is logged in', async () => {
    await using home = closing(await openHome())
    await home.file('new.csv', `${ADDED}\n${added(1)}\n`)
    const dry = await home.seller('shop:add', '--file', 'new.csv', '--dry-run', '--json')
    expect([dry.code, dry.json().NotRead]).to.deep.equal([
      EXIT.ok,
      [{ What: 'live_items', Reason: 'not_logged_in', From: null, Until: null }],
    ])
    expect(dry.stderr).to.include('You are not logged in, so this was not compared with the shop.')
    const run = await home.seller('shop:add', '--file', 'new.csv', '--yes', '--json')
    expect(run.json().error.code).to.equal('not_logged_in')
    expect((await home.seller('jobs:list', '--json')).json()).to.deep.equal([])
  })

  for (const [command, compare] of Object.entries(OTHERS)) {
    it(`of ${command}`, async () => {
      shop = await openShop()
      await compare(shop)
    })
  }

  for (const [command, lines] of Object.entries(SINGLE)) {
    it(`of ${command}, for one item: its reason is that of the error`, async () => {
      shop = await openShop()
      const kinds: string[] = []
      for (const line of await lines(shop)) {
        const args = [command, ...line]
        const compared = await compareWithRun(shop.home, args, { clock: shop.hands })
        expect(compared.differences, args.join(' ')).to.deep.equal([])
        kinds.push(compared.kind)
      }
      expect(kinds).to.deep.equal(['stopped', 'sent'])
    })
  }

  it('is what a saved plan and a page say, and what is sent of that plan', async () => {
    shop = await openShop()
    const { home, run, rows, ids } = shop
    const [one, two, three] = ids
    for (const [line, states] of [
      [
        ['--file', await rows('Id,Price', [`${one},215`, `${two},20`, `${three},202`, '7,215'])],
        ['held (1)', 'not live (1)', 'to change (1)'],
      ],
      [
        [
          '--file',
          await rows(
            'Id,Price',
            ids.map((id) => `${id},120`),
          ),
          '--allow',
          'max_change',
        ],
        ['held (30)', 'Nothing of this plan would be sent'],
      ],
    ] as const) {
      const files = ['--save-plan', 'plan.json', '--html', 'plan.html', '--force']
      const shown = (await run(['shop:price', ...line, '--dry-run', '--json'])).json()
      const saved = await run(['shop:price', ...line, ...files, '--json'])
      const { next, ...plan } = saved.json()
      expect(plan).to.deep.equal(shown)
      expect(next[0].command).to.match(/^seller shop:price --plan plan\.json/)
      const page = await readFile(join(home.dir, 'plan.html'), 'utf8')
      for (const state of states) expect(page).to.include(state)
      const send = ['shop:price', '--plan', 'plan.json', ...line.slice(2)]
      const sent = (await run([...send, '--dry-run', '--json'])).json()
      expect(judged(sent.Rows)).to.deep.equal(judged(shown.Rows))
      expect((await compareWithRun(home, send, { clock: shop.hands })).differences).to.deep.equal([])
    }
  })
})
