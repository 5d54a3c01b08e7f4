import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
import { expect } from 'chai'
import { keepHeapFlat } from '../../../src/jobs/bulk/heap.js'

describe('the memory of a long run', () => {
  /** Runs with a space for new objects of so many bytes. @returns the pauses of timers, the flags that were set, and how often timers were cleared */
  const watched = (rows: number, bytes: readonly number[]) => {
    const real = { setFlagsFromString: v8.setFlagsFromString, getHeapSpaceStatistics: v8.getHeapSpaceStatistics }
    const timers = { setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval }
    const flags: string[] = []
    const pauses: number[] = []
    let tick = (): void => {}
    let cleared = 0
    let left = [...bytes]
    const timer = { unref: () => timer }
    Object.assign(v8, {
      setFlagsFromString: (flag: string) => {
        flags.push(flag)
        // Those of the collection are needed for it; the others would change the tests after this one.
        if (flag.includes('expose')) real.setFlagsFromString(flag)
      },
      getHeapSpaceStatistics: () => [
        { space_name: 'old_space', space_size: 99e6 },
        { space_name: 'new_space', space_size: left.shift() },
      ],
    })
    Object.assign(globalThis, {
      setInterval: (work: () => void, ms: number) => {
        pauses.push(ms)
        tick = work
        return timer
      },
      clearInterval: (which: unknown) => {
        if (which === timer) cleared++
      },
    })
    syncBuiltinESMExports()
    try {
      const stop = keepHeapFlat(rows)
      const before = flags.length
      const ticks = bytes.map(() => {
        tick()
        return [flags.slice(before), cleared]
      })
      left = []
      stop()
      return { pauses, flags: flags.slice(0, before), ticks, cleared }
    } finally {
      Object.assign(v8, real)
      Object.assign(globalThis, timers)
      syncBuiltinESMExports()
    }
  }

  it('is left alone up to 20,000 rows', () => {
    expect(watched(19_999, [])).to.deep.equal({ pauses: [], flags: [], ticks: [], cleared: 0 })
  })

  it('is collected first, grows slowly, and is watched until the space for new objects is large enough', () => {
    const { pauses, flags, ticks, cleared } = watched(20_000, [1e6, 16e6 - 1, 16e6])
    expect(pauses).to.deep.equal([20])
    expect(flags).to.deep.equal(['--expose-gc', '--no-expose-gc', '--heap-growing-percent=30'])
    expect(ticks).to.deep.equal([
      [[], 0],
      [[], 0],
      [['--semi-space-growth-factor=1'], 1],
    ])
    expect(cleared, 'again when the run is over').to.equal(2)
  })
})
