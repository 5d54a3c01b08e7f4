import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { InputFault } from '../../src/contract/index.js'
import { openHome } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'

const ADD = ['items:add', '--title', 'Höganäs krus', '--category', CATEGORY, '--start-price', '100', '--shipping', 'pickup']

describe('items:add', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 50 } })
  })
  beforeEach(() => void home.calls())
  after(() => home.close())

  it('adds an item, waits, and the item is in the next list', async () => {
    const run = await home.seller(...ADD, '--buy-now', '500', '--reference', 'A-1', '--wait', '--json')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ ResultCode: 'Ok', State: 'ok', Operation: 'AddItem', Subject: 'Höganäs krus' })
    const { ItemId, RequestId } = run.json()
    expect(RequestId).to.be.a('number')
    const listed = await home.seller('call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=All')
    const item = listed.json().find(({ Id }: { Id: number }) => Id === ItemId)
    expect(item).to.include({ ShortDescription: 'Höganäs krus', OpeningBid: 100, BuyItNowPrice: 500, ItemType: 'Auction' })
    expect(item.OwnReferences).to.deep.equal(['A-1'])
    const shown = await home.seller(...ADD, '--reference', 'A-2', '--again', '--wait', '-o', 'table')
    expect(shown.stderr).to.match(new RegExp(`Look at it: seller items:show ${ItemId + 1}`))
  })

  it('names once what is missing beside a fault: the price of a buy-now item too', async () => {
    const bad = ['items:add', '--type', 'buy-now', '--title', 'x'.repeat(81), '--category', '344481', '--shipping', 'pickup']
    const run = await home.seller(...bad, '--json')
    expect(run.code).to.equal(3)
    expect(run.json().error.faults.map(({ field, message }: InputFault) => `${field} ${message}`)).to.deep.equal([
      '--title must be at most 80 characters, it has 81',
      '--buy-now is missing',
    ])
    const alone = ['items:add', '--type', 'buy-now', '--title', 'Kopp', '--category', '344481', '--shipping', 'pickup']
    const asked = await home.seller(...alone, '--json')
    expect([asked.code, asked.json().error.missing]).to.deep.equal([2, ['--buy-now']])
  })

  it('without --wait gives the ids, and the one command that goes on', async () => {
    const run = await home.seller(...ADD, '--json')
    expect(run.code).to.equal(0)
    const { RequestId, ItemId, State, ResultCode } = run.json()
    expect([State, ResultCode]).to.deep.equal(['queued', null])
    expect(ItemId).to.be.a('number')
    expect(run.stderr).to.include(`seller requests:wait ${RequestId}`)
    const waited = await home.seller('requests:wait', String(RequestId), '--json')
    expect(waited.json()[0]).to.include({ RequestId, ResultCode: 'Ok' })
  })

  it('reads YAML from stdin, flags override it', async () => {
    const stdin = `Title: Ur filen\nCategoryId: ${CATEGORY}\nStartPrice: 75\nShippingOptions:\n  - ShippingOptionId: 8\n    Cost: 0\n`
    const run = await home.run(['items:add', '--file', '-', '--title', 'Ur flaggan', '--wait', '--json'], { stdin })
    expect(run.code, run.stderr).to.equal(0)
    const shown = await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)
    expect(shown.json()).to.include({ ShortDescription: 'Ur flaggan', OpeningBid: 75 })
  })

  for (const [encoding, written] of [
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ] as const) {
    it(`reads a file of one item and a description in ${encoding}, and says so`, async () => {
      const item = await home.file('kop.yaml', written(`Title: Köp å ö\nCategoryId: ${CATEGORY}\nStartPrice: 5\n`))
      const text = await home.file('text.txt', written('Blå & fin.\n'))
      const run = await home.seller('items:add', '-f', item, '--description-file', text, '--dry-run', '--json')
      expect(run.code, run.stdout).to.equal(0)
      expect(run.json().Request).to.include({ Title: 'Köp å ö', Description: 'Blå & fin.' })
      for (const path of [item, text]) expect(run.stderr).to.include(`${path} was read as ${encoding}.`)
    })
  }

  it('prints the request as data with --dry-run, without credentials and without a call', async () => {
    const bare = await openHome()
    try {
      const photo = await bare.file('photo.png', PIXEL.png)
      const run = await bare.seller(...ADD, '--image', photo, '--campaign', 'VAR', '--dry-run', '--json')
      expect(run.code, run.stderr).to.equal(0)
      const shown = run.json()
      expect(shown.Request).to.include({ Title: 'Höganäs krus', StartPrice: 100, AutoCommit: false })
      expect(shown.Calls).to.deep.equal(['AddItem', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit'])
      expect(shown.Images).to.deep.equal([{ File: photo, Format: 'Png', Bytes: PIXEL.png.length, HasMega: false }])
      const text = await bare.seller(...ADD, '-n')
      expect(text.stdout).to.include('Request.Title\tHöganäs krus').and.include('Calls')
    } finally {
      await bare.close()
    }
  })

  it('prints a skeleton that is accepted when it is filled in', async () => {
    const { stdout } = await home.seller('items:add', '--skeleton')
    const filled = stdout
      .replace(/^Title:$/m, 'Title: Vas')
      .replace(/^CategoryId:$/m, `CategoryId: ${CATEGORY}`)
      .replace(/^StartPrice:$/m, 'StartPrice: 50')
    const file = await home.file('item.yaml', filled)
    const run = await home.seller('items:add', '-f', file, '--dry-run', '--json')
    expect(run.code, run.stdout).to.equal(0)
    expect(run.json().Request).to.include({ Title: 'Vas', StartPrice: 50 })
    expect(home.calls()).to.deep.equal([])
  })

  /** Waits until the ledger has this many requests queued at the service. */
  const queued = async (count: number) => {
    for (;;) {
      const { length } = (await home.seller('requests:list', '--state', 'queued', '--json')).json()
      if (length >= count) return
      await sleep(20)
    }
  }

  it('is killed during --wait, and requests:wait finishes it', async () => {
    const running = home.spawn([...ADD, '--wait', '--json'])
    await queued(1)
    running.kill('SIGKILL')
    expect((await running.done).signal).to.equal('SIGKILL')
    const pending = (await home.seller('requests:list', '--json'))
      .json()
      .filter(({ State }: { State: string }) => State === 'queued')
    expect(pending).to.have.lengthOf(1)
    const waited = await home.seller('requests:wait', '--json')
    expect(waited.json()).to.have.lengthOf(1)
    expect(waited.json()[0]).to.include({ RequestId: pending[0].RequestId, ResultCode: 'Ok' })
  })

  it('is interrupted during --wait with 130 and the command that goes on', async () => {
    const running = home.start([...ADD, '--wait', '--json'])
    await queued(1)
    running.interrupt('SIGINT')
    const run = await running.done
    expect(run.code).to.equal(130)
    expect(run.json().error.hint).to.match(/seller requests:wait \d+/)
    await home.seller('requests:wait')
  })

  it('sends a listing with four images and a code in 1 + 4 + 1 + 1 calls and looks', async () => {
    const files = await Promise.all([
      home.file('a.png', PIXEL.png),
      home.file('b.gif', PIXEL.gif),
      home.file('c.jpg', PIXEL.jpeg),
      // The name is wrong; the content decides.
      home.file('d.jpg', PIXEL.png),
    ])
    home.calls()
    const images = files.slice(0, 3).flatMap((file) => ['--image', file])
    const run = await home.seller(
      ...ADD,
      ...images,
      '--mega-image',
      files[3] ?? '',
      '--campaign',
      'VALKOMMEN',
      '--wait',
      '--json',
    )
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ ResultCode: 'Ok' })
    const calls = home.calls()
    expect(calls.filter((name) => name !== 'GetRequestResults')).to.deep.equal([
      'AddItem',
      ...Array(4).fill('AddItemImage'),
      'AddItemCampaignCode',
      'AddItemCommit',
    ])
    const shown = await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)
    expect(shown.json().ImageLinks).to.have.lengthOf(4)
  })

  it('commits nothing when a code is refused, except with --commit-anyway', async () => {
    const photo = await home.file('one.png', PIXEL.png)
    const refused = await home.seller(...ADD, '--image', photo, '--campaign', 'SLUT', '--json')
    expect(refused.code).to.equal(3)
    const { error } = refused.json()
    expect(error.message).to.include('SLUT')
    expect(error.hint).to.include(`request ${error.requestId}, which is not committed`)
    expect(error.hint).to.include(`seller jobs:resume ${error.jobId} --commit-anyway`)
    expect(error.hint).to.not.include('Nothing was changed')
    expect(error.hint).to.include(`seller jobs:drop ${error.jobId}`)
    const dropped = await home.seller('jobs:drop', String(error.jobId), '--json')
    expect([dropped.code, dropped.json().State]).to.deep.equal([0, 'cancelled'])
    expect((await home.seller('jobs:list', '--unfinished', '--json')).json()).to.deep.equal([])
    const over = await home.seller('jobs:resume', String(error.jobId), '--commit-anyway', '--json')
    expect([over.code, over.json().error.code]).to.deep.equal([2, 'job_over'])
    const stopped = (await home.seller(...ADD, '--image', photo, '--max-calls', '1', '--json')).json().error
    expect([stopped.category, stopped.exitCode]).to.deep.equal(['quota', 7])
    expect(stopped.hint).to.include(`Continue at the step that failed: seller jobs:resume ${stopped.jobId}`)
    expect(home.calls()).to.not.include('AddItemCommit')
    const anyway = await home.seller(...ADD, '--image', photo, '--campaign', 'SLUT', '--commit-anyway', '--wait', '--json')
    expect(anyway.code, anyway.stderr).to.equal(0)
    expect(anyway.json()).to.include({ ResultCode: 'Ok' })
  })

  it('shows in its help that a file can be waited for, and that a skeleton stands alone', async () => {
    const help = await home.seller('items:add', '--help')
    expect(help.stdout)
      .to.match(/^ +--skeleton +Print/m)
      .and.match(/^ +-w, --wait +Wait/m)
    for (const flags of [['-n'], ['--json'], ['-o', 'csv'], ['-f', 'x.yaml']]) {
      const run = await home.seller('items:add', '--skeleton', ...flags)
      expect([run.code, run.stdout.includes('Title:')], flags.join(' ')).to.deep.equal([2, false])
      expect(run.stdout + run.stderr).to.include('cannot be given together')
    }
  })

  it('leaves an item of AutoCommit false to images:upload', async () => {
    const stdin = `{"Title":"Utan bild","CategoryId":${CATEGORY},"StartPrice":10,"AutoCommit":false,"ShippingOptions":[{"ShippingOptionId":8,"Cost":0}]}`
    const run = await home.run(['items:add', '-f', '-', '--json'], { stdin })
    expect(run.stderr).to.include(`images:upload ${run.json().RequestId}`)
    const waiting = await home.run(['items:add', '-f', '-', '--wait', '--json'], { stdin })
    expect([waiting.code, waiting.json().error.code]).to.deep.equal([3, 'never_committed'])
    const photo = await home.file('late.gif', PIXEL.gif)
    const uploaded = await home.seller('images:upload', String(run.json().RequestId), photo, '--commit', '--wait', '--json')
    expect(uploaded.code, uploaded.stderr).to.equal(0)
    expect(uploaded.json()).to.include({ Images: 1, Committed: true, ResultCode: 'Ok', State: 'ok' })
  })
})

