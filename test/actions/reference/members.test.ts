/** Aliases that were shown before, as names of members. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { memberId } from '../../../src/actions/reference/members.js'
import { SellerError } from '../../../src/cli/errors.js'

describe('the id of a member', () => {
  it('is not known by any alias where none was shown, whatever its letters, and is taken as it is', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'seller-members-'))
    try {
      const ctx = { dataDir, profile: { name: 'default', settings: {} } } as unknown as Parameters<typeof memberId>[0]
      expect(await memberId(ctx, '4242', 'ID')).to.equal(4242)
      for (const alias of ['t', 'glasboden']) {
        const error = await memberId(ctx, alias, 'ID').catch((thrown: unknown) => thrown)
        expect(error).to.be.instanceOf(SellerError).and.include({ code: 'unknown_member' })
        expect((error as SellerError).hint).to.not.include('Did you mean')
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
