/** Category, payment, shipping and images of a guided listing: what is offered, and what an answer sets. */
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Answers } from '../../../src/actions/guided/answers.js'
import { askForCategory, choicesFor } from '../../../src/actions/guided/category.js'
import { askForImages } from '../../../src/actions/guided/images.js'
import { askForPayment } from '../../../src/actions/guided/payment.js'
import { Session } from '../../../src/actions/guided/session.js'
import { askForShipping } from '../../../src/actions/guided/shipping.js'
import { type InputKind, ITEM_INPUT, SHOP_INPUT } from '../../../src/actions/input/index.js'
import { MAX_IMAGE_BYTES, SHIPPING_OPTIONS } from '../../../src/contract/index.js'
import { kronor } from '../../../src/format/output/index.js'
import { GIF, JPEG, PNG } from '../../jobs/harness.js'
import { thrownBy } from '../support.js'
import { Person } from './person.js'

describe('the choices of a guided listing', () => {
  let person: Person
  beforeEach(() => {
    person = new Person()
  })
  afterEach(() => person.close())
  const sessionOf = (answers: Answers = {}, kind: InputKind<never> = ITEM_INPUT as never, dryRun = false) =>
    new Session(person.ctx, kind as InputKind<unknown>, { answers, given: {}, dryRun })
  const unreadable = () => {
    person.failing = () => new Error('nobody answers')
  }

  describe('of a category', () => {
    it('are its leaves, with those that the title suggests first', async () => {
      person.script.Category = ['2']
      const session = sessionOf({ title: 'Foto av en vas' })
      await askForCategory(session)
      expect(session.answers.category).to.equal('2')
      expect(person.searches[0]?.choices).to.deep.equal([
        { value: '2', name: 'Foto', description: 'Category 2' },
        { value: '101', name: 'Hem > Vaser', description: 'Category 101' },
      ])
      expect(person.searches[0]?.question.source('vas')).to.deep.equal([
        { value: '101', name: 'Hem > Vaser', description: 'Category 101' },
      ])
    })

    it('are ids where the categories cannot be read, or there are none', async () => {
      for (const prepare of [
        unreadable,
        () => {
          person.failing = () => undefined
          person.categories = []
        },
      ]) {
        prepare()
        person.script['--category'] = ['77']
        const session = sessionOf()
        await askForCategory(session)
        expect(session.answers.category).to.equal('77')
        const question = person.questionsAsked.at(-1)
        expect(question).to.include({ message: 'Category id', kind: 'text' })
        expect(question?.check?.('x')).to.be.a('string')
        expect(question?.check?.('7')).to.equal(undefined)
      }
      expect(person.said).to.deep.equal(['! Names cannot be read, so ids are asked for: nobody answers'])
    })

    it('are suggested by words of three letters and more, in the name of the leaf', () => {
      const leaf = (id: number, name: string, path = name) => ({ id, name, path })
      const leaves = [leaf(1, 'Böcker'), leaf(2, 'Ur'), leaf(3, 'Vas och fat'), leaf(4, 'Glas', 'Vas > Glas'), leaf(5, 'Ask')]
      const first = (title: string) => choicesFor(leaves, ' ', title).map(({ value }) => Number(value))
      expect(first('ur ask')).to.deep.equal([5, 1, 2, 3, 4])
      expect(first('vas')).to.deep.equal([3, 1, 2, 4, 5])
      expect(first('ask vas')).to.deep.equal([5, 3, 1, 2, 4])
    })

    it('are 100 at most, with how many there are more', () => {
      const leaves = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `N${at}`, path: `N${at}` }))
      expect(choicesFor(leaves(100), '', '')).to.have.length(100)
      expect(choicesFor(leaves(101), '', '').at(-1)).to.deep.equal({
        value: '',
        name: '…',
        disabled: 'and 1 more: type another word',
      })
      expect(choicesFor(leaves(30), ' 2 ', '').map(({ value }) => value)).to.deep.equal(
        leaves(30)
          .map(({ id }) => String(id))
          .filter((id) => id.startsWith('2')),
      )
      expect(choicesFor(leaves(30), 'N2x', '')).to.deep.equal([])
    })
  })

  describe('of payment', () => {
    it('are the names of the service, with those marked that were chosen before', async () => {
      person.script.Payment = [['8', '4096']]
      const session = sessionOf({ payment: ['8'] })
      await askForPayment(session)
      expect(session.answers.payment).to.deep.equal(['8', '4096'])
      expect(person.manys[0]).to.deep.include({
        choices: [
          { value: '8', name: 'Swish' },
          { value: '4096', name: 'Cash' },
        ],
        chosen: ['8'],
      })
      const single = sessionOf({ payment: '8' })
      await askForPayment(single)
      expect(person.manys[1]?.chosen).to.deep.equal(['8'])
      await askForPayment(sessionOf())
      expect(person.manys[2]?.chosen).to.deep.equal([])
    })

    it('may be none, once that was said twice', async () => {
      await askForPayment(sessionOf())
      const check = person.manys[0]?.check
      expect(check?.([])).to.match(/^Nothing is marked\./)
      expect(check?.([])).to.equal(undefined)
      expect(check?.(['8'])).to.equal(undefined)
      expect(check?.([])).to.match(/^Nothing is marked\./)
      expect(check?.(['x'])).to.be.a('string')
    })

    it('are ids with commas where the names cannot be read', async () => {
      unreadable()
      person.script['--payment'] = [' 8, ,4096,']
      const session = sessionOf()
      await askForPayment(session)
      expect(session.answers.payment).to.deep.equal(['8', '4096'])
      const question = person.questionsAsked[0]
      expect(question).to.include({ optional: true, kind: 'text' })
      expect(question?.check?.('8,x')).to.be.a('string')
      expect(question?.check?.('8, 9')).to.equal(undefined)
      person.script['--payment'] = []
      await askForPayment(session)
      expect(session.answers.payment).to.deep.equal([])
    })
  })

  describe('of shipping', () => {
    let id = 0
    const way = (ShippingOptionId: number | null, Cost: number, ShippingProviderId: number | null = null) => ({
      Id: ++id,
      ShippingOptions: [{ ShippingOptionId, ShippingProviderId, Cost }],
    })
    const names = (at: number) => person.searches[at]?.choices.map(({ name }) => name)
    const values = (at: number) => person.searches[at]?.choices.map(({ value }) => value)

    it('are pickup, what own items use, the options by name, and another provider, with an end', async () => {
      person.own = [way(null, 62, 2), way(null, 62, 2), way(SHIPPING_OPTIONS['own-cost'], 49)]
      person.script.Shipping = ['done']
      const session = sessionOf()
      await askForShipping(session)
      expect(session.answers.shipping).to.deep.equal([])
      expect(person.searches[0]?.question.message).to.equal('Shipping')
      expect(names(0)?.[0]).to.equal('Pickup')
      expect(names(0)?.slice(-2)).to.deep.equal(['Another provider, by its id', 'No shipping'])
      expect(names(0)).to.include(`Own cost (${kronor(49)}, on 1 item of yours)`)
      expect(names(0)?.some((name) => name.endsWith(`(${kronor(62)}, on 2 items of yours)`))).to.equal(true)
      expect(values(0)).to.include.members([
        'pickup',
        'provider=2',
        `option=${SHIPPING_OPTIONS['own-cost']}`,
        'other provider',
        'done',
      ])
      const found = await person.searches[0]?.question.source('own cost')
      expect(found?.map(({ name }) => name)).to.deep.equal([`Own cost (${kronor(49)}, on 1 item of yours)`])
    })

    it('cost what is usual, until something else is typed; pickup is free', async () => {
      person.own = [way(null, 62, 2)]
      Object.assign(person.script, {
        Shipping: ['provider=2'],
        'Another way of shipping': ['pickup', 'done'],
        '--shipping': ['55'],
      })
      const session = sessionOf()
      await askForShipping(session)
      expect(session.answers.shipping).to.deep.equal(['provider=2,cost=55', 'pickup'])
      expect(person.questionsAsked).to.have.length(1)
      expect(person.questionsAsked[0]).to.include({ key: 'cost', default: '62', message: 'Buyer pays for it, kronor' })
      expect(person.questionsAsked[0]?.check?.('1,5')).to.be.a('string')
      expect(person.questionsAsked[0]?.check?.('15')).to.equal(undefined)
      expect(names(1)?.[0]).to.equal('No more')
      expect(values(1)).to.include('pickup')
      expect(values(1)).to.not.include('provider=2')
      expect(values(2)).to.not.include('pickup')
    })

    it('may be another provider by its id, whose cost is not known', async () => {
      Object.assign(person.script, {
        Shipping: ['other provider'],
        'Another way of shipping': ['done'],
        '--shipping': ['9', '30'],
      })
      const session = sessionOf()
      await askForShipping(session)
      expect(session.answers.shipping).to.deep.equal(['provider=9,cost=30'])
      const [id, cost] = person.questionsAsked
      expect(id).to.include({ key: 'id', message: 'Provider id' })
      expect(id?.check?.('x')).to.be.a('string')
      expect(id?.check?.('9')).to.equal(undefined)
      expect(cost).to.include({ key: 'cost' }).and.not.have.property('default')
    })

    it('end by themselves where the service takes no more', async () => {
      person.own = [way(null, 62, 2), way(null, 70, 3), way(null, 80, 4)]
      Object.assign(person.script, {
        Shipping: ['provider=2'],
        'Another way of shipping': ['provider=3', 'pickup'],
        '--shipping': ['1'],
      })
      const session = sessionOf()
      await askForShipping(session)
      expect(session.answers.shipping).to.deep.equal(['provider=2,cost=1', 'provider=3,cost=1', 'pickup'])
      expect(person.searches).to.have.length(3)
      expect(values(2)).to.deep.equal(['done', 'pickup'])
    })

    it('have the weight of the product that the service lists', async () => {
      person.products = [{ Id: 6, ShippingProviderId: 4, ShippingProvider: 'Bud', Name: 'Box', Weight: 2, Price: 80 }]
      person.script.Shipping = ['done']
      await askForShipping(sessionOf())
      const at = values(0)?.indexOf('provider=4,product=6,weight=2') ?? -1
      expect(names(0)?.[at]).to.equal(`Bud, Box (${kronor(80)})`)
    })

    it('are pickup and other providers where nothing can be read', async () => {
      unreadable()
      person.profile.settings = { user_id: 7 }
      person.script.Shipping = ['done']
      await askForShipping(sessionOf())
      expect(values(0)).to.include.members(['pickup', 'other provider', 'done'])
      expect(person.said.some((line) => line.startsWith('! Ways of shipping cannot be read: nobody answers'))).to.equal(true)
      expect(values(0)).to.deep.equal(['pickup', 'other provider', 'done'])
      expect(names(0)?.[0]).to.equal('Pickup')
    })
  })

  describe('of images', () => {
    const session = (answers: Answers = {}, kind: InputKind<never> = ITEM_INPUT as never) => sessionOf(answers, kind)
    const source = async (term: string) => (await person.searches[0]?.question.source(term)) ?? []
    const put = (name: string, bytes: Buffer) => writeFile(join(person.directory, name), bytes)
    beforeEach(async () => {
      await mkdir(join(person.directory, 'Box'))
      await put('a.png', PNG)
      await put('B.jpg', JPEG)
      await put('c.gif', GIF)
      await put('notes.txt', Buffer.from('x'))
      await put('.hidden.png', PNG)
    })

    it('are files that may be images, and directories after them, with an end before', async () => {
      person.script.Image = ['']
      const one = session()
      await askForImages(one)
      expect(one.answers.image).to.deep.equal([])
      expect(person.searches[0]?.question.message).to.equal('Image (type a path, Tab completes)')
      const choices = (await source('')).filter(({ name }) => !name.startsWith('ledger') && name !== 'data/')
      expect(choices).to.deep.equal([
        { value: '', name: 'No image' },
        { value: 'B.jpg', name: 'B.jpg' },
        { value: 'a.png', name: 'a.png' },
        { value: 'c.gif', name: 'c.gif' },
        { value: 'Box/', name: 'Box/' },
      ])
      expect((await source('b')).map(({ value }) => value)).to.deep.equal(['B.jpg', 'Box/'])
      expect(await source('Box/')).to.deep.equal([])
      expect((await source('notes')).map(({ value }) => value)).to.deep.equal([])
      expect(await source('notes.txt')).to.deep.equal([
        { value: 'notes.txt', name: 'notes.txt', disabled: '(is not a Gif, Jpeg or Png)' },
      ])
      expect((await source('.h')).map(({ value }) => value)).to.deep.equal(['.hidden.png'])
      expect((await source('No image')).map(({ name }) => name)).to.deep.equal(['No image'])
      expect(await source('nowhere/')).to.deep.equal([])
      expect(person.searches[0]?.question.completes?.('Box/')).to.equal(true)
      expect(person.searches[0]?.question.completes?.('a.png')).to.equal(false)
    })

    it('have the reason beside those that the service does not take', async () => {
      await put('empty.png', Buffer.alloc(0))
      await put('text.JPEG', Buffer.from('no image at all'))
      await put('large.png', PNG)
      await truncate(join(person.directory, 'large.png'), MAX_IMAGE_BYTES + 1)
      await put('most.png', PNG)
      await truncate(join(person.directory, 'most.png'), MAX_IMAGE_BYTES)
      person.script.Image = ['']
      await askForImages(session())
      const why = Object.fromEntries((await source('')).map(({ value, disabled }) => [value, disabled]))
      expect(why).to.include({
        'empty.png': '(is empty)',
        'text.JPEG': '(is not a Gif, Jpeg or Png)',
        'large.png': '(is larger than 4 MB)',
        'most.png': undefined,
        'a.png': undefined,
      })
    })

    it('are 50 of a directory at most', async () => {
      for (let number = 0; number < 52; number++) await put(`Box/${number}.png`, PNG)
      person.script.Image = ['']
      await askForImages(session())
      expect(await source('Box/')).to.have.length(50)
      expect((await source('Box/5')).map(({ value }) => value)).to.deep.equal(['Box/5.png', 'Box/50.png', 'Box/51.png'])
    })

    it('are chosen one after another, each once, and shown with their size', async () => {
      person.script.Image = ['a.png', './a.png', 'notes.txt', 'B.jpg', '']
      const one = session()
      await askForImages(one)
      expect(one.answers.image).to.deep.equal([join(person.directory, 'a.png'), join(person.directory, 'B.jpg')])
      expect(person.searches.map(({ question }) => question.message)).to.deep.equal([
        'Image (type a path, Tab completes)',
        'Image 2',
        'Image 2',
        'Image 2',
        'Image 3',
      ])
      expect(person.shown[0]).to.equal('  a.png: Png, 1 kB')
      expect(person.shown[1]).to.equal('! ./a.png is chosen already.')
      expect(person.shown[2]).to.match(/^! notes\.txt: \S.*\S$/)
      expect(person.shown[3]).to.equal('  B.jpg: Jpeg, 1 kB')
      expect(person.searches[1]?.choices[0]).to.deep.equal({ value: '', name: 'No more' })
    })

    it('are as many as the service takes, and no question after the last', async () => {
      const most = { ...SHOP_INPUT, maxImages: 1 } as never
      person.script.Image = ['a.png']
      const one = session({}, most)
      await askForImages(one)
      expect(one.answers.image).to.have.length(1)
      expect(person.searches).to.have.length(1)
    })
  })

  describe('of a session', () => {
    it('are checked beside the other answers, not beside the one that is replaced', () => {
      const one = sessionOf({ 'start-price': '100', reserve: '150', shipping: 'pickup' })
      expect(one.faultOf('reserve', '120')).to.equal(undefined)
      expect(one.faultOf('reserve', '80')).to.be.a('string')
      expect(one.list('shipping')).to.deep.equal(['pickup'])
      expect(one.list('payment')).to.deep.equal([])
      one.set('reserve', '120')
      one.drop('shipping')
      expect(one.answers).to.deep.equal({ 'start-price': '100', reserve: '120' })
    })

    it('have the names of the service as the seller, and without one where nothing is sent', async () => {
      for (const [settings, dryRun, user] of [
        [{ user_id: 7 }, false, true],
        [{ user_id: 7 }, true, true],
        [{}, true, false],
        [{}, false, true],
      ] as const) {
        person.profile.settings = settings
        person.clients = []
        await sessionOf({}, undefined, dryRun).names('payments')
        expect(person.clients, JSON.stringify([settings, dryRun])).to.deep.equal([user])
      }
    })

    it('end at Ctrl-C while names are read', async () => {
      unreadable()
      person.signal = AbortSignal.abort()
      const error = await thrownBy(() => sessionOf().names('payments'))
      expect(error).to.have.property('name', 'AbortError')
      expect(person.said).to.deep.equal([])
      const ended = await thrownBy(() => askForShipping(sessionOf()))
      expect(ended).to.have.property('name', 'AbortError')
    })
  })
})
