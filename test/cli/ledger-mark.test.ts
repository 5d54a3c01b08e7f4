/** Marks that the settings directory keeps of each profile's ledger, and when that makes a command warn. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { acceptEmptyLedger, watchLedger } from '../../src/cli/ledger-mark.js'
import { textOf } from '../../src/messages/index.js'
import { Store } from '../../src/system/sqlite.js'
import { scratch } from '../scratch.js'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T12:00:00Z')

interface Row {
  readonly profile: string
  /** ms since 1970 */
  readonly at: number
}

type Rows = Partial<Record<'jobs' | 'requests' | 'calls', readonly Row[]>>

describe('the place of the ledger', () => {
  let configDir: string
  beforeEach(async () => {
    configDir = await mkdtemp(join(scratch(), 'seller-marks-'))
  })
  afterEach(() => rm(configDir, { recursive: true, force: true }))

  const marks = () => join(configDir, 'ledgers.json')
  const write = (content: unknown) => writeFileSync(marks(), typeof content === 'string' ? content : JSON.stringify(content))
  const noted = (): unknown => (existsSync(marks()) ? JSON.parse(readFileSync(marks(), 'utf8')) : undefined)

  /** A ledger of the three tables that are asked, with what these ask for. */
  const storeOf = (): Store => {
    const store = new Store(':memory:', { errorOf: (fault) => fault, foreignKeys: false, durability: 'process' })
    store.run('CREATE TABLE jobs (profile TEXT, created_at INTEGER)')
    store.run('CREATE TABLE requests (profile TEXT, sent_at INTEGER)')
    store.run('CREATE TABLE calls (profile TEXT, at INTEGER)')
    return store
  }
  const fill = (store: Store, rows: Rows): void => {
    for (const table of ['jobs', 'requests', 'calls'] as const) {
      store.run(`DELETE FROM ${table}`)
      for (const { profile, at } of rows[table] ?? []) store.run(`INSERT INTO ${table} VALUES (?, ?)`, profile, at)
    }
  }

  /** One command: what it warned of when it opened the ledger. `later` are the rows when it ends. */
  const command = async (
    rows: Rows,
    { path = '/data/ledger.db', emptied, later = rows }: { path?: string; emptied?: boolean; later?: Rows } = {},
    meanwhile: () => unknown = () => {},
  ): Promise<string[]> => {
    const said: string[] = []
    const output = { warn: (text: string) => void said.push(text), hint: (text: string) => void said.push(text) }
    const store = storeOf()
    fill(store, rows)
    const clock = { now: () => NOW, sleep: async () => {}, random: () => 0.5 }
    const close = watchLedger({ configDir, profile: 'shop', ledger: { path, store, clock }, output, emptied })
    await meanwhile()
    fill(store, later)
    await close()
    store.close()
    return said
  }
  const MINE: Rows = { jobs: [{ profile: 'shop', at: NOW - 10 * DAY }] }
  const MARK = { path: '/data/ledger.db', since: '2026-11-01T00:00:00Z' }
  const EMPTY_SINCE = '2026-11-20T00:00:00Z'

  for (const table of ['jobs', 'requests', 'calls'] as const) {
    it(`is noted once the ledger has something of the profile (${table})`, async () => {
      expect(await command({}, { later: { [table]: [{ profile: 'shop', at: NOW }] } })).to.deep.equal([])
      expect(noted()).to.deep.equal({ shop: { path: '/data/ledger.db', since: '2026-11-21T12:00:00.000Z' } })
      expect(statSync(marks()).mode & 0o777).to.equal(0o600)
    })
  }

  it('is not noted while the ledger has nothing of the profile', async () => {
    await command({})
    await command({ jobs: [{ profile: 'other', at: NOW }] })
    expect(noted()).to.equal(undefined)
  })

  it('is noted beside those of other profiles, and once', async () => {
    const other = { path: '/x/ledger.db', since: '2026-01-01T00:00:00Z' }
    write({ other })
    await command(MINE)
    expect(noted()).to.deep.equal({ other, shop: { path: '/data/ledger.db', since: '2026-11-21T12:00:00.000Z' } })
    write({ shop: MARK })
    const { ino } = statSync(marks())
    expect(await command(MINE)).to.deep.equal([])
    expect([noted(), statSync(marks()).ino]).to.deep.equal([{ shop: MARK }, ino])
  })

  it('is noted anew after what cannot be read, and without what is no place', async () => {
    for (const content of ['{', 'null', '"x"', { shop: { path: 7, since: 'x' } }, { shop: { path: '/old' } }, { shop: null }]) {
      write(content)
      expect(await command({}), `${JSON.stringify(content)} is no place`).to.deep.equal([])
      expect(await command(MINE), JSON.stringify(content)).to.deep.equal([])
      expect(noted(), JSON.stringify(content)).to.deep.equal({
        shop: { path: '/data/ledger.db', since: '2026-11-21T12:00:00.000Z' },
      })
    }
    const other = { path: '/x/ledger.db', since: '2026-01-01T00:00:00Z' }
    write({ none: null, other, broken: { path: '/y' } })
    await command(MINE)
    expect(noted()).to.have.all.keys('other', 'shop')
  })

  it('is missed where another ledger has nothing of the profile, until it is used', async () => {
    write({ shop: { ...MARK, path: '/old/ledger.db' } })
    const theirs = { jobs: [{ profile: 'other', at: NOW }] }
    expect(await command(theirs)).to.deep.equal([
      'The ledger /data/ledger.db has nothing of the profile "shop", which has used /old/ledger.db since 2026-11-01.',
      'Earlier jobs are in that ledger. To use it again, set SELLER_DATA_DIR=/old',
    ])
    expect(noted(), 'kept').to.deep.equal({ shop: { ...MARK, path: '/old/ledger.db' } })
    expect(await command(MINE), 'it is used').to.deep.equal([])
    expect(noted()).to.deep.equal({ shop: { path: '/data/ledger.db', since: '2026-11-21T12:00:00.000Z' } })
  })

  it('is found empty: that is said, noted with its time, and said again', async () => {
    write({ shop: MARK })
    const empty = 'The ledger /data/ledger.db is empty, but the profile "shop" has used one there since 2026-11-01.'
    const [warning, hint] = await command({})
    expect(warning).to.equal(`${empty} Was it deleted or moved?`)
    expect(textOf(hint ?? '')).to.match(/^Earlier jobs cannot be undone or resumed without it\./)
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: '2026-11-21T12:00:00.000Z' } })
    expect((await command({}))[0]).to.equal(`${empty} Was it deleted or moved?`)
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: '2026-11-21T12:00:00.000Z' } })
  })

  it('is found empty while its mark is taken away, which is noted all the same', async () => {
    write({ shop: MARK })
    expect(await command({}, {}, () => rmSync(marks()))).to.have.lengthOf(2)
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: '2026-11-21T12:00:00.000Z' } })
  })

  it('is warned of when a new ledger was begun there, though it is used now', async () => {
    write({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
    const begun = { jobs: [{ profile: 'shop', at: Date.parse(EMPTY_SINCE) }] }
    const [warning, hint] = await command(begun)
    expect(warning).to.match(/^The ledger \/data\/ledger\.db was started again, empty, on 2026-11-20: /)
    expect(textOf(hint ?? '')).to.match(/^Earlier jobs cannot be undone/)
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
  })

  for (const table of ['jobs', 'requests', 'calls'] as const) {
    it(`is no longer warned of when the earlier ledger is back (${table})`, async () => {
      write({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
      expect(await command({ [table]: [{ profile: 'shop', at: Date.parse(EMPTY_SINCE) - 1 }] })).to.deep.equal([])
      expect(noted()).to.deep.equal({ shop: MARK })
    })
  }

  it('is not back by what another profile has done there', async () => {
    write({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
    expect(await command({ jobs: [{ profile: 'other', at: 0 }] })).to.have.length(2)
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
  })

  it('is noted as emptied without a second warning where opening it has said so', async () => {
    write({ shop: MARK })
    expect(await command({}, { emptied: true })).to.deep.equal([])
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: '2026-11-21T12:00:00.000Z' } })
    write({ shop: MARK })
    expect(await command(MINE, { emptied: true }), 'filled by this command').to.deep.equal([])
    expect(noted()).to.deep.equal({ shop: { ...MARK, emptySince: '2026-11-21T12:00:00.000Z' } })
  })

  it('is given up for good: the warning ends, also in the command that did it', async () => {
    const accept = (path = '/data/ledger.db') => acceptEmptyLedger({ configDir, profile: 'shop', path })
    expect(await accept()).to.equal(false)
    write({ shop: MARK })
    expect(await accept(), 'nothing was lost').to.equal(false)
    write({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
    expect(await accept('/other/ledger.db'), 'another ledger').to.equal(false)
    let accepted: boolean | undefined
    await command({}, {}, async () => {
      accepted = await accept()
    })
    expect(accepted).to.equal(true)
    expect(noted()).to.deep.equal({ shop: { path: '/data/ledger.db', since: EMPTY_SINCE } })
    expect(await command({ jobs: [{ profile: 'shop', at: NOW }] })).to.deep.equal([])
  })

  it('that was given up meanwhile stays so, though the earlier ledger is back', async () => {
    write({ shop: { ...MARK, emptySince: EMPTY_SINCE } })
    await command(MINE, {}, () => acceptEmptyLedger({ configDir, profile: 'shop', path: '/data/ledger.db' }))
    expect(noted()).to.deep.equal({ shop: { path: '/data/ledger.db', since: EMPTY_SINCE } })
  })

  it('is not noted in a directory that cannot be made, which fails no command', async () => {
    const whole = configDir
    configDir = join(whole, 'file')
    writeFileSync(configDir, 'in the way')
    expect(await command(MINE)).to.deep.equal([])
    configDir = whole
  })
})
