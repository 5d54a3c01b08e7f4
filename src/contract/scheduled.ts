/** Items that wait for their start, as scripts see them. */

/** An item that is not on sale before its time. */
export interface ScheduledItem {
  /** Its id; null where it has none yet: an auction that is put up again has that of the one that ended. */
  readonly Id: number | null
  readonly ShortDescription: string | null
  readonly OwnReference: string | null
  readonly ItemType: 'ShopItem' | 'Auction'
  /** ISO 8601 */
  readonly StartDate: string
  /** scheduled: the service has it; sent: its result is not known yet; unsent: jobs:due, or its job, sends it. */
  readonly State: 'scheduled' | 'sent' | 'unsent'
  /** The job that it is of; null for a single call. */
  readonly JobId: number | null
  readonly RequestId: number | null
}
