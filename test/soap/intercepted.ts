/** The network of a suite, where only what a test has named answers. */
import { expect } from 'chai'
import nock from 'nock'

// Importing nock already intercepts the network of the whole process; here it does so only for suites that ask for it.
nock.restore()

/** Intercepts every call in the tests of a suite; each must make the calls that it has named. */
export function interceptNetwork(): void {
  before(() => {
    nock.activate()
    nock.disableNetConnect()
  })
  afterEach(() => {
    expect(nock.pendingMocks()).to.deep.equal([])
    nock.cleanAll()
  })
  after(() => {
    nock.enableNetConnect()
    nock.restore()
  })
}
