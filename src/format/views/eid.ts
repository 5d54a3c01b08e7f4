/** Electronic-ID sessions. */
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** The state of a session: what began it and what was last read of it. */
export interface EidRecord {
  readonly EidOrderRef?: string | null
  readonly AutoStartToken?: string | null
  readonly IsCompleted?: boolean | null
  readonly Progress?: string | null
  readonly Error?: string | null
}

export const eidView: View<EidRecord> = {
  card: true,
  keys: ['QrData'],
  columns: [
    ...columnsOf({ EidOrderRef: 'Order reference', AutoStartToken: 'Auto-start token' }),
    {
      key: 'IsCompleted',
      header: 'Completed',
      kind: 'boolean',
      style: (session, paint) => (session.IsCompleted === true ? paint.green : undefined),
    },
    { key: 'Progress' },
    { key: 'Error', style: (_session, paint) => paint.red },
  ],
}
