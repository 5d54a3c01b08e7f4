/**
 * The image of the examples for Kubernetes: built by buildah, without a registry of images, on a base that is made of this
 * machine's Node and npm; and run as Kubernetes is told to, as nobody in particular and on a root that cannot be written.
 */
import { execFile, spawnSync } from 'node:child_process'
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ensureBuilt, type Home, openHome, root } from '../e2e/harness.js'
import { pricesOf, stock } from '../e2e/shop.js'
import { canEnter, makeBareRoot, unshare } from './bare-root.js'

const run = promisify(execFile)
/** As containers are started: the root bound onto itself, its volume, and then nothing of it can be written. */
const ENTER = `mount --bind "$0" "$0" && mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && \
mount --bind "$1" "$0/shop" && mount -o remount,bind,ro "$0" && user=$2 && shift 2 && exec chroot --userspec="$user" "$0" "$@"`

describe('the image of the examples', () => {
  let dir: string
  let home: Home | undefined
  const buildah = async (...args: string[]): Promise<string> => {
    const places = ['--root', join(dir, 'storage'), '--runroot', join(dir, 'run'), '--storage-driver', 'vfs']
    return (await run('buildah', [...places, ...args], { maxBuffer: 1e9 })).stdout.trim()
  }

  before(async function () {
    if (spawnSync('buildah', ['--version']).status !== 0 || process.getuid?.() !== 0 || !canEnter) {
      console.log('    not built: it needs buildah (apt-get install buildah) and root')
      this.skip()
    }
    ensureBuilt()
    dir = await mkdtemp(join(tmpdir(), 'seller-image-'))
  })
  after(async () => {
    await home?.close()
    if (dir !== undefined) await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  it('is built as the Containerfile says, and sets prices as user 1000 on a root that it cannot write', async function () {
    const base = join(dir, 'base')
    const engine = join(root, 'node_modules', '@libsql', 'linux-x64-gnu', 'index.node')
    await makeBareRoot(base, [process.execPath, '/bin/rm', '/usr/bin/env', engine])
    for (const folder of ['etc/ssl/certs', 'root', 'usr/bin', 'usr/local/bin', 'usr/local/lib/node_modules'])
      await mkdir(join(base, folder), { recursive: true })
    await copyFile(process.execPath, join(base, 'usr/local/bin/node'))
    await copyFile('/bin/rm', join(base, 'bin/rm'))
    await copyFile('/usr/bin/env', join(base, 'usr/bin/env'))
    await writeFile(join(base, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n')
    const npm = (await run('npm', ['root', '--global'])).stdout.trim()
    await cp(join(npm, 'npm'), join(base, 'usr/local/lib/node_modules/npm'), { recursive: true })
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'))
    // Settings of npm for the way to the registry.
    const { cafile, registry } = JSON.parse((await run('npm', ['config', 'ls', '--long', '--json'])).stdout)
    if (cafile) await copyFile(cafile, join(base, 'etc/ssl/certs/npm.crt'))
    const settings = [`registry=${registry}`, ...(cafile ? ['cafile=/etc/ssl/certs/npm.crt'] : [])]
    await writeFile(join(base, 'root/.npmrc'), `${settings.join('\n')}\n`)
    const from = await buildah('from', 'scratch')
    await buildah('add', '--quiet', from, base, '/')
    await buildah('commit', '--quiet', from, 'localhost/node:here')

    await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', dir], { cwd: root })
    const file = join(root, 'examples', 'kubernetes', 'Containerfile')
    const how = [
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--build-arg',
      'BASE=localhost/node:here',
      '--ignorefile',
      '/dev/null',
    ]
    const failed = await buildah('bud', ...how, '--tag', 'seller:0.3', '--file', file, dir).then(
      () => undefined,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )
    if (failed !== undefined && /ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT/.test(failed)) {
      console.log('    not built: the npm registry does not answer')
      this.skip()
    }
    expect(failed).to.equal(undefined)

    const { config } = JSON.parse(await buildah('inspect', '--type', 'image', 'seller:0.3')).OCIv1
    expect([config.User, config.Entrypoint]).to.deep.equal(['1000:1000', ['seller']])
    const image = await buildah('mount', await buildah('from', 'seller:0.3'))
    // As the runtime makes it for a volume.
    await mkdir(join(image, 'shop'))
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
    const [id = 0] = await stock(home, [100])
    const shop = join(dir, 'shop')
    await mkdir(shop)
    await chmod(dir, 0o711)
    await chown(shop, 1000, 1000)
    await writeFile(join(shop, 'prices.csv'), `Id,Price\n${id},105\n`)
    const given = Object.entries(home.env).filter(([name]) => /^SELLER_(?!DATA|CONFIG)/.test(name))
    const inside = async (...words: string[]) => {
      const environment = [...config.Env, ...given.map(([name, value]) => `${name}=${value}`)]
      const [command = '', ...args] = [...unshare, '/bin/sh', '-c', ENTER, image, shop, config.User]
      return (await run(command, [...args, '/usr/bin/env', '-i', ...environment, ...words])).stdout
    }
    const write =
      "try { require('node:fs').writeFileSync('/tmp/x', '') } catch ({ code }) { console.log(process.getuid(), code) }"
    expect(await inside('node', '-e', write)).to.equal('1000 EROFS\n')
    await inside(...config.Entrypoint, 'shop:price', '--file', '/shop/prices.csv', '--yes', '--wait', '--quiet')
    expect(await pricesOf(home, [id])).to.deep.equal([105])
    expect(JSON.parse(await inside(...config.Entrypoint, 'jobs:list', '--json'))[0].State).to.equal('ok')
  })
})
