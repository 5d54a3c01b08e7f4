/** --out FILE: a result goes into a file, in the form of its ending, whole or not at all. */
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'

describe('a result in a file', () => {
  const home = opened(() => openHome({ sandbox: true }))
  const at = (name: string): string => join(home.dir, name)
  const list = ['items:list', '--type', 'shop', '--limit', '3', '--columns', 'Id,BuyItNowPrice'] as const

  for (const [ending, form] of [
    ['csv', 'csv'],
    ['tsv', 'tsv'],
    ['json', 'json'],
    ['jsonl', 'ndjson'],
    ['yml', 'yaml'],
    ['txt', 'table'],
  ]) {
    it(`has the form of its ending: .${ending}`, async () => {
      const wanted = await home.seller(...list, '-o', String(form))
      const run = await home.seller(...list, '--out', at(`list.${ending}`))
      expect([run.code, run.stdout], run.stderr).to.deep.equal([0, ''])
      expect(run.stderr).to.include(`3 rows written to ${at(`list.${ending}`)}.`)
      // Excel needs the mark.
      expect(await readFile(at(`list.${ending}`), 'utf8')).to.equal(`${ending === 'csv' ? '\ufeff' : ''}${wanted.stdout}`)
    })
  }

  it('may be read by whoever may read what this user writes', async () => {
    await writeFile(at('own.txt'), '')
    await home.seller(...list, '--out', at('shared.csv'))
    const [own, shared] = await Promise.all([stat(at('own.txt')), stat(at('shared.csv'))])
    expect(shared.mode.toString(8)).to.equal(own.mode.toString(8))
  })

  it('is whole where it is long, and the file is faster than the service', async () => {
    for (const command of ['shop:export', 'items:list']) {
      const wanted = await home.seller(command, '-o', 'csv')
      expect(wanted.stdout.length, command).to.be.above(16_384)
      expect((await home.seller(command, '--out', at('long.csv'), '--force')).code).to.equal(0)
      expect(await readFile(at('long.csv'), 'utf8')).to.equal(`\ufeff${wanted.stdout}`)
    }
  })

  it('is a workbook, or any form that is named', async () => {
    expect((await home.seller(...list, '--out', at('list.xlsx'))).code).to.equal(0)
    expect((await readFile(at('list.xlsx'))).subarray(0, 2).toString()).to.equal('PK')
    expect((await home.seller(...list, '--json', '--out', at('list.data'))).code).to.equal(0)
    expect(JSON.parse(await readFile(at('list.data'), 'utf8'))).to.have.length(3)
  })

  it('replaces a file with --force only, and never through a link', async () => {
    await writeFile(at('kept.csv'), 'mine')
    await symlink(at('kept.csv'), at('link.csv'))
    for (const [name, ...more] of [['kept.csv'], ['link.csv'], ['link.csv', '--force']]) {
      const run = await home.seller(...list, '--out', at(String(name)), ...more, '--json')
      expect([run.code, run.json().error.code], String(name)).to.deep.equal([2, 'unwritable_file'])
    }
    expect(await readFile(at('kept.csv'), 'utf8')).to.equal('mine')
    expect((await home.seller(...list, '--out', at('kept.csv'), '--force')).code).to.equal(0)
    expect(await readFile(at('kept.csv'), 'utf8')).to.match(/^\ufeffId,/)
    // It once let items be removed there that are not on sale yet.
    const other = await home.seller('shop:remove', '1', '--dry-run', '--force', '--json')
    expect([other.code, other.json().error.code]).to.deep.equal([2, 'wrong_usage'])
  })

  it('says what to do where a part of the path is a file', async () => {
    await writeFile(at('plain'), '')
    const run = await home.seller(...list, '--out', at('plain/list.csv'))
    expect(run.stderr).to.include('a part of the path is not a directory.\nCorrect the path.\n')
  })

  it('leaves nothing behind where the command fails, whose error is not part of it', async () => {
    const before = await readdir(home.dir)
    const run = await home.seller('items:show', '1', '--json', '--out', at('gone.json'))
    expect([run.code, run.json().error.code]).to.deep.equal([1, 'item_not_found'])
    const refused = [
      [...list, '--out', at('list.pdf')],
      [...list, '--out', at('no/list.csv')],
      ['transactions:watch', '--once', '--out', at('sales.csv')],
      [...list, '--force'],
    ]
    for (const argv of refused) expect((await home.run(argv)).code, argv.join(' ')).to.equal(2)
    expect(await readdir(home.dir)).to.deep.equal(before)
  })
})
