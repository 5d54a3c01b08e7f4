/** The proof of a login, its limits of calls, and its questions. */
import { expect } from 'chai'
import { type LimitsGiven, proveLimits } from '../../../src/actions/auth/limits.js'
import { proveLogin } from '../../../src/actions/auth/proof.js'
import { askSetting, questionOf } from '../../../src/actions/auth/questions.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'
import type { Question } from '../../../src/cli/prompts.js'
import type { Settings } from '../../../src/cli/settings.js'
import { BudgetError } from '../../../src/jobs/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { thrownBy } from '../support.js'

describe('the proof of a login', () => {
  const prove = async (answer: unknown, settings: Settings = { user_id: 7 }) => {
    const asked: unknown[] = []
    const call = async (...given: unknown[]) => {
      asked.push(given[0])
      if (answer instanceof Error) throw answer
      return answer
    }
    const ctx = {
      signal: undefined,
      trialClient: async (...given: unknown[]) => {
        asked.push(given)
        return { call }
      },
    }
    return { seller: await proveLogin(ctx as unknown as Context, 'shop', settings), asked }
  }

  for (const [name, user, shown] of [
    ['the alias', { Id: 7, Alias: 'anna', FirstName: 'Anna', LastName: 'Ek' }, 'anna'],
    ['the names', { Id: 7, FirstName: 'Anna', LastName: 'Ek' }, 'Anna Ek'],
    ['one name', { Id: 7, LastName: 'Ek' }, 'Ek'],
    ['no name', { Id: 7 }, 'a seller without a name'],
    ['an empty alias', { Id: 7, Alias: '' }, 'a seller without a name'],
  ] as const) {
    it(`is a call as the seller, who goes by ${name}`, async () => {
      const { seller, asked } = await prove(user)
      expect(seller).to.deep.equal({ Id: 7, Name: shown })
      expect(asked).to.deep.equal([['shop', { user_id: 7 }], 'GetUserInfo'])
    })
  }

  it('is a call to the public service where there is no seller', async () => {
    const { seller, asked } = await prove('2026-11-22', {})
    expect(seller).to.equal(undefined)
    expect(asked[1]).to.equal('GetOfficalTime')
  })

  const STORED = ' Nothing was stored; --no-verify stores it without a check.'
  const fails = (kind: SoapError['kind'], more = {}) =>
    new SoapError(kind, 'no', { operation: 'GetUserInfo', sent: true, ...more })
  it('says what to try where it fails, and that nothing was stored', async () => {
    const none = await thrownBy(() => prove(null))
    expect(none).to.include({ code: 'no_user', message: 'The service returned no user for these credentials.' })
    expect(none.hint).to.match(/^Check the application id and key, .*activated the application\./)
    expect(none.hint.endsWith(STORED)).to.equal(true)
    const network = await thrownBy(() => prove(fails('unreachable', { sent: false })))
    expect(network.hint).to.equal(`Check the address and the network. A proxy is set by HTTPS_PROXY.${STORED}`)
    const quota = await thrownBy(() => prove(fails('quota')))
    expect(quota.hint.endsWith(STORED)).to.equal(true)
    expect(quota.hint).to.not.equal(STORED.trim())
  })

  it('ends at Ctrl-C as it is', async () => {
    const own = new SellerError('interrupted', 'Interrupted.', 'as it is')
    expect(await thrownBy(() => prove(own))).to.equal(own)
  })
})

