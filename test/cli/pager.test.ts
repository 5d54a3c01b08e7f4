/** The pager between results and a terminal, with commands that write to files in place of one. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { openPager } from '../../src/cli/pager.js'

class Screen extends Writable {
  isTTY = true
  columns = 91
  text = ''
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

const write = (stream: NodeJS.WritableStream, text: string) => new Promise<void>((resolve) => stream.write(text, () => resolve()))

describe('the pager', () => {
  let directory: string
  let stdout: Screen
  let stderr: Screen
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'seller-pager-'))
    ;[stdout, stderr] = [new Screen(), new Screen()]
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))
  const open = (env: Record<string, string>, signal = new AbortController().signal) =>
    openPager({ stdout: stdout as never, stderr: stderr as never, env: { PATH: process.env.PATH, ...env }, signal })

  it('takes what is written, with the options of less, and notes come when it has ended', async () => {
    const pager = open({ PAGER: `cat > '${directory}/paged'; echo "$LESS" >> '${directory}/paged'` })
    expect(pager?.stdout.isTTY).to.equal(true)
    expect([pager?.stdout.columns, pager?.stderr.columns]).to.deep.equal([91, 91])
    await write(pager!.stderr, 'before\n')
    await write(pager!.stdout, 'one\n')
    await write(pager!.stderr, 'a note\n')
    await write(pager!.stdout, 'two\n')
    expect(stderr.text).to.equal('before\n')
    await pager!.close()
    expect(stderr.text).to.equal('before\na note\n')
    expect(await readFile(join(directory, 'paged'), 'utf8')).to.equal('one\ntwo\nFRX\n')
    expect(stdout.text).to.equal('')
  })

  it('is not there for a pipe, a dumb terminal, or where PAGER is empty or cat', () => {
    for (const env of [{ PAGER: '' }, { PAGER: ' cat ' }, { PAGER: 'less', TERM: 'dumb' }]) {
      expect(open(env as never), JSON.stringify(env)).to.equal(undefined)
    }
    stdout.isTTY = false
    expect(open({ PAGER: 'less' })).to.equal(undefined)
  })

  it('gives way to the terminal where less is not installed', async () => {
    const pager = openPager({
      stdout: stdout as never,
      stderr: stderr as never,
      env: { PATH: directory },
      signal: new AbortController().signal,
    })
    await write(pager!.stdout, 'one\n')
    await write(pager!.stderr, 'a note\n')
    await pager!.close()
    expect([stdout.text, stderr.text]).to.deep.equal(['one\n', 'a note\n'])
  })

  it('ends with Ctrl-C, and may be left early', async () => {
    const interrupted = new AbortController()
    const waiting = open({ PAGER: 'sleep 60' }, interrupted.signal)
    await write(waiting!.stdout, 'one\n')
    interrupted.abort()
    await waiting!.close()
    const left = open({ PAGER: 'true' })
    left!.stdout.on('error', () => undefined)
    await write(left!.stdout, 'one\n')
    await left!.close()
    expect(stdout.text).to.equal('')
  })

  it('that has ended takes no more, as a pipe without a reader', async () => {
    const left = open({ PAGER: 'true' })
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => left!.stdout.once('error', resolve))
    await write(left!.stdout, 'one\n')
    await sleep(300)
    left!.stdout.write('two\n')
    expect((await failed).code).to.equal('EPIPE')
    await left!.close()
  })

  for (const [how, PAGER] of [
    ['is not installed', 'no-pager-of-this-name -S'],
    ['ends with an error', 'false'],
    ['dies', 'kill -9 $$'],
  ] as const) {
    it(`that ${how} before it has read costs nothing: the terminal gets all, and it is said once`, async () => {
      const pager = open({ PAGER })
      const long = `${'x'.repeat(70_000)}\n`
      await write(pager!.stdout, 'one\n')
      await write(pager!.stderr, 'a note\n')
      for (let turn = 0; turn < 3; turn++) await write(pager!.stdout, long)
      await sleep(50)
      await write(pager!.stdout, 'last\n')
      await pager!.close()
      expect(stdout.text).to.equal(`one\n${long.repeat(3)}last\n`)
      expect(stderr.text.match(/Warning: The pager "[^"]+" ended with an error/g)).to.have.length(1)
      expect(stderr.text).to.include(`"${PAGER}"`).and.include('a note\n')
    })
  }

  it('that has read much and ends with an error is a reader that left', async () => {
    const pager = open({ PAGER: 'head -c 2000000 > /dev/null; exit 1' })
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => pager!.stdout.once('error', resolve))
    for (let turn = 0; turn < 60; turn++) pager!.stdout.write('x'.repeat(50_000))
    expect((await failed).code).to.equal('EPIPE')
    await pager!.close()
    expect([stdout.text, stderr.text]).to.deep.equal(['', ''])
  })

  it('that was never written to has nothing to wait for', async () => {
    await open({ PAGER: 'sleep 60' })?.close()
  })
})
