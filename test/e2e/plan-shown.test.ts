/** Rows of a plan that a person is shown before it is sent, and what a saved plan is held to. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'
import { ask } from './person.js'
import { stock } from './shop.js'

describe('a plan of prices, shown', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true }))
  let ids: number[]
  before(async () => {
    ids = await stock(
      home,
      Array.from({ length: 30 }, (_, at) => 200 + at),
    )
  })

  const dryRun = (cells: (at: number) => string, head = 'Id,Price', rows = 30) => {
    const csv = `${head}\n${ids
      .slice(0, rows)
      .map((id, at) => `${id},${cells(at)}`)
      .join('\n')}\n`
    return home.run(['shop:price', '--file', '-', '--dry-run', '-o', 'table'], { stdin: csv })
  }

  it('gives a person 20 reasons in full and counts the others', async () => {
    const many = await dryRun((at) => String(at < 25 ? 20 + at : 201 + at))
    const reasons = many.stdout.split('Not to be sent')[1] ?? ''
    expect(reasons.match(/^ {2}line \d+, item/gm), many.stdout).to.have.length(20)
    expect(reasons).to.match(/… and 5 more\n$/)
    const few = await dryRun((at) => String(at < 2 ? 20 : 201 + at))
    expect(few.stdout.split('Not to be sent')[1]).to.not.include('more')
  })

  it('names three values that were edited beside the prices, and counts the others', async () => {
    const edited = async (rows: number) => (await dryRun((at) => `${201 + at},Annat ${at}`, 'Id,Price,Title', rows)).stderr
    expect(await edited(1)).to.match(/1 value beside the prices differs from the live item/)
    const three = await edited(3)
    expect(three.match(/ShortDescription is/g)).to.have.length(3)
    expect(three).to.include('3 values beside the prices differ').and.not.include('more')
    const five = await edited(5)
    expect(five.match(/ShortDescription is/g)).to.have.length(3)
    expect(five).to.include('… and 2 more')
  })

  it('is refused for another seller, and taken where the plan or the profile names none', async () => {
    const [, , id = 0] = ids
    const path = join(home.dir, 'plan.json')
    await home.done('shop:price', `${id}=215`, '--save-plan', 'plan.json')
    const text = await readFile(path, 'utf8')
    expect(text).to.include('"UserId":1001')
    const send = (plan: string) =>
      writeFile(path, plan).then(() => home.seller('shop:price', '--plan', 'plan.json', '--dry-run', '--json'))
    const other = await send(text.replace('"UserId":1001', '"UserId":1002'))
    expect([other.code, other.json().error.code]).to.deep.equal([EXIT.usage, 'plan_of_another'])
    const nobody = await send(text.replace('"UserId":1001', '"UserId":null'))
    expect(nobody.code, nobody.stdout + nobody.stderr).to.equal(EXIT.ok)
    expect(nobody.json().Rows[0]).to.include({ Id: id, NewPrice: 215 })
  })

  const added = (at: number): string => `NY-${at},Ny ${at},${CATEGORY},99,1`
  for (const [command, head, row, question, ...flags] of [
    ['shop:price', 'Id,Price', (at: number) => `${ids[at]},${230 + at * 2}`, 'Send 23 new prices?'],
    ['shop:stock', 'Id,Antal', (at: number) => `${ids[at]},${40 + at}`, 'Set 23 stock levels?'],
    ['shop:remove', 'Id', (at: number) => `${ids[at]}`, 'Remove 23 shop items?', '--allow', 'max_removed'],
    ['shop:add', 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity', added, 'Add 23 shop items?', '--allow', 'max_added'],
    ['shop:sync', 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity', added, 'Send 23 new items?', '--allow', 'max_added'],
    ['shop:discount', 'Id,Price', (at: number) => `${ids[at]},${150 + at * 2}`, 'Make a discount of 23 prices?'],
  ] as const) {
    it(`comes before the question of ${command}: the largest changes or the first rows, the totals, and how to see all, on one screen`, async () => {
      const file = await home.file('rows.csv', `${head}\n${Array.from({ length: 23 }, (_, at) => row(at)).join('\n')}\n`)
      home.calls()
      const period = ['--from', 'now', '--until', '2099-01-01T00:00:00Z']
      const more = command === 'shop:discount' ? ['Rea', ...period, '--json'] : flags
      const person = ask(home, [command, '--file', file, ...more])
      const seen = await person.sees(question)
      const largest = ['shop:price', 'shop:stock', 'shop:discount'].includes(command)
      expect(seen.match(/^.*\b(?:Vara|Ny) \d+\b.*$/gm), seen).to.have.length(largest ? 5 : 8)
      expect(seen).to.include(
        largest ? 'The largest changes; 18 more; --dry-run shows all.' : '… and 15 more; --dry-run shows all.',
      )
      // All that is said yes to stands together, with the totals below the rows, and fits a terminal of 24 lines.
      const screen = seen.slice(seen.search(/^.*\b(?:Title|Live)\b.*$/m))
      expect(screen.split('\n').length, screen).to.be.below(24)
      expect(screen.indexOf('23 rows')).to.be.above(screen.indexOf('--dry-run shows all.'))
      await person.enters('n')
      expect((await person.done).code).to.equal(EXIT.held)
      expect(home.calls().filter((name) => !name.startsWith('Get'))).to.deep.equal([])
    })
  }

  it('comes before the question of jobs:undo, and not where --yes is given', async () => {
    const file = await home.file('rows.csv', `Id,Antal\n${ids.map((id, at) => `${id},${60 + at}`).join('\n')}\n`)
    const sent = ask(home, ['shop:stock', '--file', file, '--yes', '--json'])
    const { code, stdout, stderr } = await sent.done
    expect([code, stderr.includes('--dry-run shows all')], stderr).to.deep.equal([EXIT.ok, false])
    const person = ask(home, ['jobs:undo', String(JSON.parse(stdout).JobId)])
    expect(await person.sees('Set back 30 stock levels?'))
      .to.include('Vara 29')
      .and.to.include('The largest changes; 25 more')
    await person.enters('n')
    expect((await person.done).code).to.equal(EXIT.held)
  })
})
