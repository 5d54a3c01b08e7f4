import { expect } from 'chai'
import { Interrupted, interruptible } from '../../src/cli/interrupt.js'

/** A host whose signals a test sends. */
function standIn() {
  let listener: ((name: NodeJS.Signals) => void) | undefined
  const exits: number[] = []
  return {
    exits,
    send: (name: NodeJS.Signals) => listener?.(name),
    listened: () => listener !== undefined,
    host: {
      onSignal: (wanted: (name: NodeJS.Signals) => void) => {
        listener = wanted
        return () => {
          listener = undefined
        }
      },
      exit: (code: number) => void exits.push(code),
    } as unknown as Parameters<typeof interruptible>[0],
  }
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('an interruption', () => {
  it('lets work end that nobody interrupts, and then listens no more', async () => {
    const { host, listened } = standIn()
    let aborted: boolean | undefined
    await interruptible(host, async (signal) => {
      expect(listened()).to.equal(true)
      aborted = signal.aborted
    })
    expect([aborted, listened()]).to.deep.equal([false, false])
  })

  it('passes on what the work throws', async () => {
    const { host, listened } = standIn()
    const mistake = new TypeError('no')
    expect(await thrownBy(interruptible(host, () => Promise.reject(mistake)))).to.equal(mistake)
    expect(listened()).to.equal(false)
  })

  it('is thrown though the work ended well, and still listened for while it is reported', async () => {
    const { host, send, listened, exits } = standIn()
    const error = await thrownBy(
      interruptible(host, async (signal) => {
        send('SIGTERM')
        expect(signal.aborted).to.equal(true)
        expect(signal.reason).to.be.instanceOf(Interrupted).and.include({ by: 'SIGTERM', message: 'Interrupted by SIGTERM.' })
      }),
    )
    expect(error).to.be.instanceOf(Interrupted).and.include({ by: 'SIGTERM' })
    expect([listened(), exits]).to.deep.equal([true, []])
  })

  it('ends endless work without an error', async () => {
    const { host, send } = standIn()
    await interruptible(host, async () => void send('SIGINT'), true)
  })

  it('ends the process at the second signal', async () => {
    const { host, send, exits } = standIn()
    const error = await thrownBy(
      interruptible(host, async () => {
        send('SIGINT')
        send('SIGINT')
      }),
    )
    expect(error).to.include({ message: 'Interrupted.' })
    expect(exits).to.deep.equal([130])
  })

  it('abandons work that does not end', async () => {
    const { host, send } = standIn()
    const real = globalThis.setTimeout
    const waits: number[] = []
    Object.assign(globalThis, {
      setTimeout: (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
        waits.push(ms)
        return real(work, 0, ...given)
      },
    })
    try {
      const work = interruptible(host, () => new Promise(() => {}))
      send('SIGHUP')
      expect(await thrownBy(work))
        .to.be.instanceOf(Interrupted)
        .and.include({ by: 'SIGHUP' })
      expect(waits).to.deep.equal([5000])
    } finally {
      globalThis.setTimeout = real
    }
  })
})
