import { expect } from 'chai'
import { refuseLargeRemoval } from '../../../src/actions/shop/removal-guard.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'

describe('the guard over a file of removals', () => {
  const judge = (
    [rows, items]: readonly [number, number],
    { typed, own, file = 'gone.csv' }: { typed?: string; own?: number | 'off'; file?: string } = {},
  ) =>
    refuseLargeRemoval({ profile: { settings: { max_removed: own } } } as Pick<Context, 'profile'>, typed, { file, rows, items })

  for (const [counts, options, passes] of [
    [[10, 20], {}, true],
    [[11, 20], {}, false],
    [[9, 9], {}, true],
    [[10, 10], {}, false],
    [[50, 100], { own: 50 }, true],
    [[50, 100], { own: 49 }, false],
    [[100, 100], { own: 'off' }, true],
    [[50, 100], { own: 10, typed: '50%' }, true],
    [[51, 100], { own: 90, typed: '50%' }, false],
    [[100, 100], { own: 10, typed: 'off' }, true],
    [[100, 100], { typed: '100%' }, true],
  ] as const) {
    it(`${passes ? 'lets' : 'does not let'} ${counts.join(' of ')} go with ${JSON.stringify(options)}`, () => {
      if (passes) expect(() => judge(counts, options)).to.not.throw()
      else
        expect(() => judge(counts, options))
          .to.throw(SellerError, 'Nothing was sent.')
          .with.property('exitCode', 6)
    })
  }

  it('says how many of how many, the share and the limit, and where they were read', () => {
    const caught = (options: Parameters<typeof judge>[1]) => {
      try {
        judge([11, 20], options)
      } catch (error) {
        return error as SellerError
      }
      throw new Error('it passed')
    }
    const error = caught({})
    expect(error.message).to.equal('gone.csv would remove 11 of 20 shop items (55 %), over the limit of 50 %. Nothing was sent.')
    expect(error.details).to.deep.equal({ rows: 11, items: 20, limit: 50 })
    expect(caught({ file: '-' }).message).to.match(/^Stdin would remove 11/)
  })

  it('refuses what is not a limit', () => {
    expect(() => judge([1, 1], { typed: 'half' }))
      .to.throw(SellerError, '--max-removed')
      .with.property('exitCode', 2)
  })
})
