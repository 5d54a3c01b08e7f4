/** The findings of seller doctor. */
import type { View } from '../output/types.js'
import { stateColumn } from './columns.js'

export interface CheckRecord {
  readonly Check: string
  /** ok; note: it works, but deserves a look; fault: commands will fail. */
  readonly State: 'ok' | 'note' | 'fault'
  readonly Detail: string
  /** What to do; null if there is nothing to do. */
  readonly Fix: string | null
}

export const doctorView: View<CheckRecord> = {
  columns: [{ key: 'Check' }, stateColumn(), { key: 'Detail', maxWidth: 60 }, { key: 'Fix', maxWidth: 60 }],
}
