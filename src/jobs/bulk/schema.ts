/** Tables of bulk runs, in the order they came to be; they join the ledger's migrations after its own (../schema.ts). */
export const BULK_MIGRATIONS: readonly string[] = []
