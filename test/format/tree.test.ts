import { expect } from 'chai'
import type { CategoryValue } from '../../src/contract/index.js'
import { barOf, histogram, pruneTree, sparkline } from '../../src/format/output/index.js'
import { categoriesView } from '../../src/format/views/reference.js'
import { stand } from './streams.js'

const category = (Id: number, Name: string, ...Category: CategoryValue[]): CategoryValue => ({ Id, Name, Category })
const roots = [
  category(16, 'Kläder', category(1612, 'Accessoarer', category(161213, 'Bälten & skärp')), category(1613, 'Skor')),
  category(20, 'Konst\u001b[2J'),
]

describe('trees', () => {
  it('are drawn with branches on a terminal', async () => {
    const { output, stdout } = await stand({ terminal: true })
    expect(await output.tree(categoriesView, roots)).to.equal(5)
    expect(stdout.written).to.equal(
      ['Kläder 16', '├── Accessoarer 1612', '│   └── Bälten & skärp 161213', '└── Skor 1613', 'Konst␛[2J 20', ''].join('\n'),
    )
  })

  it('are rows in a pipe, in csv, and where columns are chosen', async () => {
    const piped = await stand()
    await piped.output.tree(categoriesView, roots.slice(0, 1))
    expect(piped.stdout.written).to.equal(
      '16\t\t1\tKläder\tKläder\n' +
        '1612\t16\t2\tAccessoarer\tKläder > Accessoarer\n' +
        '161213\t1612\t3\tBälten & skärp\tKläder > Accessoarer > Bälten & skärp\n' +
        '1613\t16\t2\tSkor\tKläder > Skor\n',
    )
    const chosen = await stand({ form: 'json', columns: ['Id', 'Depth'] })
    await chosen.output.tree(categoriesView, roots.slice(1))
    expect(chosen.stdout.written).to.equal('[\n{"Id":20,"Depth":1}\n]\n')
    const table = await stand({ terminal: true, columns: ['Id', 'Name'] })
    await table.output.tree(categoriesView, roots.slice(1))
    expect(table.stdout.written).to.equal('Id  Name\n──  ─────────\n20  Konst␛[2J\n')
    const ordered = await stand({ terminal: true, sort: ['Name'] })
    await ordered.output.tree(categoriesView, roots)
    expect(ordered.stdout.written.split('\n')[3]).to.match(/161213 +1612 +3 +Bälten/)
  })

  it('are themselves in JSON', async () => {
    const { output, stdout } = await stand({ form: 'json' })
    await output.tree(categoriesView, roots)
    expect(JSON.parse(stdout.written)).to.deep.equal(roots)
  })

  it('say so when there is nothing', async () => {
    const { output, stdout, stderr } = await stand({ terminal: true })
    expect(await output.tree(categoriesView, [])).to.equal(0)
    expect([stdout.written, stderr.written]).to.deep.equal(['', 'No categories.\n'])
  })
})

describe('pruning', () => {
  const shape = {
    children: (node: CategoryValue) => node.Category,
    withChildren: (node: CategoryValue, Category: CategoryValue[]) => ({ ...node, Category }),
  }
  const names = (nodes: readonly CategoryValue[]): unknown[] => nodes.map((node) => [node.Name, ...names(node.Category)])

  it('keeps so many levels', () => {
    expect(names(pruneTree(roots, { ...shape, depth: 1 }))).to.deep.equal([['Kläder'], ['Konst\u001b[2J']])
    expect(names(pruneTree(roots.slice(0, 1), { ...shape, depth: 2 }))).to.deep.equal([['Kläder', ['Accessoarer'], ['Skor']]])
  })

  it('keeps what matches, the way to it and what is below it', () => {
    const matches = (node: CategoryValue) => node.Name?.includes('Acc') === true
    expect(names(pruneTree(roots, { ...shape, matches }))).to.deep.equal([['Kläder', ['Accessoarer', ['Bälten & skärp']]]])
    expect(pruneTree(roots, { ...shape, matches: () => false })).to.deep.equal([])
  })

  it('changes nothing of the tree itself', () => {
    const before = JSON.stringify(roots)
    pruneTree(roots, { ...shape, depth: 1, matches: (node) => node.Id === 1612 })
    expect(JSON.stringify(roots)).to.equal(before)
  })
})

describe('charts', () => {
  it('bars fill in eighths, and anything above nothing shows', () => {
    expect(barOf(10, 10, 4)).to.equal('████')
    expect(barOf(5, 10, 4)).to.equal('██')
    expect(barOf(1, 1000, 4)).to.equal('▏')
    expect(barOf(3, 16, 2)).to.equal('▍')
    expect(barOf(20, 10, 4)).to.equal('████')
    for (const [value, max] of [
      [0, 10],
      [-1, 10],
      [1, 0],
      [Number.NaN, 1],
    ] as const)
      expect(barOf(value, max, 4)).to.equal('')
  })

  it('sparklines go from lowest to highest', () => {
    expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8])).to.equal('▁▂▃▄▅▆▇█')
    expect(sparkline([5, 5])).to.equal('▄▄')
    expect(sparkline([0, Number.NaN, 10])).to.equal('▁ █')
    expect(sparkline([])).to.equal('')
  })

  it('histograms line labels, bars and counts up', async () => {
    const { output } = await stand()
    const bins = [
      { label: 'under −50 %', count: 0 },
      { label: '−10 to 0 %', count: 1250, tone: 'red' },
      { label: '0 to 10 %', count: 625 },
    ] as const
    expect(histogram(bins, { width: 40, paint: output.paint, plain: false, unit: 'kr' })).to.equal(
      ['under −50 % │ 0', ' −10 to 0 % │ ████████████████████ 1 250', '  0 to 10 % │ ██████████ 625'].join('\n'),
    )
    expect(histogram([], { width: 40, paint: output.paint, plain: false, unit: 'kr' })).to.equal('')
  })
})
