/** The script that npm runs after it has installed packages, where the packages that build are left out (--omit=dev). */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'

describe('npm ci --omit=dev in a clone', () => {
  it('says in one sentence what to run, and nothing where the product is built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seller-omitted-'))
    try {
      await mkdir(join(folder, 'scripts'))
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await copyFile('scripts/dependencies.js', join(folder, 'scripts', 'dependencies.js'))
      const run = () => {
        const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/dependencies.js'], {
          cwd: folder,
          encoding: 'utf8',
        })
        return [status, stdout, stderr]
      }
      const said = 'seller cannot be built without its development packages: run npm ci, then npm prune --omit=dev.\n'
      expect(run()).to.deep.equal([0, '', said])
      await mkdir(join(folder, 'dist'))
      await writeFile(join(folder, 'dist', 'main.cjs'), '')
      expect(run()).to.deep.equal([0, '', ''])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
