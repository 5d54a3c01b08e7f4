/** Carries out what is due: queued requests in the order in which they became due, and auctions that ended. */

import type { Scene } from '../store/scene.js'
import { listItem } from './add-item.js'
import { applyActivateDates, applyShopPrices } from './many-shop-items.js'
import { type DueRequest, drawnCode, type Outcome } from './queue.js'
import { settleAuctions } from './sales.js'
import { closeShopItem, openShopItem } from './shop.js'
import { changeShopItem } from './update-shop-item.js'

type Processing = (scene: Scene, row: DueRequest, itemId: number) => Outcome

/** These are requests for one item each, whose id the row has. */
const single: Readonly<Record<string, Processing>> = {
  AddItem: listItem,
  AddShopItem: openShopItem,
  RemoveShopItem: closeShopItem,
  UpdateShopItem: changeShopItem,
}

/** Number of requests that one transaction carries out, so that other processes get their turn. */
const BATCH = 200

function process(scene: Scene, row: DueRequest): Outcome {
  if (row.operation === 'SetPriceOnShopItems') return applyShopPrices(scene, row)
  if (row.operation === 'SetActivateDateOnShopItems') return applyActivateDates(scene, row)
  const code = drawnCode(scene, row.first_id)
  if (code !== undefined) return { code }
  const processor = single[row.operation]
  if (processor === undefined) return { code: 'Error', message: `The operation ${row.operation} cannot be queued.` }
  return processor(scene, row, row.item_id as number)
}

function isWorkDue(scene: Scene): boolean {
  return (
    scene.store.first(
      'SELECT 1 FROM requests WHERE finished_at IS NULL AND due_at IS NOT NULL AND due_at <= ? LIMIT 1',
      scene.now,
    ) !== undefined ||
    scene.store.first('SELECT 1 FROM items WHERE settled = 0 AND bids > 0 AND ends <= ? LIMIT 1', scene.now) !== undefined
  )
}

/**
 * Carries out everything that is due. The effect of a request and its final state are written in one transaction, so that a
 * killed process leaves it either done or waiting. Of several processes, one carries it out.
 */
export function runDueWork(scene: Scene): void {
  while (isWorkDue(scene)) {
    scene.store.transaction(() => {
      const rows = scene.store.all<DueRequest>(
        `SELECT * FROM requests WHERE finished_at IS NULL AND due_at IS NOT NULL AND due_at <= ?
         ORDER BY due_at, first_id LIMIT ${BATCH}`,
        scene.now,
      )
      for (const row of rows) finish(scene, row)
      settleAuctions(scene)
    })
  }
}

function finish(scene: Scene, row: DueRequest): void {
  const { code, message, exceptions } = process(scene, row)
  // The content of a finished request is not needed again, and would double the file of a shop that is repriced nightly.
  scene.store.run(
    'UPDATE requests SET finished_at = ?, code = ?, message = ?, exceptions = ?, payload = NULL WHERE first_id = ?',
    ...[row.due_at, code, message, exceptions, row.first_id],
  )
}
