/** The host of a process: its streams, its signals, and the code it ends with. */
import { Writable } from 'node:stream'
import { expect } from 'chai'
import { processHost } from '../../src/cli/host.js'

describe('the host of the process', () => {
  const own = {
    stdout: Object.getOwnPropertyDescriptor(process, 'stdout') as PropertyDescriptor,
    stderr: Object.getOwnPropertyDescriptor(process, 'stderr') as PropertyDescriptor,
    exit: process.exit,
  }
  let written: string[]
  let exits: unknown[]
  const stream = (name: string, delayMs = 0) =>
    new Writable({
      write(chunk, _encoding, done) {
        setTimeout(() => {
          if (String(chunk) !== '') written.push(`${name} ${chunk}`)
          done()
        }, delayMs)
      },
    })
  const replace = (name: 'stdout' | 'stderr', value: Writable) =>
    Object.defineProperty(process, name, { value, configurable: true })
  beforeEach(() => {
    written = []
    exits = []
    process.exit = ((code?: unknown) => void exits.push(code)) as typeof process.exit
  })
  afterEach(() => {
    Object.defineProperty(process, 'stdout', own.stdout)
    Object.defineProperty(process, 'stderr', own.stderr)
    process.exit = own.exit
  })
  /** Exit code of the host after errors of its streams. */
  const ends = (name: 'stdout' | 'stderr', wrote: boolean, code: number, ...errors: string[]) => {
    const out = stream('out')
    replace(name, out)
    const host = processHost()
    expect(host[name]).to.equal(out)
    if (wrote) host.carriedOut.add('AddItem')
    for (const error of errors) out.emit('error', Object.assign(new Error(error), { code: error }))
    host.exit(code)
    Object.defineProperty(process, name, own[name])
    return exits.pop()
  }

  it('is the process itself, on a terminal of its own', () => {
    const host = processHost()
    expect([host.env, host.stdin]).to.deep.equal([process.env, process.stdin])
    expect(host).to.include({ cwd: '', ownsTerminal: true })
    expect(host.runtime).to.equal(`${process.platform}-${process.arch} node-${process.version}`)
    expect(host.program).to.deep.equal([process.execPath, process.argv[1]])
  })

  it('ends with an error if the output could not be written, and as it was told if the reader has gone', () => {
    for (const name of ['stdout', 'stderr'] as const) {
      expect(ends(name, false, 0)).to.equal(0)
      expect(ends(name, false, 0, 'EPIPE')).to.equal(0)
      expect(ends(name, false, 0, 'ENOSPC')).to.equal(1)
      expect(ends(name, false, 0, 'ENOSPC', 'EPIPE')).to.equal(1)
      expect(ends(name, false, 5, 'ENOSPC')).to.equal(5)
      expect(ends(name, false, 5)).to.equal(5)
      expect(ends(name, true, 0, 'ENOSPC'), 'after a write').to.equal(name === 'stdout' ? 9 : 0)
      expect(ends(name, true, 5, 'ENOSPC')).to.equal(5)
    }
  })

  it('listens to each stream once, when it is first used', () => {
    const [out, err] = [stream('out'), stream('err')]
    replace('stdout', out)
    replace('stderr', err)
    const host = processHost()
    expect([out.listenerCount('error'), err.listenerCount('error')]).to.deep.equal([0, 0])
    expect([host.stdout, host.stdout, host.stderr]).to.deep.equal([out, out, err])
    expect([out.listenerCount('error'), err.listenerCount('error')]).to.deep.equal([1, 1])
  })

  it('waits until what was written has left, and for no stream that has ended', async () => {
    replace('stdout', stream('out', 20))
    replace('stderr', stream('err'))
    const host = processHost()
    await host.flush()
    host.stdout.write('one')
    host.stdout.write('two')
    host.stderr.write('three')
    await host.flush()
    expect(written.sort()).to.deep.equal(['err three', 'out one', 'out two'])
    process.stdout.destroy()
    await host.flush()
    process.stderr.end()
    await host.flush()
  })

  it('hears signals until it is told not to', () => {
    const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const counts = () => names.map((name) => process.listenerCount(name))
    const before = counts()
    const ignore = processHost().onSignal(() => {})
    expect(counts()).to.deep.equal(before.map((count) => count + 1))
    ignore()
    expect(counts()).to.deep.equal(before)
  })

  it('hears of what nothing caught', () => {
    const listener = () => {}
    processHost().onUncaught(listener)
    try {
      for (const name of ['uncaughtException', 'unhandledRejection'] as const)
        expect(process.listeners(name as 'uncaughtException'), name).to.include(listener)
    } finally {
      process.off('uncaughtException', listener)
      process.off('unhandledRejection', listener)
    }
  })
})
