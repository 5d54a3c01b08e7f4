/** Flags of reports. */
import { Flags } from '@oclif/core'
import type { Host } from '../../cli/host.js'
import { readDateTime } from '../../cli/values.js'
import { dateTimeOf } from '../../contract/index.js'
import { addDays, dayOf, startOfDay } from './calendar.js'

/** As the flags of dates elsewhere, but `30d` is 30 whole days, today included: a report has no use for a half day at its beginning. */
export const sinceFlag = Flags.custom<string>({
  helpValue: 'DATE',
  parse: async (text, context, { name }) => {
    // The command that is being parsed; it has the host's clock.
    const { host } = context as unknown as { readonly host: Host }
    const now = host.clock.now()
    const [, days] = /^-?(\d{1,5})d$/.exec(text.trim()) ?? []
    if (days !== undefined && Number(days) > 0) return dateTimeOf(startOfDay(addDays(dayOf(now), 1 - Number(days))))
    return readDateTime(text, `--${name}`, { now, direction: 'past' })
  },
})
