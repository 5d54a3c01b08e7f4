/** Undoing changes of fields: each goes back to what it was, unless somebody else has changed it since. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BulkRow } from '../../../src/jobs/bulk/index.js'
import { ItemChanges, planUpdateUndo, type ReadWhole } from '../../../src/jobs/bulk/undo-updates.js'
import type { LiveCatalogueItem } from '../../../src/pricing/index.js'
import { scratch } from '../../scratch.js'

type Fields = Readonly<Record<string, unknown>>

const row = (Id: number | null, Payload: Fields, OldPayload: Fields | null, more: Partial<BulkRow> = {}): BulkRow =>
  ({ JobId: 1, Row: 1, Line: 2, Id, OwnReference: null, Title: null, Payload, OldPayload, State: 'ok', ...more }) as BulkRow
const item = (Id: number, more: Partial<LiveCatalogueItem> = {}): LiveCatalogueItem =>
  ({ Id, ItemType: 'ShopItem', OwnReferences: [], ...more }) as LiveCatalogueItem
const changesOf = (...rows: BulkRow[]): ItemChanges => {
  const changes = new ItemChanges()
  for (const each of rows) changes.add(each, undefined)
  return changes
}
const planned = async (rows: readonly BulkRow[], live: readonly LiveCatalogueItem[], whole?: ReadWhole) =>
  planUpdateUndo(changesOf(...rows), live, whole === undefined ? {} : { whole })
/** For each item the values that are sent, or its hold. */
const outcomes = (plan: Awaited<ReturnType<typeof planned>>) =>
  Array.from(plan.entries, ({ item: { Id }, state, row: { given }, hold }) =>
    state === 'change' ? [Id, given] : [Id, hold?.Code, (hold?.Values as { Fields?: unknown } | undefined)?.Fields],
  )

