import { expect } from 'chai'
import { globalFlags } from '../../src/cli/flags.js'

describe('the flags of every command', () => {
  it('are a group of their own in each help, and say what they do', () => {
    for (const [name, { helpGroup, summary }] of Object.entries(globalFlags)) {
      expect(helpGroup, name).to.equal('GLOBAL')
      expect(summary, name).to.match(/^[A-Z].*\.$/)
    }
  })
})
