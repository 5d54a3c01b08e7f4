/** Waiting for requests on behalf of a person, and calls that queue many entries. */
import { expect } from 'chai'
import { followRequests } from '../../../src/actions/requests/follow.js'
import { queuesMany, sendMany } from '../../../src/actions/requests/send-many.js'
import { failureOf, unknownRequests, waitFor } from '../../../src/actions/requests/waiting.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { createBulkJob, runBulkJob } from '../../../src/jobs/bulk/index.js'
import type { RequestRow } from '../../../src/jobs/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

describe('waiting for requests', () => {
  afterEach(cleanUp)

  type Codes = Readonly<Record<number, string | undefined>>
  const waiting = async (codes: Codes | (() => never), options: FakeShopOptions = {}) => {
    const texts: string[] = []
    let stopped = 0
    const shop = fakeShop({
      answers: {
        GetRequestResults: ({ requestIds }: { requestIds: number[] }) => {
          if (typeof codes === 'function') return codes()
          return requestIds.flatMap((RequestId) =>
            codes[RequestId] === undefined ? [] : [{ RequestId, ResultCode: codes[RequestId], Message: '' }],
          )
        },
      },
      ...options,
    })
    const output = {
      ...shop.ctx.output,
      progress: () => ({ update: ({ text }: { text: string }) => void texts.push(text), stop: () => void stopped++ }),
    }
    const ctx = { ...shop.ctx, output } as unknown as typeof shop.ctx
    const { requests } = await ctx.ledger()
    const queued = (RequestId: number): RequestRow => {
      const { Row } = requests.begin({ operation: 'AddItem', subject: `S${RequestId}`, profile: 'shop', userId: 7 })
      return requests.markQueued(Row, { RequestId } as never)
    }
    return { ...shop, ctx, texts, queued, requests, stopped: () => stopped }
  }

  it('ends with 0 where all are ok, and says what Ctrl-C leaves', async () => {
    const one = await waiting({ 5: 'Ok' })
    one.queued(5)
    expect(await waitFor(one.ctx, one.client, [5], 1000)).to.deep.include({ pending: [], code: 0 })
    expect(one.interruptions).to.deep.equal([{ sent: 'The request was sent.', next: 'seller requests:wait 5 -p q' }])
    expect(one.said).to.deep.equal([])
    expect(one.stopped()).to.be.greaterThan(0)
    const two = await waiting({ 5: 'Ok', 6: 'Ok' })
    for (const id of [5, 6]) two.queued(id)
    expect((await waitFor(two.ctx, two.client, [5, 6], 1000)).rows.map(({ State }) => State)).to.deep.equal(['ok', 'ok'])
    expect(two.interruptions).to.deep.equal([{ sent: '2 requests were sent.', next: 'seller requests:wait 5 6 -p q' }])
  })

  it('ends with 1 where one failed, whose words it says', async () => {
    const { ctx, client, queued, said } = await waiting({ 5: 'Ok', 6: 'UnspecifiedError' })
    for (const id of [5, 6]) queued(id)
    const { code, rows } = await waitFor(ctx, client, [5, 6], 1000)
    expect([code, rows.map(({ State }) => State)]).to.deep.equal([1, ['ok', 'failed']])
    expect(said).to.deep.equal([`warn: ${failureOf(rows[1] as RequestRow)}`])
  })

  it('ends with 8 where the time was up, before any failure, and names the command that goes on', async () => {
    const one = await waiting({})
    one.queued(5)
    expect(await waitFor(one.ctx, one.client, [5], 1000)).to.deep.include({ pending: [5], code: 8 })
    expect(one.said).to.deep.equal([
      'warn: Still waiting for the request when the time was up.',
      'hint: Continue with: seller requests:wait 5 -p q',
    ])
    expect(one.texts[0]).to.match(/^Waiting for request 5: 1 to go, next look in /)
    const two = await waiting({ 6: 'UnspecifiedError' })
    for (const id of [5, 6]) two.queued(id)
    expect((await waitFor(two.ctx, two.client, [5, 6], 1000)).code).to.equal(8)
    expect(two.said.slice(0, 2)).to.deep.equal([
      'warn: Still waiting for 1 of 2 requests when the time was up.',
      'hint: Continue with: seller requests:wait 5 -p q',
    ])
    expect(two.texts[0]).to.match(/^Waiting for 2 requests: 1 to go, /)
  })

  it('does not wait for what neither side knows, and is an error where that is all', async () => {
    const { ctx, client, said, queued } = await waiting({ 5: 'Ok' })
    queued(5)
    const all = (await thrown(() => waitFor(ctx, client, [8, 9], 1000, new Set([8, 9])))) as SellerError
    expect([all.code, all.message]).to.deep.equal([
      'request_not_found',
      'Neither the ledger nor the service knows the requests 8, 9.',
    ])
    expect(all.hint).to.not.include('Continue with')
    const some = await waitFor(ctx, client, [5, 9], 1000, new Set([9]))
    expect([some.code, some.pending]).to.deep.equal([1, []])
    expect(said).to.have.lengthOf(2)
    expect(said[0]).to.equal('warn: Neither the ledger nor the service knows request 9.')
  })

  it('adds to what stopped it the requests that are queued, but nothing after Ctrl-C', async () => {
    const refusal = () => {
      throw new SoapError('refused', 'no', { operation: 'GetRequestResults', sent: true, httpStatus: 403 } as never)
    }
    const one = await waiting(refusal)
    one.queued(5)
    const error = (await thrown(() => waitFor(one.ctx, one.client, [5], 1000))) as SellerError
    expect(error.hint).to.match(/Request 5 is queued\. Continue with: seller requests:wait 5 -p q$/)
    expect(error.details).to.deep.include({ requestIds: [5] })
    expect(one.stopped()).to.be.greaterThan(0)
    const two = (await thrown(() => waitFor(one.ctx, one.client, [5, 6], 1000))) as SellerError
    expect(two.hint).to.match(/2 requests are queued\. Continue with: seller requests:wait 5 6 -p q$/)
    one.leaving.abort(new Error('left'))
    const left = await thrown(() => waitFor(one.ctx, one.client, [5], 1000))
    expect((left as SellerError).hint ?? '').to.not.include('Continue with')
  })

  it('says which requests the ledger and its jobs do not know', async () => {
    const { ctx, queued, clock } = await waiting({})
    queued(5)
    const ledger = await ctx.ledger()
    const rows = [{ line: 1, id: 1, price: 110, oldPrice: 100 }]
    const { JobId } = createBulkJob(ledger, { kind: 'price', profile: 'shop', userId: 7, title: 't', form: FORM, rows })
    await runBulkJob({ ledger, client: FakeService.shop(1).client, clock, jobId: JobId })
    expect([...(await unknownRequests(ctx, [5, 5000, 77]))]).to.deep.equal([77])
    expect([...(await unknownRequests(ctx, []))]).to.deep.equal([])
  })

  describe('after a command', () => {
    const flags = (wait: boolean) => ({ wait, timeout: 1000 })

    it('is a hint unless it is asked for', async () => {
      const { ctx, client, queued, said, requests } = await waiting({ 5: 'Ok' })
      const row = queued(5)
      expect(await followRequests(ctx, client, [row], flags(false))).to.deep.equal({ rows: [row], code: 0 })
      expect(said).to.deep.equal(['hint: Queued. Wait for the outcome with: seller requests:wait 5 -p q'])
      expect(client.calls).to.deep.equal([])
      const followed = await followRequests(ctx, client, [row], flags(true))
      expect([followed.code, followed.rows.map(({ State }) => State)]).to.deep.equal([0, ['ok']])
      expect(requests.byRow(row.Row)?.State).to.equal('ok')
    })

    it('is only for what is queued, and rows stay in their order', async () => {
      const { ctx, client, queued, said, requests } = await waiting({ 5: 'Ok' })
      const { Row } = requests.begin({ operation: 'AddItem', subject: 'x', profile: 'shop', userId: 7 })
      const refused = requests.markRefused(Row, { message: 'no' } as never)
      expect(await followRequests(ctx, client, [refused], flags(true))).to.deep.equal({ rows: [refused], code: 0 })
      expect([client.calls, said]).to.deep.equal([[], []])
      const both = await followRequests(ctx, client, [refused, queued(5)], flags(true))
      expect(both.rows.map(({ State }) => State)).to.deep.equal(['refused', 'ok'])
    })
  })
})

