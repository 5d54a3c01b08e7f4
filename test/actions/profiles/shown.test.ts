/** What a run over several shops asks and says. */
import { expect } from 'chai'
import { endOf, endWithout, hideIn } from '../../../src/actions/profiles/ends.js'
import { flagsOf, refuseOfOne } from '../../../src/actions/profiles/files.js'
import { askOnce } from '../../../src/actions/profiles/question.js'
import type { Shop } from '../../../src/actions/profiles/shop.js'
import { codeOf } from '../../../src/actions/profiles/shop.js'
import { writeShops } from '../../../src/actions/profiles/shown.js'
import type { SellerError } from '../../../src/cli/errors.js'
import type { ShopEnd } from '../../../src/format/views/index.js'
import { cleanUp } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

describe('what can be done after a run over several shops', () => {
  afterEach(cleanUp)

  const end = (Profile: string, Result: unknown, more: object = {}) =>
    ({ Profile, State: 'ok', ExitCode: 0, DiscountId: null, Result, ...more }) as unknown as ShopEnd
  const job = (JobId: number, Counts: object | null, Kind = 'price') => ({ JobId, Kind, Counts })
  const hints = async (...ends: ShopEnd[]) => {
    const shop = fakeShop()
    await writeShops(shop.ctx, ends, { profiles: 'shop *', view: {} as never })
    expect(shop.lists[0]?.rows).to.deep.equal(ends)
    return shop.said
  }
  const see = (id: number) => `hint: See the rows of a shop with: seller jobs:show ${id} --failed`
  const check = (id: number, flag = 'a') => `hint: What to check: seller jobs:resume ${id} --profile ${flag}`
  const wait = "hint: Wait for the outcome with: seller jobs:resume --profiles 'shop *' --wait"
  const undo = (id: number, flag = 'a') => `hint: Restore the old prices of a shop with: seller jobs:undo ${id} --profile ${flag}`

  for (const [what, counts, expected] of [
    ['nothing', {}, []],
    ['rows that are ok', { ok: 1 }, [undo(5)]],
    ['rows that are queued', { queued: 2 }, [wait, undo(5)]],
    ['rows that are not sent', { unsent: 1 }, [wait]],
    ['rows on their way', { sending: 1 }, [wait]],
    ['rows that are held', { held: 1 }, [see(5)]],
    ['rows that failed', { failed: 1 }, [see(5)]],
    ['rows that may be sent again', { retryable: 1 }, [see(5)]],
    ['rows that are not live', { skipped: 1 }, [see(5)]],
    ['rows of unknown outcome', { unknown: 1 }, [check(5)]],
    ['counts that are 0', { ok: 0, held: 0, unknown: 0, queued: 0 }, []],
    ['several', { ok: 1, held: 1, unknown: 1 }, [see(5), check(5), undo(5)]],
  ] as const) {
    it(`is said of ${what}`, async () => expect(await hints(end('a', job(5, counts)))).to.deep.equal(expected))
  }

  it('names the first shop that has such rows, by a name that a shell reads', async () => {
    const said = await hints(end('a', job(5, {})), end('b c', job(6, { unknown: 1, ok: 1 })), end('d', job(7, { unknown: 1 })))
    expect(said).to.deep.equal([check(6, "'b c'"), undo(6, "'b c'")])
  })

  it('has no undo for other kinds, nor for lists of jobs that were resumed', async () => {
    expect(await hints(end('a', job(5, { ok: 1 }, 'remove')))).to.deep.equal([])
    expect(await hints(end('a', [job(4, {}), job(5, { held: 1, ok: 1 })]))).to.deep.equal([see(5)])
    expect(await hints(end('a', null), end('b', 5), end('c', [null, job(8, null)]))).to.deep.equal([])
    expect(await hints(end('a', { JobId: null, Kind: 'price', Counts: { ok: 1 } }))).to.deep.equal([])
  })

  it('names the timer where sales were made', async () => {
    expect(await hints(end('a', null, { DiscountId: 3 }))).to.deep.equal([
      "hint: seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron --profiles 'shop *'",
    ])
  })

  it('is left to the error where the run was interrupted', async () => {
    for (const State of ['interrupted', 'not_begun']) {
      expect(await hints(end('a', job(5, { ok: 1 })), end('b', null, { State }))).to.deep.equal([])
    }
  })
})

