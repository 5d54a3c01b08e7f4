/** Who calls, and how often: credentials and the quota (docs/service.md, Headers; docs/service.md, Refusals without SOAP). */
import type { Operation } from '../../../contract/index.js'
import { CALL_QUOTA_WINDOW_MS } from '../../../contract/index.js'
import type { Scene } from '../store/scene.js'
import { type Caller, Refusal, ServiceFault } from '../types.js'

/** Calls are kept at least this long, for a quota that is set later. */
const KEPT_MS = CALL_QUOTA_WINDOW_MS
/** Old calls are deleted once per this many calls. */
const SWEEP_EVERY = 256

/**
 * Accepts an application and counts the call, even if it fails later, except for a 429. AppKey is optional in the schema, but an
 * application must give its key.
 * @throws {ServiceFault} "Invalid application id"
 * @throws {Refusal} 429, over the quota
 */
export function admit(scene: Scene, operation: Operation, caller: Caller): void {
  const application = scene.store.first<{ app_key: string }>('SELECT app_key FROM applications WHERE app_id = ?', caller.appId)
  if (application === undefined || application.app_key !== caller.appKey) {
    throw new ServiceFault('process', 'Invalid application id')
  }
  scene.store.transaction(() => {
    checkQuota(scene, caller.appId ?? 0)
    const id = scene.store.first<{ call_id: number }>(
      'INSERT INTO calls (app_id, at, operation) VALUES (?, ?, ?) RETURNING call_id',
      ...[caller.appId, scene.now, operation.name],
    )?.call_id
    if ((id ?? 0) % SWEEP_EVERY === 0) {
      const window = Math.max(KEPT_MS, scene.settings.quota?.windowMs ?? 0)
      scene.store.run('DELETE FROM calls WHERE at <= ?', scene.now - window)
    }
  })
}

function checkQuota(scene: Scene, appId: number): void {
  const { quota } = scene.settings
  if (quota === null) return
  const since = scene.now - quota.windowMs
  if (callsSince(scene, appId, since) < quota.calls) return
  // The call that must leave the window first.
  const oldest = scene.store.first<{ at: number }>(
    'SELECT at FROM calls WHERE app_id = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?',
    ...[appId, since, quota.calls - 1],
  )
  const free = oldest === undefined || quota.calls === 0 ? quota.windowMs : oldest.at + quota.windowMs - scene.now
  throw new Refusal(
    429,
    `The application has used up its quota of ${quota.calls} calls. Retry-After says when there is room for one.`,
    free,
  )
}

/** Number of calls that an application made after a time. */
export function callsSince(scene: Scene, appId: number, since: number): number {
  return scene.store.first<{ n: number }>('SELECT count(*) AS n FROM calls WHERE app_id = ? AND at > ?', appId, since)?.n ?? 0
}

/**
 * The user of a call; 0 if the operation has none.
 * @throws {Refusal} 403 if a restricted operation is called without a valid, unexpired token
 */
export function authenticateUser(scene: Scene, operation: Operation, caller: Caller): number {
  if (!operation.user) return 0
  const member = scene.store.first<{ token: string; token_expires: number | null }>(
    'SELECT token, token_expires FROM members WHERE user_id = ?',
    caller.userId,
  )
  const right = member !== undefined && member.token === caller.token
  const { orders } = scene.store.first<{ orders: number }>('SELECT orders FROM applications WHERE app_id = ?', caller.appId) ?? {}
  const isBarred = operation.service === 'OrderService' && orders !== 1
  if (isBarred || !right || (member.token_expires !== null && member.token_expires <= scene.now)) {
    throw new Refusal(403, 'Forbidden - Access is denied.')
  }
  return caller.userId ?? 0
}
