/**
 * The product under Windows' own Node, by Wine: command lines beside those on Linux, and what only Windows does. docs/machines.md
 * lists what Wine cannot show.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { type Home, openHome, root } from '../e2e/harness.js'
import { pricesOf, setFaults, stock } from '../e2e/shop.js'
import { windowsLines } from './windows-lines.js'
import { openWindows, type Windows } from './wine.js'

const DRIVER = join(import.meta.dirname, 'windows-driver.cjs')

interface Step {
  readonly kind: string
  readonly [key: string]: unknown
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly file?: string | null
}

describe('on Windows, by Wine', () => {
  let folder: string
  let windows: Windows
  let homes: { linux: Home; windows: Home }
  let ids: number[] = []
  let orders = 0

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'seller-windows-'))
    const opened = await openWindows(folder)
    if (typeof opened === 'string') {
      console.log(`    not tested on Windows: ${opened}`)
      this.skip()
    }
    windows = opened
    homes = { linux: await openHome({ sandbox: true }), windows: await openHome({ sandbox: true }) }
    for (const home of Object.values(homes)) {
      ids = await stock(home, [100, 200, 300, 400, 500, 600])
      ids.push(...(await stock(home, [300, 200, 250], { reference: (at) => `S${at + 1}` })))
      await mkdir(join(home.dir, 'work'))
    }
  })
  after(async () => {
    for (const home of Object.values(homes ?? {})) await home.close()
    windows?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  /** Runs steps by the driver, in the folder `work` of the home. */
  // biome-ignore lint/suspicious/noExplicitAny: what the driver has written.
  async function driven(side: keyof typeof homes, steps: readonly Step[]): Promise<any[]> {
    const home = homes[side]
    const order = join(folder, `order-${orders++}.json`)
    const names = Object.entries(home.env).filter(([name]) => name.startsWith('SELLER_'))
    const env = { ...Object.fromEntries(names), SELLER_CACHE_DIR: join(home.dir, 'cache'), LANG: 'C.UTF-8', NO_COLOR: '1' }
    const product = side === 'windows' ? windows.product : root
    await writeFile(order, JSON.stringify({ product, cwd: join(home.dir, 'work'), env, steps }))
    if (side === 'windows') await windows.run([DRIVER, order], folder)
    else await promisify(execFile)(process.execPath, [DRIVER, order], { maxBuffer: 1e9 })
    const done = await readFile(`${order}.done`, 'utf8')
    if (!done.startsWith('[')) throw new Error(done)
    const results: { result: unknown }[] = JSON.parse(done)
    return results.map(({ result }) => result)
  }
  const inWindows = async (step: Step) => (await driven('windows', [step]))[0]

  /** Without what differs by the machine, not by the system: folders, ports, times, and ids that are drawn. */
  const steady = (text: string, { dir, sandbox }: Home): string =>
    text
      .replaceAll(/\\{1,2}(?=[\w.-])/g, '/')
      .replaceAll(new RegExp(`(?:Z:)?(?:${dir}|${dir.replaceAll('/', '\\\\')}|${root}|${windows.product})`, 'g'), 'DIR')
      .replaceAll(sandbox.url.replace('http://', ''), 'HOST')
      .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g, 'TIME')
      .replaceAll(/readable by .*?, not encrypted/g, 'not encrypted')
      .replaceAll(/(?:linux|win32)-x64 node-v[\d.]+/g, 'RUNTIME')

  it('ends and prints as on Linux, line by line', async () => {
    const rows = `Id;Titel;Pris\r\n${ids[0]};Vara 0;119\r\n${ids[1]};Vara 1;219\r\n`
    const files = [
      ['priser.csv', rows, 'utf8'],
      ['utf16.csv', `\ufeff${rows}`, 'utf16le'],
      ['windows-1252.csv', rows.replace('Vara 0', 'Åäö'), 'latin1'],
      ['console.csv', `\ufeff${rows.replace('Vara 0', 'Bl├Ñ')}`, 'utf16le'],
      ['synk.csv', `SKU,Titel,CategoryId,Pris,Lager\r\nS1,Ny å titel,,1,2\r\nS2,,,205,\r\n`, 'utf8'],
    ].map(([name, text, encoding]) => ({ kind: 'write', name, text, encoding }))
    const lines = windowsLines(ids)
    const steps = [...files, ...lines.map((line) => ({ kind: 'line', ...line }))]
    const [linux, wine] = await Promise.all([driven('linux', steps), driven('windows', steps)])
    const differences = lines.flatMap(({ args, file }, index) => {
      const [here, there] = [linux, wine].map((ended, side) => {
        const { code, stdout, stderr, file: text }: Ended = ended[index + files.length]
        const home = side === 0 ? homes.linux : homes.windows
        const written = file?.endsWith('.xlsx') ? (text ?? '') : steady(text ?? '', home)
        return [`exit ${code}`, ...[stdout, stderr].flatMap((each) => steady(each, home).split('\n')), written]
      })
      const at = here?.findIndex((text, row) => text !== there?.[row]) ?? 0
      if (at < 0 && here?.length === there?.length) return []
      return [`seller ${args.join(' ')}\nLinux:   ${here?.[at]?.slice(0, 500)}\nWindows: ${there?.[at]?.slice(0, 500)}`]
    })
    expect(differences.join('\n'), `${differences.length} of ${lines.length} lines differ`).to.equal('')
    expect(lines.length).to.be.at.least(88)
    const compiled = await inWindows({ kind: 'names', folder: join('..', 'cache', 'compiled') })
    expect(
      compiled.filter((name: string) => name !== 'CACHEDIR.TAG'),
      'files of compiled code',
    ).to.have.length(1)
    const left = (await inWindows({ kind: 'names', folder: '.' })).filter((name: string) => name.startsWith('kopia'))
    expect(left, 'copies of the ledger').to.deep.equal(['kopia.db'])
  })

  it('goes on after kills, sends nothing twice, and works six times at once', async () => {
    const before = await pricesOf(homes.windows, ids.slice(0, 5))
    await setFaults(homes.windows, { latency: '300ms' })
    const resume = { kind: 'line', args: ['jobs:resume', '--wait'] }
    const start = { kind: 'line', args: ['shop:price', '--all', '--add', '7kr', '--yes', '--wait'], killed: 2500 }
    const runs = await driven('windows', [
      start,
      { ...resume, killed: 900 },
      { ...resume, killed: 1500 },
      { ...resume, killed: 2500 },
      resume,
    ])
    expect(runs.at(-1).code, runs.at(-1).stderr).to.equal(0)
    await setFaults(homes.windows, { latency: '0ms' })
    const after = await pricesOf(homes.windows, ids.slice(0, 5))
    expect([0, 7]).to.include((after[0] ?? 0) - (before[0] ?? 0))
    expect(after).to.deep.equal(before.map((price) => (price ?? 0) + (after[0] ?? 0) - (before[0] ?? 0)))
    const lines = ids
      .slice(0, 5)
      .map((id) => ['shop:price', `${id}=${(id % 50) + 300}`, '--allow', 'max_change', '--yes', '--wait'])
    const [together] = await driven('windows', [{ kind: 'together', lines: [...lines, ['jobs:list']] }])
    expect(
      together.map(({ code }: Ended) => code),
      JSON.stringify(together),
    ).to.deep.equal([0, 0, 0, 0, 0, 0])
    expect(await pricesOf(homes.windows, ids.slice(0, 5))).to.deep.equal(ids.slice(0, 5).map((id) => (id % 50) + 300))
  })

  it('does not change a price where cmd takes away what stands between two percent signs', async () => {
    const before = await pricesOf(homes.windows, ids)
    const ended = await inWindows({
      kind: 'inBatch',
      line: 'shop:price --all --add -10% --floor 20 --allow max_change=30% --yes',
    })
    expect([ended.code, ended.stderr]).to.satisfy(([code, said]: [number, string]) => code === 2 && said.includes('-10pct'))
    expect(await pricesOf(homes.windows, ids)).to.deep.equal(before)
  })

  it('ends a command of --exec at its time, gives a batch file its words, and takes no sale twice', async () => {
    const watch = ['transactions:watch', '--once']
    await inWindows({ kind: 'line', args: watch })
    await controlSandbox(homes.windows.sandbox.url, 'buy', { itemId: ids[1] })
    const stopped = await inWindows({ kind: 'stopped', args: [...watch, '--exec-timeout', '3s'], name: 'heart' })
    expect([stopped.code, stopped.began, stopped.lives], stopped.stderr).to.deep.equal([9, true, false])
    await controlSandbox(homes.windows.sandbox.url, 'buy', { itemId: ids[2] })
    // Wine's cmd does not know the form that keeps a percent sign.
    const words = ['a b', '&calc', 'x"y', 'C:\\z\\', '']
    const batch = await inWindows({ kind: 'batch', args: watch, words })
    expect([batch.said, batch.code], batch.stderr).to.deep.equal([words, 0])
  })

  it('writes UTF-8 whatever the code page is', async () => {
    const pages = await inWindows({ kind: 'codePages', pages: [437, 850, 1252, 65001], line: 'items:list --type shop --json' })
    expect(new Set(pages).size).to.equal(1)
    expect(Buffer.from(pages[0], 'base64').toString('utf8')).to.include('å')
  })

  it('waits for a file that another program has open, and then says so', async () => {
    const args = ['items:list', '--columns', 'Id', '--out', 'öppen.csv', '--force']
    const later = await inWindows({ kind: 'held', file: 'öppen.csv', ms: 1500, args })
    expect([later.code, later.left, later.beside], later.stderr).to.deep.equal([0, '\ufeffId', []])
    const never = await inWindows({ kind: 'held', file: 'öppen.csv', args })
    expect([never.code !== 0, never.left, never.beside]).to.deep.equal([true, 'old', []])
    expect(never.stderr).to.include('it is open in another program, such as Excel')
    for (const name of ['con.csv', 'nul.csv', 'p:lan.json'])
      expect((await inWindows({ kind: 'line', args: ['items:list', '--out', name] })).stderr).to.include(
        'is not a valid file name on Windows',
      )
  })

  it('gives files that may name buyers to their owner alone, before anything is in them', async () => {
    const lines = [
      ['transactions:list', '--out', 'names.csv'],
      ['sales:report', '--since', '30d', '--html', 'names.html'],
      ['ledger:backup', 'names.db'],
      ['items:list', '--out', 'items.csv'],
    ]
    const { ended, person } = await inWindows({ kind: 'rights', lines })
    const owned = (name: string) => (rights: string[][]) => {
      const [path = '', ...words] = rights[0] ?? []
      const granted = [`${person}:F`, '*S-1-5-18:F', '*S-1-5-32-544:F']
      expect(words).to.deep.equal(['/inheritance:r', '/grant:r', ...granted, '/q'])
      return rights.length === 1 && path.includes(name) && path.endsWith('.tmp')
    }
    for (const [at, { code, stderr, rights }] of ended.entries()) {
      expect(code, stderr).to.equal(0)
      const name = lines[at]?.find((word) => word.startsWith('names'))
      if (name === undefined) expect(rights).to.deep.equal([])
      else expect(rights).to.satisfy(owned(name))
    }
    const names: string[] = await inWindows({ kind: 'names', folder: '.' })
    expect(names).to.include.members(['names.csv', 'names.html', 'names.db', 'items.csv'])
  })

  it('says what is missing where the database engine cannot be loaded', async () => {
    const ended = await inWindows({ kind: 'withoutEngine', args: ['jobs:list'] })
    expect([ended.code, ended.stderr.includes('Visual C++')], ended.stderr).to.deep.equal([1, true])
  })
})