describe('the one question of several shops', () => {
  afterEach(cleanUp)

  const shop = (rows: number | undefined, finished = false) =>
    ({
      finished: finished ? {} : undefined,
      planned: rows === undefined ? undefined : { rows, verb: 'Send', noun: 'new price' },
    }) as unknown as Shop
  const plans = [
    { Profile: 'a', Counts: { change: 2 }, Message: null },
    { Profile: 'b', Counts: {}, Message: 'It went wrong.' },
    { Profile: 'c', Counts: {}, Message: null },
  ] as unknown as ShopEnd[]
  const ask = async (shops: readonly Shop[], yes?: boolean, options: FakeShopOptions = {}) => {
    const fake = fakeShop(options)
    await askOnce(fake.ctx, plans, shops, yes)
    return fake
  }

  it('is about the rows of all shops that have some', async () => {
    const { asked } = await ask([shop(2), shop(0), shop(undefined), shop(3), shop(9, true)])
    expect(asked).to.deep.equal([{ message: 'Send 5 new prices in 2 shops?', flag: '--yes', given: undefined, typed: undefined }])
    expect((await ask([shop(1)])).asked[0]?.message).to.equal('Send 1 new price in 1 shop?')
  })

  it('is not asked where nothing is to be sent, or the answer is given', async () => {
    for (const shops of [[], [shop(0)], [shop(5, true)], [shop(undefined)]]) {
      const { asked, said } = await ask(shops)
      expect([asked, said]).to.deep.equal([[], []])
    }
    expect((await ask([shop(5)], true)).asked).to.deep.equal([])
    expect((await ask([shop(5)], false)).asked).to.have.lengthOf(1)
  })

  it('takes the number of rows where they are more than 50 together', async () => {
    expect((await ask([shop(25), shop(25)])).asked[0]?.typed).to.equal(undefined)
    expect((await ask([shop(25), shop(26)])).asked[0]?.typed).to.equal('51')
  })

  it('has the plans of all shops above it: on stderr, in a table, or where it is asked', async () => {
    const lines = 'b: It went wrong.\nc: nothing'
    const none = await ask([shop(5)])
    expect(none.said[0])
      .to.match(/^note: a: /)
      .and.include(lines)
    const person = await ask([shop(5)], undefined, { terminal: true, human: true })
    expect([person.lists[0]?.rows, person.said]).to.deep.equal([plans, []])
    const piped = await ask([shop(5)], undefined, { terminal: true })
    expect(piped.said[0])
      .to.match(/^show: a: /)
      .and.include(lines)
    expect(piped.lists).to.deep.equal([])
  })
})

describe('flags of one shop', () => {
  const rules = { own: ['save-plan', 'html', 'held-file'], notShared: ['row', 'assume-sent'] } as const
  const refused = (flags: object): string => {
    try {
      refuseOfOne(flags as Record<string, unknown>, rules)
      return ''
    } catch (error) {
      return `${(error as SellerError).message} ${(error as SellerError).hint}`
    }
  }

  it('name an example file with the ending that its flag writes', () => {
    expect(refused({ 'save-plan': 'p' })).to.include("e.g. --save-plan 'save-plan-{profile}.json'")
    expect(refused({ html: 'p' })).to.include("e.g. --html 'html-{profile}.html'")
    expect(refused({ 'held-file': 'p' })).to.include("e.g. --held-file 'held-file-{profile}.csv'")
    expect(refused({ html: 5, 'held-file': undefined })).to.equal('')
  })

  it('are refused one or several, and 0 is given too', () => {
    expect(refused({ row: 0 })).to.equal(
      '--row is about the data of one shop, so it cannot be given with --profiles. Leave it out, or give one shop with --profile.',
    )
    expect(refused({ row: 1, 'assume-sent': true })).to.equal(
      '--row, --assume-sent are about the data of one shop, so they cannot be given with --profiles. Leave them out, or give one shop with --profile.',
    )
    expect(refused({ row: undefined, 'assume-sent': false })).to.equal('')
  })

  it('keep what is no text, and take every {profile} in one', () => {
    const flags = { file: '{profile}/{profile}', html: 5, wait: true }
    expect(flagsOf(flags as never, ['file', 'html'] as never, 'a/b')).to.deep.equal({ file: 'a_b/a_b', html: 5, wait: true })
  })
})

