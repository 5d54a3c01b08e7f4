/**
 * The cache of compiled code, with a bundle of three files: what is written when the process ends, and what a later run takes
 * from it.
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { expect } from 'chai'
import { requireKept } from '../../src/cli/compile-cache.js'
import { scratch } from '../scratch.js'

type Required = (file: string) => unknown

const FILES = {
  'main.cjs': `exports.early = 1
const other = require('./lib/other.cjs')
exports.seen = other.seen
exports.name = require('node:path').basename(__filename)
exports.folder = __dirname
exports.same = require('./lib/other.cjs') === other && require(__dirname + '/lib/other.cjs') === other
exports.found = require.resolve('node:path')
exports.self = this === module.exports`,
  'lib/other.cjs': `exports.seen = require('../main.cjs').early; exports.text = require('./text.cjs')`,
  'lib/text.cjs': `module.exports = 'three'`,
  'extra.cjs': `exports.extra = 1`,
}

describe('compiled code in a file', () => {
  let home: string
  let dist: string
  let cache: string
  let checked = 0
  beforeEach(async () => {
    home = await mkdtemp(join(scratch(), 'seller-compiled-'))
    dist = join(home, 'dist')
    cache = join(home, 'cache')
    mkdirSync(join(dist, 'lib'), { recursive: true })
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(dist, name), text)
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  /** Work of a process that uses `require` and then ends. */
  const run = (use: (required: Required) => void, env: NodeJS.ProcessEnv = { SELLER_CACHE_DIR: cache }) => {
    const before = new Set(process.listeners('exit'))
    const required = requireKept(dist, env)
    const added = process.listeners('exit').filter((listener) => !before.has(listener))
    try {
      use(required)
      for (const listener of added) listener.call(process, 0)
    } finally {
      for (const listener of added) process.off('exit', listener)
    }
    return added.length
  }
  const loadMain = () => {
    let loaded: unknown
    run((required) => {
      loaded = required(join(dist, 'main.cjs'))
    })
    return loaded
  }
  const directory = (): string => join(cache, 'compiled')
  const TAG = 'CACHEDIR.TAG'
  const files = (below = directory()): string[] => readdirSync(below).filter((name) => name !== TAG)
  const path = (): string => join(directory(), files()[0] ?? '')
  /** The code that the file holds, by name; the names in the order of the file. */
  const kept = (): Record<string, Buffer> => {
    const bytes = readFileSync(path())
    const start = 'seller compiled 1\n'.length
    expect(bytes.toString('latin1', 0, start)).to.equal('seller compiled 1\n')
    const body = start + 4 + bytes.readUInt32LE(start)
    const index = JSON.parse(bytes.toString('utf8', start + 4, body)) as Record<string, [number, number]>
    const entries = Object.entries(index).map(([name, [at, length]]) => [name, bytes.subarray(body + at, body + at + length)])
    return Object.fromEntries(entries)
  }
  /** True if V8 takes a file's code for the compiled form of its source. */
  const accepted = (name: keyof typeof FILES, text: string = FILES[name]): boolean => {
    const source = `(function (exports, require, module, __filename, __dirname) { ${text}\n});`
    // Under another name: V8 would find the code of this process, and not look at the file's.
    return new Script(source, { filename: `${name} ${checked++}`, cachedData: kept()[name] }).cachedDataRejected === false
  }
  const LOADED = {
    early: 1,
    seen: 1,
    name: 'main.cjs',
    get folder() {
      return dist
    },
    same: true,
    found: 'node:path',
    self: true,
  }

  it('runs the files as Node would: once each, in a cycle too, with their own names and Node’s modules', () => {
    expect(loadMain()).to.deep.equal({ ...LOADED })
    expect(loadMain(), 'from the cache').to.deep.equal({ ...LOADED })
  })

  it('loads a file of the bundle once, however often it is asked for', () => {
    run((required) => expect(required(join(dist, 'main.cjs'))).to.equal(required(join(dist, 'main.cjs'))))
  })

  it('is one file for the user alone, with the code of what was loaded and nothing else', () => {
    loadMain()
    expect(files()).to.have.length(1)
    expect(files()[0]).to.match(new RegExp(`-${process.version}-${process.arch}$`))
    expect(Object.keys(kept()).sort()).to.deep.equal(['lib/other.cjs', 'lib/text.cjs', 'main.cjs'])
    for (const name of ['main.cjs', 'lib/other.cjs', 'lib/text.cjs'] as const) expect(accepted(name), name).to.equal(true)
    expect([statSync(path()).mode & 0o777, statSync(directory()).mode & 0o777]).to.deep.equal([0o600, 0o700])
  })

  it('is not written again when nothing is new, and keeps the old code when something is', () => {
    loadMain()
    const first = readFileSync(path())
    const { ino } = statSync(path())
    loadMain()
    expect(statSync(path()).ino).to.equal(ino)
    run((required) => required(join(dist, 'extra.cjs')))
    expect(Object.keys(kept()).sort()).to.deep.equal(['extra.cjs', 'lib/other.cjs', 'lib/text.cjs', 'main.cjs'])
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) expect(accepted(name), name).to.equal(true)
    expect(readFileSync(path()).length).to.be.greaterThan(first.length)
  })

  it('is compiled again where the source is another', () => {
    loadMain()
    const text = `module.exports = 'quite another text'`
    writeFileSync(join(dist, 'lib', 'text.cjs'), text)
    run((required) => expect(required(join(dist, 'lib', 'other.cjs'))).to.deep.equal({ seen: 1, text: 'quite another text' }))
    expect(accepted('lib/text.cjs', text)).to.equal(true)
  })

  for (const [what, content] of [
    ['empty', () => Buffer.alloc(0)],
    ['of another kind', (whole: Buffer) => Buffer.concat([Buffer.from('Seller compiled 1\n'), whole.subarray(18)])],
    ['cut in its index', (whole: Buffer) => whole.subarray(0, 40)],
    ['cut in the code', (whole: Buffer) => whole.subarray(0, whole.length - 10)],
    ['zeroes', (whole: Buffer) => Buffer.alloc(whole.length)],
  ] as const) {
    it(`is made again when it is ${what}`, () => {
      loadMain()
      const whole = readFileSync(path())
      writeFileSync(path(), content(whole))
      expect(loadMain()).to.deep.equal({ ...LOADED })
      for (const name of ['main.cjs', 'lib/other.cjs', 'lib/text.cjs'] as const) expect(accepted(name), name).to.equal(true)
    })
  }

  it('keeps what is whole of a file that was cut in the code', () => {
    loadMain()
    const whole = readFileSync(path())
    const names = Object.keys(kept())
    writeFileSync(path(), whole.subarray(0, whole.length - 10))
    run((required) => required(join(dist, 'extra.cjs')))
    expect(Object.keys(kept()), 'all but the last').to.deep.equal([...names.slice(0, -1), 'extra.cjs'])
    for (const name of Object.keys(kept()) as (keyof typeof FILES)[]) expect(accepted(name), name).to.equal(true)
  })

  it('is used as far as its index is sound', () => {
    const index = Buffer.from(JSON.stringify({ 'main.cjs': [0], 'extra.cjs': [] }))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(index.length)
    loadMain()
    writeFileSync(path(), Buffer.concat([Buffer.from('seller compiled 1\n'), length, index]))
    expect(loadMain()).to.deep.equal({ ...LOADED })
    expect(accepted('main.cjs')).to.equal(true)
  })

  it('is closed again when it is not used', () => {
    loadMain()
    writeFileSync(path(), 'nonsense')
    const open = () => readdirSync('/dev/fd').length
    const before = open()
    run(() => undefined)
    expect(open()).to.equal(before)
  })

  for (const mode of [0o620, 0o602, 0o622]) {
    it(`is not run when others may write to it (mode ${mode.toString(8)})`, () => {
      loadMain()
      chmodSync(path(), mode)
      const { ino } = statSync(path())
      loadMain()
      expect(statSync(path()).ino, 'made again').to.not.equal(ino)
      expect(statSync(path()).mode & 0o777).to.equal(0o600)
    })
  }

  it('may be read by others', () => {
    loadMain()
    chmodSync(path(), 0o644)
    const { ino } = statSync(path())
    loadMain()
    expect(statSync(path()).ino, 'used').to.equal(ino)
  })

  describe('belongs to the user', () => {
    const { getuid } = process
    afterEach(() => {
      Object.assign(process, { getuid })
    })
    const usedBy = (uid: (() => number) | undefined): boolean => {
      loadMain()
      const { ino } = statSync(path())
      Object.assign(process, { getuid: uid })
      loadMain()
      return statSync(path()).ino === ino
    }

    it('and is not run when it is that of another', () => {
      let asked = 0
      // Only the first question is about the file that is read.
      expect(usedBy(() => (getuid?.() ?? 0) + (asked++ === 0 ? 1 : 0))).to.equal(false)
    })

    it('and is not written into the folder of another', () => {
      loadMain()
      process.getuid = () => (getuid?.() ?? 0) + 1
      const before = readFileSync(path())
      run((required) => required(join(dist, 'extra.cjs')))
      expect(readFileSync(path()).equals(before)).to.equal(true)
    })

    it('which a system without user ids cannot say', () => {
      expect(usedBy(undefined)).to.equal(true)
    })
  })

  describe('takes the place of old caches', () => {
    const OLD = '0123456789abcdef-v20.1.0-x64'
    /** Plants files that are older than any that another process may be writing. */
    const plant = (...names: string[]) => {
      mkdirSync(directory(), { recursive: true })
      for (const name of names) {
        writeFileSync(join(directory(), name), 'old')
        utimesSync(join(directory(), name), 1000, 1000)
      }
    }

    it('and of half-written ones, but not of one that another Node may be using', () => {
      plant(OLD, `${OLD}.17`)
      const young = OLD.replace('20', '22')
      writeFileSync(join(directory(), young), 'young')
      loadMain()
      const own = files().filter((name) => name !== young)
      expect([files().length, own.length, own.includes(OLD)]).to.deep.equal([2, 1, false])
      // Its own age does not matter.
      plant(young, ...own)
      run((required) => required(join(dist, 'extra.cjs')))
      expect(files()).to.deep.equal(own)
    })

    it('and leaves every other file', () => {
      loadMain()
      const others = ['letter.odt', `${OLD}.txt`, `old-${OLD}`, 'accounts-v20.1.0-x64', '.hidden']
      plant(OLD, ...others)
      symlinkSync(join(dist, 'main.cjs'), join(directory(), `${OLD}.18`))
      mkdirSync(join(directory(), `${OLD}.19`))
      run((required) => required(join(dist, 'extra.cjs')))
      expect(files())
        .to.include.members([...others, `${OLD}.18`, `${OLD}.19`])
        .and.to.not.include(OLD)
    })

    it('but not in a folder with files of others that it has not marked', () => {
      plant(OLD, 'letter.odt')
      loadMain()
      expect(readdirSync(directory())).to.have.length(3).and.to.include.members([OLD, 'letter.odt'])
      // A mark of another program is none.
      writeFileSync(join(directory(), TAG), 'Signature: 8a477f597d28d172789f06886806bc55')
      run((required) => required(join(dist, 'extra.cjs')))
      expect(files()).to.include(OLD)
    })

    it('and neither writes nor deletes through a link', () => {
      loadMain()
      const documents = join(home, 'documents')
      plant(OLD)
      renameSync(directory(), documents)
      symlinkSync(documents, directory())
      const before = readdirSync(documents)
      run((required) => required(join(dist, 'extra.cjs')))
      expect(readdirSync(documents)).to.deep.equal(before)
      rmSync(directory())
    })
  })

  it('is done without where nothing can be written, and where Node’s own switch says so', () => {
    writeFileSync(cache, 'a file is in the way')
    expect(loadMain()).to.deep.equal({ ...LOADED })
    const env = { SELLER_CACHE_DIR: join(home, 'other'), NODE_DISABLE_COMPILE_CACHE: '1' }
    const listeners = run((required) => expect(required(join(dist, 'lib', 'text.cjs'))).to.equal('three'), env)
    expect(listeners, 'nothing to do at the end').to.equal(0)
    expect(readdirSync(home)).to.have.members(['dist', 'cache'])
  })

  describe('is kept', () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
    afterEach(() => Object.defineProperty(process, 'platform', platform))
    const where = (on: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] => {
      Object.defineProperty(process, 'platform', { ...platform, value: on })
      run((required) => required(join(dist, 'lib', 'text.cjs')), env)
      return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('compiled'))
    }

    it('where the environment says', () => {
      expect(
        where('linux', { SELLER_CACHE_DIR: join(home, 'own'), XDG_CACHE_HOME: join(home, 'xdg'), HOME: home }),
      ).to.deep.equal(['own/compiled'])
    })

    it('in the XDG cache directory, but not in a relative one', () => {
      expect(where('linux', { XDG_CACHE_HOME: join(home, 'xdg'), HOME: home })).to.deep.equal(['xdg/seller/compiled'])
      expect(where('linux', { XDG_CACHE_HOME: 'xdg', HOME: home })).to.include('.cache/seller/compiled')
    })

    it('in the home directory, as each platform has it', () => {
      expect(where('linux', { HOME: home, LOCALAPPDATA: join(home, 'local') })).to.deep.equal(['.cache/seller/compiled'])
      expect(where('darwin', { HOME: home })).to.include('Library/Caches/seller/compiled')
      expect(where('win32', { HOME: home, LOCALAPPDATA: join(home, 'local') })).to.include('local/seller/compiled')
    })

    it('in the home directory on a Windows without LOCALAPPDATA', () => {
      expect(where('win32', { HOME: home })).to.deep.equal(['.cache/seller/compiled'])
    })

    it('in the home directory that the system knows where HOME is not set', () => {
      const { HOME } = process.env
      process.env.HOME = home
      try {
        expect(where('linux', {})).to.deep.equal(['.cache/seller/compiled'])
      } finally {
        process.env.HOME = HOME
      }
    })

    it('nowhere without a home', () => {
      expect(run((required) => expect(required(join(dist, 'lib', 'text.cjs'))).to.equal('three'), { HOME: '' })).to.equal(0)
    })
  })
})
