/** A guided listing from its first question to its end: what is asked, what is kept, and what becomes of the draft. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { Draft } from '../../../src/actions/guided/draft.js'
import { takenBy } from '../../../src/actions/guided/fate.js'
import { openListing } from '../../../src/actions/guided/guide.js'
import { openGuided } from '../../../src/actions/guided/open.js'
import { openStored, soundAnswers } from '../../../src/actions/guided/resume.js'
import type { GuideFlags, Listing } from '../../../src/actions/guided/types.js'
import { type InputKind, ITEM_INPUT, SHOP_INPUT } from '../../../src/actions/input/index.js'
import { SellerError } from '../../../src/cli/errors.js'
import type { RequestRow } from '../../../src/jobs/index.js'
import { PNG } from '../../jobs/harness.js'
import { thrownBy } from '../support.js'
import { Person } from './person.js'

const AUCTION = {
  '--title': ['Vas'],
  Category: ['101'],
  '--type': ['auction'],
  '--start-price': ['100'],
  '--reserve': [''],
  '--buy-now': [''],
  '--days': ['5'],
  '--condition': ['used'],
  '--description': [''],
  Payment: [['8']],
  Shipping: ['pickup'],
  'Another way of shipping': ['done'],
  Image: [''],
  'Put on sale?': [true],
} as const

const row = {} as RequestRow

describe('a guided listing', () => {
  let person: Person
  beforeEach(() => {
    person = new Person()
    person.script = Object.fromEntries(Object.entries(AUCTION).map(([question, answers]) => [question, [...answers]])) as never
  })
  afterEach(() => person.close())

  const kindOf = (command: string) => (command === 'items:add' ? ITEM_INPUT : SHOP_INPUT) as InputKind<Record<string, unknown>>
  const open = (flags: GuideFlags = {}, { command = 'items:add', asks = true } = {}) =>
    openGuided(person.ctx, kindOf(command), { command, asking: person.asking, flags, asks })
  const opened = async (flags: GuideFlags = {}, more: { command?: string; asks?: boolean } = {}) => {
    const listing = await open(flags, more)
    if (listing === undefined) throw new Error('It was not opened.')
    return listing
  }
  const draft = (command = 'items:add') => new Draft(person.ctx, command)
  const stored = async () => JSON.parse(await readFile(draft().path, 'utf8'))
  const never = async (): Promise<void> => {
    throw new Error('The plain question was asked.')
  }
  const interrupted = new SellerError('interrupted', 'Interrupted.', 'as it is')

  describe('at its questions', () => {
    it('asks all in order, and has the item', async () => {
      const listing = await opened()
      expect(person.asked).to.deep.equal([
        '--title',
        'Category',
        '--type',
        '--start-price',
        '--reserve',
        '--buy-now',
        '--days',
        '--condition',
        '--description',
        'Payment',
        'Shipping',
        'Another way of shipping',
        'Image',
      ])
      expect(listing.item.request).to.deep.include({
        Title: 'Vas',
        CategoryId: 101,
        ItemType: 1,
        StartPrice: 100,
        ReservePrice: 0,
        BuyItNowPrice: 0,
        Duration: 5,
        ItemAttributes: [2],
        PaymentOptionIds: [8],
        ShippingOptions: [{ Cost: 0, ShippingOptionId: 8 }],
      })
      expect(listing.item.request).to.not.have.property('Description')
      expect(person.said[0]).to.equal(`Answer the questions; Ctrl-C stops. Your answers are kept in ${draft().path}`)
      expect(person.said).to.have.length(1)
      expect(person.interruptions).to.deep.equal([
        {
          sent: 'Nothing was sent, and your answers are kept.',
          next: `seller items:add -p shop\nThe draft is ${draft().path}`,
        },
      ])
      expect(person.clients[0]).to.equal(true)
    })

    it('asks what the kind of sale needs, and nothing that it lacks', async () => {
      person.script['--type'] = ['buy-now']
      person.script['--buy-now'] = ['250']
      expect((await opened()).item.request).to.include({ ItemType: 3, BuyItNowPrice: 250 })
      expect(person.asked).to.include('--buy-now').and.not.include.members(['--start-price'])
      for (const flag of ['--start-price', '--reserve', '--days']) expect(person.asked).to.not.include(flag)
    })

    it('asks nothing that a flag has answered, under any name', async () => {
      const listing = await opened({ title: 'Kruka', 'description-file': '', ends: '2026-01-04', 'mega-image': [] })
      for (const flag of ['--title', '--description', '--days', 'Image']) expect(person.asked).to.not.include(flag)
      expect(listing.item.request).to.include({ Title: 'Kruka', CustomEndDate: '2026-01-04T00:00:00+01:00' })
    })

    it('is of the shop for shop:add', async () => {
      Object.assign(person.script, { '--price': ['49'], '--quantity': ['3'] })
      expect((await opened({}, { command: 'shop:add' })).item.request).to.include({ Price: 49, AbsoluteQuantity: 3 })
      expect(person.asked).to.include('--price').and.not.include('--type')
    })

    it('hints how to go on after --dry-run, and needs no login then', async () => {
      person.profile.settings = {}
      await opened({ 'dry-run': true })
      expect(person.said.at(-1)).to.equal('? Put it on sale with: seller items:add --draft -p shop')
      expect(new Set(person.clients)).to.deep.equal(new Set([false]))
      await opened({ 'dry-run': false, draft: false })
      expect(person.clients.at(-1)).to.equal(true)
    })

    it('needs a login before the first question', async () => {
      const ctx = {
        ...person.ctx,
        client: async () => {
          throw new SellerError('not_logged_in', 'no', 'log in')
        },
      }
      const guide = { command: 'items:add', asking: person.asking, flags: {}, asks: true }
      const error = await thrownBy(() => openGuided(ctx, kindOf('items:add'), guide))
      expect(error).to.include({ code: 'not_logged_in', hint: 'log in' })
      expect(person.asked).to.deep.equal([])
    })

    it('keeps each answer as soon as it is given, and the words for Ctrl-C as they are', async () => {
      person.script['--start-price'] = [interrupted]
      expect(await thrownBy(() => open())).to.equal(interrupted)
      expect((await stored()).Answers).to.deep.equal({ title: 'Vas', category: '101', type: 'auction' })
      expect(await stored()).to.include({ SentAt: null })
    })

    it('says where the answers are where they will not do together', async () => {
      person.script['--start-price'] = [new SellerError('invalid_values', 'It will not do.', 'Change it.')]
      const error = await thrownBy(() => open())
      expect(error.hint).to.equal(`Change it. Your answers are kept in ${draft().path}: seller items:add -p shop`)
      const mistake = new TypeError('a mistake of this program')
      person.script = { ...person.script, '--start-price': [mistake], draft: ['continue'] }
      expect(await thrownBy(() => open())).to.equal(mistake)
    })
  })

  describe('with a draft', () => {
    beforeEach(async () => {
      person.script['--start-price'] = [interrupted]
      await open().catch(() => undefined)
      person.asked = []
      person.said = []
      person.questionsAsked = []
      person.script['--start-price'] = ['70']
    })

    it('offers to go on with it, by its title and time', async () => {
      person.script.draft = ['continue']
      const { item } = await opened()
      expect(item.request).to.include({ Title: 'Vas', StartPrice: 70 })
      expect(person.asked.slice(0, 2)).to.deep.equal(['draft', '--start-price'])
      expect(person.questionsAsked[0]?.message).to.equal('There is a draft of "Vas", last changed 2026-01-02 04:04')
      expect(person.questionsAsked[0]?.choices?.map(({ value }) => value)).to.deep.equal(['continue', 'anew'])
    })

    it('or to start over, with what flags give', async () => {
      person.script.draft = ['anew']
      await opened({ title: 'Kruka' })
      expect(person.asked.slice(0, 2)).to.deep.equal(['draft', 'Category'])
      expect((await stored()).Answers.title).to.equal('Kruka')
    })

    it('goes on with --draft without asking, and a flag counts before it', async () => {
      const { item } = await opened({ draft: true, title: 'Kruka' })
      expect(item.request).to.include({ Title: 'Kruka' })
      expect(person.asked[0]).to.equal('--start-price')
    })

    it('names no title where it has none', async () => {
      await draft().save({ category: '101' })
      person.script.draft = ['continue']
      await opened()
      expect(person.questionsAsked[0]?.message).to.match(/^There is a draft, last changed/)
    })

    it('deletes it with --no-draft', async () => {
      await opened({ draft: false })
      expect(person.asked[0]).to.equal('--title')
      expect(await open({ draft: false }, { asks: false })).to.equal(undefined)
      expect(existsSync(draft().path)).to.equal(false)
    })

    it('is read without questions where nobody is asked, and stays until the item is on sale', async () => {
      await draft().save({ title: 'Vas', category: '101', 'start-price': '70' })
      person.asked = []
      const listing = await opened({ draft: true, 'start-price': '80' }, { asks: false })
      expect(person.asked).to.deep.equal([])
      expect(listing.item.request).to.include({ Title: 'Vas', StartPrice: 80 })
      expect((await stored()).Answers).to.include({ 'start-price': '80' })
      let plain = 0
      await listing.confirm(async () => void plain++)
      expect(plain).to.equal(1)
      expect(person.asked).to.deep.equal([])
    })

    it('asks again for what no longer holds, and says why', async () => {
      await draft().save({ title: 'Vas', 'start-price': '1,5', image: ['gone.png'] })
      await opened({ draft: true })
      expect(person.asked).to.include.members(['--start-price', 'Image'])
      expect(person.asked).to.not.include('--title')
      expect(person.said.filter((line) => line.includes('of the draft is asked again: '))).to.have.length(2)
    })
  })

  it('has no draft to go on with where there is none', async () => {
    const error = await thrownBy(() => open({ draft: true }))
    expect(error).to.include({ code: 'no_draft', message: 'There is no draft of items:add for the profile "shop".' })
    expect(await open({}, { asks: false })).to.equal(undefined)
  })

  describe('at its confirmation', () => {
    it('shows the item and asks, and nothing else where the answer is yes', async () => {
      const listing = await opened()
      person.shown = []
      await listing.confirm(never)
      expect(person.shown).to.have.length(1)
      expect(person.shown[0]).to.contain('Vas')
      expect(person.asked.at(-1)).to.equal('Put on sale?')
      expect(person.questions.at(-1)).to.deep.equal({ message: 'Put on sale?', flag: '--yes', given: undefined })
    })

    it('shows the item and does not ask with --yes', async () => {
      const listing = await opened({ yes: true })
      await listing.confirm(never)
      expect(person.asked).to.not.include('Put on sale?')
      expect(person.shown.join('')).to.contain('Vas')
    })

    it('keeps the answers after a no', async () => {
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false], next: ['keep'] })
      const error = await thrownBy(() => listing.confirm(never))
      expect(error).to.include({ code: 'declined', message: 'Not put on sale; nothing was sent.' })
      expect(error.hint).to.equal(`Your answers are kept in ${draft().path}. Go on with: seller items:add -p shop`)
      expect(existsSync(draft().path)).to.equal(true)
      const question = person.questionsAsked.at(-1)
      expect(question?.choices?.map(({ value }) => value)).to.deep.equal([
        'keep',
        'Title',
        'Category',
        'Sale',
        'Start price',
        'Reserve price',
        'Buy now',
        'Days',
        'Condition',
        'Description',
        'Payment',
        'Shipping',
        'Images',
        'delete',
      ])
    })

    it('deletes them, if that is wanted', async () => {
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false], next: ['delete'] })
      expect((await thrownBy(() => listing.confirm(never))).hint).to.equal('The answers are deleted.')
      expect(existsSync(draft().path)).to.equal(false)
    })

    it('changes an answer, and asks again whether to put it on sale', async () => {
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Title'], '--title': ['Kruka'] })
      person.asked = []
      await listing.confirm(never)
      expect(person.asked).to.deep.equal(['Put on sale?', 'next', '--title', 'Put on sale?'])
      expect(listing.item.request.Title).to.equal('Kruka')
      expect((await stored()).Answers.title).to.equal('Kruka')
      expect(person.shown.at(-1)).to.contain('Kruka')
    })

    it('asks for other prices after another kind of sale, and drops those that it lacks', async () => {
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Sale'], '--type': ['buy-now'], '--buy-now': ['300'] })
      person.asked = []
      await listing.confirm(never)
      expect(person.asked).to.deep.equal(['Put on sale?', 'next', '--type', '--buy-now', 'Put on sale?'])
      const { Answers } = await stored()
      expect(Answers).to.include({ type: 'buy-now', 'buy-now': '300' })
      for (const flag of ['start-price', 'reserve', 'days']) expect(Answers).to.not.have.property(flag)
      expect(listing.item.request).to.include({ ItemType: 3, BuyItNowPrice: 300, StartPrice: 0 })
    })

    it('keeps a price that the other kind of sale has too', async () => {
      person.script['--buy-now'] = ['400']
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Sale'], '--type': ['buy-now'] })
      person.asked = []
      await listing.confirm(never)
      expect(person.asked).to.not.include('--buy-now')
      expect(listing.item.request).to.include({ BuyItNowPrice: 400 })
    })

    it('lets an answer take the place of the file that a flag gave', async () => {
      const file = join(person.directory, 'text')
      await writeFile(file, 'old words')
      const listing = await opened({ 'description-file': file })
      expect(listing.item.request.Description).to.equal('old words')
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Description'], '--description': ['new words'] })
      await listing.confirm(never)
      expect(listing.item.request.Description).to.equal('new words')
      expect((await stored()).Answers).to.not.have.property('description-file')
    })

    it('keeps images that are shown extra large where others are chosen again', async () => {
      const image = join(person.directory, 'a.png')
      await writeFile(image, PNG)
      const listing = await opened({ 'mega-image': [image] })
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Images'] })
      await listing.confirm(never)
      expect((await stored()).Answers).to.deep.include({ 'mega-image': [image], image: [] })
      expect(listing.item.images.map(({ mega }) => mega)).to.deep.equal([true])
    })

    it('does not take a change that will not do beside the rest', async () => {
      person.script['--reserve'] = ['150']
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Start price'], '--start-price': ['200'] })
      await listing.confirm(never)
      expect(person.shown.some((text) => /^! .*\n {2}The change was not taken; change it again\.$/s.test(text))).to.equal(true)
      expect(listing.item.request.StartPrice).to.equal(100)
    })

    it('asks again where a label is unknown', async () => {
      const listing = await opened()
      Object.assign(person.script, { 'Put on sale?': [false, true], next: ['Colour'] })
      await listing.confirm(never)
      expect(listing.item.request.Title).to.equal('Vas')
    })

    it('ends at Ctrl-C', async () => {
      const listing = await opened()
      person.script['Put on sale?'] = [interrupted]
      expect(await thrownBy(() => listing.confirm(never))).to.equal(interrupted)
    })
  })

  describe('when it is sent', () => {
    const record = (Title: string, RequestId: number | null = 17): void => {
      const { requests } = person.bench.ledger
      const common = { profile: 'shop', userId: 7, operation: 'AddItem', subject: Title }
      const { Row } = requests.begin(common as never)
      if (RequestId !== null) requests.markQueued(Row, { RequestId, ItemId: 5 })
    }
    const send = (listing: Listing<Record<string, unknown>>, work: () => void = () => undefined) =>
      listing.send(async (item) => {
        work()
        return { row, item }
      })

    it('marks the draft as sent before the call, and keeps it where the item is not on sale', async () => {
      const listing = await opened()
      let during: unknown
      person.bench.clock.time += 5000
      const { item } = await listing.send(async (sent) => {
        during = await stored()
        return { row, item: sent }
      })
      expect(item).to.equal(listing.item)
      expect(during).to.include({ SentAt: '2026-01-02T03:04:10.000Z' })
      expect(await stored()).to.include({ SentAt: null })
      expect(person.said.at(-1)).to.equal('? The item is not on sale. Your answers are kept: seller items:add -p shop')
    })

    it('does not send what another run has gone on with', async () => {
      const listing = await opened()
      person.bench.clock.time += 1
      await draft().save({ title: 'another' })
      let calls = 0
      expect(await thrownBy(() => send(listing, () => void calls++))).to.have.property('code', 'draft_taken')
      expect(calls).to.equal(0)
    })

    it('keeps the draft of an item that was refused, and says where', async () => {
      const listing = await opened()
      const refused = new SellerError('invalid_values', 'no', 'Change it.')
      const error = await thrownBy(() =>
        send(listing, () => {
          throw refused
        }),
      )
      expect(error.hint).to.equal(`Change it. Your answers are kept in ${draft().path}: seller items:add -p shop`)
      expect(await stored()).to.include({ SentAt: null })
    })

    it('removes the draft once the ledger knows the item', async () => {
      const listing = await opened()
      await send(listing, () => record('Vas'))
      expect(existsSync(draft().path)).to.equal(false)
      expect(person.said.join('\n')).to.not.contain('not on sale')
    })

    it('removes it too where the outcome is unknown, and passes the error on as it is', async () => {
      const listing = await opened()
      const lost = new SellerError('unknown_outcome' as never, 'lost', 'look')
      const error = await thrownBy(() =>
        send(listing, () => {
          record('Vas', null)
          throw lost
        }),
      )
      expect(error).to.equal(lost)
      expect(existsSync(draft().path)).to.equal(false)
    })

    it('is never offered again after its process died, where the ledger knows the item', async () => {
      await draft().save({ title: 'Vas' }, person.bench.clock.now())
      expect((await openStored(person.ctx, ITEM_INPUT, draft()))?.Answers).to.deep.equal({ title: 'Vas' })
      record('Vas')
      expect(await openStored(person.ctx, ITEM_INPUT, draft())).to.equal(undefined)
      expect(person.said).to.deep.equal(['The draft "Vas" was sent before: see request 17 (seller requests:list -p shop).'])
      expect(existsSync(draft().path)).to.equal(false)
      await draft().save({ title: 'Vas' })
      expect(await openStored(person.ctx, ITEM_INPUT, draft())).to.have.property('SentAt', null)
    })

    it('is known by its title, its command and the time, and not where it was refused', async () => {
      const at = person.bench.clock.now()
      const taken = (title: string, more = {}) => takenBy(person.ctx, ITEM_INPUT, { title, at, ...more })
      expect(await taken('Vas')).to.equal(undefined)
      record('Vas', null)
      expect(await taken('Vas')).to.equal('a call whose outcome is unknown (seller requests:list -p shop)')
      expect(await taken('Kruka')).to.equal(undefined)
      expect(await takenBy(person.ctx, SHOP_INPUT, { title: 'Vas', at })).to.equal(undefined)
      expect(await taken('Vas', { at: at + 1 })).to.equal(undefined)
      for (const state of ['failed', 'cancelled', 'refused', 'retryable']) {
        person.bench.ledger.store.run('UPDATE requests SET state = ?', state)
        expect(await taken('Vas'), state).to.equal(undefined)
      }
      const { JobId } = person.bench.ledger.jobs.create({
        kind: 'listing',
        profile: 'shop',
        userId: 7,
        title: 'Vas',
        detail: {},
      } as never)
      expect(await taken('Vas')).to.equal(`job ${JobId} (seller jobs:show ${JobId} -p shop)`)
      person.bench.ledger.jobs.finish(JobId, { state: 'failed' })
      expect(await taken('Vas')).to.equal(undefined)
    })
  })

  describe('that may not be one', () => {
    const plan = async (flags: GuideFlags, kind: InputKind<never> = ITEM_INPUT as never) => {
      person.asked = []
      const guide = { command: 'items:add', asking: person.asking, flags }
      const listing = await openListing(person.ctx, kind, guide)
      return { listing, guided: person.asked.length > 0 }
    }
    const whole = { title: 'Vas', category: '101', 'start-price': '100' }

    it('is guided where something is missing, or a draft is gone on with', async () => {
      expect((await plan({ title: 'Vas', yes: true })).guided).to.equal(true)
      expect((await plan(whole)).guided).to.equal(false)
      await draft().save({ title: 'Vas' })
      expect((await plan({ ...whole, draft: true })).guided).to.equal(true)
    })

    it('is not where there is a file, or nobody to ask', async () => {
      const file = join(person.directory, 'item.yaml')
      await writeFile(file, 'Title: Vas\nCategoryId: 101\nStartPrice: 5\n')
      expect((await plan({ file })).guided).to.equal(false)
      person.available = false
      expect((await plan(whole)).guided).to.equal(false)
    })

    it('is not where a flag will not do: that is told at once', async () => {
      const error = await thrownBy(() => plan({ title: 'Vas', days: '99' }))
      expect(error.message).to.contain('--days')
      expect(person.asked).to.deep.equal([])
    })

    it('asks the plain question then, and sends the item as it is', async () => {
      const { listing } = await plan(whole)
      const given: unknown[] = []
      await listing.confirm(async (item) => void given.push(item))
      await listing.send(async (item) => {
        given.push(item)
        return { row }
      })
      expect(given).to.deep.equal([listing.item, listing.item])
      expect(existsSync(draft().path)).to.equal(false)
    })

    it('deletes the draft with --no-draft also where nothing is asked', async () => {
      await draft().save({ title: 'old' })
      await plan({ ...whole, draft: false })
      expect(existsSync(draft().path)).to.equal(false)
    })
  })
})

describe('the draft of a listing', () => {
  let person: Person
  beforeEach(() => {
    person = new Person()
  })
  afterEach(() => person.close())

  it('is a file of the profile and the command, for the user alone', async () => {
    person.profile.name = 'my/shop'
    const draft = new Draft(person.ctx, 'shop:add')
    expect(draft.path).to.equal(join(person.data, 'drafts', 'my%2Fshop.shop-add.json'))
    expect(await draft.read()).to.equal(undefined)
    await draft.save({ title: 'Vas' })
    expect((await stat(draft.path)).mode & 0o777).to.equal(0o600)
    expect(await draft.read()).to.deep.include({ SavedAt: '2026-01-02T03:04:05.000Z', SentAt: null, Answers: { title: 'Vas' } })
    await draft.remove()
    await draft.remove()
    expect(await draft.read()).to.equal(undefined)
  })

  it('counts for none where it is damaged', async () => {
    const draft = new Draft(person.ctx, 'items:add')
    await mkdir(dirname(draft.path), { recursive: true })
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"SavedAt": "x"}',
      '{"SavedAt": "x", "Answers": null}',
      '{"SavedAt": 5, "Answers": {}}',
    ]) {
      await writeFile(draft.path, text)
      expect(await draft.read(), text).to.equal(undefined)
    }
    await writeFile(draft.path, '{"SavedAt": "x", "Answers": {}}')
    expect(await draft.read()).to.deep.equal({ SavedAt: 'x', Answers: {} })
  })

  it('has answers that still hold, and images that are still there', async () => {
    const good = join(person.directory, 'good.png')
    await writeFile(good, PNG)
    const sound = (answers: Record<string, string | string[]>) => {
      person.said = []
      return soundAnswers(person.ctx, ITEM_INPUT, answers)
    }
    const all = { title: 'Vas', image: [good], 'mega-image': good, reference: ['A'] }
    expect(await sound(all)).to.deep.equal(all)
    expect(person.said).to.deep.equal([])
    for (const flag of ['image', 'mega-image']) {
      expect(await sound({ title: 'Vas', [flag]: [good, 'gone.png'] })).to.deep.equal({ title: 'Vas' })
      expect(person.said).to.have.length(1)
      expect(person.said[0]).to.match(new RegExp(`^--${flag} of the draft is asked again: .*gone.png .*\\.$`))
    }
    expect(await sound({ title: 'Vas', 'start-price': '100', reserve: '50' })).to.not.have.property('reserve')
    expect(await sound({ title: 'gone.png' })).to.deep.equal({ title: 'gone.png' })
  })
})