describe('the end of a shop', () => {
  const ONE = { many: false, stopped: null }

  it('has all results where a command writes several, also with an error', () => {
    const error = { code: 'x', message: 'm', exitCode: 1, hint: '' } as never
    const results = [{ JobId: 1 }, { JobId: 1 }, { JobId: 2 }]
    expect(endOf('a', { code: 1, results, error }, { many: true, stopped: null })).to.deep.include({
      Result: results,
      JobIds: [1, 2],
    })
    expect(endOf('a', { code: 1, results, error }, ONE)).to.deep.include({ Result: null, Error: error })
    expect(endOf('a', { code: 0, results: [] }, ONE)).to.deep.include({
      Result: null,
      JobIds: [],
      DiscountId: null,
      Counts: {},
      Error: null,
    })
    expect(endOf('a', { code: 0, results: [null, 5, 'x'] }, ONE)).to.deep.include({ JobIds: [], Message: null })
  })

  it('has the message of its error, else why it was stopped, else the guard of its plan, else its sales', () => {
    const plan = { Summary: { Change: 1, Unchanged: 0, Held: 0, Unknown: 0, Stopped: { Reason: 'guard' } } }
    const sale = { Part: 'end', Discount: 'S' }
    const message = (results: readonly object[], stopped: string | null, error?: object) =>
      endOf('a', { code: 0, results, error: error as never }, { many: false, stopped }).Message
    expect(message([plan, sale], 'stopped', { message: 'error', exitCode: 1 })).to.equal('error')
    expect(message([plan, sale], 'stopped')).to.equal('stopped')
    expect(message([plan, sale], null)).to.equal('guard')
    expect(message([sale], null)).to.equal('end of "S"')
    expect(message([], null)).to.equal(null)
  })

  it('counts what is unchanged where there is some, and has a sale that was made, not one of a list', () => {
    expect(endOf('a', { code: 0, results: [{ Unchanged: 0, Counts: null }] }, ONE).Counts).to.deep.equal({})
    expect(endOf('a', { code: 0, results: [{ DiscountId: 4 }] }, ONE).DiscountId).to.equal(4)
    expect(endOf('a', { code: 0, results: [[{ DiscountId: 4 }]] }, ONE).DiscountId).to.equal(null)
    expect(endOf('a', { code: 0, results: [{ DiscountId: null }] }, ONE).DiscountId).to.equal(null)
    expect(endOf('a', { code: 0, results: [{ Counts: { sending: 1 } }] }, ONE).State).to.equal('waiting')
    expect(endOf('a', { code: 0, results: [{ State: 'ok' }] }, ONE).State).to.equal('ok')
    expect(endWithout('a', 'planned', { change: 1 }, 'm')).to.deep.equal({
      Profile: 'a',
      State: 'planned',
      Counts: { change: 1 },
      Message: 'm',
      ExitCode: null,
      JobIds: [],
      DiscountId: null,
      Result: null,
      Error: null,
    })
  })

  it('hides nothing in bytes and numbers, and has a code once it is there', () => {
    const bytes = new Uint8Array([1])
    expect(hideIn({ bytes, n: 1, none: undefined }, () => 'x')).to.deep.equal({ bytes, n: 1, none: undefined })
    expect(codeOf({ finished: { code: 5 } } as unknown as Shop)).to.equal(5)
    expect(codeOf({ finished: undefined } as unknown as Shop)).to.equal(0)
  })
})
