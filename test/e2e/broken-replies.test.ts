/**
 * Replies that are well-formed but break the contract: every operation, every field that decisions depend on, every way to damage
 * it. The table of damages is made from the contract, so that a field marked there is tested here.
 */
import { expect } from 'chai'
import { type Operation, type OperationName, operations, operationsOf } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { opened } from '../opened.js'
import { damagesOf, replyOf } from '../soap/damage.js'
import { response } from '../soap/service.js'
import { fault, openHostile } from './hostile.js'
import { PIXEL } from './observed.js'

interface Row {
  readonly operation: OperationName
  readonly args: readonly string[]
  /** The state of the request in the ledger afterwards. */
  readonly ledger?: 'unknown'
}

const ADD = ['--title', 'Vas', '--category', '344481']

const ROWS: readonly Row[] = [
  { operation: 'GetItem', args: ['items:show', '7'] },
  // Whole records: of columns, a field that is not shown is not read.
  { operation: 'GetSellerItems', args: ['items:list', '-o', 'yaml'] },
  { operation: 'GetSellerTransactions', args: ['transactions:list'] },
  {
    operation: 'AddItem',
    args: ['items:add', ...ADD, '--opening', '100', '--shipping', 'pickup', '--wait'],
    ledger: 'unknown',
  },
  { operation: 'ValidateCampaignCode', args: ['campaigns:validate', 'VALKOMMEN'] },
  { operation: 'LeaveFeedback', args: ['feedback:leave', '7', '--positive', 'Tack'] },
  { operation: 'AddShopItem', args: ['shop:add', ...ADD, '--price', '149', '--wait'], ledger: 'unknown' },
  { operation: 'GetRequestResults', args: ['requests:show', '7'] },
  { operation: 'RemoveShopItem', args: ['call', 'RemoveShopItem', 'shopItemId=7'], ledger: 'unknown' },
  { operation: 'GetUserInfo', args: ['account:show'] },
  {
    operation: 'SetPriceOnShopItems',
    args: ['call', 'SetPriceOnShopItems', 'request.ShopItems.0.Id=7', 'request.ShopItems.0.Price=100'],
    ledger: 'unknown',
  },
  { operation: 'SetPricesOnNonShopItems', args: ['call', 'SetPricesOnNonShopItems', 'itemId=7', 'openingPrice=12'] },
  { operation: 'BeginEidVerification', args: ['eid:verify', '--no-wait'] },
  { operation: 'GetEidVerificationProgress', args: ['eid:status'] },
  { operation: 'BeginEidOnFileVerification', args: ['eid:verify', '--on-file', '--no-wait'] },
  { operation: 'EndItem', args: ['call', 'EndItem', 'itemId=7', '--yes'] },
  {
    operation: 'UpdateShopItem',
    args: ['call', 'UpdateShopItem', 'updateData.ItemId=7', 'updateData.ItemData.Title=Vas'],
    ledger: 'unknown',
  },
  {
    operation: 'UpdateTransactionStatus',
    args: [
      'call',
      'UpdateTransactionStatus',
      'transactionStatusUpdateData.TransactionId=7',
      'transactionStatusUpdateData.MarkedAsShipped=true',
    ],
  },
  {
    operation: 'SetActivateDateOnShopItems',
    args: [
      'call',
      'SetActivateDateOnShopItems',
      'request.ShopItems.0.Id=7',
      'request.ShopItems.0.ActivateDate=2030-01-01T00:00:00+01:00',
    ],
    ledger: 'unknown',
  },
  {
    operation: 'SetQuantityOnShopItems',
    args: ['call', 'SetQuantityOnShopItems', 'request.ShopItems.0.Id=7', 'request.ShopItems.0.Quantity=3'],
  },
  { operation: 'GetSellerOrders', args: ['orders:list'] },
  { operation: 'GetOrders', args: ['orders:show', '7'] },
  { operation: 'SetSellerOrderAsPaid', args: ['call', 'SetSellerOrderAsPaid', 'request.OrderId=7'] },
  { operation: 'SetSellerOrderAsShipped', args: ['call', 'SetSellerOrderAsShipped', 'request.OrderId=7'] },
  { operation: 'GetFreightLabels', args: ['call', 'GetFreightLabels', 'request.OrderIds=7'] },
  { operation: 'GetItemRestarts', args: ['call', 'GetItemRestarts', 'itemId=7'] },
  { operation: 'PublicService.GetItem', args: ['items:show', '7', '--public'] },
  { operation: 'PublicService.GetSellerItems', args: ['items:list', '--seller', '7', '-o', 'yaml'] },
]

