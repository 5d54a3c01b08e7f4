/** Every call ends, and reports what it leaves behind: slow services, long waits, full disks, too little memory. */
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { operations } from '../../src/contract/index.js'
import { controlSandbox } from '../control-sandbox.js'
import { openHome } from '../e2e/harness.js'
import { openHostile } from '../e2e/hostile.js'
import { stock } from '../e2e/shop.js'
import { closing, opened } from '../opened.js'
import { envelope, response, SOAP_TYPE } from '../soap/service.js'

const ADD = ['items:add', '--title', 'Vas', '--category', '344481', '--opening', '100', '--shipping', 'pickup']
const USER = response('GetUserInfo', '<GetUserInfoResult><Id>7</Id></GetUserInfoResult>')

describe('a service that takes its time', () => {
  const home = opened(openHostile)
  beforeEach(() => void home.calls())

  /** A byte now and then, for ever. */
  const trickle = (start: string) => {
    home.write((reply) => {
      reply.writeHead(200, SOAP_TYPE).write(start)
      const timer = setInterval(() => reply.write(' '), 20)
      reply.on('close', () => clearInterval(timer))
    })
  }

  it('a byte at a time ends with --timeout, and is not asked again', async () => {
    trickle('<?xml version="1.0"?>')
    const run = await home.seller('account:show', '--timeout', '400ms', '--json')
    expect(run.code).to.equal(1)
    expect(run.json().error).to.include({ code: 'connection_lost' })
    expect(run.json().error.message).to.include('longer than 0.4 s')
    expect(home.calls()).to.have.length(1)
  })

  it('ends a list and a write by the setting of the profile, and the write is unknown', async () => {
    home.write((reply) => reply.writeHead(200, SOAP_TYPE).end(USER))
    await home.done('auth:login', '--profile', 'slow', '--setting', 'call_timeout=300ms', '--no-verify')
    trickle('<?xml version="1.0"?>')
    const add = await home.seller(...ADD, '--profile', 'slow', '--json')
    expect(add.code, add.stdout).to.equal(9)
    expect(add.json().error.message).to.include('longer than 0.3 s')
    expect((await home.seller('requests:list', '--profile', 'slow', '--json')).json()[0]).to.include({ State: 'unknown' })
    const list = await home.seller('items:list', '--profile', 'slow', '--json')
    expect(list.code).to.equal(1)
    expect(list.stderr + list.stdout, 'six times as long').to.include('longer than 1.8 s')
    expect((await home.seller('auth:logout', '--profile', 'slow')).code).to.equal(0)
  })

  it('asking for more patience than is left is not waited for', async () => {
    home.write((reply) => reply.writeHead(503, { 'retry-after': '600' }).end())
    const run = await home.seller('account:show', '--json')
    expect(run.json().error).to.include({ code: 'unavailable', retryAfterMs: 600_000 })
    expect(run.json().error.message).to.include('asks to come back in 10 min')
    expect(home.calls()).to.have.length(1)
  })

  it('asking for some is waited for, with a note', async () => {
    let asked = 0
    home.write((reply) =>
      ++asked === 1 ? reply.writeHead(503, { 'retry-after': '5' }).end() : reply.writeHead(200, SOAP_TYPE).end(USER),
    )
    const run = await home.done('account:show')
    expect(run.stderr).to.include('not available (HTTP 503). Waiting 5 s before trying again.')
  })

  describe('and never ends a list', () => {
    let id = 0
    const item = () => `<Item><Id>${++id}</Id><ShortDescription>${'x'.repeat(2000)}</ShortDescription></Item>`
    const pour = (reply: ServerResponse) => {
      reply.writeHead(200, SOAP_TYPE).write(response('GetSellerItems', '<GetSellerItemsResult>@').split('@')[0])
      const more = () => {
        while (!reply.destroyed && reply.write(Array.from({ length: 50 }, item).join('')));
      }
      reply.on('drain', more)
      more()
    }

    for (const [args, code] of [
      [['items:list', '--sort', 'Title', '--json'], 'memory_short'],
      [['call', 'GetSellerItems', 'categoryId=0', 'filterActive=All', 'filterItemType=All', '--json'], 'reply_too_large'],
    ] as const) {
      it(`ends ${args[0]} with ${code} before memory runs out`, async () => {
        home.write(pour)
        const { done } = home.spawn(args, { env: { NODE_OPTIONS: '--max-old-space-size=40' } })
        const run = await done
        expect(run.code, run.stderr).to.equal(1)
        expect(run.signal).to.equal(null)
        expect(run.json().error.code).to.equal(code)
      })
    }
  })
})

