import { expect } from 'chai'
import { checkSetup } from '../../../src/actions/doctor/checks.js'
import { openTwin } from '../../cli/twin.js'

describe('the checks of seller doctor', () => {
  const stateOfNode = async (version: string): Promise<string | undefined> => {
    const twin = await openTwin({ flags: { profile: 'sandbox' } })
    try {
      for await (const { Check, State } of checkSetup(twin.ctx, version)) if (Check === 'Node') return State
      return undefined
    } finally {
      await twin.close()
    }
  }

  for (const [version, state] of [
    ['v18.20.0', 'fault'],
    ['v20.18.9', 'fault'],
    ['v20.19.0', 'ok'],
    ['v24.0.0', 'ok'],
  ] as const) {
    it(`${version} is ${state}`, async () => expect(await stateOfNode(version)).to.equal(state))
  }

  it('end when the user ends them', async () => {
    const twin = await openTwin({ flags: { profile: 'sandbox' } })
    try {
      twin.interrupt(new Error('enough'))
      const all = async () => {
        for await (const check of checkSetup(twin.ctx, 'v24.0.0')) void check
      }
      const ended = await all().then(
        () => 'ended',
        (error: Error) => error.message,
      )
      expect(ended).to.equal('enough')
    } finally {
      await twin.close()
    }
  })
})
