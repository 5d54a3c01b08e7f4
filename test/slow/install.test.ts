import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { containerfile } from '../docs/machines.js'
import { brokenPromises } from '../e2e/every-command.js'
import { ensureBuilt, root } from '../e2e/harness.js'

const run = promisify(execFile)

describe('the packed product', () => {
  it('installs from its tarball into an empty prefix, without scripts, and runs', async () => {
    ensureBuilt()
    const dir = await mkdtemp(join(tmpdir(), 'seller-pack-'))
    try {
      const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], { cwd: root })
      const [{ filename, size, files }] = JSON.parse(stdout)
      // The library that writes PDF files is 250 kB of it, the programs that decode and encode JPEG are 130 kB.
      expect(size, 'bytes of the tarball').to.be.below(2_360_000)
      const paths: string[] = files.map(({ path }: { path: string }) => path)
      // Help and the man pages say what docs/commands.md has.
      const leftOut = /^(src|test|scripts|bench)\/|^docs\/(architecture|commands|decisions)\.md$/
      expect(paths.filter((path) => leftOut.test(path))).to.deep.equal([])
      expect(paths).to.include.members([
        'LICENSE',
        'README.md',
        'dist/main.cjs',
        'dist/licenses.txt',
        'dist/bom.json',
        'oclif.manifest.json',
      ])
      const { bomFormat, components } = JSON.parse(await readFile(join(root, 'dist', 'bom.json'), 'utf8'))
      const names: string[] = components.map(({ name }: { name: string }) => name)
      const of = ['got', '@libsql/linux-x64-gnu', 'mocha']
      expect([bomFormat, ...of.map((name) => names.includes(name))]).to.deep.equal(['CycloneDX', true, true, false])
      const prefix = join(dir, 'prefix')
      // As the image of the examples is made, with its paths in this directory.
      const [install = ''] = containerfile().flatMap(({ instruction, text }) => (instruction === 'RUN' ? [text] : []))
      const here = install.replace('/opt/seller', prefix).replace('/tmp/seller.tgz', join(dir, filename))
      await run('sh', ['-c', here.replace('npm install', 'npm install --prefer-offline')], { cwd: dir })
      const env = { PATH: process.env.PATH, HOME: dir }
      // Compiled code can be written nowhere: that costs time, and nothing else.
      const sealed = await run(join(prefix, 'bin', 'seller'), ['--version'], {
        cwd: dir,
        env: { ...env, XDG_CACHE_HOME: '/proc/none' },
      })
      expect(sealed.stdout, sealed.stderr).to.match(/^seller\//)
      const seller = join(prefix, 'bin', 'seller')
      const account = await run(seller, ['account', 'show', '--profile', 'sandbox', '--json'], { cwd: dir, env })
      expect(JSON.parse(account.stdout).Id).to.equal(1001)
      expect((await run(seller, ['help', 'exit-codes'], { cwd: dir, env })).stdout).to.contain('EXIT CODES')
      const installed = join(prefix, 'lib', 'node_modules', 'seller')
      expect(await brokenPromises(installed, join(dir, 'home'))).to.deep.equal([])
      // npm links man pages where `man` finds them.
      const manPage = await readFile(join(prefix, 'share', 'man', 'man1', 'seller-items.1'), 'utf8')
      expect(manPage).to.contain('.TH "SELLER')
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })
})
