/** The flag of commands that ask step by step: `...draftFlag`. */
import { Flags } from '@oclif/core'

export const draftFlag = {
  draft: Flags.boolean({
    allowNo: true,
    // Not `exclusive`: see --skeleton.
    relationships: [{ type: 'none', flags: ['file', 'skeleton'] }],
    summary: 'Go on with the draft of an earlier run without asking; --no-draft deletes it and starts over.',
  }),
}