describe('replies that break the contract', () => {
  const home = opened(openHostile)

  /** Answers one operation with a text, and the others correctly. */
  const answering = (broken: Operation, reply: string) => home.answer((operation) => (operation === broken ? reply : undefined))
  const ledger = async () => (await home.seller('requests:list', '--json', '--limit', '1')).json()

  it('are tested for every operation that has such a field', () => {
    const marked = (Object.entries(operations) as [OperationName, Operation][]).filter(([, one]) => damagesOf(one).length > 0)
    expect(ROWS.map(({ operation }) => operation)).to.have.members(marked.map(([name]) => name))
  })

  for (const { operation: name, args, ledger: state } of ROWS) {
    const operation: Operation = operations[name]
    // Lists that are left out: absent-lists.test.ts.
    const damages = damagesOf(operation).filter(({ absent }) => !absent)
    const code = operation.kind === 'single write' ? EXIT.unknownOutcome : EXIT.failure
    it(`${name}: ${damages.length} of them end seller ${args[0]} with ${code}`, async () => {
      for (const { what, element, xml } of damages) {
        answering(operation, xml)
        home.calls()
        const run = await home.seller(...args)
        const said = `${what}\n${run.stdout}\n${run.stderr}`
        expect(run.code, said).to.equal(code)
        expect(run.stderr, said).to.include(name).and.include(element)
        expect(
          home.calls().filter((called) => called === operation.name),
          said,
        ).to.have.length(1)
        if (state !== undefined) expect((await ledger())[0], said).to.include({ Operation: operation.name, State: state })
      }
    })
  }

  it('give --json a code of their own', async () => {
    answering(operations.GetUserInfo, response('GetUserInfo', '<GetUserInfoResult/>'))
    const { error } = (await home.seller('account:show', '--json')).json()
    expect(error).to.include({
      code: 'broken_contract',
      category: 'service',
      operation: 'GetUserInfo',
      element: 'GetUserInfoResult.Id',
    })
  })

  it('about another item than the one asked for are no answer', async () => {
    const item = (id: number) => response('GetItem', `<GetItemResult><Id>${id}</Id></GetItemResult>`)
    answering(operations.GetItem, item(777))
    const run = await home.seller('items:show', '7')
    expect(run.code).to.equal(EXIT.failure)
    expect(run.stderr).to.include('GetItemResult.Id 777 is not the item asked for, 7')
    expect(run.stdout).to.equal('')
    answering(operations.GetItem, item(7))
    expect((await home.seller('items:show', '7')).code).to.equal(EXIT.ok)
  })

  it('say themselves whether an auction has ended, whatever the clock here says', async () => {
    const item = (end: string, ended: boolean) =>
      `<GetItemResult><Id>7</Id><ShortDescription>Vas</ShortDescription><EndDate>${end}</EndDate><OpeningBid>4</OpeningBid>` +
      `<TotalBids>0</TotalBids><ItemType>Auction</ItemType><Status><Ended>${ended}</Ended><GotBidders>false</GotBidders>` +
      '<GotWinner>false</GotWinner></Status></GetItemResult>'
    const price = ['items:price', '7', '--opening', '5', '--dry-run', '--json']
    answering(operations.GetItem, response('GetItem', item('2001-01-01T00:00:00', false)))
    const open = await home.seller(...price)
    expect([open.code, open.json().OpeningPrice], open.stdout).to.deep.equal([EXIT.ok, 5])
    answering(operations.GetItem, response('GetItem', item('2999-01-01T00:00:00', true)))
    const ended = await home.seller(...price)
    expect([ended.code, ended.json().error.message], ended.stdout).to.deep.equal([
      EXIT.validation,
      'item 7: ended 2999-01-01T00:00:00.',
    ])
  })

  it('without the fields that nothing rests on are read: services of another age are readable', async () => {
    answering(
      operations.GetSellerItems,
      response('GetSellerItems', '<GetSellerItemsResult><Item><Id>7</Id></Item></GetSellerItemsResult>'),
    )
    const run = await home.done('items:list', '--json')
    expect(run.json()[0]).to.include({ Id: 7 })
  })

  it('leave rows of a bulk run that sends once unknown, and jobs:resume sends none of them again', async () => {
    const file = await home.file('items.csv', 'Title;CategoryId;Price\nVas;344481;100\nKruka;344481;200\n')
    answering(operations.AddShopItem, response('AddShopItem', '<AddShopItemResult/>'))
    const run = await home.seller('shop:add', '--file', file, '--yes', '--json')
    expect(run.code, run.stdout + run.stderr).to.equal(EXIT.unknownOutcome)
    home.answer(() => undefined)
    home.calls()
    const [job] = (await home.seller('jobs:list', '--json')).json()
    expect(job.Counts).to.include({ unknown: 2 })
    expect((await home.seller('jobs:resume', String(job.JobId))).code).to.equal(EXIT.unknownOutcome)
    expect(home.calls()).not.to.include('AddShopItem')
  })

  it('stop a listing with images before its images: jobs:resume does not send AddItem again', async () => {
    const image = await home.file('a.png', PIXEL.png)
    for (const inner of ['', '<AddItemResult/>', '<AddItemResult><RequestId>0</RequestId><ItemId>7</ItemId></AddItemResult>']) {
      answering(operations.AddItem, response('AddItem', inner))
      home.calls()
      const run = await home.seller('items:add', ...ADD, '--opening', '100', '--shipping', 'pickup', '--image', image, '--wait')
      expect(run.code, run.stderr).to.equal(EXIT.unknownOutcome)
      home.answer(() => undefined)
      const [job] = (await home.seller('jobs:list', '--json')).json()
      expect(job).to.include({ State: 'unknown' })
      expect((await home.seller('jobs:resume', String(job.JobId), '--wait')).code).to.equal(EXIT.unknownOutcome)
      expect(home.calls()).to.deep.equal(['AddItem'])
    }
  })

  it('do not end a wait for good: one entry without a ResultCode does not keep the others away', async () => {
    let looks = 0
    const entry = (id: number, code: string) => `<RequestResult><RequestId>${id}</RequestId>${code}</RequestResult>`
    home.answer(({ name }) => {
      if (name !== 'GetRequestResults') return undefined
      const second = ++looks > 1 ? '<ResultCode>Ok</ResultCode>' : ''
      const inner = entry(7, '<ResultCode>Ok</ResultCode>') + entry(8, second)
      return response('GetRequestResults', `<GetRequestResultsResult>${inner}</GetRequestResultsResult>`)
    })
    await home.done('requests:wait', '7', '8', '--json')
    expect(looks).to.equal(2)
  })

  it('are told from failures inside the service: a write that left is never said not to have been sent', async () => {
    home.answer(({ name }) =>
      name === 'SetPriceOnShopItems' ? fault('Server was unable to process request. ---&gt; Oops') : undefined,
    )
    const run = await home.seller('shop:price', '7=100', '--blind', '--yes')
    expect(run.code).not.to.equal(EXIT.ok)
    expect(run.stderr).not.to.match(/were sent|not sent/)
    home.answer(({ name }) => (name === 'AddItem' ? fault('Server was unable to process request. ---&gt; Oops') : undefined))
    const add = await home.seller('items:add', ...ADD, '--opening', '100', '--shipping', 'pickup')
    expect(add.code, add.stderr).to.equal(EXIT.unknownOutcome)
    expect((await ledger())[0]).to.include({ State: 'unknown' })
    home.answer(({ name }) => (name === 'AddItem' ? fault('Invalid request ---&gt; Request data is not valid:') : undefined))
    expect((await home.seller('items:add', ...ADD, '--opening', '100', '--shipping', 'pickup')).code).to.equal(EXIT.validation)
    expect((await ledger())[0]).to.include({ State: 'refused' })
  })
})

describe('a reply to marks of sales that breaks the contract', () => {
  const home = opened(openHostile)

  it('says which were set, which may be, and that they may be sent again', async () => {
    const { UpdateTransactionStatus: mark } = operations
    const answers = [replyOf(mark)]
    home.answer((operation) => (operation === mark ? (answers.shift() ?? response(mark.name, '')) : undefined))
    const offered = Object.values(operationsOf('RestrictedService', 'all'))
    const url = `${home.env.SELLER_BASE_URL}/v3/RestrictedService.asmx`
    const text = buildWsdl('RestrictedService', home.env.SELLER_NAMESPACE ?? '', url, offered)
    await home.done('service:check', '--file', await home.file('all.wsdl', text), '--save', '--yes')
    const run = await home.seller('transactions:mark', '7', '8', '--paid', '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([EXIT.failure, 'broken_contract'])
    expect(run.json().error.message).to.include(
      'The marks of transaction 8 were sent, and may be set or not. 1 of 2 were marked before.',
    )
    expect(run.json().error.next[0].command).to.include('seller transactions:show 8')
  })
})
