import { expect } from 'chai'
import fc from 'fast-check'
import { type FaultInjection, FaultInjector, NO_FAULTS } from '../../../src/sandbox/server/fault-injection.js'
import { FaultSettingsError, formatFaults, parseFaults, readDuration } from '../../../src/sandbox/server/fault-injection-texts.js'
import { sequence } from '../../../src/system/random.js'

describe('fault injection of the sandbox', () => {
  describe('texts', () => {
    it('reads every flag', () => {
      const settings = parseFaults({
        latency: '20ms..200ms',
        'drop-before': '2%',
        'drop-after': '0.5%',
        unavailable: '1%',
        quota: '100/24h',
        'queue-delay': '2s',
        'queue-codes': 'TryAgain Error=5%, Timeout=1%',
        'max-items': '500',
        'bad-characters': '&#x2;',
        'bad-value': 'VAT=1,5',
        seed: '7',
      })
      expect(settings).to.deep.equal({
        latency: { minMs: 20, maxMs: 200 },
        dropBefore: 0.02,
        dropAfter: 0.005,
        unavailable: 0.01,
        quota: { calls: 100, windowMs: 86_400_000 },
        queueDelayMs: 2000,
        queueCodes: [
          { codes: 'Error TryAgain', probability: 0.05 },
          { codes: 'Timeout', probability: 0.01 },
        ],
        maxItems: 500,
        badCharacters: '&#x2;',
        badValue: { element: 'VAT', text: '1,5' },
        seed: 7,
      } satisfies FaultInjection)
    })

    it('leaves out what is left out, and reads none', () => {
      expect(parseFaults({})).to.deep.equal({})
      expect(parseFaults({ latency: undefined, seed: '0' })).to.deep.equal({ seed: 0 })
      expect(parseFaults({ quota: ' none', 'queue-codes': 'none ', latency: ' 5ms ' })).to.deep.equal({
        quota: null,
        queueCodes: [],
        latency: { minMs: 5, maxMs: 5 },
      })
      expect(parseFaults({ 'queue-codes': ' ', seed: ' 7 ', 'max-items': '2147483647', 'bad-characters': 'none' })).to.deep.equal(
        {
          ...{ queueCodes: [], seed: 7, maxItems: 2_147_483_647, badCharacters: '' },
        },
      )
      expect(parseFaults({ 'queue-codes': 'Error=100%', quota: '0/1h' })).to.deep.equal({
        ...{ queueCodes: [{ codes: 'Error', probability: 1 }], quota: { calls: 0, windowMs: 3_600_000 } },
      })
    })

    const refused: [string, string, RegExp][] = [
      ['latency', '20', /"20" is not a duration. Give a number with a unit: ms, s, m, h or d.*"20ms\.\.200ms"/],
      ['latency', '200ms..20ms', /begins later than it ends/],
      ['latency', '1ms..2ms..3ms', /not a range/],
      ['latency', '-5ms', /"-5ms" is not a duration/],
      ['drop-before', '2', /"2" is not a percentage from 0% to 100%.*"2%"/],
      ['drop-after', '101%', /"101%" is not a percentage/],
      ['unavailable', '0.01', /not a percentage/],
      ['quota', '100', /"100" is not a quota/],
      ['quota', '100/day', /"day" is not a duration/],
      ['quota', '100/0s', /zero length/],
      ['quota', '1.5/24h', /"1.5" is not a whole number/],
      ['queue-delay', '400d', /longer than the maximum of 366d/],
      ['queue-codes', 'Error', /"Error" has no share/],
      ['queue-codes', 'Eror=5%', /did you mean Error\?/],
      ['queue-codes', 'TryAgain=5%', /TryAgain needs an error code beside it/],
      ['queue-codes', 'Error=60%,Timeout=60%', /add up to more than 100%/],
      ['queue-codes', ' =5%', /^queue-codes: "=5%" does not name a result code/],
      ['queue-codes', 'Xyzzyplugh=5%', /"Xyzzyplugh" is not a result code: .*Error.*, /],
      ['queue-codes', ' Error=5%=6% ', /"Error=5%=6%" has no share/],
      ['queue-codes', 'TryAgain Ok WaitingToBeProcessed=5%', /TryAgain needs an error code beside it/],
      ['quota', '1/1h/1h', /"1\/1h\/1h" is not a quota/],
      ['max-items', '0', /not a whole number from 1/],
      ['max-items', '2147483648', /not a whole number from 1 to 2147483647/],
      ['seed', '-1', /not a whole number from 0/],
      ['latancy', '5ms', /Did you mean latency\?/],
      ['zzz', '5ms', /The faults are latency, drop-before/],
      ['constructor', '5ms', /this fault does not exist/],
    ]
    for (const [flag, text, message] of refused) {
      it(`refuses ${flag} "${text}"`, () => {
        expect(() => parseFaults({ [flag]: text })).to.throw(FaultSettingsError, message)
      })
    }

    it('names every flag at fault at once', () => {
      try {
        parseFaults({ latency: 'x', seed: 'y', quota: 'none' })
        expect.fail('nothing was refused')
      } catch (error) {
        expect(error).to.be.instanceOf(FaultSettingsError)
        expect((error as FaultSettingsError).faults.map(({ flag }) => flag)).to.deep.equal(['latency', 'seed'])
      }
    })

    it('reads what it writes', () => {
      const share = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100 / 100)
      const ms = fc.integer({ min: 0, max: 366 * 86_400_000 })
      const settings = fc.record({
        latency: fc.tuple(ms, ms).map(([a, b]) => ({ minMs: Math.min(a, b), maxMs: Math.max(a, b) })),
        dropBefore: share,
        dropAfter: share,
        unavailable: share,
        quota: fc.option(fc.record({ calls: fc.nat(), windowMs: fc.integer({ min: 1, max: 366 * 86_400_000 }) })),
        queueDelayMs: ms,
        queueCodes: fc.constantFrom([], [{ codes: 'Error TryAgain', probability: 0.05 }]),
        maxItems: fc.integer({ min: 1, max: 2_147_483_647 }),
        badCharacters: fc.constantFrom('', '&#x2;', '\u0002'),
        badValue: fc.constantFrom(null, { element: 'VAT', text: '' }),
        seed: fc.nat(),
      })
      fc.assert(
        fc.property(settings, (value) => {
          expect(parseFaults(formatFaults(value))).to.deep.equal(value)
        }),
      )
    })

    it('reads a duration by itself, naming what it is', () => {
      expect(readDuration('advance', '1.5h')).to.equal(5_400_000)
      expect(() => readDuration('advance', 'soon')).to.throw(FaultSettingsError, /^advance: "soon" is not a duration/)
    })
  })

  describe('what it does', () => {
    const faulty: Partial<FaultInjection> = {
      latency: { minMs: 20, maxMs: 200 },
      dropBefore: 0.1,
      dropAfter: 0.1,
      unavailable: 0.1,
    }
    const draw = (injector: FaultInjector, count: number) => Array.from({ length: count }, () => injector.next())

    it('is the same for the same seed, and another for another', () => {
      const first = draw(new FaultInjector({ ...faulty, seed: 7 }), 200)
      expect(draw(new FaultInjector({ ...faulty, seed: 7 }), 200)).to.deep.equal(first)
      expect(draw(new FaultInjector({ ...faulty, seed: 8 }), 200)).to.not.deep.equal(first)
      expect(new Set(first.map(({ ending }) => ending))).to.have.lengthOf(4)
    })

    it('begins anew when its seed is set, and not when something else is', () => {
      const injector = new FaultInjector({ ...faulty, seed: 7 })
      const first = draw(injector, 50)
      injector.change({ unavailable: 0.1 })
      expect(draw(injector, 50)).to.not.deep.equal(first)
      injector.change({ seed: 7 })
      expect(draw(injector, 50)).to.deep.equal(first)
    })

    it('keeps the ending of later calls whatever the settings of earlier ones were', () => {
      const faultyLater = new FaultInjector({ seed: 3 })
      draw(faultyLater, 20)
      faultyLater.change(faulty)
      const faultyFromStart = new FaultInjector({ ...faulty, seed: 3 })
      draw(faultyFromStart, 20)
      expect(draw(faultyLater, 20)).to.deep.equal(draw(faultyFromStart, 20))
    })

    it('strikes about as often as it is set to, within its range', () => {
      const drawn = draw(new FaultInjector({ ...faulty, seed: 1 }), 5000)
      const share = (ending: string) => drawn.filter((one) => one.ending === ending).length / drawn.length
      expect(share('unavailable')).to.be.closeTo(0.1, 0.02)
      expect(share('dropped before')).to.be.closeTo(0.09, 0.02)
      expect(share('dropped after')).to.be.closeTo(0.081, 0.02)
      const waits = drawn.map(({ latencyMs }) => latencyMs)
      expect(Math.min(...waits)).to.be.within(20, 22)
      expect(Math.max(...waits)).to.be.within(198, 200)
    })

    it('does nothing by default', () => {
      expect(new Set(draw(new FaultInjector(), 500).map(({ ending, latencyMs }) => `${ending} ${latencyMs}`))).to.have.keys(
        'served 0',
      )
      expect(NO_FAULTS.quota).to.equal(null)
    })

    it('draws evenly', () => {
      const next = sequence(42)
      const tenths = new Array<number>(10).fill(0)
      for (let i = 0; i < 10_000; i++) {
        const tenth = Math.floor(next() * 10)
        tenths[tenth] = (tenths[tenth] ?? 0) + 1
      }
      for (const count of tenths) expect(count).to.be.within(850, 1150)
    })
  })
})
