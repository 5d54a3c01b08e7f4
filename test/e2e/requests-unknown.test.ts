import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing, openedForEach } from '../opened.js'
import { response } from '../soap/service.js'
import { Hands } from './clock.js'
import { openHostile } from './hostile.js'
import { CATEGORY, openObserved } from './observed.js'
import { stock } from './shop.js'

describe('requests:wait for an id that nobody knows', function () {
  this.timeout(60_000)
  const home = openedForEach(() => openObserved({ faults: { queueDelayMs: 60 * 60 * 1000 } }))
  const add = async () =>
    (await home.seller('shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '149', '--json')).json().RequestId

  it('waits for the others, and says so of that one', async () => {
    const id = await add()
    home.calls()
    const running = home.start(['requests:wait', String(id), '999999', '--json'])
    await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
    const run = await running.done
    expect(run.code).to.equal(1)
    expect(run.stderr).to.include('Neither the ledger nor the service knows request 999999')
    expect(run.json().map(({ RequestId }: { RequestId: number }) => RequestId)).to.deep.equal([id])
  })

  it('goes on for what this ledger has, as a request or as a row of a job, and for what the service calls uncommitted', async () => {
    const id = await add()
    const [item = 0] = await stock(home, [500])
    const { JobId } = (await home.seller('shop:price', `${item}=510`, '--yes', '--json')).json()
    const row = (await home.seller('jobs:show', String(JobId), '--json')).json().Rows[0].RequestId
    const waited = await home.seller('requests:wait', String(id), String(row), '--timeout', '2s', '--json')
    expect([waited.code, waited.stderr]).to.deep.include(8)
    expect(waited.stderr).to.not.include('Neither')
    const draft = await home.file('d.yaml', `Title: V\nCategoryId: ${CATEGORY}\nStartPrice: 10\nAutoCommit: false\n`)
    const uncommitted = (await home.seller('items:add', '--file', draft, '--json')).json().RequestId
    const env = { SELLER_DATA_DIR: `${home.dir}/another` }
    const foreign = await home.run(['requests:wait', String(uncommitted), '--json'], { env })
    expect(foreign.code).to.equal(8)
    expect(foreign.stderr).to.include(`Request ${uncommitted} is not committed`)
  })

  it('waits for what another program has queued, if told', async () => {
    const id = await add()
    const env = { SELLER_DATA_DIR: `${home.dir}/another` }
    expect((await home.run(['requests:wait', String(id), '--json'], { env })).json().error.code).to.equal('request_not_found')
    const running = home.start(['requests:wait', String(id), '--with', 'unknown', '--json'], { env })
    await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
    expect((await running.done).json()[0]).to.include({ RequestId: id, ResultCode: 'Ok' })
  })

  it('names a command that continues with such an id, and does not say that this tool sent it', async () => {
    const asked = ['requests:wait', '999999', '--with', 'unknown']
    const late = await home.seller(...asked, '--timeout', '1s')
    expect([late.code, late.stderr]).to.deep.include(8)
    expect(late.stderr).to.include('Continue with: seller requests:wait 999999 --with unknown\n')
    home.calls()
    const running = home.start(asked)
    while (home.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    running.interrupt('SIGINT')
    const run = await running.done
    expect([run.code, run.stderr]).to.deep.equal([130, 'Error: Interrupted. Nothing was sent.\nRun the command again.\n'])
  })
})

describe('a result in a word that nobody knows', () => {
  it('is an unknown outcome, of a row of a job and of a request, until it is looked at again', async () => {
    await using home = closing(await openHostile())
    let code = 'Oi'
    home.answer(({ name }) => {
      if (name === 'GetRequestResults')
        return response(
          name,
          `<${name}Result><RequestResult><RequestId>7</RequestId><ResultCode>${code}</ResultCode></RequestResult></${name}Result>`,
        )
      if (name !== 'GetSellerItems') return undefined
      const item = `<Item><ItemType>ShopItem</ItemType><Id>7</Id><BuyItNowPrice>100</BuyItNowPrice></Item>`
      return response(name, `<${name}Result>${item}</${name}Result>`)
    })
    const run = (...args: string[]) => home.run([...args, '--json'], { clock: new Hands() })
    const sent = await run('shop:price', '7=110', '--yes', '--wait')
    expect([sent.code, sent.json().Counts.unknown, sent.json().Counts.failed], sent.stderr).to.deep.equal([
      EXIT.unknownOutcome,
      1,
      0,
    ])
    code = 'Ok'
    const resumed = await run('jobs:resume', String(sent.json().JobId), '--wait')
    expect([resumed.code, resumed.json().Counts.ok], resumed.stdout + resumed.stderr).to.deep.equal([EXIT.ok, 1])
    code = 'Oi'
    const waited = await run('requests:wait', '7', '--with', 'unknown')
    expect([waited.code, waited.json()[0].State], waited.stderr).to.deep.equal([EXIT.unknownOutcome, 'unknown'])
    expect(waited.stderr).to.include('"Oi", which this tool does not know')
    code = 'Ok'
    const again = await run('requests:wait', '7', '--with', 'unknown')
    expect([again.code, again.json()[0].State], again.stderr).to.deep.equal([EXIT.ok, 'ok'])
  })
})
