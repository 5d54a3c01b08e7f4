/** Facts of a release file about a newer version. */
export interface UpdateRecord {
  /** Version of this program. */
  readonly Version: string
  readonly Newest: string
  readonly Newer: boolean
  /** The package for this system; null if the release has none. */
  readonly File: string | null
  readonly Sha256: string | null
  readonly ReleaseFile: string
}
