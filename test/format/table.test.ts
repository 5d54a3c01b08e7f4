import { expect } from 'chai'
import type { View } from '../../src/format/output/index.js'
import { textWidth } from '../../src/format/output/width.js'
import { itemsView } from '../../src/format/views/items.js'
import { itemOf } from './records.js'
import { stand } from './streams.js'

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

describe('tables on a terminal', () => {
  const { ShortDescription: _, ...nameless } = itemOf({ Id: 341003, ItemType: 'PureBuyItNow', BuyItNowPrice: null })
  const items = [
    itemOf({ Id: 341001, ShortDescription: 'Vas i klarglas från Kosta Boda, signerad, 24 cm hög', TotalBids: 3, MaxBid: 1250 }),
    itemOf({ Id: 341002, ShortDescription: '日本の茶碗 😀', ItemType: 'ShopItem', BuyItNowPrice: 12900, RemainingQuantity: 14 }),
    nameless,
  ]

  it('fit forty columns by leaving the last columns out, and say so', async () => {
    const { output, stdout, stderr } = await stand({ terminal: true, width: 40 })
    await output.list(itemsView, items)
    expect(stdout.written).to.equal(
      [
        '    Id  Title         Type         Price',
        '──────  ────────────  ───────  ─────────',
        '341001  Vas i klarg…  auction   1 250 kr',
        '341002  日本の茶碗…   shop     12 900 kr',
        '341003                buy now',
        '3 items',
        '',
      ].join('\n'),
    )
    expect(stderr.written).to.equal('Columns that did not fit: State, Ends,\nBids, Left, Category. Choose with\n--columns.\n')
  })

  it('are cards, a fact a line, and trees are lists, where nothing may be drawn', async () => {
    for (const env of [{ SELLER_PLAIN: '1' }, { TERM: 'dumb' }]) {
      const { output, stdout } = await stand({ terminal: true, width: 40, env })
      const title = 'A title of more than the forty columns of the terminal'
      await output.list({ ...itemsView, title }, items.slice(0, 2))
      const lines = stdout.written.split('\n')
      expect(lines.slice(0, 3)).to.deep.equal([title, 'Id: 341001', 'Title: Vas i klarglas från Kosta Boda, signerad, 24 cm hög'])
      expect(lines.filter((line) => line.startsWith('Id: '))).to.have.length(2)
      expect(stdout.written).to.not.match(/[\u2500-\u259f\u2800-\u28ff]/)
    }
  })

  it('never pass the edge, whatever the width', async () => {
    for (const width of [20, 30, 40, 60, 79, 80, 100, 200]) {
      const { output, stdout } = await stand({ terminal: true, width })
      await output.list(itemsView, items)
      for (const line of linesOf(stdout.written)) expect(textWidth(line), `${width}: ${line}`).to.be.at.most(width)
    }
  })

  it('narrow the widest texts first, and each text no more than is needed', async () => {
    const view: View<object> = {
      columns: ['A', 'B', 'C'].map((key) => ({ key, value: () => key.repeat({ A: 40, B: 25, C: 14 }[key] ?? 0) })),
    }
    const widths = async (width: number) => {
      const { output, stdout } = await stand({ terminal: true, width })
      await output.list(view, [{}, {}])
      return linesOf(stdout.written)[1]
        ?.split('  ')
        .map((rule) => rule.length)
    }
    expect(await widths(83)).to.deep.equal([40, 25, 14])
    expect(await widths(70)).to.deep.equal([27, 25, 14])
    expect(await widths(61)).to.deep.equal([22, 21, 14])
    expect(await widths(41)).to.deep.equal([13, 12, 12])
  })

  it('leave out first what is empty, or alike in several rows, else the last column', async () => {
    const view: View<Record<string, string>> = { columns: ['First', 'Second', 'Third'].map((key) => ({ key })) }
    const [one, other] = ['a text of some length', 'another one of that length']
    const headers = async (...rows: readonly Record<string, string>[]) => {
      const { output, stdout } = await stand({ terminal: true, width: 30 })
      await output.list(view, rows)
      return stdout.written.split('\n', 1)[0]?.split(/ +/)
    }
    expect(await headers({ First: one, Second: one, Third: one })).to.deep.equal(['First', 'Second'])
    expect(await headers({ First: one, Second: '', Third: one })).to.deep.equal(['First', 'Third'])
    const alike = { First: one, Second: one }
    expect(await headers({ ...alike, Third: one }, { ...alike, Third: other })).to.deep.equal(['First', 'Third'])
    expect(await headers({ ...alike, Third: one }, { ...alike, Second: other, Third: one })).to.deep.equal(['First', 'Second'])
  })

  it('leave out a reason that no row has, unless a later row may have one, or it was asked for', async () => {
    const view: View<{ readonly Id: number; readonly Reason: string | null }> = {
      columns: [{ key: 'Id' }, { key: 'Reason', unlessEmpty: true }],
    }
    const headers = async (rows: number, { last = null, columns }: { last?: string | null; columns?: string[] } = {}) => {
      const { output, stdout } = await stand({ terminal: true, ...(columns && { columns }) })
      await output.list(
        view,
        Array.from({ length: rows }, (_, at) => ({ Id: at, Reason: at === rows - 1 ? last : null })),
      )
      return stdout.written.split('\n', 1)[0]?.split(/ +/)
    }
    expect(await headers(3)).to.deep.equal(['Id'])
    expect(await headers(3, { last: 'why' })).to.deep.equal(['Id', 'Reason'])
    expect(await headers(101, { last: 'why' })).to.deep.equal(['Id', 'Reason'])
    expect(await headers(3, { columns: ['Id', 'Reason'] })).to.deep.equal(['Id', 'Reason'])
  })

  it('keep every column that was asked for', async () => {
    const { output, stdout } = await stand({ terminal: true, width: 30, columns: ['Id', 'Title', 'StartDate', 'EndDate'] })
    await output.list(itemsView, items)
    expect(linesOf(stdout.written)[0]).to.equal('    Id  Title         StartDate         Ends')
  })

  it('cut no number: a later, longer one pushes its neighbours', async () => {
    const rows = Array.from({ length: 101 }, (_, index) => ({ Id: index === 100 ? 123_456_789 : 7, Title: 'a' }))
    const view: View<(typeof rows)[number]> = { columns: [{ key: 'Id', kind: 'int' }, { key: 'Title' }] }
    const { output, stdout } = await stand({ terminal: true })
    await output.list(view, rows)
    expect(linesOf(stdout.written)[101]).to.equal(' 7  a')
    expect(linesOf(stdout.written)[102]).to.equal('123456789  a')
  })

  it('are drawn alike by the library and by hand', async () => {
    const repeated = Array.from({ length: 250 }, (_, index) => items[index % 3])
    const { output, stdout } = await stand({ terminal: true, env: { NO_COLOR: '', FORCE_COLOR: '1' } })
    await output.list(itemsView, repeated as typeof items)
    const lines = linesOf(stdout.written)
    expect(lines).to.have.length(2 + 250 + 1)
    for (let index = 5; index < 252; index++) expect(lines[index]).to.equal(lines[2 + ((index - 2) % 3)])
  })

  it('of 10,000 rows stream, and take no more time each than those of 1,000', async () => {
    let taken = 0
    function* many(count: number) {
      for (taken = 0; taken < count; taken++) yield itemOf({ Id: taken + 1, ShortDescription: `Vas nummer ${taken} från Kosta` })
    }
    /** Processor time, in µs, which other processes do not lengthen. */
    const drawn = async (count: number) => {
      const { output, stdout } = await stand({ terminal: true })
      const write = stdout.write.bind(stdout)
      let takenAtFirst: number | undefined
      stdout.write = (text) => {
        takenAtFirst ??= taken
        return write(text)
      }
      const before = process.cpuUsage()
      expect(await output.list(itemsView, many(count))).to.equal(count)
      const { user, system } = process.cpuUsage(before)
      expect(linesOf(stdout.written)).to.have.length(count + 3)
      return { time: user + system, writes: stdout.writes, takenAtFirst }
    }
    await drawn(1000)
    const few = Math.min((await drawn(1000)).time, (await drawn(1000)).time, (await drawn(1000)).time)
    const { time, writes, takenAtFirst } = await drawn(10_000)
    expect(takenAtFirst).to.be.below(1000)
    expect(writes).to.be.below(200)
    // Ten times as many; the library alone takes a hundred times as long.
    expect(time / few).to.be.below(40)
  })
})
