import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOutput } from '../../src/format/output/index.js'
import { barLine, logProgress } from '../../src/format/output/progress.js'
import { thousands } from '../../src/format/output/values.js'
import { Remembering, stand } from './streams.js'

const settle = () => new Promise((resolve) => setTimeout(resolve, 30))
describe('progress', () => {
  const options = { kind: 'bar', text: 'Sending', total: 5000 } as const

  it('is written in lines where there is no terminal, as long as the work goes on', async () => {
    const said: string[] = []
    const waited = async () => {
      const before = said.length
      for (let tries = 0; said.length === before && tries < 200; tries++) await settle()
    }
    let now = 0
    const bar = logProgress(options, { say: (line) => said.push(line), now: () => now, everyMs: 5 })
    now = 10_000
    bar.update({ done: 1000, calls: 2 })
    await waited()
    bar.stop()
    const told = said.length
    await settle()
    expect(said.length, 'after its end').to.equal(told)
    expect(said.at(-1)).to.equal(
      'Sending: 1 000/5 000 rows, 20 %, 2 calls, 100 rows/s, 40 s left'.replaceAll(/(\d) (\d{3})/g, `$1${thousands(1000)[1]}$2`),
    )
    const spinner = logProgress(
      { kind: 'spinner', text: 'Reading\u001b[2J' },
      { say: (line) => said.push(line), now: () => now, everyMs: 5 },
    )
    await waited()
    spinner.stop()
    expect(said.at(-1), 'without numbers').to.equal('Reading␛[2J')
  })

  it('is nothing for work of some seconds where stderr is no terminal or dumb, and never where it is to be quiet', async () => {
    for (const wish of [{}, { quiet: true }, { terminal: true, env: { TERM: 'dumb' } }, { terminal: true, quiet: true }]) {
      const { output, stdout, stderr } = await stand(wish)
      for (const shown of [options, { kind: 'spinner', text: 'Waiting' }] as const) {
        const progress = output.progress(shown)
        await settle()
        progress.update({ done: 1 })
        progress.stop()
      }
      expect(stdout.written + stderr.written).to.equal('')
    }
  })

  it('is shown where stderr is a terminal although stdout is a pipe', async () => {
    const stdout = new Remembering()
    const stderr = new Remembering(true, 80)
    const output = await createOutput({ stdout, stderr, env: { NO_COLOR: '1' }, clock: { now: () => 0 } })
    const progress = output.progress(options)
    await settle()
    expect(stderr.written).to.include('Sending')
    progress.stop()
    expect(stdout.written).to.equal('')
  })

  it('leaves the terminal to the reader of a pipe with the first row, and stays beside a file', async function () {
    if (process.platform === 'win32') return this.skip()
    const home = mkdtempSync(join(tmpdir(), 'seller-progress-'))
    try {
      execFileSync('mkfifo', [join(home, 'pipe')])
      for (const [name, stays] of Object.entries({ pipe: false, file: true })) {
        const fd = openSync(join(home, name), constants.O_RDWR | constants.O_CREAT)
        const stdout = Object.assign(new Remembering(), { fd })
        const stderr = new Remembering(true, 80)
        const output = await createOutput({ stdout, stderr, env: { NO_COLOR: '1' }, clock: { now: () => 0 } })
        const progress = output.progress({ kind: 'spinner', text: 'Reading' })
        await output.list({ columns: [{ key: 'Id' }] }, [{ Id: 1 }])
        stderr.written = ''
        await new Promise((resolve) => setTimeout(resolve, 130))
        expect(stderr.written.includes('Reading'), name).to.equal(stays)
        progress.stop()
        closeSync(fd)
      }
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  it('a bar tells rows, share, calls, rate and time left', () => {
    const stage = { paint: { cyan: (text: string) => text, dim: (text: string) => text } as never, width: 80 }
    const state = { done: 1200, total: 5000, text: 'Sending', calls: 12 }
    expect(barLine(state, 'rows', stage, 3000)).to.equal(
      'Sending  ██────────  1 200/5 000 rows  24 %  12 calls  400 rows/s  10 s left',
    )
    expect(barLine({ ...state, done: 0, calls: undefined }, 'rows', stage, 0)).to.match(/^Sending {2}─+ {2}0\/5 000 rows {2}0 %$/)
    expect(barLine(state, 'rows', stage, 0), 'before any time has gone by').to.match(/12 calls$/)
    expect(barLine({ ...state, total: 0, done: 0 }, 'rows', stage, 0)).to.include('0/0 rows')
    expect(barLine(state, 'rows', { ...stage, width: 30 }, 3000)).to.equal('Sending  1 200/5 000 rows…')
    expect(barLine({ ...state, done: 25 }, 'rows', { ...stage, width: 200 }, 3000)).to.include(' 8.3 rows/s')
    expect(barLine({ ...state, text: '\u001b[2J' }, 'rows', stage, 3000)).to.include('␛[2J')
  })

  for (const [what, shown] of [
    ['bar', options],
    ['spinner', { kind: 'spinner', text: 'Waiting for request 17' }],
  ] as const) {
    it(`a ${what} steps aside for words and results, and clears itself`, async () => {
      const { output, stdout, stderr } = await stand({ terminal: true, clock: { now: () => 0 } })
      const progress = output.progress(shown)
      await settle()
      progress.update({ done: 1 })
      output.warn('a warning')
      expect(stderr.screen[0]).to.equal('Warning: a warning')
      expect(stderr.screen[1]).to.match(/Sending|Waiting/)
      await output.list({ columns: [{ key: 'Id' }] }, [{ Id: 1 }])
      expect(stdout.written).to.include('1\n')
      progress.stop()
      progress.stop()
      const after = stderr.written
      expect(stderr.screen).to.deep.equal(['Warning: a warning', ''])
      progress.update({ done: 2 })
      await settle()
      expect(stderr.written).to.equal(after)
      expect(after).not.to.include('\u001b[?25l')
      expect(after).not.to.include('\u001b[?7l')
    })
  }

  it('ends with an error', async () => {
    const { output, stderr } = await stand({ terminal: true })
    output.progress({ kind: 'spinner', text: 'Waiting' })
    output.error('it broke')
    await settle()
    expect(stderr.screen).to.deep.equal(['Error: it broke', ''])
  })

  it('one follows another', async () => {
    const { output, stderr } = await stand({ terminal: true })
    output.progress({ kind: 'spinner', text: 'first' })
    await settle()
    const second = output.progress({ kind: 'spinner', text: 'second' })
    await settle()
    second.stop()
    expect(stderr.written).to.include('first').and.to.include('second')
    expect(stderr.screen).to.deep.equal([''])
  })
})
