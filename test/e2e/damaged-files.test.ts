/**
 * Files of our own, of JSON, in which one value is another: whoever may write them may damage them, and no run ends with an
 * internal error.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { ask } from './person.js'

const ODD = [null, 7, 'x', [], {}, [null], '9999-99-99T99:99:99Z'] as const

/** The document with one value replaced: each value of the first level, and the first ones of each further level. */
function* damaged(value: unknown, depth = 0): Generator<unknown> {
  yield* ODD
  if (typeof value !== 'object' || value === null || depth > 3) return
  for (const [key, part] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : depth === 0 ? undefined : 3))
    for (const other of damaged(part, depth + 1))
      yield Array.isArray(value) ? [other, ...value.slice(1)] : { ...value, [key]: other }
}

describe('a damaged file of our own', () => {
  const home = opened(() => openHome({ sandbox: { extended: true, emptyShops: true } }))
  before(async () => {
    const { SELLER_BASE_URL = '', SELLER_APP_ID = '', SELLER_APP_KEY, SELLER_USER_ID = '', SELLER_TOKEN } = home.env
    const given = ['--base-url', SELLER_BASE_URL, '--app-id', SELLER_APP_ID, '--user-id', SELLER_USER_ID, '--stdin']
    const login = await home.run(['auth:login', '-p', 'shop', ...given], {
      stdin: JSON.stringify({ app_key: SELLER_APP_KEY, token: SELLER_TOKEN }),
    })
    expect(login.code, login.stderr).to.equal(0)
  })

  /** Runs the commands with each damaged form of a file, and puts it back. */
  const withEach = async (path: string, runs: () => Promise<string>): Promise<void> => {
    const whole = await readFile(path, 'utf8')
    let count = 0
    for (const text of ['', '{', ...[...damaged(JSON.parse(whole))].map((value) => JSON.stringify(value))]) {
      await writeFile(path, text)
      const said = await runs()
      expect(said, `${path}: ${text.slice(0, 300)}`).to.not.match(/internal error|"unexpected"/i)
      count++
    }
    expect(count).to.be.above(20)
    await writeFile(path, whole)
  }
  const both = async (args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await home.run([...args, '-p', 'shop', '--json'])
    return stdout + stderr
  }

  it('of names, members and ways of sending is read as none', async () => {
    const commands = [
      ['transactions:list', '--limit', '1'],
      ['transactions:list', '--buyer', 'nobody_of_this_name'],
      ['reference:shipping'],
      ['shop:add', '--title', 'x', '--category', 'Vaser', '--price', '5', '--payment', 'Swish', '--dry-run'],
    ]
    for (const command of commands) await both(command)
    const folder = join(home.dataDir, 'reference')
    expect(await readdir(folder)).to.include.members(['shop.members.json', 'shop.names.json'])
    const all = async (readers: readonly string[][]) => (await Promise.all(readers.map(both))).join('')
    await withEach(join(folder, 'shop.members.json'), () => all(commands.slice(0, 2)))
    await withEach(join(folder, 'shop.names.json'), () => all(commands.slice(2)))
  })

  it('of the service’s description says which, and what to do', async () => {
    const folder = join(home.dataDir, 'descriptions')
    const name = (await readdir(folder)).find((file) => file.endsWith('RestrictedService.json')) ?? ''
    await withEach(join(folder, name), async () => {
      const said = await Promise.all([both(['account:show']), both(['service:operations'])])
      return said.join('')
    })
  })

  it('of the places of ledgers warns of nothing', async () => {
    await withEach(join(home.configDir, 'ledgers.json'), () => both(['jobs:list']))
  })

  it('of a draft is no draft', async () => {
    const folder = join(home.dataDir, 'drafts')
    await mkdir(folder, { recursive: true })
    const path = join(folder, 'shop.shop-add.json')
    const draft = { Run: '1-2', SavedAt: '2026-11-22T12:00:00.000Z', SentAt: null, Answers: { title: 'Vas', image: ['a.png'] } }
    await writeFile(path, JSON.stringify(draft))
    const asked = async (): Promise<string> => {
      const person = ask(home, ['shop:add', '--draft', '-p', 'shop'])
      const shown = await Promise.race([person.sees('?'), person.done.then(({ stdout, stderr }) => stdout + stderr)]).catch(
        String,
      )
      await person.presses('Ctrl-C').catch(() => undefined)
      const { stdout, stderr } = await person.done
      return shown + stdout + stderr
    }
    await withEach(path, asked)
    await rm(folder, { recursive: true })
  })
})