describe('undoing changes of fields', () => {
  it('sets back what is still as the job set it, and holds what somebody else has changed', async () => {
    const change = row(1, { Title: 'New', VAT: 25 }, { Title: 'Old', VAT: 12 })
    const plan = await planned(
      [change, row(2, { Title: 'New' }, { Title: 'Old' }), row(3, { Title: 'New' }, { Title: 'Old' })],
      [
        item(1, { ShortDescription: 'New', VAT: 25 }),
        item(2, { ShortDescription: 'Third' }),
        item(3, { ShortDescription: ' Old' }),
        item(4, { ShortDescription: 'New' }),
      ],
    )
    expect(outcomes(plan)).to.deep.equal([
      [1, { Title: 'Old', VAT: 12 }],
      [2, 'fields_moved', ['Title']],
    ])
    expect(plan).to.include({ change: 1, held: 1, pending: 0, unchanged: 1, stopped: null })
    expect([...plan.left]).to.deep.equal([])
    // One field that is back already is not sent, and one that moved holds the others.
    const partly = await planned([change], [item(1, { ShortDescription: 'Old', VAT: 25 })])
    expect(outcomes(partly)).to.deep.equal([[1, { VAT: 12 }]])
    const moved = await planned([change], [item(1, { ShortDescription: 'Third', VAT: 25 })])
    expect(outcomes(moved)).to.deep.equal([[1, 'fields_moved', ['Title']]])
    expect([...moved.entries][0]?.differences).to.deep.equal([
      { field: 'Title', live: 'Third', wanted: 'Old' },
      { field: 'VAT', live: 25, wanted: 12 },
    ])
  })

  it('takes several jobs as one: back to before the oldest, from what the newest set', async () => {
    const rows = [
      row(1, { Title: 'B' }, { Title: 'A' }),
      row(1, { Title: 'C', VAT: 25 }, { Title: 'somebody else had set this', VAT: 12 }),
    ]
    const plan = await planned(rows, [item(1, { ShortDescription: 'C', VAT: 25 })])
    expect(outcomes(plan)).to.deep.equal([[1, { Title: 'A', VAT: 12 }]])
    expect(Array.from(plan.entries, ({ row: { references, extra } }) => [references, extra])).to.deep.equal([[[], []]])
    const between = await planned(rows, [item(1, { ShortDescription: 'B', VAT: 25 })])
    expect(outcomes(between)).to.deep.equal([[1, 'fields_moved', ['Title']]])
  })

  it('waits for a change that is on the way, in whichever of the jobs', async () => {
    const why = { Code: 'still_queued', Values: { Job: 7 } } as const
    for (const at of [0, 1]) {
      const changes = new ItemChanges()
      changes.add(row(1, { Title: 'B' }, { Title: 'A' }), at === 0 ? why : undefined)
      changes.add(row(1, { Title: 'C' }, { Title: 'B' }), at === 1 ? why : undefined)
      const plan = await planUpdateUndo(changes, [item(1, { ShortDescription: 'C' })])
      expect(outcomes(plan)).to.deep.equal([[1, 'still_queued', undefined]])
      expect(plan).to.include({ change: 0, held: 1 })
    }
  })

  it('empties a text that was none, and says which other fields stay', async () => {
    const plan = await planned(
      [
        row(1, { Description: 'New', ItemAttributes: [1] }, { Description: null, ItemAttributes: null }),
        row(2, { ItemAttributes: [1] }, { ItemAttributes: null }),
        // A field that no live item shows was not read.
        row(3, { ExternalId: 'x', VAT: 25 }, { VAT: 12 }),
      ],
      [
        item(1, { LongDescription: 'New', ItemAttributes: [1] }),
        item(2, { ItemAttributes: [1] }),
        item(3, { VAT: 25 }),
      ] as LiveCatalogueItem[],
    )
    expect(outcomes(plan)).to.deep.equal([
      [1, { Description: '' }],
      [2, 'not_set_back', ['ItemAttributes']],
      [3, { VAT: 12 }],
    ])
    expect([...plan.entries][1]?.differences).to.deep.equal([{ field: 'ItemAttributes', live: [1], wanted: null }])
    expect([...plan.left]).to.deep.equal([
      ['ItemAttributes', 1],
      ['ExternalId', 1],
    ])
  })

  it('sets nothing that was not read before', async () => {
    const plan = await planned([row(1, { Title: 'New' }, null)], [item(1, { ShortDescription: 'New' })])
    expect(outcomes(plan)).to.deep.equal([[1, 'not_set_back', ['Title']]])
    // Somebody else's title is no work of the job.
    const moved = await planned([row(1, { Title: 'New' }, {})], [item(1, { ShortDescription: 'Third' })])
    expect(outcomes(moved)).to.deep.equal([[1, 'fields_moved', ['Title']]])
  })

  it('names items that are not live, and leaves auctions alone', async () => {
    const plan = await planned(
      [
        row(1, { Title: 'New' }, { Title: 'Old' }, { OwnReference: 'A|B', Line: 7 }),
        row(2, { Title: 'New' }, { Title: 'Old' }, { Title: 'New' }),
        row(3, { Title: 'New' }, { Title: 'Old' }),
        row(null, { Title: 'New' }, { Title: 'Old' }),
      ],
      [item(1, { ShortDescription: 'New' }), item(3, { ShortDescription: 'New', ItemType: 'Auction' })],
    )
    expect(Array.from(plan.entries, ({ row: { line, references } }) => [line, references])).to.deep.equal([[7, ['A', 'B']]])
    expect(Array.from(plan.unknown, ({ Id, change }) => [Id, change.title])).to.deep.equal([
      [2, 'New'],
      [3, null],
    ])
  })

  it('reads an item by itself where the list leaves out a field that it set', async () => {
    const rows = [row(1, { Description: 'New' }, { Description: 'Old' })]
    const listed = item(1, { ShortDescription: 'Lamp' })
    const asked: number[] = []
    const reads = (whole: LiveCatalogueItem | null) => async (id: number) => {
      asked.push(id)
      return whole
    }
    expect(outcomes(await planned(rows, [listed], reads({ ...listed, LongDescription: 'New' })))).to.deep.equal([
      [1, { Description: 'Old' }],
    ])
    expect(asked).to.deep.equal([1])
    // Without it nobody knows whether it is still so.
    for (const whole of [reads(null), undefined])
      expect(outcomes(await planned(rows, [listed], whole))).to.deep.equal([[1, 'fields_moved', ['Description']]])
    asked.length = 0
    await planned(rows, [{ ...listed, LongDescription: 'New' }], reads(null))
    // A field that no item shows is no reason to ask.
    await planned([row(1, { ExternalId: 'x', Title: 'Lamp' }, { Title: 'Old' })], [listed], reads(null))
    expect(asked).to.deep.equal([])
  })

  describe('of images', () => {
    let directory: string
    beforeEach(() => {
      directory = mkdtempSync(join(scratch(), 'undo-images-'))
    })
    afterEach(() => rmSync(directory, { recursive: true, force: true }))

    const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const imagesOf = (content = GIF) => {
      const Path = join(directory, 'before.gif')
      writeFileSync(Path, content)
      const Sha256 = createHash('sha256').update(GIF).digest('hex')
      return [{ Name: 'before.gif', Format: 'Gif', HasMega: false, Bytes: GIF.length, Path, Sha256 }]
    }
    const after = [{ Name: 'after.gif', Format: 'Gif', HasMega: false, Bytes: 1, Base64: 'AA==' }]

    it('sends those of before again from their files', async () => {
      const images = imagesOf()
      const plan = await planned([row(1, { ItemImages: after }, { ItemImages: images })], [item(1)])
      expect(outcomes(plan)).to.deep.equal([[1, { ItemImages: images }]])
    })

    it('leaves them where their files have changed, and sets the other fields back', async () => {
      const images = imagesOf(Buffer.from(GIF.map((byte, at) => (at === 13 ? byte + 1 : byte))))
      const changed = row(1, { ItemImages: after, VAT: 25 }, { ItemImages: images, VAT: 12 })
      const plan = await planned([changed], [item(1, { VAT: 25 })])
      expect(outcomes(plan)).to.deep.equal([[1, { VAT: 12 }]])
      expect([...plan.left]).to.deep.equal([['ItemImages', 1]])
      const alone = await planned([row(1, { ItemImages: after }, { ItemImages: images })], [item(1)])
      expect(outcomes(alone)).to.deep.equal([[1, 'not_set_back', ['ItemImages']]])
      expect([...alone.entries][0]?.differences).to.deep.equal([{ field: 'ItemImages', live: after, wanted: null }])
      // A row that waits says so, whatever became of its files.
      const changes = new ItemChanges()
      changes.add(changed, { Code: 'still_queued', Values: { Job: 7 } })
      expect(outcomes(await planUpdateUndo(changes, [item(1, { VAT: 25 })]))).to.deep.equal([[1, 'still_queued', undefined]])
    })
  })
})
