/** Whether a newer version is there. */
import type { UpdateRecord } from '../../contract/update.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

export const updateView: View<UpdateRecord> = {
  card: true,
  columns: columnsOf('Version', 'Newest', 'Newer', 'File', { Sha256: 'SHA-256' }, 'ReleaseFile'),
}
