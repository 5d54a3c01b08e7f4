import { expect } from 'chai'
import { openedForEach } from '../../opened.js'
import { AUCTION, DAY, Market, member, SECOND } from './market.js'

describe('sandbox/marketplace: campaign codes', () => {
  const market = openedForEach(() => new Market())
  const validate = (campaignCode: string | undefined, categoryId = 344481, who?: number) =>
    market.call('ValidateCampaignCode', { campaignCode, categoryId }, who === undefined ? undefined : member(who))
  const reasons = (answer: ReturnType<typeof validate>) =>
    Object.entries(answer ?? {}).flatMap(([name, value]) =>
      name.startsWith('IsInvalid') && value === true ? [name.slice('IsInvalidBecause'.length)] : [],
    )

  it('hold, with what they give', () => {
    expect(validate('VALKOMMEN')).to.include({
      IsValid: true,
      DiscountFactor: 0.5,
      ProvisionFactor: null,
      IsUnsoldFeeFree: false,
    })
    expect(validate('STORRABATT')).to.include({
      IsValid: true,
      ProvisionFactor: 0.8,
      MaxFeeCap: 100,
      IsCustomLengthFeeFree: true,
      IsUnsoldFeeFree: true,
    })
  })

  for (const [code, category, reason] of [
    ['FINNSINTE', 344481, 'DoesNotExist'],
    [undefined, 344481, 'DoesNotExist'],
    ['valkommen', 344481, 'DoesNotExist'],
    ['SNART', 344481, 'HasNotStarted'],
    ['SLUT', 344481, 'HasEnded'],
    ['KLADER', 344481, 'CategoryIsNotAllowed'],
    ['FORBRUKAD', 344481, 'AlreadyUsed'],
    ['INTEDU', 344481, 'UserIsNotAllowed'],
  ] as const) {
    it(`${code ?? 'absent ones'} do not hold: ${reason}`, () => {
      const answer = validate(code, category)
      expect(answer?.IsValid).to.equal(false)
      expect(reasons(answer)).to.deep.equal([reason])
    })
  }

  it('hold for a category and all below it, and for the user they are for', () => {
    expect(validate('KLADER', 16)?.IsValid).to.equal(true)
    expect(validate('KLADER', 161213)?.IsValid).to.equal(true)
    expect(validate('KLADER', 0)?.IsValid).to.equal(true)
    expect(validate('INTEDU', 344481, SECOND)?.IsValid).to.equal(true)
    expect(validate('FORBRUKAD', 344481, SECOND)?.IsValid).to.equal(true)
  })

  it('start and end with time', () => {
    market.now += 31 * DAY
    expect(validate('SNART')?.IsValid).to.equal(true)
    market.now += 30 * DAY
    expect(reasons(validate('SNART'))).to.deep.equal(['HasEnded'])
  })

  it('are attached to a request that waits, checked, and used up when the item is listed', () => {
    const added = market.call('AddItem', { itemRequest: { ...AUCTION, AutoCommit: false } })
    const requestId = added?.RequestId ?? 0
    const attach = (campaignCode: string) => ({ requestId, campaignCode })
    for (const [code, text] of [
      ['FINNSINTE', 'does not exist'],
      ['SNART', 'has not started'],
      ['SLUT', 'has ended'],
      ['KLADER', 'is not allowed in the category'],
      ['FORBRUKAD', 'is already used'],
      ['INTEDU', 'is not allowed for the user'],
    ]) {
      expect(market.fault('AddItemCampaignCode', attach(code ?? '')).message).to.equal(
        `Request data is not valid:\nCampaign code "${code}" ${text}.`,
      )
    }
    expect(market.call('AddItemCampaignCode', attach('VALKOMMEN'))).to.equal(null)
    expect(market.call('AddItemCampaignCode', attach('VALKOMMEN'))).to.equal(null)
    expect(validate('VALKOMMEN')?.IsValid).to.equal(true)
    market.call('AddItemCommit', { requestId })
    expect(market.fault('AddItemCampaignCode', attach('VALKOMMEN')).message).to.match(
      /is committed and takes a campaign code no more/,
    )
    market.pass()
    expect(market.result(requestId)?.ResultCode).to.equal('Ok')
    expect(reasons(validate('VALKOMMEN'))).to.deep.equal(['AlreadyUsed'])
    expect(market.fault('AddItemCampaignCode', { requestId: 1, campaignCode: 'VALKOMMEN' }).message).to.match(
      /Item request with id 1 does not exist/,
    )
  })

  it('come with the item request too', () => {
    market.call('AddItem', { itemRequest: { ...AUCTION, CampaignCode: 'STORRABATT' } })
    market.pass()
    expect(reasons(validate('STORRABATT'))).to.deep.equal(['AlreadyUsed'])
  })
})