describe('a call that queues many entries', () => {
  afterEach(cleanUp)

  it('has a row for each: queued, refused or without an answer', async () => {
    const shop = fakeShop()
    const answer = {
      QueuedRequestResponses: [{ ItemId: 2, RequestId: 52 }],
      ValidationErrors: [{ Item: { Id: 3 }, ErrorMessage: 'too dear' }, { Item: { Id: 4 } }, {}],
    }
    const { rows, answer: given } = await sendMany(shop.ctx, 'SetPriceOnShopItems', [1, 2, 3, 4], async () => answer)
    expect(given).to.equal(answer)
    expect(rows.map(({ Subject, State, RequestId, Message }) => [Subject, State, RequestId, Message])).to.deep.equal([
      ['item 1', 'unknown', null, 'The service answered without a request id for it.'],
      ['item 2', 'queued', 52, null],
      ['item 3', 'refused', null, 'too dear'],
      ['item 4', 'refused', null, 'The service refused it without a reason.'],
    ])
    expect(rows[0]).to.include({ Operation: 'SetPriceOnShopItems', Profile: 'shop' })
  })

  it('is one of two', () => {
    const names = ['SetPriceOnShopItems', 'SetActivateDateOnShopItems', 'SetQuantityOnShopItems', 'AddItem']
    expect(names.map(queuesMany)).to.deep.equal([true, true, false, false])
  })
})