describe('an output that fails', () => {
  const home = opened(openHostile)

  const writing = (...args: string[]) =>
    home.shell(`seller ${args.map((arg) => `'${arg}'`).join(' ')} > /dev/full`, { env: home.env })

  it('after a write says that the write was carried out: exit 9', async () => {
    if (process.platform !== 'linux') return
    home.answer(() => undefined)
    for (const more of [[], ['--json']]) {
      const run = await writing(...ADD, ...more)
      expect(run.code, run.stderr).to.equal(9)
      expect(run.stderr).to.include('The service carried out AddItem,').and.include('Do not send it again')
    }
    const feedback = await writing('feedback:leave', '7', '--positive', 'Tack')
    expect(feedback.code, feedback.stderr).to.equal(9)
  })

  for (const [stream, form, code] of [
    [2, '', 0],
    [1, '--json', 9],
  ] as const) {
    it(`never gives a write that was carried out exit 1: stream ${stream}`, async () => {
      if (process.platform !== 'linux') return
      await using own = closing(await openHome({ sandbox: true }))
      const [item] = await stock(own, [100])
      const { TransactionId: sale } = (await controlSandbox(own.sandbox.url, 'buy', { itemId: item })) as {
        TransactionId: number
      }
      const more = ['--category', '344481', '--shipping', 'pickup']
      for (const args of [
        ADD,
        ['shop:add', '--title', 'Kopp', '--price', '149', ...more],
        ['shop:add', '--file', await own.file('rows.csv', 'Title,Price\nSkål,90\n'), '--yes', ...more],
        ['shop:price', `${item}=110`, '--yes', '--wait'],
        ['jobs:undo', 'JOB', '--yes'],
        ['feedback:leave', String(sale), '--positive', 'Tack'],
      ]) {
        const [last] = (await own.seller('jobs:list', '--json')).json()
        const words = args.map((arg) => `'${arg === 'JOB' ? last.JobId : arg}'`).join(' ')
        const run = await own.shell(`seller ${words} ${form} ${stream}> /dev/full`)
        expect(run.code, `${words}: ${run.stderr}${run.stdout}`).to.equal(code)
      }
    })
  }

  it('after a read is what it was: exit 1', async () => {
    home.answer(() => undefined)
    const run = await writing('account:show')
    expect(run.code, run.stderr).to.equal(1)
    expect(run.stderr).not.to.include('The service carried out')
  })

  it('after a write that was not carried out says nothing of the kind', async () => {
    home.answer((operation) => (operation === operations.AddItem ? { status: 403, type: 'text/html', body: 'no' } : undefined))
    const run = await writing(...ADD, '--json')
    expect(run.code, run.stderr).not.to.equal(9)
  })
})

