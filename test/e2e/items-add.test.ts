import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { chunk } from '../images/photos.js'
import { closing, opened } from '../opened.js'
import { openHome } from './harness.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

const ADD = ['items:add', '--title', 'Höganäs krus', '--category', CATEGORY, '--opening', '100', '--shipping', 'pickup']

describe('items:add', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 50 } }))
  beforeEach(() => void home.calls())

  for (const [encoding, written] of [
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ] as const) {
    it(`reads a file of one item and a description in ${encoding}, and says so`, async () => {
      const item = await home.file('kop.yaml', written(`Title: Köp å ö\nCategoryId: ${CATEGORY}\nStartPrice: 5\n`))
      const text = await home.file('text.txt', written('Blå & fin.\n'))
      const run = await home.done('items:add', '-f', item, '--description-file', text, '--dry-run', '--json')
      expect(run.json().Request).to.include({ Title: 'Köp å ö', Description: 'Blå & fin.' })
      for (const path of [item, text]) expect(run.stderr).to.include(`${path} was read as ${encoding}.`)
    })
  }

  it('prints the request as data with --dry-run, without credentials and without a call', async () => {
    await using bare = closing(await openHome())
    const photo = await bare.file('photo.png', PIXEL.png)
    const run = await bare.done(...ADD, '--image', photo, '--campaign', 'VAR', '--dry-run', '--json')
    const shown = run.json()
    expect(shown.Request).to.include({ Title: 'Höganäs krus', StartPrice: 100, AutoCommit: false })
    expect(shown.Calls).to.deep.equal(['AddItem', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit'])
    expect(shown.Images).to.deep.equal([{ File: photo, Format: 'Png', Bytes: PIXEL.png.length, HasMega: false }])
    const text = await bare.seller(...ADD, '-n')
    expect(text.stdout).to.include('Request.Title\tHöganäs krus').and.include('Calls')
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
    const run = await home.done(...ADD, ...images, '--mega-image', files[3] ?? '', '--campaign', 'VALKOMMEN', '--wait', '--json')
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
    const anyway = await home.done(...ADD, '--image', photo, '--campaign', 'SLUT', '--commit-anyway', '--wait', '--json')
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
})

describe('bad input of items:add and shop:add', () => {
  const home = opened(openObserved)
  const bad: Record<string, string> = {}
  before(async () => {
    bad.large = await home.file(
      'large.png',
      Buffer.concat([
        PIXEL.png.subarray(0, -12),
        chunk('IDAT', Buffer.alloc(4 * 1024 * 1024 + 1 - PIXEL.png.length - 12)),
        PIXEL.png.subarray(-12),
      ]),
    )
    bad.webp = await home.file(
      'photo.png',
      Buffer.from('52494646240000005745425056503820180000003001009d012a01000100020034', 'hex'),
    )
    bad.empty = await home.file('empty.jpg', '')
    bad.bytes = await home.file('bytes.yaml', Buffer.from('Title: K\x81p\n', 'latin1'))
  })

  const base = ['--title', 'Vas', '--category', CATEGORY]
  const cases: readonly (readonly [what: string, code: 2 | 3, says: readonly string[], args: () => string[]])[] = [
    [
      'a character XML cannot carry',
      3,
      ['--description', 'U+0001'],
      () => ['items:add', ...base, '--opening', '5', '--description', 'a\u0001'],
    ],
    [
      'an image of 4 MB + 1 byte',
      3,
      ['large.png', '4194305', '4 MB'],
      () => ['items:add', ...base, '--opening', '5', '--image', bad.large ?? ''],
    ],
    [
      'an image of another type',
      3,
      ['photo.png', 'image/webp', 'Gif, Jpeg and Png'],
      () => ['items:add', ...base, '--opening', '5', '--image', bad.webp ?? ''],
    ],
    ['an empty image', 3, ['empty.jpg', 'empty'], () => ['shop:add', ...base, '--price', '5', '--image', bad.empty ?? '']],
    ['an empty file', 2, ['empty.jpg', 'is empty'], () => ['items:add', '--file', bad.empty ?? '']],
    ['a file that is no text', 2, ['UTF-16 or Windows-1252'], () => ['items:add', '--file', bad.bytes ?? '']],
  ]

  for (const [what, code, says, args] of cases) {
    it(`${what}: exit ${code}, before any call`, async () => {
      home.calls()
      const run = await home.run([...args(), '--json'])
      expect(run.code, run.stdout + run.stderr).to.equal(code)
      const { error } = run.json()
      expect(error.category).to.equal(code === 2 ? 'usage' : 'validation')
      for (const word of says) expect(`${error.message} ${error.hint}`).to.include(word)
      expect(home.calls()).to.deep.equal([])
    })
  }
})
