/** Items that exist already, requests that take no more images, and what adding would send. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { dryRunOfItem, dryRunOfShopItem } from '../../../src/actions/listing/add.js'
import { additionsOf, holdsSeveral } from '../../../src/actions/listing/additions.js'
import { confirmItem, confirmOnTerminal, confirmShopItem } from '../../../src/actions/listing/binding.js'
import { committedSince, refuseCommitted } from '../../../src/actions/listing/committed.js'
import { findDoubles, LIST_LAGS_MS, refuseDouble, whyAdded } from '../../../src/actions/listing/doubles.js'
import { EXIT } from '../../../src/cli/errors.js'
import { kronor } from '../../../src/format/output/index.js'
import type { Addition } from '../../../src/jobs/index.js'
import { DEFAULT_GUARDS } from '../../../src/pricing/index.js'
import { type SoapClient, SoapError } from '../../../src/soap/client/index.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

describe('items that would be doubles', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(new FakeService())
    fake.bench.service.put(50, 5, { OwnReferences: ['A-1', ' B-2 '] })
  })
  afterEach(() => fake.close())
  const reasons = async (...references: (string[] | null | undefined)[]) =>
    (
      await findDoubles(
        fake.ctx,
        references.map((OwnReferences) => ({ OwnReferences })),
        { guards: DEFAULT_GUARDS },
      )
    ).reasons

  it('have an own reference that is live, or that an earlier row has', async () => {
    expect(await reasons(['C-3'], ['X', ' A-1'], ['B-2'], ['C-3'], undefined, ['', ' '])).to.deep.equal([
      undefined,
      'its own reference "A-1" is live already, as item 50',
      'its own reference "B-2" is live already, as item 50',
      'an earlier row has its own reference "C-3" too',
      undefined,
      undefined,
    ])
    expect(fake.lists).to.have.length(1)
    expect(fake.lists[0]).to.include({ filterItemType: 'All', filterActive: 'Active' })
    expect(await reasons(['C-3', 'C-3'])).to.deep.equal([undefined])
  })

  it('do not count a row as a twin that is a double itself', async () => {
    expect(await reasons(['A-1', 'C-3'], ['C-3'])).to.deep.equal([
      'its own reference "A-1" is live already, as item 50',
      undefined,
    ])
  })

  it('need no call where no item has a reference', async () => {
    expect(
      await findDoubles(fake.ctx, [{}, { OwnReferences: null }, { OwnReferences: [' '] }], { guards: DEFAULT_GUARDS }),
    ).to.deep.equal({
      reasons: [undefined, undefined, undefined],
      stopped: null,
      calls: 0,
    })
    expect((await findDoubles(fake.ctx, [{ OwnReferences: ['Z'] }], { guards: DEFAULT_GUARDS })).calls).to.equal(1)
  })

  it('were added by this ledger a moment ago', async () => {
    const { requests } = fake.bench.ledger
    const common = { operation: 'AddShopItem', subject: 'x', profile: 'shop', userId: 7, adds: { OwnReferences: ['N-1'] } }
    const { Row } = requests.begin(common)
    requests.markQueued(Row, { RequestId: 17, ItemId: 60 })
    const [reason] = await reasons(['N-1'])
    expect(reason).to.match(/^its own reference "N-1" was sent by request 17 \(item 60\) on 2026-01-02$/)
  })

  const AT = '2026-01-02T03:00:00.000Z'
  const addition = (more: Partial<Addition>): Addition => ({
    jobId: null,
    requestId: null,
    itemId: null,
    state: 'added',
    at: AT,
    starts: null,
    ...more,
  })
  const why = (more: Partial<Addition>, after = 0) =>
    whyAdded({ clock: { now: () => Date.parse(AT) + after } as never }, 'R', addition(more))

  for (const [more, words] of [
    [{ jobId: 3, requestId: 17, itemId: 60 }, 'its own reference "R" was added by job 3 (item 60) on 2026-01-02'],
    [{ requestId: 17, state: 'sent' }, 'its own reference "R" was sent by request 17 on 2026-01-02'],
    [{ state: 'sent' }, 'its own reference "R" was sent by a call whose outcome is unknown on 2026-01-02'],
    [{ jobId: 3, state: 'unsent' }, 'job 3 has its own reference "R", and has not sent it yet: seller jobs:resume 3'],
  ] as const) {
    it(`are said with what added them: ${words}`, () => {
      expect(why(more)).to.equal(words)
    })
  }

  it('are gone where the live list has had an hour to show them', () => {
    expect(why({ requestId: 1 }, LIST_LAGS_MS - 1)).to.be.a('string')
    expect(why({ requestId: 1 }, LIST_LAGS_MS)).to.equal(undefined)
    for (const state of ['sent', 'unsent'] as const) expect(why({ state }, LIST_LAGS_MS * 9)).to.be.a('string')
    const starts = new Date(Date.parse(AT) + 5 * LIST_LAGS_MS).toISOString()
    expect(why({ starts }, 2 * LIST_LAGS_MS)).to.be.a('string')
    expect(why({ starts }, 6 * LIST_LAGS_MS)).to.be.a('string')
    expect(why({ starts }, 6 * LIST_LAGS_MS + 1)).to.equal(undefined)
  })

  it('are asked about at a terminal, held elsewhere and with --yes, and let through with --again', async () => {
    const double = { OwnReferences: ['A-1'] }
    const said = 'Its own reference "A-1" is live already, as item 50.'
    const ctx = (available: boolean) => {
      const { ctx: plain } = fake
      return { ...plain, prompts: { ...plain.prompts, available } } as typeof plain
    }
    expect(await thrownBy(() => refuseDouble(ctx(false), double, {}))).to.include({
      code: 'item_held',
      exitCode: EXIT.held,
      message: `${said} The item was not added.`,
    })
    expect(await thrownBy(() => refuseDouble(ctx(true), double, { yes: true }))).to.have.property('code', 'item_held')
    await refuseDouble(ctx(true), double, {})
    expect(fake.questions).to.deep.equal([{ message: `${said} Add it anyway?`, flag: '--again', given: undefined }])
    fake.lists = []
    await refuseDouble(ctx(false), double, { again: true })
    expect(fake.lists).to.deep.equal([])
    await refuseDouble(ctx(false), { OwnReferences: ['Z'] }, { again: false })
    expect(fake.questions).to.have.length(1)
  })

  describe('and requests that take no more images', () => {
    const service = (results: object[] | Error, item: unknown = null) => {
      const calls: string[] = []
      const client = {
        call: async (operation: string) => {
          calls.push(operation)
          const answer = operation === 'GetItem' ? item : results
          if (answer instanceof Error) throw answer
          return answer
        },
      } as unknown as SoapClient
      return { calls, client }
    }
    const refuse = (results: object[], { item, commitOnly = false }: { item?: unknown; commitOnly?: boolean } = {}) =>
      refuseCommitted(fake.ctx, service(results, item).client, 17, { commitOnly })
    const result = (ResultCode: string, RequestId = 17) => [{ RequestId, ResultCode }]

    it('are those that are committed, unless they are only committed again', async () => {
      await refuse(result('Uncommited'))
      const error = await thrownBy(() => refuse(result('Ok')))
      expect(error.code).to.equal('request_committed')
      expect(error.message).to.equal(
        'Request 17 is committed: its item is on sale, or will be soon, and takes no more images. Nothing was sent.',
      )
      expect(error.hint).to.contain('seller requests:show 17 -p shop')
      await refuse(result('Ok'), { commitOnly: true })
      const { Row } = fake.bench.ledger.requests.begin({ operation: 'AddItem', subject: 'x', profile: 'shop' })
      fake.bench.ledger.requests.markQueued(Row, { RequestId: 17, ItemId: 60 })
      const known = await thrownBy(() => refuse(result('Ok')))
      expect(known.message).to.contain('item 60 is on sale')
      expect(known.details).to.deep.equal({ requestId: 17, itemId: 60 })
      await refuse([])
      await refuse(result('Ok', 18))
    })

    it('are those that have failed', async () => {
      for (const code of ['Error', 'TryAgain']) {
        const error = await thrownBy(() => refuse(result(code)))
        expect(error.message, code).to.equal('Request 17 is finished and failed: it takes no more images. Nothing was sent.')
      }
    })

    it('are ids of items, which the service is asked about where it knows no such request', async () => {
      expect((await thrownBy(() => refuse([], { item: { Id: 17 } }))).message).to.match(
        /^17 is the id of an item, not of a request/,
      )
      await refuse([], { item: null })
      const fault = new SoapError('fault', 'no', { operation: 'GetItem', sent: true, faultCode: 'Client' })
      await refuse([], { item: fault })
      const away = new SoapError('unreachable', 'no', { operation: 'GetItem', sent: false })
      expect(await thrownBy(() => refuse([], { item: away }))).to.equal(away)
      expect(await thrownBy(() => refuse([], { item: new Error('x') }))).to.have.property('message', 'x')
    })

    it('are found out after a refusal, by the service or else by its words', async () => {
      const since = (results: object[] | Error, words = 'no') => committedSince(fake.ctx, service(results).client, 17, words)
      const error = await since(result('Ok'))
      expect(error?.message).to.equal('Request 17 is committed: its item is on sale, or will be soon, and takes no more images.')
      expect(await since([], 'It is COMMITTED already')).to.have.property('code', 'request_committed')
      expect(await since([], 'too large')).to.equal(undefined)
      expect(await since(result('Ok', 18), 'too large')).to.equal(undefined)
      expect(await since(new Error('away'), 'committed')).to.equal(undefined)
    })
  })

  describe('before an item is added', () => {
    const IMAGE = { path: '/a/b.png', format: 'Png', bytes: 9, mega: true }
    const shown = { File: '/a/b.png', Format: 'Png', Bytes: 9, HasMega: true }
    const item = (more: object) => dryRunOfItem({ request: { Title: 'Vas', AutoCommit: true }, images: [], ...more } as never)

    it('has a dry run of all its calls, uncommitted where something is attached', () => {
      expect(item({})).to.deep.equal({
        Operation: 'AddItem',
        Request: { Title: 'Vas', AutoCommit: true },
        Images: [],
        CampaignCode: null,
        Calls: ['AddItem'],
      })
      expect(item({ images: [IMAGE, IMAGE] })).to.deep.include({
        Request: { Title: 'Vas', AutoCommit: false },
        Images: [shown, shown],
        Calls: ['AddItem', 'AddItemImage', 'AddItemImage', 'AddItemCommit'],
      })
      expect(item({ campaignCode: 'X' })).to.deep.include({
        Request: { Title: 'Vas', AutoCommit: false },
        CampaignCode: 'X',
        Calls: ['AddItem', 'AddItemCampaignCode', 'AddItemCommit'],
      })
    })

    it('has one of a shop item with its images in the one call', () => {
      const within = [
        { Name: 'c.gif', Format: 'Gif', Data: new Uint8Array(3), HasMega: false },
        { Format: 'Gif', HasMega: true },
      ]
      expect(dryRunOfShopItem({ request: { Title: 'Fat', ItemImages: within }, images: [IMAGE] } as never)).to.deep.equal({
        Operation: 'AddShopItem',
        Request: { Title: 'Fat' },
        Images: [
          { File: 'c.gif', Format: 'Gif', Bytes: 3, HasMega: false },
          { File: '', Format: 'Gif', Bytes: 0, HasMega: true },
          shown,
        ],
        CampaignCode: null,
        Calls: ['AddShopItem'],
      })
      expect(dryRunOfShopItem({ request: {}, images: [] } as never).Images).to.deep.equal([])
    })

    it('is asked about with what matters, on a terminal and without a yes', async () => {
      const questions: { message: string; given?: boolean }[] = []
      const prompts = { available: true, confirm: async (question: never) => void questions.push(question) } as never
      const shop = (request: object, images: object[] = []) => confirmShopItem({ prompts }, { request, images } as never, {})
      await shop({ Title: 'Fat', Price: 50, AbsoluteQuantity: 3, Quantity: 9, CategoryId: 5, ItemImages: [{}] }, [IMAGE])
      await shop({ Price: 0, Quantity: 2, CategoryId: null })
      await shop({ Title: 'Fat' })
      const auction = { Title: undefined, CategoryId: 5, StartPrice: 0, ReservePrice: 20, BuyItNowPrice: 0, Duration: 1 }
      await confirmItem({ prompts }, { request: auction, images: [] } as never, {})
      await confirmOnTerminal({ prompts }, 'Sure?', { yes: false })
      await confirmOnTerminal({ prompts }, 'Sure?', { yes: true })
      expect(questions.map(({ message }) => message)).to.deep.equal([
        `Add "Fat" to the shop: ${kronor(50)}, quantity 3, category 5, 2 images?`,
        'Add "" to the shop: quantity 2?',
        'Add "Fat" to the shop: quantity 0?',
        `Add "": reserve price ${kronor(20)}, 1 day, category 5? It goes on sale and cannot be withdrawn.`,
        'Sure?',
      ])
      expect(questions.at(-1)?.given).to.equal(false)
    })
  })

  describe('in a file', () => {
    const of = async (text: string, flags: object = {}) => {
      await writeFile(join(fake.directory, 'items'), text)
      return additionsOf(fake.ctx, { file: 'items', wait: false, timeout: 1, ...flags } as never)
    }

    it('are several or one, and flags are of one or the other', async () => {
      const several = await of('Title,Price\nA,1\n')
      expect(several).to.deep.include({ several: true, file: 'items' })
      expect(await of('Title: A\n')).to.have.property('several', false)
      for (const [text, flag, words] of [
        ['Title,Price\nA,1\n', 'image', 'The file holds several items, and --image is about one.'],
        ['Title,Price\nA,1\n', 'campaign', 'The file holds several items, and --campaign is about one.'],
        ['Title: A\n', 'verify', '--verify is about a file of several items.'],
        ['Title: A\n', 'held-file', '--held-file is about a file of several items.'],
      ] as const) {
        const error = await thrownBy(() => of(text, { [flag]: true }))
        expect(error).to.include({ code: 'stray_flag', message: words })
        await of(text, { [flag]: false })
      }
      expect(await of('Title: A\n', { file: undefined })).to.have.property('several', false)
      expect(await thrownBy(() => of('', { file: undefined, concurrency: 2 }))).to.have.property('code', 'stray_flag')
    })

    for (const [text, is] of [
      ['"Title": A\n', false],
      ["'Title' : A\n", false],
      ['Title:\n  x, y\n', false],
      ['Title:A,B\n', true],
      ['a b\n', false],
      ['a;b\n', true],
      ['-A\n', false],
      ['---\n- A: 1\n', true],
      ['--- # x\n- A: 1\n', true],
      ['A: 1\n--- \nB: 2\n', true],
      ['A: 1\n---x\nB: 2\n', false],
      ['A: 1\n---\n \n', false],
      ['{"A":1} {"B":2}', false],
      ['{"A":1}\n\n  {"B":2}', true],
      ['# [\n{"A":1}', false],
      ['\n  # a, b\n\nTitle: A', false],
      ['x: 1\n[', false],
    ] as const) {
      it(`${is ? 'are several' : 'are not several'} in ${JSON.stringify(text)}`, () => {
        expect(holdsSeveral(text)).to.equal(is)
      })
    }
  })
})
