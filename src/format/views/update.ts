/** Whether a newer version is there. */
import type { UpdateRecord } from '../../contract/update.js'
import type { View } from '../output/types.js'

export const updateView: View<UpdateRecord> = {
  card: true,
  columns: [
    { key: 'Version' },
    { key: 'Newest' },
    { key: 'Newer', kind: 'boolean' },
    { key: 'File' },
    { key: 'Sha256', header: 'SHA-256' },
    { key: 'ReleaseFile', header: 'Release file' },
  ],
}
