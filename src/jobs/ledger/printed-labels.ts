/**
 * Labels that were given to a printer: entered before, and marked once the print system has taken them, so that no run prints one
 * twice.
 */
import type { Clock } from '../../soap/client/index.js'
import type { Store } from '../../system/sqlite.js'
import { type SalesOwner, shopNumber } from './transactions.js'

export function openPrintedLabels({ store, clock }: { readonly store: Store; readonly clock: Clock }, owner: SalesOwner) {
  const shop = shopNumber(store, owner)
  const set = (ids: readonly number[], isPrinted: boolean): void =>
    store.transaction(() => {
      for (const id of ids) store.put('printed_labels', { shop_id: shop, id, at: clock.now(), printed: isPrinted })
    })
  return {
    /** Orders whose label was printed (true), or begun by a run that did not come to its end. */
    of(ids: readonly number[]): Map<number, boolean> {
      const sql = 'SELECT id, printed FROM printed_labels WHERE shop_id = ? AND id IN (SELECT value FROM json_each(?))'
      return new Map(store.rows<[number, number]>(sql, shop, JSON.stringify(ids)).map(([id, printed]) => [id, printed === 1]))
    },
    begin: (ids: readonly number[]): void => set(ids, false),
    done: (ids: readonly number[]): void => set(ids, true),
    /** The printer has refused them. */
    undo(ids: readonly number[]): void {
      store.run(
        'DELETE FROM printed_labels WHERE shop_id = ? AND id IN (SELECT value FROM json_each(?))',
        shop,
        JSON.stringify(ids),
      )
    },
  }
}
