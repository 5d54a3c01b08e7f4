import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/index.js'
import { systemClock } from '../../src/soap/client/index.js'
import { closing, opened } from '../opened.js'
import { openHome, words } from './harness.js'
import { openObserved } from './observed.js'
import { ask } from './person.js'
import { livePrices, pricesOf, setFaults, stock } from './shop.js'

const SENDING = 'SetPriceOnShopItems'
const PRICES = Array.from({ length: 12 }, (_, at) => 200 + at * 10)

describe('shop:price', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
  /** Creates items, and then forgets the calls so far. */
  const shop = async (...given: Parameters<typeof stock> extends [unknown, ...infer Rest] ? Rest : never) => {
    const ids = await stock(home, ...given)
    home.calls()
    return ids
  }

  it('lets the service find the items of a category', async () => {
    await shop([500])
    const run = await home.done('shop:price', '--category', '344481', '--add', '5kr', '--dry-run', '--json', '--trace')
    expect(run.stderr).to.match(/<categoryId>344481<\/categoryId>/)
    expect(home.calls()).to.deep.equal(['GetCategories', 'GetSellerItems'])
  })

  it('takes the items of all categories below one', async () => {
    const [id] = await shop([500])
    type Category = { Id: number; Category: Category[] }
    const tree: Category[] = (await home.done('reference:categories', '--json')).json()
    const parentIn = (all: Category[]): Category | undefined =>
      all.find((one) => one.Category.some(({ Id }) => Id === 344481)) ?? all.map((one) => parentIn(one.Category)).find(Boolean)
    const parent = String(parentIn(tree)?.Id)
    const chosen = async (...args: string[]) =>
      (await home.done('shop:price', '--category', parent, '--add', '5kr', '--dry-run', '--json', ...args)).json().Rows
    expect((await chosen()).map(({ Id }: { Id: number }) => Id)).to.include(id)
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
    await home.done('shop:price', '--file', file, '--yes', '--json')
    expect(await pricesOf(home, ids)).to.deep.equal([549, 2100, 710])
  })

  describe('disasters end with nothing wrong sent', () => {
    let ids: number[]
    beforeEach(async () => {
      ids = await shop(PRICES)
    })
    const csv = (prices: (at: number) => string | number) =>
      `Id,Price\n${ids.map((id, at) => `${id},${prices(at)}`).join('\n')}\n`

    it('a missing zero: that row is held, in a file with the reason, and the others go', async () => {
      const file = await home.file(
        'zero.csv',
        csv((at) => (at === 3 ? 23 : 205 + at * 10)),
      )
      const run = await home.seller('shop:price', '--file', file, '--yes', '--json')
      expect(run.code).to.equal(6)
      const { JobId, HeldFile, Counts } = run.json()
      expect(Counts).to.include({ queued: 11, held: 1 })
      expect(run.stderr).to.include(HeldFile).and.include(`line 5, item ${ids[3]}`).and.include('is a zero missing?')
      expect(HeldFile).to.equal(join(home.dataDir, 'jobs', String(JobId), `held-${JobId}.csv`))
      const held = await readFile(HeldFile, 'utf8')
      expect(held).to.match(
        new RegExp(
          `^Id,Price,_Reason\\n${ids[3]},23,"?23 kr is a tenth or less of the current 230 kr: is a zero missing\\?"?\\n$`,
        ),
      )
      expect(await pricesOf(home, ids)).to.deep.equal(PRICES.map((old, at) => (at === 3 ? old : 205 + at * 10)))
    })

    const held: readonly (readonly [what: string, args: () => string[], stdin: () => string | undefined])[] = [
      ['a blank minimum that became 1 kr', () => ['--file', '-'], () => csv(() => 1)],
      ['öre read as kronor', () => ['--file', '-'], () => csv((at) => (PRICES[at] ?? 0) * 100)],
      ['a file that sets everything to one price', () => ['--file', '-'], () => csv(() => 250)],
      ['prices below the lowest', () => ['--file', '-', '--allow', 'min_price=400'], () => csv((at) => 210 + at)],
    ]
    for (const [what, args, stdin] of held) {
      it(`${what}: every row is held`, async () => {
        const run = await home.run(['shop:price', ...args(), '--yes', '--json', '--held-file', 'all-held.csv', '--force'], {
          stdin: stdin(),
        })
        expect(run.code, run.stdout + run.stderr).to.equal(6)
        // One of them has the one price already.
        expect(run.json().Counts.held + run.json().Unchanged).to.equal(ids.length)
        expect(home.calls()).to.deep.equal(['GetSellerItems'])
        expect(await pricesOf(home, ids)).to.deep.equal(PRICES)
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
    await home.done('shop:price', `${one}=175`, '--allow', 'max_change=80%', '--yes', '--json')
    const rows = `Id,Price,_Allow\n${two},1200,1200\n${three},1300,1301\n`
    const allowed = await home.run(['shop:price', '-f', '-', '--yes', '--json'], { stdin: rows })
    expect(allowed.code).to.equal(6)
    expect(await pricesOf(home, [one, two, three])).to.deep.equal([175, 1200, 100])
    await home.done('shop:price', `${three}=1300`, '--allow', 'max_change', '--allow', 'factor_ten', '--yes', '--json')
  })

  it('takes its limits from the profile, and a flag before that', async () => {
    await using own = closing(await openHome())
    const settings = ['max_change=5%', 'factor_ten=off', 'min_price=30', 'max_same=90%'].flatMap((one) => ['--setting', one])
    expect((await own.seller('auth:login', '-p', 'sandbox', ...settings)).code).to.equal(0)
    const items: { Id: number; BuyItNowPrice: number }[] = (
      await own.seller('items:list', '-p', 'sandbox', '--type', 'shop', '--json')
    ).json()
    const { Id, BuyItNowPrice } = items.find((item) => item.BuyItNowPrice > 100) ?? { Id: 0, BuyItNowPrice: 0 }
    const wanted = Math.round(BuyItNowPrice * 1.1)
    const plan = async (...args: string[]) =>
      (await own.seller('shop:price', '-p', 'sandbox', `${Id}=${wanted}`, '--dry-run', '--json', ...args)).json().Rows[0]
    expect(await plan()).to.include({ State: 'held', Limit: 'max_change' })
    expect(await plan('--allow', 'max_change=20%')).to.include({ State: 'change' })
    const { Used } = (await own.seller('calls:show', '-p', 'sandbox', '--json')).json()
    expect((await own.seller('auth:login', '-p', 'sandbox', '--setting', `call_budget=${Used + 1}`)).code).to.equal(0)
    const spent = await own.seller('shop:price', '-p', 'sandbox', `${Id}=${BuyItNowPrice + 1}`, '--yes', '--json')
    expect([spent.code, spent.json().error.code], spent.stderr).to.deep.equal([7, 'call_budget_spent'])
    expect(spent.stderr).to.include('The call budget leaves 0 calls')
    expect((await own.seller('auth:login', '-p', 'sandbox', '--setting', 'call_budget=100')).code).to.equal(0)
    const low = await own.seller('shop:price', '-p', 'sandbox', `${Id}=29`, '--allow', 'max_change', '-n', '--json')
    expect(low.json().Rows[0]).to.include({ State: 'held', Limit: 'min_price' })
    const ten = await own.seller(...words`shop:price -p sandbox ${Id}=${BuyItNowPrice * 10} --allow max_change -n --json`)
    expect(ten.json().Rows[0]).to.include({ State: 'change' })
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

  it('saves a plan, sends it later, and holds rows whose price has moved since', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const _saved = await home.done('shop:price', `${one}=550`, `${two}=650`, '--save-plan', 'plan.json', '--json')
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
    await home.done('shop:price', `${one}=550`, `${two}=650`, '--save-plan', 'plan.json', '--force')
    expect((await home.seller('shop:price', `${two}=610`, '--yes')).code).to.equal(0)
    const sent = await home.seller('shop:price', '--plan', 'plan.json', '--yes', '--json')
    expect(sent.code, sent.stderr).to.equal(6)
    expect(sent.stderr).to.include('610 kr, not 600 kr')
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
    await home.done('jobs:resume', '--json')
    expect(await pricesOf(home, ids)).to.deep.equal(ids.map((id) => 510 + (id % 7)))
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
    await byId.picks('down')
    await byId.answers('Item, its id', String(two))
    await byId.answers('New price', '601')
    const byRule = ask(home, ['shop:price', '--dry-run', '--json'])
    await byRule.sees('What sets the prices?')
    await byRule.picks('down', 'down')
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

  it('asks for the number of rows on a terminal', async () => {
    const ids = await shop(Array.from({ length: 51 }, (_, at) => 500 + at))
    const file = await home.file('many.csv', `Id,Price\n${ids.map((id, at) => `${id},${510 + at}`).join('\n')}\n`)
    const no = ask(home, ['shop:price', '--file', file])
    await no.answers('Send 51 new prices? Type 51 to confirm:', 'y')
    await no.sees('That is not 51.')
    await no.corrects('n')
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
