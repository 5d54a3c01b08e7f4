import { expect } from 'chai'
import { checkSetup } from '../../../src/actions/doctor/checks.js'
import { openTwin } from '../../cli/twin.js'
import { closing } from '../../opened.js'

describe('the checks of seller doctor', () => {
  it('end when the user ends them', async () => {
    await using twin = closing(await openTwin({ flags: { profile: 'sandbox' } }))
    twin.interrupt(new Error('enough'))
    const all = async () => {
      for await (const check of checkSetup(twin.ctx, 'v24.0.0')) void check
    }
    const ended = await all().then(
      () => 'ended',
      (error: Error) => error.message,
    )
    expect(ended).to.equal('enough')
  })
})