describe('bad input of items:add and shop:add', () => {
  let home: ObservedHome
  const bad: Record<string, string> = {}
  before(async () => {
    home = await openObserved()
    bad.large = await home.file('large.png', Buffer.concat([PIXEL.png, Buffer.alloc(4 * 1024 * 1024 + 1 - PIXEL.png.length)]))
    bad.webp = await home.file(
      'photo.png',
      Buffer.from('52494646240000005745425056503820180000003001009d012a01000100020034', 'hex'),
    )
    bad.text = await home.file('text.jpg', 'no image')
    bad.empty = await home.file('empty.jpg', '')
    bad.bytes = await home.file('bytes.yaml', Buffer.from('Title: K\x81p\n', 'latin1'))
    bad.unknown = await home.file('unknown.yaml', `Title: V\nCategoryId: ${CATEGORY}\nStartPrise: 5\nDuration: 99\n`)
  })
  after(() => home.close())

  const base = ['--title', 'Vas', '--category', CATEGORY]
  const cases: readonly (readonly [what: string, code: 2 | 3, says: readonly string[], args: () => string[]])[] = [
    ['a price with decimals', 2, ['--start-price', '"12.50"', 'whole'], () => ['items:add', ...base, '--start-price', '12.50']],
    ['a negative price', 2, ['--start-price', '"-5"'], () => ['items:add', ...base, '--start-price', '-5']],
    [
      'a price that is too large',
      2,
      ['--start-price', '2147483647'],
      () => ['items:add', ...base, '--start-price', '2147483648'],
    ],
    ['an auction for nothing', 3, ['--start-price', '1 kr'], () => ['items:add', ...base, '--start-price', '0']],
    [
      'an invalid date',
      2,
      ['--ends', '"2026-02-30"'],
      () => ['items:add', ...base, '--start-price', '5', '--ends', '2026-02-30'],
    ],
    [
      'a title that is too long',
      3,
      ['--title', 'at most 80 characters, it has 81'],
      () => ['items:add', '--title', 'x'.repeat(81), '--category', '1', '--start-price', '5'],
    ],
    [
      'a character XML cannot carry',
      3,
      ['--description', 'U+0001'],
      () => ['items:add', ...base, '--start-price', '5', '--description', 'a\u0001'],
    ],
    [
      'an image of 4 MB + 1 byte',
      3,
      ['large.png', '4194305', '4 MB'],
      () => ['items:add', ...base, '--start-price', '5', '--image', bad.large ?? ''],
    ],
    [
      'an image of another type',
      3,
      ['photo.png', 'image/webp', 'Gif, Jpeg and Png'],
      () => ['items:add', ...base, '--start-price', '5', '--image', bad.webp ?? ''],
    ],
    [
      'what is not an image',
      3,
      ['text.jpg', 'does not contain an image'],
      () => ['items:add', ...base, '--start-price', '5', '--mega-image', bad.text ?? ''],
    ],
    ['an empty image', 3, ['empty.jpg', 'empty'], () => ['shop:add', ...base, '--price', '5', '--image', bad.empty ?? '']],
    [
      'an image that is not there',
      3,
      ['nowhere.png', 'does not exist'],
      () => ['items:add', ...base, '--start-price', '5', '--image', 'nowhere.png'],
    ],
    ['an empty file', 2, ['empty.jpg', 'is empty'], () => ['items:add', '--file', bad.empty ?? '']],
    ['a file that is not there', 2, ['nowhere.yaml', 'does not exist'], () => ['items:add', '--file', 'nowhere.yaml']],
    ['a file that is no text', 2, ['UTF-16 or Windows-1252'], () => ['items:add', '--file', bad.bytes ?? '']],
    [
      'unknown fields',
      3,
      ['StartPrise', 'line 3', 'Did you mean StartPrice?', 'Duration', 'line 4'],
      () => ['items:add', '--file', bad.unknown ?? ''],
    ],
    [
      'prices in the wrong order',
      3,
      ['--reserve', '--buy-now'],
      () => ['items:add', ...base, '--start-price', '500', '--reserve', '400', '--buy-now', '450'],
    ],
    ['everything missing', 2, ['--title', '--category', '--start-price'], () => ['items:add']],
    ['both quantities', 3, ['--quantity'], () => ['shop:add', ...base, '--price', '5', '--quantity', '1', '--file', 'q.yaml']],
    [
      'an end before the beginning',
      3,
      ['--deactivate'],
      () => ['shop:add', ...base, '--price', '5', '--activate', '2099-02-01', '--deactivate', '2099-01-01'],
    ],
  ]

  for (const [what, code, says, args] of cases) {
    it(`${what}: exit ${code}, before any call`, async () => {
      await home.file('q.yaml', 'Quantity: 3\n')
      home.calls()
      const run = await home.run([...args(), '--json'])
      expect(run.code, run.stdout + run.stderr).to.equal(code)
      const { error } = run.json()
      expect(error.category).to.equal(code === 2 ? 'usage' : 'validation')
      for (const word of says) expect(`${error.message} ${error.hint}`).to.include(word)
      expect(home.calls()).to.deep.equal([])
    })
  }

  it('tells all of several faults at once', async () => {
    const run = await home.seller(
      'items:add',
      '--title',
      'x'.repeat(81),
      '--start-price',
      '9,90',
      '--days',
      '40',
      '--image',
      bad.text ?? '',
      '--json',
    )
    expect(run.code).to.equal(2)
    const fields = run.json().error.faults.map(({ field }: { field: string }) => field)
    expect(fields).to.have.members(['--start-price', '--title', '--days', '--image', '--category'])
    expect(home.calls()).to.deep.equal([])
  })
})
