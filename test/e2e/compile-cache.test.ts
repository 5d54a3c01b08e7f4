import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Home, openHome } from './harness.js'

describe('compiled code kept between runs', () => {
  let home: Home
  let directory: string
  let env: Record<string, string>
  beforeEach(async () => {
    home = await openHome()
    env = { XDG_CACHE_HOME: join(home.dir, 'cache') }
    directory = join(home.dir, 'cache', 'seller', 'compiled')
  })
  afterEach(() => home.close())
  const help = () => home.spawn(['help'], { env }).done
  const files = async () => (await readdir(directory).catch((): string[] => [])).filter((name) => name !== 'CACHEDIR.TAG')

  it('is one file for the user alone, added to by new commands and used by later ones', async () => {
    const first = await help()
    expect(await files()).to.have.length(1)
    expect((await help()).stdout).to.equal(first.stdout)
    const path = join(directory, (await files())[0] ?? '')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    const { size, mtimeMs } = await stat(path)
    await help()
    expect((await stat(path)).mtimeMs, 'nothing new, nothing written').to.equal(mtimeMs)
    expect((await home.spawn(['auth:status'], { env }).done).code).to.equal(0)
    expect((await stat(path)).size).to.be.greaterThan(size)
  })

  it('is done without where it cannot be kept or is not wanted', async () => {
    await mkdir(join(home.dir, 'cache'))
    await writeFile(join(home.dir, 'cache', 'seller'), 'a file is in the way')
    const run = await help()
    expect([run.code, run.stderr]).to.deep.equal([0, ''])
    env = { XDG_CACHE_HOME: join(home.dir, 'other'), NODE_DISABLE_COMPILE_CACHE: '1' }
    expect((await help()).code).to.equal(0)
    expect(await readdir(join(home.dir, 'other')).catch(() => 'nothing')).to.equal('nothing')
  })
})

describe('a start', () => {
  it('loads no module of Node before it is used: each costs 2 to 11 ms', async () => {
    const home = await openHome()
    const service = createServer((_asked, reply) => void reply.writeHead(403).end()).listen(0, '127.0.0.1')
    try {
      const list = join(home.dir, 'modules.json')
      const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList))`
      const watch = await home.file('watch.cjs', `process.on('exit', () => ${write})`)
      const loaded = async (...args: string[]): Promise<string[]> => {
        const { port } = service.address() as AddressInfo
        const env = {
          ...{ NODE_OPTIONS: `--require ${watch}`, SELLER_BASE_URL: `http://127.0.0.1:${port}`, SELLER_NAMESPACE: 'urn:x' },
          ...{ SELLER_APP_ID: '1', SELLER_APP_KEY: 'key', SELLER_USER_ID: '2', SELLER_TOKEN: 'token' },
        }
        // The first run may write compiled code.
        for (const _ of [1, 2]) await home.spawn(args, { env }).done
        const names = JSON.parse(await readFile(list, 'utf8')) as string[]
        return names.map((name) => name.replace('NativeModule ', ''))
      }
      const dear = ['crypto', 'tls', 'https', 'zlib', 'perf_hooks', 'fs/promises', 'child_process']
      expect(await loaded('--version')).to.not.include.oneOf([...dear, 'http', 'vm'])
      expect(await loaded('jobs:list')).to.not.include.oneOf([...dear, 'http'])
      const calling = await loaded('items:list')
      expect(calling).to.include('http').and.not.include.oneOf(dear)
    } finally {
      service.close()
      await home.close()
    }
  })
})
