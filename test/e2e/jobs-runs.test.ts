/** Jobs that go on, stop and end: what is said of them, the files of their rows, and which flags and bindings they take. */
import { rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { createBulkJob, createWhole } from '../../src/jobs/bulk/index.js'
import { createListing, type Ledger, openLedger } from '../../src/jobs/index.js'
import { systemClock } from '../../src/soap/client/index.js'
import { closing, opened } from '../opened.js'
import { openHome } from './harness.js'
import { CATEGORY, openObserved } from './observed.js'
import { ask } from './person.js'
import { pricesOf, setFaults, stock } from './shop.js'

const FORM = { kind: 'csv', delimiter: ',', newline: '\n', bom: false, columns: ['Id', 'Price'] } as const
const SHOP = { profile: 'default', userId: 1001, title: 'a test', form: FORM } as const

describe('the run of a job', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true }))
  beforeEach(() => void home.calls())

  const price = (...args: string[]) => home.seller('shop:price', ...args, '--yes', '--json')
  const withLedger = async <T>(work: (ledger: Ledger) => T | Promise<T>): Promise<T> => {
    using ledger = closing(openLedger(join(home.dataDir, 'ledger.db'), systemClock))
    return await work(ledger)
  }
  const drop = (jobId: number) => home.seller('jobs:drop', String(jobId), '--yes', '--json')
  const listing = () =>
    withLedger(
      (ledger) => createListing({ ledger, profile: 'default', userId: 1001, requestId: 44, images: [], commit: true }).JobId,
    )
  /** A job of prices that was planned and not sent. */
  const planned = (...ids: number[]) =>
    withLedger(
      (ledger) =>
        createBulkJob(ledger, {
          ...SHOP,
          kind: 'price',
          rows: ids.map((id, at) => ({ line: at + 2, id, price: 510, oldPrice: 500 })),
        }).JobId,
    )
  const sync = () =>
    withLedger(
      (ledger) =>
        createWhole(
          ledger,
          { ...SHOP, parts: [{ kind: 'price', rows: [{ line: 2, id: 1, price: 90, oldPrice: 100 }] }] },
          () => {},
        ).JobId,
    )
  /** Remains of an ended process: the rows of a job in the middle of a call. */
  const inCall = (jobId: number) =>
    withLedger(({ store }) =>
      store.run(
        "UPDATE bulk_states SET states = x'01', unsent = 0, sending = 1 WHERE job_id = ? OR job_id IN (SELECT id FROM jobs WHERE part_of = ?)",
        jobId,
        jobId,
      ),
    )

  it('is refused by a binding that cannot carry its rows, before anything is asked or sent', async () => {
    const [id = 0] = await stock(home, [500])
    const env = { SELLER_BINDING: 'get' }
    const jobId = await planned(id)
    const whole = await sync()
    home.calls()
    const file = await home.file('new.csv', `Title,CategoryId,Price\nA,${CATEGORY},5\nB,${CATEGORY},5\n`)
    for (const [args, operation] of [
      [['shop:price', `${id}=510`, '--yes'], 'SetPriceOnShopItems'],
      [['jobs:resume', String(jobId)], 'SetPriceOnShopItems'],
      [['jobs:resume', String(whole)], 'SetPriceOnShopItems'],
      [['shop:add', '--file', file, '--yes', '--again'], 'AddShopItem'],
      [['items:add', '--file', file.replace('new.csv', 'items.csv'), '--yes', '--again'], 'AddItem'],
    ] as const) {
      await home.file('items.csv', `Title,CategoryId,StartPrice\nA,${CATEGORY},5\nB,${CATEGORY},5\n`)
      const run = await home.run([...args, '--json'], { env })
      expect([run.code, run.json().error.code], args.join(' ')).to.deep.equal([EXIT.usage, 'binding_too_narrow'])
      expect(run.json().error.message).to.include(`${operation} sends more than text, and the binding get of profile "default"`)
    }
    expect(home.calls().filter((name) => !name.startsWith('Get'))).to.deep.equal([])
    const gone = await home.run(['shop:remove', '--file', '-', '--yes', '--json'], { env, stdin: `Id\n${id}\n` })
    expect([gone.code, gone.json().error.code], gone.stderr).to.deep.equal([EXIT.usage, 'insecure_address'])
    expect(home.calls().filter((name) => !name.startsWith('Get'))).to.deep.equal([])
    const sent = await home.run(['shop:remove', '--file', '-', '--yes', '--json'], {
      env: { SELLER_BINDING: 'post' },
      stdin: `Id\n${id}\n`,
    })
    expect(sent.code, sent.stderr + sent.stdout).to.equal(EXIT.ok)
    for (const id of [jobId, whole]) await drop(id)
  })

  it('writes held rows to a folder of the job, never over another file, and none for a single price typed', async () => {
    const [id = 0, other = 0] = await stock(home, [500, 500])
    const one = (await price(`${id}=5`)).json()
    expect(one.HeldFile).to.equal(null)
    const folder = join(home.dataDir, 'jobs', String(one.JobId + 1))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `held-${one.JobId + 1}.csv`), 'mine')
    expect((await price(`${id}=6`, `${other}=6`)).json().HeldFile).to.equal(join(folder, `held-${one.JobId + 1}-2.csv`))
    expect(await readFile(join(folder, `held-${one.JobId + 1}.csv`), 'utf8')).to.equal('mine')
    const failed = await price(`${id}=8`, '1=9', '--failed-file', 'failed.csv')
    expect(failed.json()).to.include({ HeldFile: null, FailedFile: 'failed.csv' })
    const rows = (await readFile(join(home.dir, 'failed.csv'), 'utf8')).trim().split('\n')
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).to.have.members(['Id,Price', `${id},8`, '1,9'])
    home.calls()
    for (const flags of [
      ['--failed-file', 'failed.csv'],
      ['--failed-file', 'failed.csv', '--dry-run'],
      ['--held-file', 'failed.csv'],
    ]) {
      const kept = await price(`${id}=8`, '1=9', ...flags)
      expect([kept.code, kept.json().error.code], String(flags)).to.deep.equal([EXIT.usage, 'unwritable_file'])
    }
    expect(home.calls(), 'refused before the first call').to.deep.equal([])
    const both = await price(`${id}=8`, '1=9', '--failed-file', 'failed.csv', '--held-file', 'mine.csv', '--force')
    expect(both.json()).to.include({ HeldFile: 'mine.csv', FailedFile: 'failed.csv' })
    expect((await price(`${id}=500`, '--failed-file', 'none.csv')).json().FailedFile).to.equal(null)
  })

  it('replaces the file of failed rows that it wrote itself, and not one that was edited', async () => {
    const [id = 0] = await stock(home, [500])
    for (const name of ['again.csv', 'again.xlsx']) {
      const { JobId } = (await price(`${id}=510`, '1=9', '--failed-file', name)).json()
      const resume = (...flags: string[]) => home.seller('jobs:resume', String(JobId), '--failed-file', name, ...flags, '--json')
      const written = await readFile(join(home.dir, name))
      const own = await resume()
      expect([own.code, own.json().FailedFile, await readFile(join(home.dir, name))], own.stderr).to.deep.equal([
        0,
        name,
        written,
      ])
      const edited = Buffer.concat([written, Buffer.from('2,8\n')])
      await writeFile(join(home.dir, name), edited)
      const refused = await resume()
      expect([refused.code, refused.json().error.code]).to.deep.equal([EXIT.usage, 'unwritable_file'])
      expect(await readFile(join(home.dir, name))).to.deep.equal(edited)
      expect([(await resume('--force')).code, await readFile(join(home.dir, name))]).to.deep.equal([0, written])
    }
  })

  it('shows its result also where the file of failed rows cannot be written any more', async () => {
    let onCall = (_: string): void => undefined
    await using own = closing(
      await openHome({ sandbox: { faults: { queueDelayMs: 0 }, emptyShops: true, log: (line) => onCall(line) } }),
    )
    const [id = 0] = await stock(own, [500])
    const folder = join(own.dir, 'leaving')
    await mkdir(folder)
    onCall = (line) => {
      if (line.includes('SetPriceOnShopItems')) rmSync(folder, { recursive: true, force: true })
    }
    const flags = ['--yes', '--json', '--failed-file', 'leaving/failed.csv']
    const run = await own.seller('shop:price', `${id}=510`, '1=9', ...flags)
    expect([run.code, run.json().Counts.queued, run.json().FailedFile], run.stderr).to.deep.equal([EXIT.failure, 1, null])
    expect(run.stderr).to.include('its directory does not exist').and.include('--failed --out FILE')
  })

  it('asks a person about more than fifty rows that were typed, and not about fifty', async () => {
    const ids = await stock(home, Array(51).fill(500))
    const typed = (price: number) => ids.map((id, at) => `${id}=${price + at}`)
    const fifty = await ask(home, ['shop:price', ...typed(510).slice(1)]).done
    expect(fifty.code, fifty.stderr).to.equal(EXIT.ok)
    const more = ask(home, ['shop:price', ...typed(520)])
    await more.sees('Send 51 new prices')
    expect((await more.stops()).code).to.equal(EXIT.interrupted)
  })

  it('says where the list cannot be read for --verify that what was sent stays sent', async () => {
    const [id = 0] = await stock(home, [500])
    const { Used } = (await home.seller('calls:show', '--json')).json()
    await setFaults(home, { quota: `${Used + 3}/24h` })
    const run = await price(`${id}=510`, '--verify')
    await setFaults(home, { quota: 'none' })
    expect(run.json(), run.stderr).to.include({ State: 'ok', Differences: null, Calls: 4 })
    expect(run.code).to.equal(EXIT.quota)
    expect(run.stderr).to.include('The result could not be verified, because the live list could not be read: ')
  })

  it('says at Ctrl-C how many rows were sent, and the command that goes on', async () => {
    const ids = await stock(home, [500, 600])
    const file = await home.file('gone.csv', `Id\n${ids.join('\n')}\n`)
    await setFaults(home, { latency: '300ms..300ms' })
    const running = home.start(['shop:remove', '--file', file, '--yes', '--concurrency', '1', '--json'])
    for (let sent = 0; sent === 0; sent += home.calls().filter((name) => name === 'RemoveShopItem').length)
      await new Promise((resolve) => setTimeout(resolve, 10))
    running.interrupt('SIGINT')
    const { code, stderr, stdout } = await running.done
    await setFaults(home, { latency: '0ms..0ms' })
    expect(code, stderr).to.equal(EXIT.interrupted)
    expect(stderr + stdout).to.match(/Continue with: seller jobs:resume \d+/)
    const resumed = await home.seller('jobs:resume', '--wait', '--json')
    expect([resumed.code, resumed.json().Counts.ok], resumed.stderr).to.deep.equal([EXIT.ok, 2])
  })

  it('waits at Ctrl-C for the reply to an addition under way, and leaves no row that only the seller could decide', async () => {
    const file = await home.file('two.csv', 'Title,Price,OwnReference\nVas,90,C-1\nSkål,40,C-2\n')
    const newest = async () => (await home.seller('jobs:list', '--limit', '1', '--json')).json()[0]
    const earlier = await newest()
    await setFaults(home, { latency: '1s..1s' })
    const running = home.start(['shop:add', '--file', file, '--category', '161213', '--yes', '--json'])
    // The second row is not sent before the first is answered.
    for (let job = earlier; job?.JobId === earlier?.JobId || job.Counts.sending === 0; ) job = await newest()
    running.interrupt('SIGINT')
    const { code, stderr } = await running.done
    await setFaults(home, { latency: '0ms..0ms' })
    expect(code, stderr).to.equal(EXIT.interrupted)
    const job = await newest()
    expect(job.Counts, stderr).to.include({ unknown: 0, unsent: 1 })
    const resumed = await home.seller('jobs:resume', String(job.JobId), '--wait', '--json')
    expect([resumed.code, resumed.json().Counts.ok], resumed.stderr).to.deep.equal([EXIT.ok, 2])
  })

  it('says at Ctrl-C during a wait once how to go on, and not that the time was up', async () => {
    const [id = 0] = await stock(home, [500])
    await setFaults(home, { 'queue-delay': '60s' })
    const running = home.start(['shop:price', `${id}=520`, '--wait'], { terminal: true, columns: 80 })
    while (!running.noted().includes('Waiting for results')) await new Promise((resolve) => setTimeout(resolve, 10))
    running.interrupt('SIGINT')
    const { code, stderr } = await running.done
    await setFaults(home, { 'queue-delay': '0ms' })
    expect(code, stderr).to.equal(EXIT.interrupted)
    expect(stderr).to.not.include('the time was up')
    expect(stderr.match(/seller jobs:resume \d+ --wait/g), stderr).to.have.length(1)
  })

  it('shows a person what it waits for, and draws nothing for a script', async () => {
    const [id = 0] = await stock(home, [500])
    await setFaults(home, { 'queue-delay': '700ms' })
    const person = ask(home, ['shop:price', `${id}=520`, '--wait'])
    await person.sees('Waiting for results')
    expect((await person.done).code).to.equal(EXIT.ok)
    await setFaults(home, { 'queue-delay': '0ms' })
    expect((await price(`${id}=510`, '--wait')).stderr).to.not.include('Waiting for')
  })

  it('compares an old plan with the live list first, and not one that is sent as it was planned', async () => {
    const [one = 0, two = 0] = await stock(home, [500, 500])
    for (const [flags, code, said, calls] of [
      [[], EXIT.held, true, 2],
      [['--blind'], EXIT.ok, false, 1],
    ] as const) {
      const jobId = await planned(one, two)
      await withLedger(({ store }) => store.run('UPDATE jobs SET created_at = created_at - 660000 WHERE id = ?', jobId))
      await withLedger(({ store }) => store.run('UPDATE jobs SET created_at = created_at - 1320000 WHERE id <> ?', jobId))
      await home.seller('call', 'SetPriceOnShopItems', `request.ShopItems.0.Id=${two}`, 'request.ShopItems.0.Price=333')
      const run = await home.seller('jobs:resume', String(jobId), ...flags, '--json')
      expect([run.code, run.json().Calls], run.stderr).to.deep.equal([code, calls])
      const words = `^Job ${jobId} was planned 11 min.* ago: comparing its rows with the live list first\\.`
      expect(new RegExp(words).test(run.stderr), run.stderr).to.equal(said)
      expect(run.stderr.includes('1 row held, not sent: the live price has changed since the job was planned.')).to.equal(said)
      expect(await pricesOf(home, [one, two])).to.deep.equal([510, said ? 333 : 510])
      await price(`${one}=500`, '--wait')
    }
  })

  it('offers once to send failed rows again, and goes on with what an ended process left in a call', async () => {
    const [id = 0] = await stock(home, [500])
    const blind = (await price('1=5', '--blind')).json()
    const offer = `Send the failed rows again with: seller jobs:resume ${blind.JobId} --retry-failed`
    const resumed = await home.seller('jobs:resume', String(blind.JobId), '--json')
    expect([resumed.code, resumed.stderr.includes(offer)]).to.deep.equal([EXIT.someRowsFailed, true])
    const again = await home.seller('jobs:resume', String(blind.JobId), '--retry-failed', '--json')
    expect([again.code, again.stderr.includes(offer)]).to.deep.equal([EXIT.someRowsFailed, false])
    const jobId = await planned(id)
    await inCall(jobId)
    home.calls()
    const left = await home.seller('jobs:resume', String(jobId), '--wait', '--json')
    expect([left.code, left.json().Counts.ok], left.stderr).to.deep.equal([EXIT.ok, 1])
    expect(home.calls()).to.include('SetPriceOnShopItems')
  })

  it('of a part continues the whole job, and says so', async () => {
    const [id = 0] = await stock(home, [500])
    const parts = [
      { kind: 'price', rows: [{ line: 2, id, price: 510, oldPrice: 500 }] },
      { kind: 'stock', rows: [{ line: 2, id, payload: { Quantity: 7 }, oldPayload: { Quantity: 1 } }] },
    ] as const
    const jobId = await withLedger((ledger) => createWhole(ledger, { ...SHOP, parts }, () => {}).JobId)
    const { Parts } = (await home.seller('jobs:show', String(jobId), '--json')).json()
    const way = `Continue with: seller jobs:resume ${jobId}. Or drop it with: seller jobs:drop ${jobId}`
    expect((await home.seller('jobs:show', String(Parts[0].JobId), '--json')).stderr).to.include(way)
    const resumed = await home.seller('jobs:resume', String(Parts[0].JobId), '--wait', '--json')
    expect(resumed.stderr).to.include(`Job ${Parts[0].JobId} is a part of job ${jobId}, which is continued.`)
    expect(resumed.json()).to.include({ JobId: jobId, Repriced: 1, Restocked: 1 })
    expect(resumed.stderr).to.include(`seller jobs:undo ${jobId}`)
    expect(await pricesOf(home, [id])).to.deep.equal([510])
    const undone = await home.seller('jobs:undo', String(jobId), '--yes', '--wait', '--json')
    expect(undone.json(), undone.stderr).to.include({ Kind: 'sync', Repriced: 1, Restocked: 1 })
    expect(await pricesOf(home, [id])).to.deep.equal([500])
  })

  describe('that is shown', () => {
    it('has the steps of a listing, with --failed those that were not done', async () => {
      const jobId = await listing()
      const steps = async (...args: string[]) =>
        (await home.seller('jobs:show', String(jobId), ...args, '--json'))
          .json()
          .Steps.map(({ State }: { State: string }) => State)
      expect(await steps()).to.deep.equal(['waiting'])
      for (const state of ['done', 'failed', 'unknown', 'skipped', 'waiting']) {
        await withLedger(({ store }) => store.run('UPDATE listing_steps SET state = ? WHERE job_id = ?', state, jobId))
        expect(await steps('--failed'), state).to.deep.equal(['failed', 'unknown', 'skipped'].includes(state) ? [state] : [])
      }
      await drop(jobId)
    })

    it('has no way on while another process works on it, and the list names the newest that nobody runs', async () => {
      const [older, newer] = [await planned(1), await planned(2)]
      await withLedger(async (ledger) => {
        const lock = ledger.jobs.lock(newer)
        expect((await home.seller('jobs:show', String(newer), '--json')).stderr).to.equal('')
        const listed = await home.seller('jobs:list', '--json')
        expect(listed.stderr).to.equal(
          `Job ${older} is not finished. Continue with: seller jobs:resume ${older}. Or drop it with: seller jobs:drop ${older}\n`,
        )
        for (const command of ['jobs:drop', 'jobs:resume'])
          expect((await home.seller(command, String(newer), '--json')).json().error.code, command).to.equal('job_locked')
        lock.release()
      })
      for (const id of [older, newer]) await drop(id)
    })
  })

  it('is dropped by a yes where the outcome of rows or steps is unknown', async () => {
    for (const [make, what] of [
      [() => planned(1), 'row'],
      [sync, 'row'],
      [listing, 'step'],
    ] as const) {
      const jobId = await make()
      await inCall(jobId)
      await withLedger(({ store }) => store.run("UPDATE listing_steps SET state = 'unknown' WHERE job_id = ?", jobId))
      const asked = await home.seller('jobs:drop', String(jobId), '--json')
      expect(asked.json().error.message).to.include(`The outcome of 1 ${what} is unknown. Drop job ${jobId}?`)
      expect((await drop(jobId)).json().State).to.equal('cancelled')
    }
  })

  describe('that is undone', () => {
    it('is refused while it is being sent, and where two outputs would be one file', async () => {
      const [id = 0] = await stock(home, [500])
      const { JobId } = (await price(`${id}=510`, '--wait')).json()
      await withLedger(async (ledger) => {
        const lock = ledger.jobs.lock(JobId)
        const run = await home.seller('jobs:undo', String(JobId), '--yes', '--json')
        lock.release()
        expect(run.json().error).to.include({ code: 'job_locked' })
        expect(run.json().error.message).to.equal(`Job ${JobId} is still being sent, so the prices it sets are not known yet.`)
      })
      const flags = ['--held-file', 'a.csv', '--failed-file', './a.csv']
      expect((await home.seller('jobs:undo', String(JobId), ...flags, '--json')).json().error.code).to.equal('overwrites_input')
    })
  })
})
