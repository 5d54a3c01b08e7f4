import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'

describe('images for an item that takes none any more', function () {
  this.timeout(60_000)
  let home: ObservedHome
  let photo: string
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    photo = await home.file('photo.png', PIXEL.png)
  })
  after(() => home.close())
  const ITEM = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--start-price', '10', '--shipping', 'pickup', '--json']
  const upload = (id: number, ...args: string[]) => home.seller('images:upload', String(id), photo, '--json', ...args)
  const jobs = async () => (await home.seller('jobs:list', '--json')).json()

  it('are refused for a committed request: it is on sale, no job is left, and nothing was sent', async () => {
    const { RequestId, ItemId } = (await home.seller(...ITEM, '--wait')).json()
    home.calls()
    for (const args of [[], ['--commit'], ['--commit', '--commit-anyway']]) {
      const run = await upload(RequestId, ...args)
      expect([run.code, run.json().error.code]).to.deep.equal([3, 'request_committed'])
      expect(run.json().error).to.include({ requestId: RequestId, itemId: ItemId })
      expect(run.json().error.message).to.include(`Request ${RequestId} is committed: item ${ItemId} is on sale`)
      expect(run.json().error.hint).to.include('Do not add it again: that would list it twice')
    }
    expect(new Set(home.calls())).to.deep.equal(new Set(['GetRequestResults']))
    expect(await jobs()).to.deep.equal([])
  })

  it('are refused for the id of an item, with and without a commit', async () => {
    const { ItemId } = (await home.seller(...ITEM, '--wait')).json()
    home.calls()
    const run = await upload(ItemId, '--commit', '--commit-anyway')
    expect([run.code, run.json().error.code]).to.deep.equal([3, 'request_committed'])
    expect(run.json().error.message).to.include(`${ItemId} is the id of an item, not of a request`)
    const commit = await home.seller('images:upload', String(ItemId), '--commit', '--json')
    expect(commit.json().error.code).to.equal('request_committed')
    expect(home.calls()).to.not.include('AddItemImage').and.not.include('AddItemCommit')
    expect(await jobs()).to.deep.equal([])
  })

  it('are refused while it is queued: the service says so, and no job is left, whatever --commit-anyway says', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-delay': '1h' })
    const { RequestId } = (await home.seller(...ITEM)).json()
    for (const args of [[], ['--commit', '--commit-anyway']]) {
      home.calls()
      const run = await upload(RequestId, ...args)
      expect([run.code, run.json().error.code], run.stdout).to.deep.equal([3, 'request_committed'])
      expect(home.calls()).to.not.include('AddItemCommit')
      expect(await jobs()).to.deep.equal([])
    }
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-delay': '0ms' })
  })

  it('are given up where the request was committed since the job stopped', async () => {
    const stopped = await home.seller(...ITEM, '--image', photo, '--max-calls', '1')
    expect(stopped.code).to.equal(7)
    const { jobId, requestId } = stopped.json().error
    expect((await home.seller('images:upload', String(requestId), '--commit')).code).to.equal(0)
    const run = await home.seller('jobs:resume', String(jobId), '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([3, 'request_committed'])
    expect(run.json().error.hint).to.include('Do not add it again').and.include(`seller jobs:drop ${jobId}`)
    expect(run.json().error.message + run.json().error.hint)
      .to.not.include('anew')
      .and.not.include('Nothing was sent')
    expect((await home.seller('jobs:drop', String(jobId), '--json')).json().State).to.equal('cancelled')
  })

  it('are refused for a request that has failed', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-codes': 'Error=100%' })
    const { RequestId } = (await home.seller(...ITEM, '--wait')).json()
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-codes': 'none' })
    const run = await upload(RequestId)
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([3, 'request_committed'])
    expect(run.json().error.message).to.include(`Request ${RequestId} is finished and failed: it takes no more images.`)
    expect(run.json().error.hint).to.include(`seller requests:show ${RequestId}`)
  })

  it('are still taken by an uncommitted request, and a refused one may be left out there', async () => {
    const file = await home.file('draft.yaml', `Title: Vas\nCategoryId: ${CATEGORY}\nStartPrice: 10\nAutoCommit: false\n`)
    const { RequestId } = (await home.seller('items:add', '--file', file, '--json')).json()
    expect((await upload(RequestId)).json()).to.include({ Images: 1, Committed: false })
    const run = await upload(RequestId, '--commit', '--commit-anyway', '--wait')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ Committed: true, ResultCode: 'Ok' })
    // Committing once more changes nothing.
    expect((await home.seller('images:upload', String(RequestId), '--commit', '--json')).code).to.equal(0)
  })
})
