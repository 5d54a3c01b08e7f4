import { expect } from 'chai'
import { Secrets } from '../../src/cli/credentials.js'

describe('secrets of a run', () => {
  it('are hidden wherever they stand, the longest of several, and short ones are ordinary words', () => {
    const secrets = new Secrets()
    expect(secrets.hide('token-1')).to.equal('token-1')
    secrets.add('token-1', 'token-12', 'token-1', 'abc', 'åäö§')
    for (const [text, shown] of [
      ['token-12token-1 abc', '•••••• abc'],
      ['a token-1, token-123', 'a •••, •••3'],
      ['åäö§', '•••'],
      ['toketoken-1', 'toke•••'],
      ['token-', 'token-'],
      ['tok', 'tok'],
      ['', ''],
    ] as const)
      expect(secrets.hide(text), text).to.equal(shown)
  })
})
