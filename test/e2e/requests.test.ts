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
})

describe('calls:show', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: true })
  })
  after(() => home.close())

  it('needs to know the application', async () => {
    const run = await home.run(['calls:show', '--json'], { env: { SELLER_APP_ID: undefined } })
    expect(run.code).to.equal(4)
  })
})
