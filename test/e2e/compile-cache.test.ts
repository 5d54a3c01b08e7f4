import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
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
