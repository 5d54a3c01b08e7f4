import { expect } from 'chai'
import { callerOf, headersFrom } from '../../../src/sandbox/server/caller.js'

const pairs = (text: string) => new URLSearchParams(text)

describe('who calls, from a query string', () => {
  it('is read whatever the letter case, the first of a name counting', () => {
    expect(
      headersFrom(pairs('APPID=1&appkey=k&UserId=7&Token=t&sandbox=0&maxResultAge=60&appId=2'), 'RestrictedService'),
    ).to.deep.equal({
      AuthenticationHeader: { AppId: 1, AppKey: 'k' },
      AuthorizationHeader: { UserId: 7, Token: 't' },
      ConfigurationHeader: { Sandbox: 0, MaxResultAge: 60 },
    })
  })

  it('is no one where the number cannot be read, or is missing', () => {
    expect(headersFrom(pairs('appId=one&appKey=k&token=t&maxResultAge=3'), 'RestrictedService')).to.deep.equal({})
    expect(headersFrom(pairs('appId=99999999999&other=1&constructor=2'), 'RestrictedService')).to.deep.equal({})
    expect(callerOf({})).to.deep.equal({ appId: undefined, appKey: undefined, userId: undefined, token: undefined })
  })

  it('is no seller to the public service, whose GetSellerItems has a userId of its own', () => {
    const headers = headersFrom(pairs('appId=1&appKey=k&userId=1002&token=t'), 'PublicService')
    expect(headers).to.deep.equal({ AuthenticationHeader: { AppId: 1, AppKey: 'k' } })
  })
})