describe('answers that say no, or too little', () => {
  const home = opened(openHostile)

  it('are believed: feedback to an order is not left where the service answers false', async () => {
    const no = response('LeaveOrderFeedbackToBuyer', '<LeaveOrderFeedbackToBuyerResult>false</LeaveOrderFeedbackToBuyerResult>')
    home.answer((operation) => (operation === operations.LeaveOrderFeedbackToBuyer ? no : undefined))
    const run = await home.seller('feedback:leave', '--order', '7', '--positive', 'Tack', '--json')
    expect(run.code).to.equal(3)
    expect(run.json().error).to.include({ code: 'feedback_not_left', left: false })
  })

  it('are looked up where feedback is not left: which sale it is, and whether it was rated', async () => {
    const sale = (rated: boolean, id = 7) => {
      const fields = `<Id>${id}</Id><IsFeedbackLeftBySeller>${rated}</IsFeedbackLeftBySeller>`
      const marks = '<IsMarkedAsPaidConfirmed>true</IsMarkedAsPaidConfirmed><IsMarkedAsShipped>true</IsMarkedAsShipped>'
      const when = '<Date>2026-11-01T00:00:00</Date><LastUpdatedDate>2026-11-01T00:00:00</LastUpdatedDate><Amount>10</Amount>'
      return `<Transaction>${fields}${marks}${when}</Transaction>`
    }
    for (const [sales, code, exit] of [
      [sale(true), 'feedback_already_left', 3],
      [sale(true, 8), 'transaction_not_found', 1],
      [sale(false), 'feedback_not_left', 3],
    ] as const) {
      home.answer(({ name }) => {
        if (name === 'LeaveFeedback') return response(name, '<LeaveFeedbackResult>false</LeaveFeedbackResult>')
        if (name !== 'GetSellerTransactions') return undefined
        return response(name, `<GetSellerTransactionsResult>${sales}</GetSellerTransactionsResult>`)
      })
      const run = await home.seller('feedback:leave', '7', '--positive', 'Tack', '--json')
      expect([run.code, run.json().error.code], run.stdout + run.stderr).to.deep.equal([exit, code])
    }
    // A fault that says the transaction is missing is a "false"; any other fault is what it is.
    for (const [fault, sales, code] of [
      ['Transaction with id 77 was not found', '<GetSellerTransactionsResult />', 'transaction_not_found'],
      ['Transaction with id 77 was not found', '', 'feedback_not_left'],
      ['Transaction with id x was not found', '', 'unknown_outcome'],
    ] as const) {
      const body = envelope(
        `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${fault}</faultstring></soap:Fault>`,
        '1.1',
      )
      home.answer(({ name }) => (name === 'LeaveFeedback' ? { status: 500, body } : response(name, sales)))
      const run = await home.seller('feedback:leave', '7', '--positive', 'Tack', '--json')
      expect(run.json().error.code, run.stdout + run.stderr).to.equal(code)
    }
  })

  it('say whose login it is: an alias, else the names that there are; and that it is nobody’s', async () => {
    const user = (inner: string) =>
      response('GetUserInfo', inner === '' ? '' : `<GetUserInfoResult><Id>7</Id>${inner}</GetUserInfoResult>`)
    for (const [inner, name] of [
      ['<Alias>anna</Alias><FirstName>Anna</FirstName>', 'anna'],
      ['<FirstName>Anna</FirstName><LastName>Ek</LastName>', 'Anna Ek'],
      ['<LastName>Ek</LastName>', 'Ek'],
      ['<Alias></Alias>', 'a seller without a name'],
    ] as const) {
      home.answer((operation) => (operation === operations.GetUserInfo ? user(inner) : undefined))
      const run = await home.seller('auth:login', '--app-id', '1')
      expect(run.stderr + run.stdout, inner).to.include(name)
    }
    home.answer((operation) => (operation === operations.GetUserInfo ? user('') : undefined))
    const none = await home.seller('auth:login', '--app-id', '2', '--json')
    expect([none.code, none.json().error.code], none.stdout).to.deep.equal([1, 'no_user'])
    expect(none.json().error.hint).to.include('Nothing was stored; --no-verify stores it without a check.')
  })

  it('are not enough to change prices: an item without its type, bids or end', async () => {
    const fields = { Id: '7', ItemType: 'Auction', EndDate: '2099-01-01T00:00:00', TotalBids: '0' }
    for (const missing of ['ItemType', 'EndDate', 'TotalBids']) {
      const inner = Object.entries(fields).map(([name, text]) => (name === missing ? '' : `<${name}>${text}</${name}>`))
      const item = response('GetItem', `<GetItemResult>${inner.join('')}</GetItemResult>`)
      home.answer((operation) => (operation === operations.GetItem ? item : undefined))
      home.calls()
      const run = await home.seller('items:price', '7', '--opening', '12', '--json')
      expect(run.json().error, missing).to.include({ code: 'broken_contract', element: `GetItemResult.${missing}` })
      expect(home.calls()).to.deep.equal(['GetItem'])
    }
  })

  it('about requests that were not asked for are not recorded', async () => {
    const entry = (id: number) => `<RequestResult><RequestId>${id}</RequestId><ResultCode>Ok</ResultCode></RequestResult>`
    const results = response('GetRequestResults', `<GetRequestResultsResult>${entry(8)}${entry(9)}</GetRequestResultsResult>`)
    home.answer((operation) => (operation === operations.GetRequestResults ? results : undefined))
    expect((await home.seller('requests:show', '7')).code).to.equal(1)
    expect((await home.seller('requests:list', '--json')).json()).to.deep.equal([])
  })
})
