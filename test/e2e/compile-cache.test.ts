import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { closing, openedForEach } from '../opened.js'
import { openHome } from './harness.js'

describe('compiled code kept between runs', () => {
  const home = openedForEach(openHome)
  let directory: string
  let env: Record<string, string>
  beforeEach(() => {
    env = { XDG_CACHE_HOME: join(home.dir, 'cache') }
    directory = join(home.dir, 'cache', 'seller', 'compiled')
  })
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

  it('costs no run where its place says that it does not exist, as /proc and some mounts do', async () => {
    await using service = closing(await openHome({ sandbox: true }))
    for (const at of [{ SELLER_CACHE_DIR: '/proc/none' }, { HOME: '/proc/none', XDG_CACHE_HOME: undefined }]) {
      for (const args of [['help'], ['items:list', '--limit', '1'], ['jobs:list'], ['completion', 'bash']]) {
        const run = await service.spawn(args, { env: at }).done
        expect([run.code, run.stderr.includes('rror')], `${args} ${JSON.stringify(at)}\n${run.stderr}`).to.deep.equal([0, false])
      }
    }
    for (const args of [['items:list', '-p', 'sandbox'], ['sandbox:reset', '--yes'], ['jobs:list'], ['shop:price', '1=2']]) {
      const run = await service.spawn([...args, '--json'], { env: { SELLER_DATA_DIR: '/proc/none' } }).done
      expect([run.code, run.json().error.code], `${args}`).to.deep.equal([1, 'directory_unusable'])
    }
  })
})

describe('a start', () => {
  it('says that it runs on Node where another runtime calls itself one', async () => {
    await using home = closing(await openHome())
    for (const [name, title] of [
      ['bun', 'Bun'],
      ['deno', 'Deno'],
    ]) {
      const versions = `{ value: { ...process.versions, ${name}: '9.8.7' } }`
      const other = await home.file(`${name}.cjs`, `Object.defineProperty(process, 'versions', ${versions})`)
      const run = await home.spawn(['items:list'], { env: { NODE_OPTIONS: `--require ${other}` } }).done
      expect([run.code, run.stdout, run.stderr]).to.deep.equal([
        ...[2, '', `seller runs on Node 20.19 or newer, and this is ${title} 9.8.7. Start it with node.\n`],
      ])
    }
  })

  it('loads no dear module of Node before it is used: node:https takes 2 ms more than node:http on Node 20, 13 ms on 24', async () => {
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
      const dear = ['tls', 'https', 'perf_hooks']
      expect(await loaded('--version')).to.not.include.oneOf([
        ...dear,
        'http',
        'vm',
        'crypto',
        'zlib',
        'fs/promises',
        'child_process',
      ])
      expect(await loaded('jobs:list')).to.not.include.oneOf([...dear, 'http'])
      const calling = await loaded('items:list')
      expect(calling).to.include('http').and.not.include.oneOf(dear)
    } finally {
      service.close()
      await home.close()
    }
  })
})
