/** The questions of a listing: which are asked, with which words, defaults and choices. */
import { expect } from 'chai'
import type { Session } from '../../../src/actions/guided/session.js'
import { type Step, stepsOf } from '../../../src/actions/guided/steps.js'
import { ITEM_INPUT, SHOP_INPUT, type Values } from '../../../src/actions/input/kinds.js'
import type { Question } from '../../../src/cli/prompts.js'
import { ITEM_TYPE_IDS } from '../../../src/contract/index.js'

const ITEM = stepsOf(ITEM_INPUT)
const SHOP = stepsOf(SHOP_INPUT)

/** Asks one step. @returns the question, and what was set for the answer */
async function asked(step: Step, answers: Record<string, unknown> = {}, answer?: string) {
  let question: Question | undefined
  const set: unknown[] = []
  const session = {
    answers,
    ctx: {
      prompts: {
        fill: async ([one]: Question[]) => {
          question = one
          return answer === undefined ? {} : { answer }
        },
      },
    },
    faultOf: (flag: string, text: string) => `${flag} is not ${text}`,
    set: (flag: string, value: unknown) => void set.push(flag, value),
  }
  await step.ask(session as unknown as Session)
  return { question: question as Question, set }
}

describe('the questions of a listing', () => {
  const step = (steps: readonly Step[], flag: string, place = 0): Step => steps.filter((one) => one.flag === flag)[place] as Step

  it('come in their order', () => {
    expect(ITEM.map(({ flag, label }) => [flag, label])).to.deep.equal([
      ['title', 'Title'],
      ['category', 'Category'],
      ['type', 'Sale'],
      ['start-price', 'Start price'],
      ['reserve', 'Reserve price'],
      ['buy-now', 'Buy now'],
      ['buy-now', 'Buy now'],
      ['days', 'Days'],
      ['condition', 'Condition'],
      ['description', 'Description'],
      ['payment', 'Payment'],
      ['shipping', 'Shipping'],
      ['image', 'Images'],
    ])
    expect(SHOP.map(({ flag }) => flag)).to.deep.equal([
      'title',
      'category',
      'price',
      'quantity',
      'condition',
      'description',
      'payment',
      'shipping',
      'image',
    ])
  })

  it('are left out where another flag answers them', () => {
    for (const [steps, flag, or] of [
      [ITEM, 'days', ['ends']],
      [ITEM, 'description', ['description-file']],
      [SHOP, 'image', ['mega-image']],
      [ITEM, 'title', undefined],
    ] as const) {
      expect(step(steps, flag).or, flag).to.deep.equal(or)
    }
  })

  it('apply to the kinds of sale that have them', () => {
    const applying = (values: Values) =>
      ITEM.filter(({ applies }) => applies?.(values) === true).map((one) => [one.flag, ITEM.indexOf(one)])
    const auction = [
      ['start-price', 3],
      ['reserve', 4],
      ['buy-now', 6],
      ['days', 7],
    ]
    expect(applying({})).to.deep.equal(auction)
    expect(applying({ ItemType: ITEM_TYPE_IDS.Auction })).to.deep.equal(auction)
    expect(applying({ ItemType: ITEM_TYPE_IDS.PureBuyItNow })).to.deep.equal([['buy-now', 5]])
    expect(applying({ ItemType: -1 }), 'contact').to.deep.equal([
      ['buy-now', 6],
      ['days', 7],
    ])
    expect(SHOP.filter(({ applies }) => applies !== undefined)).to.deep.equal([])
  })

  it('are lines with their flag, a default, and a check of the answer', async () => {
    const title = await asked(step(ITEM, 'title'), {}, ' Kopp ')
    const { check, ...rest } = title.question
    expect(rest).to.deep.equal({ kind: 'text', key: 'answer', flag: '--title', message: 'Title' })
    expect(check?.('x')).to.equal('title is not x')
    expect(title.set).to.deep.equal(['title', 'Kopp'])
    expect((await asked(step(ITEM, 'days'))).question).to.include({ default: '7', flag: '--days' })
    expect((await asked(step(SHOP, 'quantity'))).question).to.include({ default: '1' })
    expect((await asked(step(SHOP, 'price'), {}, '5')).set).to.deep.equal(['price', '5'])
    for (const [flag, place] of [
      ['reserve', 0],
      ['buy-now', 1],
      ['description', 0],
    ] as const) {
      expect((await asked(step(ITEM, flag, place))).question.optional, flag).to.equal(true)
    }
    for (const flag of ['title', 'start-price', 'buy-now', 'days']) {
      expect((await asked(step(ITEM, flag))).question.optional, flag).to.equal(undefined)
    }
  })

  it('keep an optional answer as it was typed, and nothing where it was left empty', async () => {
    expect((await asked(step(ITEM, 'description'), {}, ' a ')).set).to.deep.equal(['description', ' a '])
    expect((await asked(step(ITEM, 'reserve'))).set).to.deep.equal(['reserve', ''])
    expect((await asked(step(ITEM, 'title'))).set).to.deep.equal(['title', ''])
  })

  it('begin with the answer that was given before, to be edited', async () => {
    expect((await asked(step(ITEM, 'days'), { days: '9' })).question).to.include({ default: '9', editable: true })
    for (const before of ['', 7, undefined]) {
      const { question } = await asked(step(ITEM, 'days'), { days: before })
      expect(question).to.include({ default: '7' }).and.not.have.property('editable')
    }
  })

  it('are choices where there are few answers, and one may not say', async () => {
    const { question, set } = await asked(step(ITEM, 'type'), {}, 'auction')
    expect(question).to.deep.equal({
      kind: 'select',
      key: 'answer',
      flag: '--type',
      message: 'Kind of sale',
      choices: [
        { value: 'auction', name: 'Auction: the highest bid wins' },
        { value: 'buy-now', name: 'Buy now: one price, for 30 days' },
        { value: 'contact', name: 'Contact: buyers write to you' },
      ],
    })
    expect(set).to.deep.equal(['type', 'auction'])
    const condition = step(SHOP, 'condition')
    const { question: of } = await asked(condition, { condition: 'new' }, '-')
    expect(of.choices?.map(({ value }) => value)).to.deep.equal(['used', 'new', '-'])
    expect(of.default).to.equal('new')
    expect((await asked(condition, { condition: '' })).question).to.not.have.property('default')
    expect((await asked(condition, { condition: 3 })).question).to.not.have.property('default')
    expect((await asked(condition, {}, '-')).set).to.deep.equal(['condition', ''])
    expect((await asked(condition)).set).to.deep.equal(['condition', ''])
  })
})