describe('the limits of calls of a login', () => {
  const prove = async (limits: Partial<LimitsGiven>, answer: unknown = { used: 1500, budget: 2000 }) => {
    const asked: unknown[] = []
    const notes: string[] = []
    const usage = async () => {
      if (answer instanceof Error) throw answer
      return answer
    }
    const ctx = {
      trialQuota: async (...given: unknown[]) => {
        asked.push(given)
        return { usage }
      },
      output: { note: (text: string) => notes.push(text) },
    }
    await proveLimits(ctx as unknown as Context, { name: 'shop', settings: {}, given: {}, profiles: {}, ask: true, ...limits })
    return { asked, notes }
  }
  const settings = { app_id: 5, call_budget: 2000, call_share: 60 }
  const other = (call_share: number, app_id = 5) => ({ other: { app_id, call_share, call_budget: 2000 } as Settings })

  it('hold where the shares of one application are 100% at most', async () => {
    await prove({ settings, given: { call_share: 60 }, profiles: other(40) })
    const tooMany = await thrownBy(() => prove({ settings, given: { call_share: 60 }, profiles: other(41) }))
    expect(tooMany.code).to.equal('invalid_setting')
    expect(tooMany.message).to.match(/^The shares of calls are too large: /)
    await prove({ settings, given: { call_share: 60 }, profiles: other(41, 6) })
  })

  it('are held against the others where the application changes too, and else where a share is given', async () => {
    expect(await thrownBy(() => prove({ settings, given: { app_id: 5 }, profiles: other(41) }))).to.have.property(
      'code',
      'invalid_setting',
    )
    await prove({ settings, given: {}, profiles: other(41) })
    await prove({ settings: { ...settings, call_share: 0 }, given: { call_share: 0 }, profiles: other(100) })
  })

  it('ask a quota server that is given, unless nothing is to be asked', async () => {
    const url = { quota_url: 'https://quota.example.com' }
    const all = { ...settings, ...url }
    const { asked, notes } = await prove({ settings: all, given: url })
    expect(asked).to.deep.equal([['shop', { ...all, quota_away: 'refuse' }]])
    expect(notes).to.have.length(1)
    expect(notes[0]).to.match(/^The quota server answers: 1.500 of 2.000 calls made in the last 24 hours\.$/)
    expect((await prove({ settings: all, given: { quota_url_command: 'pass' } })).asked).to.have.length(1)
    for (const given of [{}, { quota_url: 'none' }, { call_budget: 5 }]) {
      expect((await prove({ settings: all, given })).asked, JSON.stringify(given)).to.deep.equal([])
    }
    expect((await prove({ settings: all, given: url, ask: false })).asked).to.deep.equal([])
    expect((await prove({ settings: all, given: url }, { used: 3 })).notes[0]).to.contain('3 of 0 calls')
  })

  it('say that nothing was stored where it does not answer', async () => {
    const url = { quota_url: 'https://quota.example.com' }
    const away = new BudgetError('away', 0, 0, 'no answer', 'wait')
    const error = await thrownBy(() => prove({ settings: { ...settings, ...url }, given: url }, away))
    expect(error.hint).to.match(/^Nothing was stored\. Correct the address or start the server; --no-verify/)
    const mistake = new TypeError('a mistake of this program')
    expect(await thrownBy(() => prove({ settings: { ...settings, ...url }, given: url }, mistake))).to.equal(mistake)
  })
})

describe('the questions of a login', () => {
  const ask = async (
    setting: Parameters<typeof askSetting>[1],
    old: Settings,
    answers: (string | undefined)[],
    optional = false,
  ) => {
    const asked: Question[] = []
    const fill = async ([question]: Question[]) => {
      if (question === undefined) throw new Error('no question')
      asked.push(question)
      const answer = answers[asked.length - 1]
      return answer === undefined ? {} : { [question.key]: answer }
    }
    return { value: await askSetting({ prompts: { fill } } as never, setting, { old, optional }), asked }
  }

  it('have the present value as their default, and the flag that a script would use', async () => {
    const { value, asked } = await ask('app_id', { app_id: 5 }, ['6'])
    expect(value).to.equal(6)
    expect(asked[0]).to.include({ key: 'app_id', flag: '--app-id', default: '5', kind: 'text', optional: false })
    expect((await ask('app_id', {}, ['6'])).asked[0]).to.have.property('default', undefined)
    expect((await ask('user_id', {}, [undefined], true)).value).to.equal(undefined)
  })

  it('never show a secret: the stored one is kept or replaced', async () => {
    const kept = await ask('app_key', { app_key: 'a-long-secret-key-of-1234' }, ['keep'])
    expect(kept.value).to.equal(undefined)
    expect(kept.asked).to.have.length(1)
    expect(kept.asked[0]).to.include({ kind: 'select', default: 'keep', flag: 'SELLER_APP_KEY (or --stdin)' })
    expect(kept.asked[0]?.choices?.map((choice) => choice.value)).to.deep.equal(['keep', 'replace'])
    expect(kept.asked[0]?.message).to.contain('1234').and.not.contain('secret-key')
    const replaced = await ask('app_key', { app_key: 'a-long-secret-key-of-1234' }, ['replace', 'new-key'])
    expect(replaced.value).to.equal('new-key')
    expect(replaced.asked[1]).to.include({ kind: 'secret', default: undefined })
    const printed = await ask('token', { token_command: 'pass token' }, ['keep'])
    expect(printed.asked[0]?.message).to.contain('(printed by pass token)')
    const fresh = await ask('token', {}, ['new'])
    expect(fresh.value).to.equal('new')
    expect(fresh.asked.map(({ kind }) => kind)).to.deep.equal(['secret'])
  })

  it('say why an answer is not accepted, and that an optional one may be empty', () => {
    const { check, message } = questionOf('app_id', true)
    expect(check?.('7')).to.equal(undefined)
    expect(check?.('x')).to.match(/^Application id: .*\. .+/)
    expect(message).to.match(/ \(empty for none\)$/)
    expect(questionOf('app_id', false).message).to.not.contain('empty')
    expect(questionOf('user_id', true)).to.include({ optional: true, kind: 'text' })
    expect(questionOf('token', false)).to.include({ optional: false, kind: 'secret' })
  })
})
