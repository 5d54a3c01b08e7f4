import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { type Home, openHome } from './harness.js'
import { setFaults } from './shop.js'

const ADD = ['items:add', '--title', 'Vas', '--category', '344481', '--start-price', '100', '--shipping', 'pickup', '--json']

describe('requests', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: { faults: { queueDelayMs: 300 } } })
  })
  after(() => home.close())
  const add = async (): Promise<number> => (await home.seller(...ADD)).json().RequestId

  it('says [] or nothing when there are none, and exits with 0', async () => {
    const json = await home.seller('requests:list', '--json')
    expect([json.code, json.stdout]).to.deep.equal([0, '[]\n'])
    const rows = await home.seller('requests:list')
    expect([rows.code, rows.stdout]).to.deep.equal([0, ''])
    const wait = await home.seller('requests:wait', '--json')
    expect([wait.code, wait.stdout]).to.deep.equal([0, '[]\n'])
  })

  it('shows one before and after its result is known', async () => {
    const id = await add()
    const listed = (await home.seller('requests:list', '--json')).json()
    expect(listed[0]).to.include({ RequestId: id, Operation: 'AddItem', Subject: 'Vas', State: 'queued' })
    const waited = await home.seller('requests:wait', String(id), '--json')
    expect(waited.code, waited.stderr).to.equal(0)
    expect(waited.json()[0]).to.include({ RequestId: id, ResultCode: 'Ok', State: 'ok' })
    expect(waited.stderr).to.not.include('Still waiting')
    const shown = await home.seller('requests:show', String(id), '--json')
    expect(shown.json()).to.include({ RequestId: id, ResultCode: 'Ok', State: 'ok' })
  })

  it('waits for all that are pending with one command', async () => {
    const ids = [await add(), await add(), await add()]
    const run = await home.seller('requests:wait', '--json')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().map(({ RequestId }: { RequestId: number }) => RequestId)).to.have.members(ids)
  })

  it('names what is queued, and the command that goes on, when waiting is stopped', async () => {
    const run = await home.seller(...ADD, '--wait', '--max-calls', '1')
    expect(run.code).to.equal(7)
    const { hint, requestIds } = run.json().error
    expect(requestIds).to.have.lengthOf(1)
    expect(hint).to.include(`Request ${requestIds[0]} is queued. Continue with: seller requests:wait ${requestIds[0]}`)
    const waited = await home.seller('requests:wait', '--json')
    expect(waited.json()[0]).to.include({ RequestId: requestIds[0], State: 'ok' })
  })

  it('does not wait for what is not committed, and says what would commit it', async () => {
    const uncommitted = {
      Title: 'Vas',
      CategoryId: 344481,
      StartPrice: 100,
      AutoCommit: false,
      ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }],
    }
    const added = await home.run(['items:add', '--file', '-', '--json'], { stdin: JSON.stringify(uncommitted) })
    const id = added.json().RequestId
    const run = await home.seller('requests:wait', '--json')
    expect([run.code, run.stdout]).to.deep.equal([8, '[]\n'])
    expect(run.stderr).to.include(`Request ${id} is not committed, so its item is not on sale and no result will come.`)
    expect(run.stderr).to.include(`Continue with: seller images:upload ${id} --commit`)
    expect((await home.seller('requests:wait')).stderr).to.not.include('No requests')
    const committed = await home.seller('images:upload', String(id), '--commit', '--wait', '--json')
    expect(committed.code, committed.stderr).to.equal(0)
  })

  it('ends with 1 where one failed, whose words it says, and with 8 before that where the time was up', async () => {
    await setFaults(home, { 'queue-codes': 'Error=100%' })
    const failed = await add()
    const wait = await home.seller('requests:wait', String(failed), '--json')
    expect([wait.code, wait.json()[0].State]).to.deep.equal([1, 'failed'])
    expect(wait.stderr).to.match(new RegExp(`Request ${failed} \\(AddItem Vas\\) ended with Error\\. `))
    await setFaults(home, { 'queue-codes': 'none', 'queue-delay': '1h' })
    const late = await add()
    const run = await home.seller('requests:wait', String(failed), String(late), '--timeout', '50ms', '--json')
    expect([run.code, run.json().length]).to.deep.equal([8, 1])
    expect(run.stderr).to.include('Still waiting for 1 of 2 requests when the time was up.')
    const alone = await home.seller('requests:wait', String(late), '--timeout', '50ms')
    expect(alone.stderr).to.include('Still waiting for the request when the time was up.')
    expect(alone.stderr).to.include(`Continue with: seller requests:wait ${late}`)
    await setFaults(home, { 'queue-delay': '300ms' })
    await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
    expect((await home.seller('requests:wait', String(late))).code).to.equal(0)
  })

  it('lists by state, operation, age and number', async () => {
    const list = async (...args: string[]) => (await home.seller('requests:list', '--json', ...args)).json()
    expect(await list('--state', 'queued')).to.deep.equal([])
    expect(await list('--state', 'ok', '--limit', '2')).to.have.length(2)
    expect(await list('--operation', 'AddShopItem')).to.deep.equal([])
    expect(await list('--since', '2099-01-01')).to.deep.equal([])
    expect(await list('-p', 'sandbox'), 'of another profile').to.deep.equal([])
    expect((await list('-p', 'sandbox', '--all')).length).to.be.greaterThan(2)
  })

  for (const [what, args] of [
    ['an invalid id', ['requests:show', '12x']],
    ['an id of 0', ['requests:show', '0']],
    ['an id beyond 32 bits', ['requests:show', '2147483648']],
    ['a negative id', ['requests:wait', '-5']],
    ['a duration without a unit', ['requests:wait', '--timeout', '10']],
    ['an invalid date', ['requests:list', '--since', '2026-02-30']],
    ['an unknown state', ['requests:list', '--state', 'done']],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const run = await home.seller(...args)
      expect(run.code, run.stderr).to.equal(2)
      expect(run.stderr).to.contain(args.at(-1))
    })
  }
})

describe('calls:show', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: true })
  })
  after(() => home.close())

  it('counts the calls of the application', async () => {
    await home.seller('account:show')
    await home.seller('account:show')
    const usage = (await home.seller('calls:show', '--json')).json()
    expect(usage).to.deep.include({ AppId: 1, Used: 2, Budget: null, Remaining: null })
    expect(usage.ByOperation).to.deep.equal([{ Operation: 'GetUserInfo', Calls: 2, Failed: 0 }])
    const calls = (await home.seller('calls:show', '--list', '--limit', '1', '--json')).json()
    expect(calls).to.have.length(1)
    expect(calls[0]).to.include({ Operation: 'GetUserInfo', Outcome: 'ok', HttpStatus: 200 })
  })

  it('refuses a limit without a list', async () => {
    expect((await home.seller('calls:show', '--limit', '1')).code).to.equal(2)
  })

  it('needs to know the application', async () => {
    const run = await home.run(['calls:show', '--json'], { env: { SELLER_APP_ID: undefined } })
    expect(run.code).to.equal(4)
  })
})
