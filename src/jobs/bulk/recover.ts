/** What a process that ended in the middle of a call leaves behind. */
import type { BulkJournal } from './journal.js'

const UNKNOWN_AFTER_DEATH = 'the program ended before the reply came; look whether the item is there before sending it again'

/** Handles rows that an ended process left in the middle of a call: they may be sent again, or stay unknown. */
export function recoverSending(journal: BulkJournal, single: boolean): void {
  journal.transaction(() => {
    for (const batch of journal.all('sending')) {
      for (const at of batch.places('sending')) {
        if (single) batch.set(at, 'unknown', UNKNOWN_AFTER_DEATH)
        else batch.set(at, 'unsent')
      }
      journal.save(batch)
    }
  })
}
