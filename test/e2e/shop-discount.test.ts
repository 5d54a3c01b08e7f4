/** Discounts from their plan to their end, over real HTTP, with a clock that the test moves. */
import { join } from 'node:path'
import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { timerHere } from '../../src/actions/discounts/schedule.js'
import { openLedger } from '../../src/jobs/ledger/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { Hands } from './clock.js'
import { type Home, openHome, type Run } from './harness.js'
import { CATEGORY } from './observed.js'
import { ask } from './person.js'
import { pricesOf, setFaults, stock } from './shop.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('shop:discount', function () {
  this.timeout(120_000)
  let home: Home
  let clock: Hands
  let ids: number[]
  const run = (...args: string[]): Promise<Run> => home.run(args, { clock })
  const prices = (): Promise<(number | undefined)[]> => pricesOf(home, ids)
  const at = (text: string): void => {
    clock.time = Date.parse(text)
  }
  /** Runs jobs:due until its results are known. */
  const due = async (code = 0): Promise<Run> => {
    const ran = await run('jobs:due', '--wait', '--json')
    expect(ran.code, ran.stderr).to.equal(code)
    return ran
  }
  const discount = async (name: string, ...args: string[]): Promise<number> => {
    const made = await run('shop:discount', name, ...args, '--yes', '--json')
    expect(made.code, made.stdout + made.stderr).to.equal(0)
    return made.json().DiscountId
  }
  const price = async (...args: string[]): Promise<Run> => {
    const ran = await run('shop:price', ...args, '--yes', '--wait', '--json')
    expect(ran.code, ran.stdout + ran.stderr).to.equal(0)
    return ran
  }
  /** Somebody else sets a price, past the ledger's jobs. */
  const elsewhere = async (id: number, kronor: number): Promise<void> => {
    const place = 'request.ShopItems.0'
    const ran = await run('call', 'SetPriceOnShopItems', `${place}.Id=${id}`, `${place}.Price=${kronor}`, '--json')
    expect(ran.code, ran.stdout + ran.stderr).to.equal(0)
  }
  const show = async (id: number) => (await run('discounts:show', String(id), '--json')).json()
  const states = async (id: number): Promise<string[]> => (await show(id)).Rows.map(({ State }: { State: string }) => State)

  beforeEach(async () => {
    clock = new Hands()
    home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0 }, emptyShops: true } })
    ids = await stock(home, [500, 600, 700, 800], { reference: (place) => `EX-${place}` })
  })
  afterEach(() => home.close())

  it('makes none that is over when it is made, also where "now" is read twice', async () => {
    const moving = { now: () => clock.time++, random: clock.random, sleep: clock.sleep }
    const times = ['--from', 'now', '--until', 'now']
    const none = await home.run(['shop:discount', 'X', '--reference', 'EX-*', '--add', '-20%', ...times, '--yes', '--json'], {
      clock: moving,
    })
    expect([none.code, none.json().error.code]).to.deep.equal([2, 'empty_period'])
    expect((await run('discounts:list', '--json')).json()).to.deep.equal([])
  })

  it('changes no price by a rule that another version wrote, and ends all the same', async () => {
    const terms = ['--reference', 'EX-*', '--add', '-20%', '--from', '2026-11-27', '--until', '2026-12-01']
    const id = await discount('Black week', ...terms)
    const write = (rule: object): void => {
      const ledger = openLedger(join(home.dataDir, 'ledger.db'), clock)
      ledger.store.update('discounts', { rule: JSON.stringify(rule) }, { id })
      ledger.close()
    }
    at('2026-11-27T00:00:30+01:00')
    write({ add: { kind: 'share', amount: -20 } })
    const refused = await due(3)
    expect(refused.json().error).to.include({ code: 'discount_unreadable', discountId: id, field: 'add' })
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    write({ add: { kind: 'percent', amount: -20 } })
    await due()
    expect(await prices()).to.deep.equal([400, 480, 560, 640])
    write({ add: -20 })
    at('2026-12-02T00:00:30+01:00')
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('takes a price during the discount for the normal price: the discount price follows, and the end restores the new one', async () => {
    const [a = 0, b = 0] = ids
    const id = await discount('Rule', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+2d')
    await due()
    const changed = await price(`${a}=550`, `${b}=480`)
    expect(changed.stderr).to.include('1 of these items is in discount 1 "Rule"').and.include('seller discounts:show 1')
    // 480 is the discount price of b that is live: it stays.
    expect(changed.stderr).to.include('1 row has the discount price that is live now')
    expect(await prices()).to.deep.equal([440, 480, 560, 640])
    expect((await show(id)).Rows[0]).to.include({ Before: 500, After: 550 })
    // The nightly file of normal prices changes nothing, and trips no guard.
    const file = await home.file(
      'nightly.csv',
      `Id,Price\n${ids.map((each, place) => `${each},${[550, 600, 700, 800][place]}`).join('\n')}\n`,
    )
    expect((await run('shop:price', '--file', file, '--yes', '--json')).json()).to.include({ JobId: null, Unchanged: 4 })
    // A rule counts from the normal prices too.
    await price('--reference', 'EX-3', '--add', '10%')
    expect((await prices())[3]).to.equal(704)
    const back = await run('jobs:undo', String(changed.json().JobId), '--yes', '--wait', '--json')
    expect(back.code, back.stderr).to.equal(0)
    const ledger = openLedger(join(home.dataDir, 'ledger.db'), clock)
    expect(ledger.store.all('SELECT job_id FROM discount_jobs WHERE settled = 0')).to.deep.equal([])
    ledger.close()
    expect((await prices())[0]).to.equal(400)
    clock.time += 2 * DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 880])
  })

  it('stays beside a catalogue that is synced, which changes the normal price', async () => {
    const [a = 0] = ids
    await discount('Black', `${a}=400`, '--from', 'now', '--until', '+1d')
    await due()
    const file = await home.file('catalogue.csv', 'OwnReferences,Price\nEX-0,600\nEX-1,600\n')
    const synced = await run('shop:sync', '--file', file, '--yes', '--wait', '--json')
    expect(synced.code, synced.stderr).to.equal(0)
    expect((await prices())[0]).to.equal(400)
    clock.time += DAY
    await due()
    expect((await prices())[0]).to.equal(600)
  })

  it('shows the price that is left where its end has nothing to send', async () => {
    const [a = 0, b = 0] = ids
    const id = await discount('Fixed', `${a}=400`, `${b}=480`, '--from', 'now', '--until', '+1d')
    await due()
    await price(`${a}=300`)
    expect(await prices()).to.deep.equal([300, 480, 700, 800])
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([300, 600, 700, 800])
    await price(`${a}=330`)
    const { Rows } = await show(id)
    expect(Rows.map(({ Before, After, State }: Record<string, unknown>) => ({ Before, After, State }))).to.deep.equal([
      { Before: 500, After: 300, State: 'done' },
      { Before: 600, After: 600, State: 'done' },
    ])
  })

  it('keeps the normal price of an item whose new one was held', async () => {
    const [a = 0, b = 0] = ids
    await discount('Rule', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+2d')
    await due()
    const held = await run('shop:price', `${a}=5000`, `${b}=610`, '--yes', '--wait', '--json')
    expect(held.code, held.stderr).to.equal(6)
    expect(await prices()).to.deep.equal([400, 488, 560, 640])
    clock.time += 2 * DAY
    await due()
    expect(await prices()).to.deep.equal([500, 610, 700, 800])
  })

  it('undoes after the end what was changed during the discount', async () => {
    const [a = 0] = ids
    await discount('Rule', '--reference', 'EX-0', '--add', '-20%', '--from', 'now', '--until', '+2d')
    await due()
    const { JobId } = (await price(`${a}=550`)).json()
    clock.time += 2 * DAY
    await due()
    expect((await prices())[0]).to.equal(550)
    const back = await run('jobs:undo', String(JobId), '--yes', '--wait', '--json')
    expect(back.code, back.stderr).to.equal(0)
    expect((await prices())[0]).to.equal(500)
  })

  /** The notes of a plan as one line each. */
  const notesOf = ({ stderr }: Run): string => stderr.replaceAll(/\s+/g, ' ')

  it('is told of by an undo while it is planned: it begins from the price that is set back, and its end restores that', async () => {
    const [a = 0, b = 0] = ids
    const { JobId } = (await price(`${a}=600`, `${b}=700`)).json()
    const rule = await discount('Rule', '--reference', 'EX-*', '--add', '-20%', '--from', '+1d', '--until', '+1d')
    const fixed = await discount('Fixed', `${a}=550`, `${b}=460`, '--from', '+1d', '--until', '+2d')
    const dry = await run('jobs:undo', String(JobId), '--dry-run', '--json')
    const back = await run('jobs:undo', String(JobId), '--yes', '--wait', '--json')
    expect([dry.code, back.code], back.stderr).to.deep.equal([0, 0])
    for (const notes of [dry, back].map(notesOf)) {
      expect(notes).to.include(
        `2 of these items are in discount ${rule} "Rule", planned from 2026-11-23 09:00 until 2026-11-24 09:00.`,
      )
      expect(notes).to.include(
        'Its start takes the prices of that moment as the normal prices, and its end restores them. See its items with:',
      )
      expect(notes).to.include('1 item is not cheaper in it then.').and.include(`seller discounts:show ${fixed}`)
    }
    expect(back.json().next).to.deep.include({ command: `seller discounts:show ${rule}`, why: 'See its items' })
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([400, 460, 560, 640])
    clock.time += DAY
    await due()
    expect(await prices(), 'a price above the normal one is none').to.deep.equal([500, 460, 700, 800])
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('is told of by an undo while it runs, and its end restores the price that was set back', async () => {
    const { JobId } = (await price('--reference', 'EX-*', '--add', '10%')).json()
    const id = await discount('Black', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await due()
    expect(await prices()).to.deep.equal([440, 528, 616, 704])
    const back = await run('jobs:undo', String(JobId), '--yes', '--wait', '--json')
    expect(back.code, back.stderr).to.equal(0)
    expect(notesOf(back)).to.include(
      `4 of these items are in discount ${id} "Black", which runs until 2026-11-23 09:00. The new price is the normal price, which its end restores; until then the discount price that follows from it is live. See its items with: seller discounts:show ${id}`,
    )
    expect(await prices()).to.deep.equal([400, 480, 560, 640])
    expect((await show(id)).Rows[0]).to.include({ Before: 550, During: 440, After: 500 })
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    expect((await show(id)).Rows[0], 'the price that was restored').to.include({
      Before: 550,
      During: 440,
      After: 500,
      State: 'done',
    })
    const again = await run('jobs:undo', String(JobId), '--dry-run', '--json')
    expect(again.json().Summary).to.include({ Change: 0, Unchanged: 4 })
  })

  it('is told of by an undo of a sync too', async () => {
    const file = await home.file(
      'catalogue.csv',
      `SKU,Titel,Kategori,Pris,Lager,Frakt\nEX-0,,,600,,\nN-1,Vas,${CATEGORY},100,2,pickup\n`,
    )
    const synced = await run('shop:sync', '--file', file, '--yes', '--wait', '--json')
    expect(synced.json().Parts, synced.stderr).to.have.length(2)
    const id = await discount('Black', `${ids[0]}=450`, '--from', 'now', '--until', '+1d')
    await due()
    const back = await run('jobs:undo', String(synced.json().JobId), '--yes', '--wait', '--json')
    expect(back.code, back.stderr).to.equal(0)
    expect(notesOf(back)).to.include(`1 of these items is in discount ${id} "Black"`)
    clock.time += DAY
    await due()
    expect((await prices())[0]).to.equal(500)
  })

  for (const [when, begins] of [
    ['before it begins', '+1h'],
    ['while it runs', 'now'],
  ] as const) {
    it(`leaves an undo that stopped ${when} to the seller: held, not sent, and undone by another`, async () => {
      const { JobId } = (await price('--reference', 'EX-*', '--add', '10%')).json()
      await discount('Black', '--reference', 'EX-*', '--add', '-20%', '--from', begins, '--until', '+1d')
      if (begins === 'now') await due()
      expect((await run('jobs:undo', String(JobId), '--yes', '--max-calls', '1', '--json')).code).to.equal(7)
      clock.time += begins === 'now' ? DAY : HOUR
      await due()
      const resumed = await run('jobs:resume', '--wait', '--json')
      expect([resumed.code, resumed.json().Counts.held], resumed.stderr).to.deep.equal([6, 4])
      const again = await run('jobs:undo', String(JobId), '--yes', '--wait', '--json')
      expect(again.code, again.stderr).to.equal(0)
      clock.time += 2 * DAY
      await due()
      expect(await prices()).to.deep.equal([500, 600, 700, 800])
    })
  }

  it('waits at its end for an undo whose prices are on their way', async () => {
    const { JobId } = (await price('--reference', 'EX-*', '--add', '10%')).json()
    await discount('Black', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await due()
    clock.time += DAY - 30 * MINUTE
    await setFaults(home, { 'queue-delay': '1h' })
    expect((await run('jobs:undo', String(JobId), '--yes', '--json')).code).to.equal(0)
    await setFaults(home, { 'queue-delay': '0s' })
    clock.time += 30 * MINUTE
    await run('jobs:due', '--json')
    expect(await prices(), 'no price of before the undo').to.deep.equal([440, 528, 616, 704])
    clock.time += 31 * MINUTE
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('holds the price of an item that a discount takes in while the seller is asked', async () => {
    const id = await discount('Asked', `${ids[0]}=400`, '--from', 'now', '--until', '+1d')
    const file = await home.file('prices.csv', `Id,Price\n${ids[0]},550\n${ids[1]},650\n`)
    const person = ask(home, ['shop:price', '--file', file, '--wait'], { clock })
    await person.sees('Send 2 new prices?')
    await due()
    await person.enters('y')
    const ran = await person.done
    expect(ran.code, ran.stderr).to.equal(6)
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).to.include('the live price is 400 kr, not 500 kr: it has changed since')
    expect((await prices()).slice(0, 2)).to.deep.equal([400, 650])
    clock.time += DAY
    await due()
    expect([(await prices())[0], (await show(id)).State]).to.deep.equal([500, 'ended'])
  })

  it('holds an item whose price somebody else has changed during the discount, and says so', async () => {
    const [, b = 0] = ids
    const id = await discount('Black', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+2d')
    await due()
    await elsewhere(b, 450)
    clock.time += 2 * DAY
    const ended = await due(6)
    expect(ended.stderr).to.include('the live price is 450 kr, not the discount price 480 kr')
    expect(await prices()).to.deep.equal([500, 450, 700, 800])
    const { State, Rows } = await show(id)
    expect([State, Rows[1].State]).to.deep.equal(['ended', 'held'])
    expect((await run('jobs:due')).stdout).to.equal('')
  })

  it('has the lowest price of discounts that overlap, and falls back to the other one', async () => {
    await discount('Long', '--reference', 'EX-*', '--add', '-10%', '--from', 'now', '--until', '+10d')
    const short = await run(
      'shop:discount',
      'Short',
      `${ids[0]}=300`,
      `${ids[1]}=560`,
      '--from',
      '+1d',
      '--until',
      '+2d',
      '--yes',
      '--json',
    )
    expect(short.code, short.stderr).to.equal(0)
    expect(short.stderr).to.include('at the same time: the lowest price counts')
    expect(short.json().Rows.map((row: Record<string, unknown>) => [row.Before, row.During, row.After])).to.deep.equal([
      [450, 300, 450],
      [540, 540, 540],
    ])
    await due()
    expect(await prices()).to.deep.equal([450, 540, 630, 720])
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([300, 540, 630, 720])
    clock.time += 2 * DAY
    await due()
    expect(await prices()).to.deep.equal([450, 540, 630, 720])
    clock.time += 7 * DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('is planned with guards, which hold again when it begins', async () => {
    const file = await home.file('discount.csv', `Id,Price\n${ids[0]},400\n${ids[1]},60\n${ids[2]},750\n`)
    const made = await run('shop:discount', 'File', '--file', file, '--from', '+1d', '--until', '+1d', '--yes', '--json')
    expect(made.code, made.stderr).to.equal(6)
    const rows = made.json().Rows.map((row: Record<string, unknown>) => [row.State, row.Limit])
    expect(rows).to.deep.equal([
      ['planned', null],
      ['held', 'factor_ten'],
      ['held', 'raises'],
    ])
    // The normal price has moved so far that the price of the file is no discount any more.
    await price(`${ids[0]}=900`, '--allow', 'max_change=90%')
    clock.time += DAY
    const started = await due(6)
    expect(started.stderr).to.include('900 kr')
    expect((await prices())[0]).to.equal(900)
    const { Rows } = await show(made.json().DiscountId)
    expect(Rows.map(({ State }: { State: string }) => State)).to.deep.equal(['held', 'held', 'held'])
    clock.time += DAY
    expect((await due()).json()[0]).to.include({ Part: 'end', JobId: null })
    expect((await prices())[0]).to.equal(900)
  })

  it('ends with 6 where rows are held, 5 where some are not live and it is strict, else with 0', async () => {
    const period = ['--from', '+1d', '--until', '+1d', '--allow', 'max_held', '--yes', '--json']
    const [a, b] = ids
    for (const [args, code, made] of [
      [[`${a}=450`, `${b}=6`], 6, true],
      [[`${a}=450`, '9=5'], 0, true],
      [[`${a}=450`, '9=5', '--strict'], 5, true],
      [[`${a}=450`, `${b}=6`, '9=5', '--strict'], 5, true],
      [[`${a}=450`, '--strict'], 0, true],
      [[`${a}=500`], 0, false],
      [['9=5'], 6, false],
      [[`${a}=500`, '9=5'], 0, false],
      [['9=5', '--strict'], 5, false],
    ] as const) {
      const ran = await run('shop:discount', 'Strict', ...args, ...period)
      expect([ran.code, ran.json().DiscountId !== null], `${args} ${ran.stderr}`).to.deep.equal([code, made])
      if (!made) expect(ran.stderr).to.include('No discount was made: there is nothing to send.')
    }
    const many = Array.from({ length: 21 }, (_, place) => `${place + 50}=5`)
    const named = await run('shop:discount', 'Many', `${a}=450`, ...many, ...period)
    const lines = named.stderr.split('not part of the discount:\n')[1]?.split('\n') ?? []
    expect(named.stderr).to.include('Warning: 21 rows not part of the discount:')
    expect([lines.findIndex((line) => !line.startsWith('  line')), lines[20]]).to.deep.equal([20, '  … and 1 more'])
    const empty = await run('shop:discount', ' ', `${a}=450`, ...period)
    expect([empty.code, empty.json().error.message]).to.deep.equal([2, 'The name of the discount is empty.'])
  })

  it('tells later of prices that the service failed, once', async () => {
    await discount('Failing', `${ids[0]}=400`, `${ids[1]}=500`, '--from', 'now', '--until', '+1d')
    await setFaults(home, { 'queue-delay': '1h', 'queue-codes': 'Error=100%' })
    expect((await run('jobs:due', '--json')).json()[0]).to.include({ State: 'waiting' })
    clock.time += 2 * HOUR
    const told = await run('jobs:due', '--json')
    expect([told.code, told.json()[0].Counts.failed], told.stderr).to.deep.equal([5, 2])
    expect(told.stderr).to.include('Discount 1 "Failing": the service failed 2 prices of job 1.')
    clock.time += HOUR
    const quiet = await run('jobs:due', '--json')
    expect([quiet.code, quiet.stderr]).to.deep.equal([0, ''])
  })

  for (const [when, ms] of [
    ['at the next run', 2 * MINUTE],
    ['at its end', DAY],
  ] as const) {
    it(`takes no price that a repeated call has set, and failed then, for the normal one: seen ${when}`, async () => {
      await discount('Twice', `${ids[0]}=400`, '--from', 'now', '--until', '+1d')
      await setFaults(home, { 'queue-codes': 'Error TryAgain=100%' })
      await due(5)
      await setFaults(home, { 'queue-codes': 'Error TryAgain=0%' })
      // As the first of two calls whose reply was lost.
      await elsewhere(ids[0]!, 400)
      clock.time += ms
      await due()
      clock.time += DAY
      await due()
      expect(await prices()).to.deep.equal([500, 600, 700, 800])
    })
  }

  it('trips no guard for drift or a queued price by starts and ends', async () => {
    for (let round = 0; round < 3; round++) {
      await discount(`Half ${round}`, '--reference', 'EX-*', '--add', '-48%', '--from', 'now', '--until', '+1d')
      await due()
      clock.time += DAY
      await due()
    }
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    const after = await price(`${ids[0]}=740`)
    expect(after.json()).to.include({ State: 'ok' })
  })

  it('begins late when its start was missed, or is skipped by the profile, and never begins after its end', async () => {
    const late = await discount('Late', `${ids[0]}=400`, '--from', '+1d', '--until', '+2d')
    const over = await discount('Over', `${ids[1]}=500`, '--from', '+1d', '--until', '+12h')
    const planned = new Date(clock.time).toISOString()
    const told = async (id: number): Promise<string[]> => {
      const shown = await run('discounts:show', String(id), '--json')
      const { State, PricesAt } = shown.json()
      return [State, PricesAt, ...(/(?:, when it was planned\.|Its start reads them again\.)$/m.exec(shown.stderr) ?? [])]
    }
    const again = 'Its start reads them again.'
    expect(await told(late)).to.deep.equal(['planned', planned, again])
    clock.time += 2 * DAY
    expect(await told(late)).to.deep.equal(['overdue', planned, again])
    const ran = await due(6)
    expect(await told(late), 'it has begun').to.deep.equal(['running', null])
    expect(await told(over), 'it never began').to.deep.equal(['missed', planned, ', when it was planned.'])
    expect(ran.json().map(({ DiscountId, Part }: Record<string, unknown>) => [DiscountId, Part])).to.deep.equal([
      [over, 'missed'],
      [late, 'start'],
    ])
    expect(ran.stderr).to.include('its end is past')
    expect(await prices()).to.deep.equal([400, 600, 700, 800])
    expect(await show(over)).to.include({ State: 'missed' })
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('ends although a change of a normal price was interrupted before it was sent, and holds that change then', async () => {
    const [a = 0] = ids
    await discount('Rule', '--reference', 'EX-0', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await due()
    const stopped = await run('shop:price', `${a}=550`, '--yes', '--max-calls', '1', '--json')
    expect(stopped.code, stopped.stderr).to.equal(7)
    clock.time += DAY
    await due()
    expect((await prices())[0]).to.equal(500)
    const resumed = await run('jobs:resume', '--wait', '--json')
    expect(resumed.code, resumed.stderr).to.equal(6)
    expect((await prices())[0]).to.equal(500)
  })

  it('holds a price below the cost that is known when it begins, and fixes a price that comes from a cost', async () => {
    const [a = 0, b = 0, c = 0] = ids
    const costs = async (text: string): Promise<void> => {
      const ran = await run('shop:costs', '--file', await home.file('costs.csv', text), '--json')
      expect(ran.code, ran.stdout + ran.stderr).to.equal(0)
    }
    await costs(`Id,Cost\n${c},400\n`)
    const id = await discount('Rule', '--reference', 'EX-*', '--add', '-30%', '--vat', '0%', '--from', '+1h', '--until', '+47h')
    const margin = await discount(
      'Margin',
      '--reference',
      'EX-2',
      '--margin',
      '20%',
      '--vat',
      '0%',
      '--from',
      '+3h',
      '--until',
      '+2d',
    )
    await costs(`Id,OwnReference,Cost\n${a},,380\n,EX-1,410\n`)
    clock.time += HOUR
    const started = await due(6)
    // 600 less 30 % is 420: above the cost of 410 without VAT, and above that of 400 for the third.
    expect(started.stderr).to.include('350 kr is below 380 kr')
    expect(await states(id)).to.deep.equal(['held', 'on', 'on', 'on'])
    expect(await prices()).to.deep.equal([500, 420, 490, 560])
    await price(`${c}=640`)
    clock.time += 2 * HOUR
    await due()
    // 20 % of 500 kr is the margin over 400 kr, whatever the normal price is by now: 448 kr by the rule is lower.
    expect((await show(margin)).Rows[0]).to.include({ DiscountPrice: 500, State: 'on' })
    expect((await prices())[2]).to.equal(448)
    expect(b).to.be.greaterThan(0)
    clock.time += 2 * DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 640, 800])
  })

  it('tries the end again by discounts:end when its job was dropped', async () => {
    const id = await discount('Dropped', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await due()
    clock.time += DAY
    expect((await run('jobs:due', '--max-calls', '1')).code).to.equal(7)
    const [{ JobId }] = (await run('jobs:list', '--limit', '1', '--json')).json()
    expect((await run('jobs:drop', String(JobId), '--yes')).code).to.equal(0)
    clock.time += HOUR
    await due()
    expect(await states(id)).to.deep.equal(['failed', 'failed', 'failed', 'failed'])
    expect(await prices()).to.deep.equal([400, 480, 560, 640])
    const again = await run('discounts:end', String(id), '--yes', '--wait', '--json')
    expect(again.code, again.stderr).to.equal(0)
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    expect((await show(id)).State).to.equal('ended')
  })

  it('skips a start that was missed where the profile says so', async () => {
    const login = ['auth:login', '--setting', 'missed_start=skip', '--no-verify', '--stdin']
    const settings = { app_key: SANDBOX_PROFILE.appKey, token: SANDBOX_PROFILE.token }
    const stored = await home.run(login, { clock, stdin: JSON.stringify(settings) })
    expect(stored.code, stored.stderr).to.equal(0)
    const id = await discount('Announced', `${ids[0]}=400`, '--from', '+1d', '--until', '+2d')
    const soon = await discount('Soon', `${ids[1]}=500`, '--from', '+26h', '--until', '+46h')
    clock.time += DAY + 2 * HOUR + 10 * MINUTE
    const ran = await due(6)
    expect(ran.json().map(({ DiscountId, Part }: Record<string, unknown>) => [DiscountId, Part])).to.deep.equal([
      [id, 'missed'],
      [soon, 'start'],
    ])
    expect(await prices()).to.deep.equal([500, 500, 700, 800])
  })

  it('never sends a start after the end of its discount, not even by jobs:resume', async () => {
    const id = await discount('Over', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    // The list is read, and the call that sets the prices is one too many.
    const stopped = await run('jobs:due', '--max-calls', '1', '--json')
    expect(stopped.code, stopped.stderr).to.equal(7)
    const [{ JobId, Counts }] = (await run('jobs:list', '--json')).json()
    expect(Counts.unsent).to.equal(4)
    clock.time += DAY
    const resumed = await run('jobs:resume', String(JobId), '--blind', '--json')
    expect([resumed.code, resumed.json().error.code]).to.deep.equal([2, 'job_of_discount'])
    await due()
    expect(await states(id)).to.deep.equal(['held', 'held', 'held', 'held'])
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
    expect((await run('jobs:show', String(JobId), '--json')).json().State).to.equal('cancelled')
    expect((await show(id)).State).to.equal('ended')
  })

  it('says that it still ends where its price may be on the way at its end', async () => {
    await setFaults(home, { 'queue-delay': '30h' })
    const id = await discount('Slow', `${ids[0]}=400`, '--from', 'now', '--until', '+1d')
    await run('jobs:due')
    clock.time += DAY + MINUTE
    const [ended] = (await run('jobs:due', '--json')).json()
    expect(ended).to.include({ DiscountId: id, Part: 'end', JobId: null, State: 'ending' })
    clock.time += 6 * HOUR
    await setFaults(home, { 'queue-delay': '0ms' })
    await due()
    expect([(await prices())[0], (await show(id)).State]).to.deep.equal([500, 'ended'])
  })

  it('closes a start that was killed after its last result, also when its end is past', async () => {
    const id = await discount('Killed late', `${ids[0]}=400`, '--from', 'now', '--until', '+2h')
    const [started] = (await due()).json() as [{ JobId: number }]
    // As the disk has it where the process dies between the last result and the end of the run.
    const die = (): void => {
      const ledger = openLedger(join(home.dataDir, 'ledger.db'), clock)
      ledger.store.update('jobs', { state: 'open', finished_at: null, counts: '{"unsent":1}' }, { id: started.JobId })
      ledger.store.update('discount_jobs', { settled: 0 }, { job_id: started.JobId })
      ledger.close()
    }
    die()
    clock.time += 3 * HOUR
    const resumed = await run('jobs:resume', String(started.JobId))
    expect(resumed.code, resumed.stderr).to.equal(0)
    die()
    await due()
    const jobs = (await run('jobs:list', '--json')).json() as { JobId: number; State: string }[]
    expect(jobs.map(({ State }) => State)).to.deep.equal(['ok', 'ok'])
    expect([(await prices())[0], (await show(id)).State]).to.deep.equal([500, 'ended'])
  })

  it('is ended and dropped by its own shop alone', async () => {
    const running = await discount('Now', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+5d')
    await due()
    const stranger = { SELLER_USER_ID: '1002', SELLER_TOKEN: 'sandbox-token-of-member-1002' }
    for (const command of [['discounts:end', '--yes'], ['discounts:drop']]) {
      const theirs = await home.run([...command, String(running), '--json'], { clock, env: stranger })
      expect([theirs.code, theirs.json().error.code]).to.deep.equal([2, 'wrong_profile'])
      expect(theirs.json().error.message).to.equal(
        `Discount ${running} belongs to the profile "default", seller 1001, but the current profile is "default", seller 1002.`,
      )
    }
    const ended = await run('discounts:end', String(running), '--yes', '--wait', '--json')
    expect(ended.code, ended.stderr).to.equal(0)
    expect(ended.json()).to.include({ State: 'ended' })
    clock.time += 6 * DAY
    expect((await run('jobs:due')).stdout).to.equal('')
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('goes on when a lost connection has stopped the start, and the end', async () => {
    await discount('Lost', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await setFaults(home, { 'drop-before': '100%' })
    const stopped = await run('jobs:due', '--json')
    expect(stopped.code, stopped.stderr).to.equal(1)
    await setFaults(home, { 'drop-before': '0%' })
    clock.time += 5 * MINUTE
    await due()
    clock.time += 5 * MINUTE
    await due()
    expect(await prices()).to.deep.equal([400, 480, 560, 640])
    clock.time += DAY
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('leaves no job open whose prices another job has set since', async () => {
    const id = await discount('Stopped', `${ids[0]}=400`, '--from', 'now', '--until', '+1d')
    // The list is read, and the job is made and not sent.
    expect((await run('jobs:due', '--max-calls', '1', '--json')).code).to.equal(7)
    await price(`${ids[0]}=550`)
    clock.time += DAY
    await due()
    expect([(await prices())[0], (await show(id)).State]).to.deep.equal([550, 'ended'])
    expect((await run('jobs:list', '--unfinished', '--json')).json()).to.deep.equal([])
  })

  it('shows what it has sent when a later discount stops, and ends with the code of that', async () => {
    const first = await discount('First', `${ids[0]}=400`, '--from', 'now', '--until', '+1d')
    const second = await discount('Second', `${ids[1]}=500`, '--from', 'now', '--until', '+1d')
    const stopped = await run('jobs:due', '--max-calls', '2', '--json')
    expect(stopped.code, stopped.stderr).to.equal(7)
    const [, { JobId }] = stopped.json()
    expect(stopped.json().map(({ DiscountId, Part, State }: Record<string, unknown>) => [DiscountId, Part, State])).to.deep.equal(
      [
        [first, 'start', 'waiting'],
        [second, 'start', 'open'],
      ],
    )
    expect(stopped.json()[1].next).to.deep.equal([{ command: `seller jobs:resume ${JobId} --wait`, why: 'Continue' }])
    expect(stopped.stderr).to.match(/^Error: /m)
    clock.time += 5 * MINUTE
    await due()
    expect(await prices()).to.deep.equal([400, 500, 700, 800])
    for (const [form, nothing] of [
      ['json', '[]\n'],
      ['yaml', '[]\n'],
      ['ndjson', ''],
      ['csv', ''],
      ['tsv', ''],
    ] as const) {
      expect((await run('jobs:due', '-o', form)).stdout, form).to.equal(nothing)
    }
  })

  it('sends once when two run at the same moment', async () => {
    await discount('Two', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    const [one, other] = await Promise.all([run('jobs:due', '--json'), run('jobs:due', '--json')])
    expect([one.code, other.code]).to.deep.equal([0, 0])
    expect([one.json().length, other.json().length].sort()).to.deep.equal([0, 1])
    expect((await run('jobs:list', '--json')).json()).to.have.length(1)
  })

  it('leaves the discounts to the process that works on them: jobs:due quietly, discounts:end with an error', async () => {
    const id = await discount('Held', '--reference', 'EX-*', '--add', '-20%', '--from', 'now', '--until', '+1d')
    await due()
    const ledger = openLedger(join(home.dataDir, 'ledger.db'), clock)
    try {
      clock.time += DAY
      expect(ledger.discounts.claim({ profile: 'default', userId: SANDBOX_PROFILE.userId })).not.to.equal(undefined)
      const quiet = await run('jobs:due')
      expect([quiet.code, quiet.stdout, quiet.stderr]).to.deep.equal([0, '', ''])
      const refused = await run('discounts:end', String(id), '--yes', '--json')
      expect([refused.code, refused.json().error.code]).to.deep.equal([6, 'discounts_claimed'])
    } finally {
      ledger.close()
    }
    clock.time += 5 * MINUTE
    await due()
    expect(await prices()).to.deep.equal([500, 600, 700, 800])
  })

  it('prints the lines for the timers of the system', async () => {
    const cron = await home.run(['schedule:show', 'cron'], {
      env: { SELLER_DATA_DIR: join(home.dir, '50% off'), SELLER_TOKEN: undefined, SELLER_APP_KEY: undefined },
    })
    expect(cron.code, cron.stderr).to.equal(0)
    const line = cron.lines().find((each) => each.startsWith('* * * * * ')) ?? ''
    expect(line).to.match(/^\* \* \* \* \* SELLER_CONFIG_DIR=\S+ SELLER_DATA_DIR='\S+\/50\\% off' /)
    expect(line).to.match(/ \/usr\/bin\/node \/opt\/seller\/bin\/run\.js jobs:due --profile default --quiet$/)
    expect((await run('schedule:show', 'at', '--json')).code).to.equal(2)
    expect(['cron', 'systemd']).to.include((await run('schedule:show', '--json')).json().Timer)
    expect(['darwin', 'win32'].map((platform) => timerHere(platform as NodeJS.Platform))).to.deep.equal([
      'launchd',
      'task-scheduler',
    ])
    const plain = {
      SELLER_DATA_DIR: join(home.dir, 'å & 50%'),
      SELLER_CONFIG_DIR: undefined,
      SELLER_BASE_URL: undefined,
      SELLER_NAMESPACE: undefined,
    }
    const texts: string[] = []
    for (const timer of ['launchd', 'task-scheduler']) {
      const made = await home.run(['schedule:show', timer, '--json'], {
        env: { ...plain, SELLER_USER_ID: undefined },
      })
      const [{ Text }] = made.json().Files
      // saxes throws at what is not well-formed where nobody listens.
      new SaxesParser().write(Text).close()
      texts.push(Text)
    }
    expect(texts[0])
      .to.include('<key>StartInterval</key><integer>60</integer>')
      .and.include(`<key>SELLER_DATA_DIR</key><string>${home.dir}/&#229; &#38; 50%</string>`)
      .and.include('    <string>--profile</string>\n    <string>default</string>\n    <string>--quiet</string>')
    expect(texts[1])
      .to.include('<Interval>PT1M</Interval>')
      .and.include('<StartWhenAvailable>true</StartWhenAvailable>')
      .and.include('<LogonType>S4U</LogonType>')
      .and.include('<Command>%SystemRoot%\\System32\\cmd.exe</Command>')
      .and.include(`set &#34;SELLER_DATA_DIR=${home.dir}/&#229; &#38; 50%%cd:~,%&#34;&#38;&#38; `)
      .and.include('jobs:due --profile default --quiet&#34;</Arguments>')
    const odd = {
      SELLER_CONFIG_DIR: join(home.dir, 'a%b'),
      SELLER_DATA_DIR: join(home.dir, 'C:\\"x" $y'),
      HTTPS_PROXY: 'http://p:1',
    }
    const quoted = await home.run(['schedule:show', 'systemd', '--profile', 'sandbox', '--json'], { env: odd })
    expect(quoted.json().Files[0].Text)
      .to.include(`Environment="SELLER_CONFIG_DIR=${home.dir}/a%%b"\n`)
      .and.include(`Environment="SELLER_DATA_DIR=${home.dir}/C:\\\\\\"x\\" $y"\n`)
      .and.include('Environment=HTTPS_PROXY=http://p:1\n')
    expect(quoted.stderr).to.include('This is for the profile "sandbox". Give --profile NAME for a shop.')
    const nightly = async (timer: string) => {
      const shown = await home.run(['schedule:show', timer, '--backup', 'copies', '--json'], { env: plain })
      expect(shown.stderr, 'no secret is needed').to.equal('')
      return shown.json().Files.map(({ Text }: { Text: string }) => Text)
    }
    const copying = `ledger:backup ${home.dir}/copies --keep 14 --quiet`
    // The product knows its directory only by the system.
    const spawned = home.spawn(['schedule:show', 'cron', '--backup', 'copies'], { env: plain, cwd: home.dir })
    expect((await spawned.done).stdout).to.include(` ${copying}\n`)
    expect((await nightly('cron'))[0])
      .to.match(/^17 3 \* \* \* /)
      .and.include(` ${copying}\n`)
    const [service, timer] = await nightly('systemd')
    expect(service).to.include(copying).and.not.include('SELLER_USER_ID').and.not.include('network')
    expect(timer).to.include('OnCalendar=*-*-* 03:17:00\nPersistent=true')
    for (const [system, when] of [
      ['launchd', '<key>Hour</key><integer>3</integer><key>Minute</key><integer>17</integer>'],
      ['task-scheduler', '<StartBoundary>2026-01-01T03:17:00</StartBoundary>\n    <ScheduleByDay>'],
    ] as const) {
      const [xml] = await nightly(system)
      new SaxesParser().write(xml).close()
      expect(xml).to.include(when).and.include('ledger:backup').and.not.include('PT1M').and.not.include('RunAtLoad')
    }
    const text = await run('schedule:show', 'systemd')
    expect(text.stdout)
      .to.match(/^# Runs seller jobs:due --profile default --quiet every minute\. To install:\n/)
      .and.match(/\n\n# ~\/\.config\/systemd\/user\/seller-due-default\.timer\n\[Unit\]\n[\s\S]*WantedBy=timers\.target\n$/)
  })
})
