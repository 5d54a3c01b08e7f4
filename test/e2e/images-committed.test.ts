import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

describe('images for an item that takes none any more', function () {
  this.timeout(60_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  let photo: string
  before(async () => {
    photo = await home.file('photo.png', PIXEL.png)
  })
  const ITEM = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--opening', '10', '--shipping', 'pickup', '--json']
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
