import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { fillWholeFile, writeWholeFile } from '../../src/system/whole-file.js'

describe('a whole file', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'whole-file-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))
  const at = (name: string) => join(dir, name)
  const codeOf = async (work: Promise<unknown>) =>
    ((await work.catch((error: unknown) => error)) as { code?: string } | undefined)?.code

  it('takes bytes, text, and many pieces of text', async () => {
    await writeWholeFile(at('bytes'), new Uint8Array([0, 255]), { force: false })
    expect([...(await readFile(at('bytes')))]).to.deep.equal([0, 255])
    await writeWholeFile(at('text'), 'åäö', { force: false })
    expect(await readFile(at('text'), 'utf8')).to.equal('åäö')
    const lines = Array.from({ length: 30_000 }, (_, line) => `${line}\n`)
    await writeWholeFile(at('pieces'), lines, { force: false })
    expect(await readFile(at('pieces'), 'utf8')).to.equal(lines.join(''))
  })

  it('belongs to its entry alone before that begins: by a note of it the next command would remove it, and nobody knew what became of it', async () => {
    const heard: string[] = []
    const hear = (what: string) => () => void heard.push(what)
    const entry = { made: hear('made'), begun: hear('begun'), named: hear('named'), undone: hear('undone') }
    const note = () => () => void heard.push(existsSync(at('out')) ? 'note ended late' : 'note ended')
    await writeWholeFile(at('out'), 'x', { force: false, note, entry: () => entry })
    expect(heard.slice(0, 3)).to.deep.equal(['made', 'note ended', 'begun'])
    expect(heard.at(-1)).to.equal('named')
  })

  for (const force of [true, false]) {
    it(`is not there, nor anything beside it, when its pieces break off (force: ${force})`, async () => {
      if (force) await writeFile(at('out'), 'old')
      const broken = (function* () {
        yield 'x'.repeat(100_000)
        throw new Error('broken off')
      })()
      const error = await writeWholeFile(at('out'), broken, { force }).catch((caught: unknown) => caught)
      expect(error).to.have.property('message', 'broken off')
      expect(await readdir(dir)).to.deep.equal(force ? ['out'] : [])
      if (force) expect(await readFile(at('out'), 'utf8')).to.equal('old')
    })
  }

  it('replaces another only when told to, keeps its mode, and gives a new one the mode asked for', async () => {
    await writeFile(at('out'), 'old')
    await chmod(at('out'), 0o640)
    expect(await codeOf(writeWholeFile(at('out'), 'new', { force: false }))).to.equal('EEXIST')
    expect(await readFile(at('out'), 'utf8')).to.equal('old')
    await writeWholeFile(at('out'), 'new', { force: true })
    expect(await readFile(at('out'), 'utf8')).to.equal('new')
    expect((await stat(at('out'))).mode & 0o777).to.equal(0o640)
    await writeWholeFile(at('secret'), 'x', { force: false, mode: 0o600 })
    expect((await stat(at('secret'))).mode & 0o777).to.equal(0o600)
  })

  it('does not replace a file that came into being while it was written', async () => {
    const late = (function* () {
      yield 'mine'
      execFileSync('sh', ['-c', `printf theirs > '${at('out')}'`])
    })()
    expect(await codeOf(writeWholeFile(at('out'), late, { force: false }))).to.equal('EEXIST')
    expect(await readFile(at('out'), 'utf8')).to.equal('theirs')
    expect(await readdir(dir)).to.deep.equal(['out'])
  })

  it('follows a link instead of replacing it, where it is told to', async () => {
    await writeFile(at('real'), 'old')
    await symlink(at('real'), at('link'))
    await writeWholeFile(at('link'), 'new', { force: true, follow: true })
    expect(await readFile(at('real'), 'utf8')).to.equal('new')
    expect((await lstat(at('link'))).isSymbolicLink()).to.equal(true)
  })

  it('refuses a link that is not to be followed, also one to nowhere', async () => {
    await writeFile(at('real'), 'old')
    await symlink(at('real'), at('link'))
    await symlink(at('nowhere'), at('lost'))
    for (const name of ['link', 'lost'])
      for (const force of [true, false])
        expect(await codeOf(writeWholeFile(at(name), 'new', { force, follow: false }))).to.equal('ELOOP')
    await writeWholeFile(at('real'), 'new', { force: true, follow: false })
    expect(await readFile(at('real'), 'utf8')).to.equal('new')
    expect((await readdir(dir)).sort()).to.deep.equal(['link', 'lost', 'real'])
  })

  it('clears away what killed runs left beside it: old files of its own form, of no process that runs', async () => {
    const id = '01234567-89ab-cdef-0123-456789abcdef'
    // Process ids end at 2^22 (proc(5)).
    const gone = 2 ** 22 + 1
    const left = [`out.${gone}-${id}.tmp`, `out.${id}.tmp`, 'out.tmp-1234567890abcdef']
    const kept = [`out.${process.pid}-${id}.tmp`, `other.${gone}-${id}.tmp`, 'out.tmp', 'out.mine.tmp', 'out.tmp-1']
    for (const name of [...left, ...kept]) await writeFile(at(name), 'half')
    await symlink(at('out.tmp'), at(`out.${gone + 1}-${id}.tmp`))
    await writeWholeFile(at('out'), 'young ones stay', { force: false })
    expect(await readdir(dir)).to.have.length(left.length + kept.length + 2)
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000)
    for (const name of [...left, ...kept]) await utimes(at(name), hours(2), hours(2))
    await writeWholeFile(at('out'), 'new', { force: true })
    expect((await readdir(dir)).sort()).to.deep.equal(['out', ...kept, `out.${gone + 1}-${id}.tmp`].sort())
    // Ids are given again: a day later it is another process.
    await utimes(at(kept[0] ?? ''), hours(25), hours(25))
    await writeWholeFile(at('out'), 'newer', { force: true })
    expect(await readdir(dir)).to.not.include(kept[0])
  })

  it('writes into a pipe, and leaves it one', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const reader = spawn('cat', [at('pipe')], { stdio: ['ignore', 'pipe', 'inherit'] })
    let read = ''
    reader.stdout.on('data', (bytes: Buffer) => {
      read += bytes.toString()
    })
    await Promise.all([once(reader, 'close'), writeWholeFile(at('pipe'), ['through ', 'the pipe'], { force: true })])
    expect(read).to.equal('through the pipe')
    expect((await stat(at('pipe'))).isFIFO()).to.equal(true)
  })

  it('refuses a directory, and a path into none', async () => {
    expect(await codeOf(writeWholeFile(dir, 'x', { force: true }))).to.equal('EISDIR')
    expect(await codeOf(writeWholeFile(dir, 'x', { force: false }))).to.equal('EEXIST')
    expect(await codeOf(writeWholeFile(at('no/out'), 'x', { force: false }))).to.equal('ENOENT')
  })

  describe('that something else fills', () => {
    const fill = (content: string) => (beside: string) => writeFile(beside, content)

    it('gets its name and its mode when it is whole, and replaces only if told', async () => {
      await fillWholeFile(at('out'), fill('whole'), { force: false, mode: 0o600 })
      expect(await readFile(at('out'), 'utf8')).to.equal('whole')
      await chmod(at('out'), 0o644)
      expect(await codeOf(fillWholeFile(at('out'), fill('other'), { force: false, mode: 0o600 }))).to.equal('EEXIST')
      await fillWholeFile(at('out'), fill('other'), { force: true, mode: 0o600 })
      expect(await readFile(at('out'), 'utf8')).to.equal('other')
      expect((await stat(at('out'))).mode & 0o777).to.equal(0o600)
      expect(await readdir(dir)).to.deep.equal(['out'])
    })

    it('stays as it was when the filling fails, or when the name was taken meanwhile', async () => {
      await writeFile(at('out'), 'old')
      const failing = async (beside: string) => {
        await writeFile(beside, 'half')
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      }
      expect(await codeOf(fillWholeFile(at('out'), failing, { force: true, mode: 0o600 }))).to.equal('ENOSPC')
      const late = async () => writeFile(at('new'), 'theirs')
      expect(await codeOf(fillWholeFile(at('new'), late, { force: false, mode: 0o600 }))).to.equal('EEXIST')
      expect([await readFile(at('out'), 'utf8'), await readFile(at('new'), 'utf8')]).to.deep.equal(['old', 'theirs'])
      expect((await readdir(dir)).sort()).to.deep.equal(['new', 'out'])
    })

    it('is never a directory or a pipe', async () => {
      execFileSync('mkfifo', [at('pipe')])
      expect(await codeOf(fillWholeFile(dir, fill('x'), { force: true, mode: 0o600 }))).to.equal('EISDIR')
      expect(await codeOf(fillWholeFile(at('pipe'), fill('x'), { force: true, mode: 0o600 }))).to.equal('EEXIST')
    })
  })
})
