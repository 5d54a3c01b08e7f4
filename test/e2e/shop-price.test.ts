import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/index.js'
import { systemClock } from '../../src/soap/client/index.js'
import { openHome } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import { ask } from './person.js'
import { livePrices, pricesOf, setFaults, stock } from './shop.js'

const SENDING = 'SetPriceOnShopItems'
const PRICES = Array.from({ length: 12 }, (_, at) => 200 + at * 10)

describe('shop:price', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
  })
  after(() => home.close())
  /** Creates items, and then forgets the calls so far. */
  const shop = async (...given: Parameters<typeof stock> extends [unknown, ...infer Rest] ? Rest : never) => {
    const ids = await stock(home, ...given)
    home.calls()
    return ids
  }

  it('prices items by arguments in one reading, one sending and one looking call', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const run = await home.seller(
      'shop:price',
      `${one}=549`,
      `${two}=1 234 kr`,
      '--max-change',
      '150%',
      '--yes',
      '--wait',
      '--json',
    )
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ State: 'ok', Kind: 'price', Calls: 3, HeldFile: null })
    expect(run.json().Counts).to.include({ ok: 2, held: 0, failed: 0 })
    expect(home.calls()).to.deep.equal(['GetSellerItems', SENDING, 'GetRequestResults'])
    expect(run.stderr)
      .to.match(/3 calls in this run/)
      .and.include(`seller jobs:undo ${run.json().JobId}`)
    expect(await pricesOf(home, [one, two])).to.deep.equal([549, 1234])
  })

  it('sends nothing that has its price already', async () => {
    const [id = 0] = await shop([500])
    const run = await home.seller('shop:price', `${id}=500`, '--json')
    expect(run.code).to.equal(0)
    expect(run.json()).to.include({ JobId: null, State: 'ok', Unchanged: 1 })
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
  })

  it('lets the service find the items of a category', async () => {
    await shop([500])
    const run = await home.seller('shop:price', '--category', '344481', '--add', '5kr', '--dry-run', '--json', '--trace')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.stderr).to.match(/<categoryId>344481<\/categoryId>/)
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
  })

  it('takes a list that jq made from items:list', async () => {
    const ids = await shop([500, 600])
    const run = await home.shell(
      `seller items:list --type shop --json |
        jq -c '.[] | select(.Id == ${ids.join(' or .Id == ')}) | {Id, Price: (.BuyItNowPrice + 5)}' |
        seller shop:price --file - --yes --wait --json | jq -r .State`,
    )
    expect(run.stdout, run.stderr).to.equal('ok\n')
    expect(await pricesOf(home, ids)).to.deep.equal([505, 605])
  })

  it('reads a sheet as it comes: semicolons, byte order mark, CRLF, quotes, pris, references, columns of its own', async () => {
    const ids = await shop([500, 2000, 700], { reference: (at) => `SHEET-${at}` })
    const sheet = `\ufeffOwnReference;"PRIS";_Note\r\nSHEET-0;"549";"a;b"\r\nSHEET-1;2 100 kr;\r\nSHEET-2;\u00a0710;c\r\n`
    const file = await home.file('sheet.csv', sheet)
    const run = await home.seller('shop:price', '--file', file, '--yes', '--json')
    expect(run.code, run.stderr + run.stdout).to.equal(0)
    expect(await pricesOf(home, ids)).to.deep.equal([549, 2100, 710])
  })

  it('refuses a reference that several items have', async () => {
    await shop([500, 600], { reference: () => 'TWIN' })
    const run = await home.run(['shop:price', '--file', '-', '--yes', '--json'], { stdin: 'OwnReference,Price\nTWIN,549\n' })
    expect(run.code).to.equal(3)
    expect(run.json().error.message).to.include('line 2').and.include('"TWIN"').and.include('several items')
    expect(home.calls()).to.not.include(SENDING)
  })

  it('plans without sending: every row, the sums, the largest moves, the spread, the calls it would cost', async () => {
    const [up = 0, down = 0, same = 0, far = 0] = await shop([500, 600, 700, 800])
    const csv = `Id,Price\n${up},550\n${down},500\n${same},700\n${far},8000\n1,5\n`
    const file = await home.file('plan.csv', csv)
    const run = await home.seller('shop:price', '--file', file, '--dry-run', '--json')
    expect(run.code).to.equal(0)
    const { Summary, Rows, Largest, Histogram } = run.json()
    expect(Summary).to.include({ Rows: 5, Change: 2, Unchanged: 1, Held: 1, Unknown: 1, Up: 1, Down: 1, Calls: 1 })
    expect(Summary).to.include({ OldTotal: 1100, NewTotal: 1050 })
    expect(Rows.map(({ State }: { State: string }) => State)).to.deep.equal(['change', 'change', 'unchanged', 'held', 'unknown'])
    expect(Rows[0]).to.include({ Line: 2, Id: up, OldPrice: 500, NewPrice: 550, Change: 50, Percent: 10, Reason: null })
    expect(Rows[3].Reason).to.include('extra zero')
    expect(Largest.map(({ Id }: { Id: number }) => Id)).to.deep.equal([down, up])
    expect(Histogram.reduce((sum: number, bar: { Rows: number }) => sum + bar.Rows, 0)).to.equal(2)
    const rows = await home.seller('shop:price', '--file', file, '-n', '-o', 'csv', '--columns', 'Id,NewPrice,State')
    expect(rows.stdout.split('\r\n').slice(0, 2)).to.deep.equal(['Id,NewPrice,State', `${up},550,change`])
    expect(rows.stderr).to.include('2 to change (1 up, 1 down)').and.include('Sending takes 1 call')
    expect(home.calls()).to.deep.equal(['GetSellerItems', 'GetSellerItems'])
    expect((await home.seller('jobs:list', '--limit', '1', '--json')).json()[0]?.Title).to.not.equal(`shop:price --file ${file}`)
  })

  describe('disasters end with nothing wrong sent', () => {
    let ids: number[]
    beforeEach(async () => {
      ids = await shop(PRICES)
    })
    const csv = (prices: (at: number) => string | number) =>
      `Id,Price\n${ids.map((id, at) => `${id},${prices(at)}`).join('\n')}\n`
    const quoted = (prices: (at: number) => string) => `Id;Price\n${ids.map((id, at) => `${id};${prices(at)}`).join('\n')}\n`
    const refused: readonly (readonly [what: string, input: () => string, says: RegExp])[] = [
      ['a blank price', () => csv((at) => (at === 3 ? '' : 210)), /line 5, Price "": is empty/],
      ['a blank minimum that became 0.01', () => csv((at) => (at === 3 ? '0.01' : 210)), /line 5, Price "0\.01": has a point/],
      ['a comma read as a decimal point', () => quoted((at) => `${199 + at},90`), /line 2, Price "199,90": has a comma/],
      ['a point that parts thousands', () => csv(() => '1.234'), /line 2, Price "1\.234": has a point/],
      ['an exponent', () => csv(() => '1e3'), /line 2, Price "1e3"/],
      ['a negative price', () => csv(() => '-5'), /line 2, Price "-5": is negative/],
      ['an unquoted comma', () => csv(() => '199,90'), /line 2: has 3 cells where the first line names 2/],
      ['an item twice', () => `${csv(() => 210)}${ids[0]},220\n`, /line 14, Id "\d+": occurs twice: line 2/],
      [
        '80 faults of one kind',
        () =>
          `Id,Price\n${ids
            .concat(ids, ids)
            .map((_, at) => `${at + 1},x\n`)
            .join('')}`,
        /36 faults of this kind; also line 3, Price "x" and line 4/,
      ],
      ['an unknown column', () => csv(() => 210).replace('Price', 'Prise'), /"Prise".*Did you mean Price\?/],
    ]
    for (const [what, input, says] of refused) {
      it(`${what}: the file is refused, line and reason, before any call`, async () => {
        const run = await home.run(['shop:price', '--file', '-', '--yes', '--json'], { stdin: input() })
        expect(
          [run.code, run.json().error.category === 'validation' || run.json().error.category === 'usage'],
          run.stdout,
        ).to.deep.equal([run.json().error.exitCode, true])
        expect(run.code).to.be.oneOf([2, 3])
        expect(run.json().error.message).to.match(says)
        expect(home.calls()).to.deep.equal([])
      })
    }

    it('a missing zero: that row is held, in a file with the reason, and the others go', async () => {
      const file = await home.file(
        'zero.csv',
        csv((at) => (at === 3 ? 23 : 205 + at * 10)),
      )
      const run = await home.seller('shop:price', '--file', file, '--yes', '--json')
      expect(run.code).to.equal(6)
      const { JobId, HeldFile, Counts } = run.json()
      expect(Counts).to.include({ queued: 11, held: 1 })
      expect(run.stderr).to.include(HeldFile).and.include(`line 5, item ${ids[3]}`).and.include('missing zero')
      expect(HeldFile).to.equal(join(home.dataDir, 'jobs', String(JobId), `held-${JobId}.csv`))
      const held = await readFile(HeldFile, 'utf8')
      expect(held).to.match(
        new RegExp(`^Id,Price,_Reason\\n${ids[3]},23,"?23 kr is a tenth of the present 230 kr or less: a missing zero\\?"?\\n$`),
      )
      expect(await pricesOf(home, ids)).to.deep.equal(PRICES.map((old, at) => (at === 3 ? old : 205 + at * 10)))
    })

    const held: readonly (readonly [what: string, args: () => string[], stdin: () => string | undefined])[] = [
      ['a blank minimum that became 1 kr', () => ['--file', '-'], () => csv(() => 1)],
      ['öre read as kronor', () => ['--file', '-'], () => csv((at) => (PRICES[at] ?? 0) * 100)],
      ['a file that sets everything to one price', () => ['--file', '-'], () => csv(() => 250)],
      ['prices below the lowest', () => ['--file', '-', '--min-price', '400'], () => csv((at) => 210 + at)],
    ]
    for (const [what, args, stdin] of held) {
      it(`${what}: every row is held`, async () => {
        const run = await home.run(['shop:price', ...args(), '--yes', '--json', '--held-file', 'all-held.csv'], {
          stdin: stdin(),
        })
        expect(run.code, run.stdout + run.stderr).to.equal(6)
        // One of them has the one price already.
        expect(run.json().Counts.held + run.json().Unchanged).to.equal(ids.length)
        expect(home.calls()).to.deep.equal(['GetSellerItems'])
        expect(await pricesOf(home, ids)).to.deep.equal(PRICES)
      })
    }

    const rules: readonly (readonly [what: string, args: string[], code: number, says: RegExp])[] = [
      ['a rule that sets everything to 49.95', ['--all', '--set', '49.95'], 2, /--set "49\.95"/],
      ['a blank floor', ['--all', '--add', '-10%', '--floor', ''], 2, /--floor "": is empty/],
      ['a floor of 0.01', ['--all', '--add', '-10%', '--floor', '0.01'], 2, /--floor "0\.01"/],
    ]
    for (const [what, args, code, says] of rules) {
      it(`${what}: refused before any call`, async () => {
        const run = await home.seller('shop:price', ...args, '--yes', '--json')
        expect(run.code).to.equal(code)
        expect(run.json().error.message).to.match(says)
        expect(home.calls()).to.deep.equal([])
      })
    }

    it('a rule that sets everything to 50: every row is held', async () => {
      const before = await livePrices(home)
      home.calls()
      const run = await home.seller('shop:price', '--all', '--set', '50', '--yes', '--json', '--held-file', 'fifty.csv')
      expect(run.code).to.equal(6)
      expect(run.json().Counts).to.include({ ok: 0, queued: 0 })
      expect(home.calls()).not.to.include(SENDING)
      expect(await livePrices(home)).to.deep.equal(before)
    })
  })

  it('lets through what is let through: a wider limit, an exact price in _Allow, a guard switched off', async () => {
    const [one = 0, two = 0, three = 0] = await shop([100, 100, 100])
    const wide = await home.seller('shop:price', `${one}=175`, '--max-change', '80%', '--yes', '--json')
    expect(wide.code).to.equal(0)
    const rows = `Id,Price,_Allow\n${two},1200,1200\n${three},1300,1301\n`
    const allowed = await home.run(['shop:price', '-f', '-', '--yes', '--json'], { stdin: rows })
    expect(allowed.code).to.equal(6)
    expect(await pricesOf(home, [one, two, three])).to.deep.equal([175, 1200, 100])
    const off = await home.seller('shop:price', `${three}=1300`, '--max-change', 'off', '--no-factor-ten', '--yes', '--json')
    expect(off.code).to.equal(0)
  })

  it('takes its limits from the profile, and a flag before that', async () => {
    const own = await openHome()
    try {
      const settings = ['--max-change', '5%', '--factor-ten', 'off', '--min-price', '30', '--max-same', '90%']
      expect((await own.seller('auth:login', '-p', 'sandbox', ...settings)).code).to.equal(0)
      const items: { Id: number; BuyItNowPrice: number }[] = (
        await own.seller('items:list', '-p', 'sandbox', '--type', 'shop', '--json')
      ).json()
      const { Id, BuyItNowPrice } = items.find((item) => item.BuyItNowPrice > 100) ?? { Id: 0, BuyItNowPrice: 0 }
      const wanted = Math.round(BuyItNowPrice * 1.1)
      const plan = async (...args: string[]) =>
        (await own.seller('shop:price', '-p', 'sandbox', `${Id}=${wanted}`, '--dry-run', '--json', ...args)).json().Rows[0]
      expect(await plan()).to.include({ State: 'held', Limit: 'max_change' })
      expect(await plan('--max-change', '20%')).to.include({ State: 'change' })
      const { Used } = (await own.seller('calls:show', '-p', 'sandbox', '--json')).json()
      expect((await own.seller('auth:login', '-p', 'sandbox', '--call-budget', String(Used + 1))).code).to.equal(0)
      const spent = await own.seller('shop:price', '-p', 'sandbox', `${Id}=${BuyItNowPrice + 1}`, '--yes', '--json')
      expect([spent.code, spent.json().error.code], spent.stderr).to.deep.equal([7, 'call_budget_spent'])
      expect(spent.stderr).to.include('The call budget leaves 0 calls')
      expect((await own.seller('auth:login', '-p', 'sandbox', '--call-budget', '100')).code).to.equal(0)
      const low = await own.seller('shop:price', '-p', 'sandbox', `${Id}=29`, '--max-change', 'off', '-n', '--json')
      expect(low.json().Rows[0]).to.include({ State: 'held', Limit: 'min_price' })
      const ten = await own.seller(
        'shop:price',
        '-p',
        'sandbox',
        `${Id}=${BuyItNowPrice * 10}`,
        '--max-change',
        'off',
        '-n',
        '--json',
      )
      expect(ten.json().Rows[0]).to.include({ State: 'change' })
    } finally {
      await own.close()
    }
  })

  it('prices by a rule: by reference, rounded to an ending, not below a floor', async () => {
    const ids = await shop([500, 333, 100], { reference: (at) => `RULE-${at}` })
    const run = await home.seller(
      // As a batch file of Windows gives them: cmd reads % as a variable, and leaves single quotes.
      ...['shop:price', '--reference', "'RULE-*'", '--add', '-10pct', '--end-with', '9', '--floor', '99'],
      ...['--yes', '--json'],
    )
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().Title).to.equal('shop:price --reference RULE-*: 10 % less each, ending with 9, at least 99 kr')
    expect(run.stderr).to.include('New prices: 10 % less each, ending with 9, at least 99 kr.')
    expect(await pricesOf(home, ids)).to.deep.equal([449, 299, 99])
  })

  it('says a rule in words, and plans by it', async () => {
    const ids = await shop([100, 200, 300], { reference: (at) => `WORD-${at}` })
    const loose = ['--max-change', 'off', '--max-total-fall', 'off', '--max-same', 'off', '--dry-run', '--json']
    for (const [args, words, wanted] of [
      [['--set', '150'], '150 kr each', [150, 150, 150]],
      [['--add', '5kr'], '5 kr more each', [105, 205, 305]],
      [['--add', '5kr', '--end-with', '9'], '5 kr more each, ending with 9', [109, 209, 309]],
      [
        ['--add', '50kr', '--floor', '200', '--ceiling', '260'],
        '50 kr more each, at least 200 kr, at most 260 kr',
        [200, 250, 300],
      ],
    ] as const) {
      const plan = await home.seller('shop:price', '--reference', 'WORD-?', ...args, ...loose)
      expect(plan.stderr).to.include(`New prices: ${words}.`)
      const rows: { Id: number; NewPrice: number }[] = plan.json().Rows
      expect(ids.map((id) => rows.find(({ Id }) => Id === id)?.NewPrice)).to.deep.equal(wanted)
    }
    const classes = await home.seller('shop:price', '--reference', 'WORD-[12]', '--add', '5kr', ...loose)
    expect(classes.json().error.code).to.equal('nothing_chosen')
  })

  it('does not plan anew where another process works on the queued prices', async () => {
    const [id = 0] = await shop([500])
    await setFaults(home, { 'queue-delay': '1h' })
    const { JobId } = (await home.seller('shop:price', `${id}=510`, '--yes', '--json')).json()
    await setFaults(home, { 'queue-delay': '0ms' })
    const ledger = openLedger(join(home.dataDir, 'ledger.db'), systemClock)
    const lock = ledger.jobs.lock(JobId)
    home.calls()
    const held = await home.seller('shop:price', `${id}=520`, '--dry-run', '--json')
    lock.release()
    ledger.close()
    expect([held.json().Summary.Held, home.calls()]).to.deep.equal([1, ['GetSellerItems']])
    await home.seller('shop:price', `${id}=520`, '--dry-run', '--json')
    expect(home.calls()).to.include('GetRequestResults')
    await home.seller('jobs:drop', String(JobId), '--yes')
  })

  it('asks a person for the unit of a change', async () => {
    await shop([500])
    const person = ask(home, ['shop:price', '--all', '--add', '-10', '--dry-run'])
    await person.answers('--add -10: per cent or kronor?')
    await person.sees('New prices: 10 % less each.')
    expect((await person.done).code).to.equal(0)
  })

  it('refuses a choice of a rule that has no items', async () => {
    await shop([500], { reference: () => 'RULE-1' })
    const rule = ['--add', '-10%', '--yes']
    for (const [chosen, words] of [
      [['--reference', 'RUEL-*'], 'No live shop item has an own reference like "RUEL-*".'],
      [['--category', '999999'], 'No live shop item is in category 999999 or below it.'],
    ] as const) {
      for (const args of [
        ['shop:price'],
        ['shop:price', '--dry-run'],
        ['shop:discount', 'Rea', '--from', 'now', '--until', '2d'],
      ]) {
        const run = await home.seller(...args, ...chosen, ...rule)
        expect([run.code, run.stderr.split('\n')[1]]).to.deep.equal([6, `Error: ${words}`])
        expect(run.stderr).to.include('Nothing was sent. See what there is with: seller items:list --type shop')
      }
    }
  })

  it('saves a plan, sends it later, and holds rows whose price has moved since', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const saved = await home.seller('shop:price', `${one}=550`, `${two}=650`, '--save-plan', 'plan.json', '--json')
    expect(saved.code, saved.stderr).to.equal(0)
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    // A file that is there is replaced by --force alone, and a link never leads elsewhere; the shop is not read for it.
    const path = (name: string) => join(home.dir, name)
    await symlink(await home.file('letter.txt', 'Dear'), path('link.json'))
    await symlink('nowhere', path('lost.json'))
    for (const [name, why, ...force] of [
      ['letter.txt', 'already exists'],
      ['link.json', 'it is a link'],
      ['link.json', 'it is a link', '--force'],
      ['lost.json', 'it is a link', '--force'],
    ] as const) {
      for (const args of [
        ['shop:price', `${one}=550`],
        ['shop:restore', '--at', '2026-11-01'],
      ]) {
        const refused = await home.seller(...args, '--save-plan', name, ...force, '--json')
        expect([refused.code, refused.json().error.code], refused.stdout).to.deep.equal([2, 'unwritable_file'])
        expect(refused.json().error.message).to.include(why)
      }
    }
    expect([await readFile(path('letter.txt'), 'utf8'), home.calls()]).to.deep.equal(['Dear', []])
    const again = await home.seller('shop:price', `${one}=550`, `${two}=650`, '--save-plan', 'plan.json', '--force')
    expect(again.code, again.stderr).to.equal(0)
    expect((await home.seller('shop:price', `${two}=610`, '--yes')).code).to.equal(0)
    const sent = await home.seller('shop:price', '--plan', 'plan.json', '--yes', '--json')
    expect(sent.code, sent.stderr).to.equal(6)
    expect(sent.stderr).to.include('610 kr and not 600 kr')
    expect(await pricesOf(home, [one, two])).to.deep.equal([550, 610])
    const other = await home.run(['shop:price', '--plan', 'plan.json', '--yes', '--json'], {
      env: { SELLER_USER_ID: '1002', SELLER_TOKEN: 'sandbox-token-of-member-1002' },
    })
    expect([other.code, other.json().error.code]).to.deep.equal([2, 'plan_of_another'])
    expect(other.json().error.message).to.equal(
      'The plan "plan.json" was made for the profile "default", seller 1001, but the current profile is "default", seller 1002.',
    )
    expect(other.json().error.hint).to.equal('Send it with --profile default, or make a plan for this shop.')
    const text = await readFile(join(home.dir, 'plan.json'), 'utf8')
    await home.file('edited.json', text.replace('"NewPrice":550', '"NewPrice":55'))
    const edited = await home.seller('shop:price', '--plan', 'edited.json', '--yes', '--json')
    expect(edited.code).to.equal(2)
    expect(edited.json().error.message).to.include('was changed after it was saved')
  })

  it('sends blind: no reading, no undo, and what the service refuses fails its row, not the batch', async () => {
    const [id = 0] = await shop([500])
    const file = await home.file('blind.csv', `Id;Pris;_Note\n${id};900;\n1;77;mine\n`)
    const run = await home.seller('shop:price', '-f', file, '--blind', '--yes', '--failed-file', 'again.csv', '--json')
    expect(run.code, run.stderr).to.equal(5)
    expect(run.json().Counts).to.include({ queued: 1, failed: 1 })
    expect(home.calls()).to.deep.equal([SENDING])
    expect(await pricesOf(home, [id])).to.deep.equal([900])
    const again = await readFile(join(home.dir, 'again.csv'), 'utf8')
    expect(again).to.match(/^Id;Pris;_Note;_Reason\n1;77;mine;.*does not exist.*\n$/)
    const undo = await home.seller('jobs:undo', String(run.json().JobId), '--yes', '--json')
    expect([undo.code, undo.json().error.code]).to.deep.equal([2, 'undo_impossible'])
    // The failed rows are read as they were written, after they are corrected.
    const mended = again.replace('\n1;77', `\n${id};910`)
    const fed = await home.run(['shop:price', '-f', '-', '--yes', '--json'], { stdin: mended })
    expect([fed.code, await pricesOf(home, [id])]).to.deep.equal([0, [910]])
  })

  it('sends nothing off a terminal without --yes', async () => {
    const [id = 0] = await shop([500])
    const run = await home.seller('shop:price', `${id}=510`, '--json')
    expect([run.code, run.json().error.code]).to.deep.equal([6, 'confirmation_missing'])
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
  })

  it('reads the list again with --verify', async () => {
    const [id = 0] = await shop([500])
    const run = await home.seller('shop:price', `${id}=510`, '--yes', '--verify', '--json')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().Differences).to.deep.equal([])
    expect(run.stderr).to.include('Verified: all 1 row')
    expect(home.calls()).to.deep.equal(['GetSellerItems', SENDING, 'GetRequestResults', 'GetSellerItems'])
  })

  it('tells of a price that somebody else has set since, with --verify', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const { JobId } = (await home.seller('shop:price', `${one}=510`, `${two}=610`, '--yes', '--json')).json()
    expect((await home.seller('shop:price', `${one}=540`, '--yes', '--wait')).code).to.equal(0)
    const run = await home.seller('jobs:resume', String(JobId), '--verify', '--json')
    expect(run.code, run.stderr).to.equal(5)
    expect(run.json()).to.include({ State: 'ok' })
    expect(run.json().Differences).to.deep.equal([
      { Row: 1, Id: one, Field: 'BuyItNowPrice', Expected: 510, Live: 540, State: 'ok' },
    ])
    expect(run.stderr).to.match(new RegExp(`item ${one}: BuyItNowPrice is 540, not 510\\s`))
  })

  it('waits no longer than asked, and names the command that goes on', async () => {
    const [id = 0] = await shop([500])
    await setFaults(home, { 'queue-delay': '1h' })
    const run = await home.seller('shop:price', `${id}=510`, '--yes', '--verify', '--timeout', '50ms', '--json')
    await setFaults(home, { 'queue-delay': '0ms' })
    expect(run.code, run.stderr).to.equal(8)
    expect(run.json()).to.include({ State: 'waiting' })
    expect(run.json().Differences).to.deep.equal([
      { Row: 1, Id: id, Field: 'BuyItNowPrice', Expected: 510, Live: 500, State: 'queued' },
    ])
    expect(run.stderr).to.include(`item ${id}: BuyItNowPrice is 500, not 510 (still queued)`)
    expect(run.stderr).to.include(`seller jobs:resume ${run.json().JobId} --wait`)
  })

  it('tells what may be sent again, and jobs:resume --retry-failed sends it', async () => {
    const [id = 0] = await shop([500])
    await setFaults(home, { 'queue-codes': 'Error TryAgain=100%', 'queue-delay': '0ms' })
    const run = await home.seller('shop:price', `${id}=510`, '--yes', '--wait', '--json')
    await setFaults(home, { 'queue-codes': '' })
    expect(run.code, run.stderr).to.equal(5)
    expect(run.json().Counts).to.include({ retryable: 1 })
    const { JobId } = run.json()
    expect(run.stderr).to.include(`seller jobs:resume ${JobId} --retry-failed`)
    const again = await home.seller('jobs:resume', String(JobId), '--retry-failed', '--json')
    expect(again.code, again.stderr).to.equal(0)
    expect(await pricesOf(home, [id])).to.deep.equal([510])
  })

  it('stops at the quota (429) with 7, and jobs:resume goes on', async () => {
    const ids = await shop(Array(4).fill(500))
    const { Used } = (await home.seller('calls:show', '--json')).json()
    // The list, a call that holds too many items, and one that does not.
    await setFaults(home, { 'max-items': '2', quota: `${Used + 3}/24h` })
    const rows = `Id,Price\n${ids.map((id) => `${id},${510 + (id % 7)}`).join('\n')}\n`
    const used = await home.run(['shop:price', '-f', '-', '--yes', '--json'], { stdin: rows })
    expect(used.code, used.stdout + used.stderr).to.equal(7)
    const { error } = used.json()
    expect(error).to.include({ category: 'quota', code: 'too_many_calls', state: 'open' })
    expect(error.hint).to.include(`seller jobs:resume ${error.jobId}`)
    expect(error.counts).to.include({ queued: 2, unsent: 2 })
    await setFaults(home, { quota: 'none', 'max-items': '500' })
    const resumed = await home.seller('jobs:resume', '--json')
    expect(resumed.code, resumed.stderr).to.equal(0)
    expect(await pricesOf(home, ids)).to.deep.equal(ids.map((id) => 510 + (id % 7)))
  })

  it('stops at --max-calls, warned before', async () => {
    const [id = 0] = await shop([500])
    const run = await home.seller('shop:price', `${id}=510`, '--yes', '--max-calls', '1', '--json')
    expect([run.code, run.json().error.code], run.stderr).to.deep.equal([7, 'max_calls_reached'])
    expect(run.stderr).to.include('--max-calls leaves 0 calls')
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    expect((await home.seller('jobs:resume')).code).to.equal(0)
    expect(await pricesOf(home, [id])).to.deep.equal([510])
  })

  it('asks a person who gives nothing what sets the prices', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    await home.file('priser.csv', `Id,Price\n${one},501\n`)
    const byFile = ask(home, ['shop:price', '--dry-run', '--json'])
    await byFile.answers('What sets the prices?')
    await byFile.answers('File (.xlsx', 'finns-inte.csv')
    await byFile.answers('There is no file finns-inte.csv. ? File', "'priser.csv'")
    const byId = ask(home, ['shop:price', '--dry-run', '--json'])
    await byId.sees('What sets the prices?')
    await byId.presses('down')
    await byId.enters()
    await byId.answers('Item, its id', String(two))
    await byId.answers('New price', '601')
    const byRule = ask(home, ['shop:price', '--dry-run', '--json'])
    await byRule.sees('What sets the prices?')
    await byRule.presses('down', 'down')
    await byRule.enters()
    await byRule.answers('How much more or less', '10%')
    for (const [person, wanted] of [
      [byFile, [501]],
      [byId, [601]],
    ] as const) {
      const run = await person.done
      expect(
        run.json().Rows.map(({ NewPrice }: { NewPrice: number }) => NewPrice),
        run.stderr,
      ).to.deep.equal(wanted)
    }
    const all = (await byRule.done).json().Rows.filter(({ Id }: { Id: number }) => Id === one)
    expect(all[0].NewPrice).to.equal(550)
  })

  const WRONG: readonly (readonly [what: string, args: string[], code: string])[] = [
    ['nothing', [], 'no_prices'],
    ['two inputs', ['1=5', '--all', '--set', '9'], 'several_inputs'],
    ['a rule without items', ['--add', '5kr'], 'rule_without_items'],
    ['a change without its unit, as cmd leaves -10%', ['--all', '--add', '-10', '--yes'], 'invalid_values'],
    ['a floor without items', ['1=5', '--floor', '5'], 'rule_without_items'],
    ['recommended prices without items', ['--recommended'], 'rule_without_items'],
    ['arguments and a file', ['1=5', '--file', 'in.csv'], 'several_inputs'],
    ['items without a rule', ['--all'], 'unreadable_input'],
    ['an argument without a price', ['1001'], 'invalid_values'],
    ['a file that is not there', ['--file', 'nowhere.csv'], 'unreadable_file'],
    ['an invalid share', ['1=5', '--max-change', '80'], 'invalid_percent'],
    ['a failed file over the input', ['--file', 'in.csv', '--failed-file', './in.csv'], 'overwrites_input'],
    ['a saved plan over the input', ['--file', 'in.csv', '--save-plan', 'in.csv'], 'overwrites_input'],
    ['a page over the input', ['--file', 'in.csv', '--html', 'in.csv', '--dry-run'], 'overwrites_input'],
    ['held rows over a plan', ['--plan', 'in.csv', '--held-file', 'in.csv'], 'overwrites_input'],
    ['two outputs in one file', ['1=5', '--save-plan', 'b', '--html', 'b'], 'overwrites_input'],
  ]
  for (const [what, args, code] of WRONG) {
    it(`refuses ${what}: exit 2, before any call`, async () => {
      await home.file('in.csv', 'Id,Price\n1,5\n')
      home.calls()
      const run = await home.seller('shop:price', ...args, '--json')
      expect([run.code, run.json().error.code], run.stdout).to.deep.equal([2, code])
      expect(home.calls()).to.deep.equal([])
    })
  }

  it('asks for the number of rows on a terminal', async () => {
    const ids = await shop(Array.from({ length: 51 }, (_, at) => 500 + at))
    const file = await home.file('many.csv', `Id,Price\n${ids.map((id, at) => `${id},${510 + at}`).join('\n')}\n`)
    const no = ask(home, ['shop:price', '--file', file])
    await no.answers('Send 51 new prices? Type 51 to confirm:', 'y')
    await no.sees('That is not 51.')
    await no.presses('erase')
    await no.enters('n')
    const declined = await no.done
    expect(declined.code, declined.stderr).to.equal(6)
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    const yes = ask(home, ['shop:price', '--file', file])
    await yes.answers('Type 51 to confirm:', '51')
    const { code, stdout, stderr } = await yes.done
    expect(code, stderr).to.equal(0)
    expect(stdout + stderr).to.include('51 queued')
    // A few prices that were typed one by one need no confirmation.
    expect((await ask(home, ['shop:price', `${ids[0]}=520`]).done).code).to.equal(0)
  })
})
