import { expect } from 'chai'
import { opened } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

describe('images:upload and campaigns', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  beforeEach(() => void home.calls())

  async function uncommitted(): Promise<string> {
    const stdin = `{"Title":"Vas","CategoryId":${CATEGORY},"StartPrice":10,"AutoCommit":false,"ShippingOptions":[{"ShippingOptionId":8,"Cost":0}]}`
    const run = await home.run(['items:add', '-f', '-', '--json'], { stdin })
    home.calls()
    return String(run.json().RequestId)
  }

  it('uploads images, a mega one too, attaches a code, and commits', async () => {
    const request = await uncommitted()
    const png = await home.file('a.png', PIXEL.png)
    const gif = await home.file('b.gif', PIXEL.gif)
    const first = await home.done('images:upload', request, png, gif, '--json')
    expect(first.json()).to.include({ RequestId: Number(request), Images: 2, Committed: false })
    expect(first.stderr).to.include('--commit')
    expect((await home.seller('images:upload', request, png, '--mega')).code).to.equal(0)
    const attached = await home.seller('campaigns:attach', request, 'VALKOMMEN', '--json')
    const { next, ...record } = attached.json()
    expect(record).to.deep.equal({ RequestId: Number(request), CampaignCode: 'VALKOMMEN', Attached: true })
    expect(next).to.deep.equal([{ command: `seller images:upload ${request} --commit`, why: 'Commit the item' }])
    const last = await home.done('images:upload', request, '--commit', '--wait', '--json')
    expect(last.json()).to.include({ Images: 0, Committed: true, ResultCode: 'Ok' })
    const names = home.calls().filter((name) => name !== 'GetRequestResults')
    expect(names).to.deep.equal(['AddItemImage', 'AddItemImage', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit'])
    const item = (await home.seller('call', 'GetItem', `itemId=${last.json().ItemId}`)).json()
    expect(item.ImageLinks).to.have.lengthOf(3)
  })

  it('checks all files before the first call, and names every bad one', async () => {
    const request = await uncommitted()
    const good = await home.file('good.png', PIXEL.png)
    const bad = await home.file('bad.png', 'text')
    const run = await home.seller('images:upload', request, good, bad, 'absent.png', '--json')
    expect(run.code).to.equal(3)
    expect(run.json().error.message).to.include('bad.png').and.include('absent.png').and.not.include('good.png')
    expect(home.calls()).to.deep.equal([])
    expect((await home.seller('images:upload', request, '--json')).json().error.code).to.equal('nothing_to_do')
  })
})
