/** Item requests that wait for images and a commit (docs/service.md, Images and commit). */
import type { ParamsOf } from '../../../contract/index.js'
import { type Call, notValid } from '../store/scene.js'
import type { RequestRow } from './queue.js'

type Found = { readonly request: RequestRow } | { readonly fault: string }

function ofCaller(call: Call, requestId: number): RequestRow | undefined {
  return call.store.first<RequestRow>(
    "SELECT * FROM requests WHERE first_id = ? AND user_id = ? AND operation = 'AddItem'",
    requestId,
    call.userId,
  )
}

function unknown(call: Call, requestId: number): string {
  return `Item request with id ${requestId} does not exist for user ${call.userId}.`
}

/** The caller's own item request to which something may still be attached, or why there is none. */
export function findItemRequest(call: Call, requestId: number, attachment: 'images' | 'a campaign code'): Found {
  const request = ofCaller(call, requestId)
  if (request === undefined) return { fault: unknown(call, requestId) }
  if (request.auto_commit === 1) {
    return { fault: `Item request with id ${requestId} was created with AutoCommit true and takes ${attachment} no more.` }
  }
  if (request.due_at !== null) return { fault: `Item request with id ${requestId} is committed and takes ${attachment} no more.` }
  return { request }
}

/**
 * AddItemCommit: queues a waiting item request. Repeated, or after AutoCommit true, it changes nothing (docs/service.md, Images
 * and commit).
 */
export function addItemCommit(call: Call, { requestId }: ParamsOf<'AddItemCommit'>): null {
  const request = ofCaller(call, requestId)
  if (request === undefined) throw notValid([unknown(call, requestId)])
  if (request.due_at === null) {
    call.store.run('UPDATE requests SET due_at = ? WHERE first_id = ?', call.now + call.settings.queueDelayMs, requestId)
  }
  return null
}
