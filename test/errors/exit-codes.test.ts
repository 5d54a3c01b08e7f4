/** Which exit code a run has, where several apply. */
import { expect } from 'chai'
import { EXIT, EXIT_MEANINGS, type ExitCode, SellerError, worseExitCode, worstExitCode } from '../../src/errors/index.js'

describe('worstExitCode', () => {
  const ORDER: readonly ExitCode[] = [130, 9, 7, 4, 1, 3, 2, 5, 6, 8, 0]

  it('takes the first of 130, 9, 7, 4, 1, 3, 2, 5, 6, 8, whatever the order of the shops', () => {
    ORDER.forEach((code, at) => {
      const codes = ORDER.slice(at)
      expect(worstExitCode(codes)).to.equal(code)
      expect(worstExitCode([...codes].reverse())).to.equal(code)
    })
  })

  it('knows every exit code, and is 0 where all are, or none is', () => {
    expect(new Set(ORDER)).to.deep.equal(new Set(EXIT_MEANINGS.map(([code]) => code)))
    expect(worstExitCode([EXIT.ok, EXIT.ok])).to.equal(0)
    expect(worstExitCode([])).to.equal(0)
  })

  it('agrees with the order of one shop where that has one', () => {
    const ranked = [EXIT.interrupted, EXIT.unknownOutcome, EXIT.quota, EXIT.someRowsFailed, EXIT.held, EXIT.pending] as const
    for (const one of ranked) for (const other of ranked) expect(worstExitCode([one, other])).to.equal(worseExitCode(one, other))
  })

  it('keeps the first of two codes of one shop that have no order, and any before success', () => {
    expect([worseExitCode(1, 3), worseExitCode(3, 1), worseExitCode(0, 3), worseExitCode(3, 0)]).to.deep.equal([1, 3, 3, 3])
    expect([worseExitCode(8, 1), worseExitCode(1, 8)], 'what waits goes on').to.deep.equal([8, 8])
  })

  it('is that of a whole job in the error that ended it', () => {
    const error = new SellerError('ledger_busy', 'It is busy.', 'Try again.', { path: 'a' })
    const ended = error.with({ exitCode: EXIT.unknownOutcome, details: { jobId: 7 } })
    expect(ended).to.deep.include({ code: 'ledger_busy', hint: 'Try again.', exitCode: 9, details: { path: 'a', jobId: 7 } })
    expect(error.with({ hint: 'Wait.' })).to.include({ exitCode: 1, hint: 'Wait.' })
  })
})
