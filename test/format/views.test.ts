import { expect } from 'chai'
import type { View } from '../../src/format/output/index.js'
import { callUsageView } from '../../src/format/views/calls.js'
import { readable } from '../../src/format/views/items.js'
import { officialTimeView } from '../../src/format/views/reference.js'
import { campaignFaults, campaignView } from '../../src/format/views/sending.js'
import { USAGE } from './records.js'
import { stand } from './streams.js'

const card = async <T>(view: View<T>, row: T) => {
  const { output, stdout } = await stand({ terminal: true })
  await output.record(view, row)
  return stdout.written
}

describe('views', () => {
  it('descriptions: HTML becomes text, text stays', () => {
    expect(readable('<p>Ett</p><p>Två</p><ul><li>a</li></ul>')).to.equal('Ett\nTvå\na')
    expect(readable('5 < 6 > 4 &lt;b&gt; &copy;')).to.equal('5 < 6 > 4 <b> &copy;')
    expect(readable('a<BR/>b<br />c')).to.equal('a\nb\nc')
  })

  it('campaign codes: every reason in words', async () => {
    const result = {
      IsValid: false,
      IsInvalidBecauseDoesNotExist: false,
      IsInvalidBecauseHasNotStarted: false,
      IsInvalidBecauseHasEnded: true,
      IsInvalidBecauseCategoryIsNotAllowed: true,
      IsInvalidBecauseAlreadyUsed: false,
      IsInvalidBecauseUserIsNotAllowed: false,
      DiscountFactor: 0.85,
      ProvisionFactor: null,
      MaxFeeCap: null,
      IsCustomLengthFeeFree: false,
      IsUnsoldFeeFree: false,
    }
    expect(campaignFaults(result)).to.deep.equal(['the campaign has ended', 'it is not valid for this category'])
    expect(await card(campaignView, result)).to.match(
      /^Valid {12}no: the campaign has ended, it is not valid for this category\nDiscount factor {2}0\.85\n/,
    )
  })

  it('calls: the share of a profile that has none of its own', async () => {
    const usage = { ...USAGE, Budget: 100, Remaining: 18, Share: null, ShareAllowed: 40, ShareUsed: 4 }
    expect(await card(callUsageView(usage), usage)).to.include('Share         none of its own; others leave 40: 4 of 40 used\n')
  })

  it('time: how far this clock is off', async () => {
    const at = (ClockAheadMs: number) => card(officialTimeView, { OfficialTime: '2026-11-30T18:00:00+01:00', ClockAheadMs })
    expect(await at(200)).to.equal('Official time  2026-11-30 18:00:00+01:00\nThis clock     agrees\n')
    expect(await at(-61_000)).to.include('61 s behind')
    expect(await at(5000)).to.include('5 s ahead')
  })
})
