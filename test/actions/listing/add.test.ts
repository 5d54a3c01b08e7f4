/** Adding one item or the items of a file: what is sent, recorded, asked and told. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ITEM_INPUT, SHOP_INPUT } from '../../../src/actions/input/index.js'
import { addItem, addShopItem } from '../../../src/actions/listing/add.js'
import { type AdditionFlags, addSeveral } from '../../../src/actions/listing/additions.js'
import { EXIT } from '../../../src/cli/errors.js'
import { inspectImages } from '../../../src/jobs/index.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { PNG } from '../../jobs/harness.js'
import { FakeContext, thrownBy } from '../support.js'

const FLAGS = { wait: false, timeout: 60_000 }

describe('an addition', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(new FakeService())
    fake.bench.service.put(50, 5, { OwnReferences: ['A-1'] })
  })
  afterEach(() => fake.close())
  const rows = () => fake.bench.ledger.requests.list().map(({ Operation, Subject, State }) => [Operation, Subject, State])

  describe('of one item', () => {
    const add = (request: object, flags = FLAGS) =>
      addItem(fake.ctx, { request: { Title: 'Vas', AutoCommit: true, ...request }, images: [], flags } as never)

    it('is one call, recorded by its title, with the command that waits', async () => {
      const { row, code } = await add({})
      expect(code).to.equal(EXIT.ok)
      expect(row).to.include({ Operation: 'AddItem', Subject: 'Vas', State: 'queued', Profile: 'shop', UserId: 7 })
      expect(fake.said).to.deep.equal([`? Queued. Wait for the outcome with: seller requests:wait ${row.RequestId} -p shop`])
      expect(fake.interruptions).to.deep.equal([{ next: 'seller requests:list -p shop' }])
      expect(fake.bench.service.of('AddItem')).to.have.length(1)
    })

    it('says how an item is committed that is not, and is never waited for', async () => {
      const { row, code } = await add({ AutoCommit: false })
      expect(code).to.equal(EXIT.ok)
      expect(fake.said).to.deep.equal([
        `? It is not committed. Continue with: seller images:upload ${row.RequestId} [FILE…] --commit -p shop`,
      ])
      const error = await thrownBy(() => add({ AutoCommit: false }, { ...FLAGS, wait: true }))
      expect(error).to.have.property('code', 'never_committed')
      expect(fake.bench.service.of('AddItem')).to.have.length(1)
    })

    it('takes an item without a title, and a profile without a seller', async () => {
      fake.profile.settings = {}
      const { row } = await add({ Title: undefined })
      expect(row).to.include({ Subject: '', UserId: null })
    })
  })

  describe('of one shop item', () => {
    it('is one call with its images in it, those of the request first', async () => {
      await writeFile(join(fake.directory, 'a.png'), PNG)
      const { images } = await inspectImages([{ path: join(fake.directory, 'a.png'), mega: true }])
      const within = { Name: 'first', Format: 'Png', Data: PNG, HasMega: false }
      const { row, code } = await addShopItem(
        fake.ctx,
        { request: { Title: 'Fat', ItemImages: [within] }, images } as never,
        FLAGS,
      )
      expect(code).to.equal(EXIT.ok)
      expect(row).to.include({ Operation: 'AddShopItem', Subject: 'Fat', State: 'queued' })
      const [{ params } = { params: {} }] = fake.bench.service.of('AddShopItem')
      const sent = (params as { shopItemData: { ItemImages: object[] } }).shopItemData.ItemImages
      expect(sent).to.deep.equal([within, { Name: 'a.png', Format: 'Png', Data: PNG, HasMega: true }])
    })

    it('has no images where there are none', async () => {
      await addShopItem(fake.ctx, { request: {}, images: [] } as never, FLAGS)
      const [{ params } = { params: {} }] = fake.bench.service.of('AddShopItem')
      expect((params as { shopItemData: object }).shopItemData).to.deep.equal({})
      expect(rows()).to.deep.equal([['AddShopItem', '', 'queued']])
    })
  })

  describe('of several', () => {
    const run = (text: string, flags: Partial<AdditionFlags> = {}, kind: never = SHOP_INPUT as never) =>
      addSeveral(fake.ctx, {
        command: 'shop:add',
        kind,
        items: { several: true, bytes: Buffer.from(text), file: 'items.csv' },
        flags: { ...FLAGS, yes: true, ...flags } as AdditionFlags,
      })

    it('sends each item by itself, after a question', async () => {
      const end = await run('Title,CategoryId,Price\nA,1,5\nB,1,6\n')
      expect(end?.code).to.equal(EXIT.ok)
      expect(end?.record).to.include({ Kind: 'add-shop', Title: 'shop:add --file items.csv', Calls: 2 })
      expect(fake.said[0]).to.match(/^2 rows: 2 to add\./)
      expect(fake.questions.map(({ message }) => message)).to.deep.equal(['Add 2 shop items?'])
      expect(fake.lists).to.deep.equal([])
      await run('Title,CategoryId,StartPrice\nA,1,5\n', {}, ITEM_INPUT as never)
      expect(fake.questions.at(-1)?.message).to.equal('Add 1 item?')
      expect(fake.bench.ledger.jobs.list().map(({ Kind }) => Kind)).to.deep.equal(['add-item', 'add-shop'])
    })

    const DOUBLE = 'Title,CategoryId,Price,OwnReferences\nA,1,5,A-1\nB,1,6,B-2\n'
    it('holds doubles, says how they are let through, and lets them through with --again', async () => {
      const end = await run(DOUBLE)
      expect(end?.code).to.equal(EXIT.held)
      expect(end?.record).to.include({ Calls: 2 })
      expect(fake.bench.service.of('AddShopItem')).to.have.length(1)
      expect(fake.said).to.include('? To list the held rows all the same, add them with --again.')
      expect(fake.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
      fake.said = []
      fake.lists = []
      expect((await run(DOUBLE.replaceAll('B-2', 'C-3'), { again: true }))?.code).to.equal(EXIT.ok)
      expect(fake.lists).to.deep.equal([])
      expect(fake.said.join('\n')).to.not.contain('--again')
    })

    it('shows with --dry-run each row and why it is held, and sends nothing', async () => {
      await run(DOUBLE, { 'dry-run': true })
      expect(fake.lists, 'nobody is logged in').to.deep.equal([])
      fake.written = []
      const keys = { base_url: 'https://api.example.com', namespace: 'urn:x', app_id: 1, app_key: 'k', token: 't' }
      fake.profile.settings = { ...fake.profile.settings, ...keys }
      expect(await run(DOUBLE, { 'dry-run': true })).to.equal(undefined)
      expect(fake.written[0]?.rows?.map(({ Line, Operation, State, Reason }) => [Line, Operation, State, Reason])).to.deep.equal([
        [2, 'AddShopItem', 'held', 'its own reference "A-1" is live already, as item 50'],
        [3, 'AddShopItem', 'change', null],
      ])
      expect(fake.bench.service.calls).to.deep.equal([])
      expect(fake.bench.ledger.jobs.list()).to.deep.equal([])
    })

    it('gives rows that leave a field out that of a flag', async () => {
      await run('Title,CategoryId,Price\nA,1,\nB,,6\n', { category: '9', price: '77', reference: ['Z-1'] })
      const sent = fake.bench.service.of('AddShopItem').map(({ params }) => (params as { shopItemData: object }).shopItemData)
      expect(sent).to.have.length(1)
      expect(sent[0])
        .to.include({ CategoryId: 1, Price: 77 })
        .and.deep.include({ OwnReferences: ['Z-1'] })
    })

    it('refuses dates that have passed, by their lines, before any call', async () => {
      const error = await thrownBy(() =>
        run('Title,CategoryId,Price,DeactivateDate\nA,1,5,2025-01-01T00:00:00Z\nB,1,5,2027-01-01T00:00:00Z\n'),
      )
      expect(error.code).to.equal('invalid_input')
      expect(error.message).to.match(/^items\.csv has faults:\nline 2, DeactivateDate "2025-01-01[^"]*": lies in the past$/)
      expect(error.details).to.have.property('count', 1)
      expect(fake.bench.service.calls).to.deep.equal([])
    })
  })
})
