import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { setFaults } from './shop.js'

const ADD = ['items:add', '--title', 'Vas', '--category', '344481', '--opening', '100', '--shipping', 'pickup', '--json']

describe('requests', () => {
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 300 } } }))
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

describe('whole periods', () => {
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))

  it('are taken for requests and for sales without feedback', async () => {
    await home.seller(...ADD)
    for (const [command, time] of [
      ['requests:list', 'SentAt'],
      ['feedback:pending', 'Date'],
    ] as const) {
      const list = async (...args: string[]): Promise<Record<string, string>[]> =>
        (await home.seller(command, ...args, '--json')).json()
      const all = await list()
      const month = String(all[0]?.[time]).slice(0, 7)
      const within = all.filter((row) => row[time]?.startsWith(month))
      expect(within, command).to.not.be.empty
      expect(await list('--period', month)).to.deep.equal(within)
      expect(await list('--period', '2001')).to.deep.equal([])
      expect(await list('--period', 'last-year')).to.deep.equal([])
      expect((await home.seller(command, '--period', `${month.slice(0, 4)}-Q5`)).code).to.equal(2)
      expect((await home.seller(command, '--month', month.slice(0, 4))).stderr).to.include('is not a month')
      const two = await home.seller(command, '--period', 'last-month', '--since', '7d')
      expect(two.code).to.equal(2)
    }
  })
})

describe('calls:show', () => {
  const home = opened(() => openHome({ sandbox: true }))

  it('needs to know the application', async () => {
    const run = await home.run(['calls:show', '--json'], { env: { SELLER_APP_ID: undefined } })
    expect(run.code).to.equal(4)
  })
})
