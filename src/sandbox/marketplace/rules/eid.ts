/** Electronic-ID verification sessions (docs/service.md, Electronic-ID verification). One at a time for each member. */
import { createHmac, randomUUID } from 'node:crypto'
import type { EidOrderRequest, Output, ResultOf } from '../../../contract/index.js'
import type { Call, Scene } from '../store/scene.js'
import type { EidState } from '../types.js'

type Begun = NonNullable<ResultOf<'BeginEidVerification'>>
type Progress = NonNullable<ResultOf<'GetEidVerificationProgress'>>
/** The form of the parameters that names the session (docs/service.md, Choices between sources). */
type Named = { readonly request?: Output<typeof EidOrderRequest> }

export interface EidRow {
  order_ref: string
  user_id: number
  on_file: number
  auto_start_token: string
  started: number
  outcome: 'approve' | 'fail' | 'cancel' | null
  ended: number | null
}

/** A session that is not completed ends after this many ms. */
export const EID_LIFETIME_MS = 3 * 60 * 1000

/**
 * The progress texts of an open session, one step further every settings.eidStepMs. The texts are made up (docs/service.md, Not
 * known).
 */
const STEPS = [
  'The verification has begun; open the electronic-ID app.',
  'The electronic-ID app is open; read the question.',
  'Waiting for the member to verify in the electronic-ID app.',
]
const ENDS: Readonly<Record<Exclude<EidState, 'pending'>, { readonly progress: string; readonly error?: string }>> = {
  approved: { progress: 'The member is verified.' },
  failed: { progress: 'The verification has failed.', error: 'VerificationFailed' },
  cancelled: { progress: 'The verification was cancelled.', error: 'Cancelled' },
  expired: { progress: 'The verification took too long.', error: 'Expired' },
}
const NO_SESSION: Progress = { IsCompleted: false, Error: 'NoVerificationStarted' }

/** The current state of a session. */
export function eidState(scene: Scene, row: EidRow): EidState {
  if (row.outcome !== null) return ({ approve: 'approved', fail: 'failed', cancel: 'cancelled' } as const)[row.outcome]
  const age = scene.now - row.started
  const approval = scene.settings.eidApproveAfterMs
  if (approval !== null && age >= approval && approval < EID_LIFETIME_MS) return 'approved'
  return age >= EID_LIFETIME_MS ? 'expired' : 'pending'
}

/** The text that GetEidVerificationProgress reports for a session now. */
export function eidProgress(scene: Scene, row: EidRow): string {
  const state = eidState(scene, row)
  if (state !== 'pending') return ENDS[state].progress
  const step = Math.floor((scene.now - row.started) / Math.max(1, scene.settings.eidStepMs))
  return STEPS[Math.min(step, STEPS.length - 1)] ?? ''
}

/** The content of the QR code for the app. It changes every second, so that a picture of it soon becomes useless. */
function qrData(scene: Scene, row: EidRow): string {
  const seconds = Math.floor((scene.now - row.started) / 1000)
  const code = createHmac('sha256', row.order_ref).update(String(seconds)).digest('hex')
  return `eid.${row.auto_start_token}.${seconds}.${code}`
}

function latest(call: Call, orderRef: string | undefined): EidRow | undefined {
  return orderRef === undefined || orderRef === ''
    ? call.store.first<EidRow>(
        'SELECT * FROM eid_sessions WHERE user_id = ? ORDER BY started DESC, rowid DESC LIMIT 1',
        call.userId,
      )
    : call.store.first<EidRow>('SELECT * FROM eid_sessions WHERE user_id = ? AND order_ref = ?', call.userId, orderRef)
}

/**
 * BeginEidVerification, and BeginEidOnFileVerification, whose auto-start token works on desktop and mobile. On failure,
 * EidOrderRef is absent and Error has the reason (docs/service.md, Electronic-ID verification).
 */
function begin(call: Call, onFile: boolean): Begun {
  const refusal = call.store.first<{ eid_refusal: string | null }>(
    'SELECT eid_refusal FROM members WHERE user_id = ?',
    call.userId,
  )?.eid_refusal
  if (refusal !== null && refusal !== undefined) return { Error: refusal }
  const open = latest(call, undefined)
  if (open !== undefined && eidState(call, open) === 'pending') {
    return { Error: 'A verification is already under way; complete or cancel it first.' }
  }
  const [EidOrderRef, AutoStartToken] = [randomUUID(), randomUUID()]
  call.store.run(
    'INSERT INTO eid_sessions (order_ref, user_id, on_file, auto_start_token, started) VALUES (?, ?, ?, ?, ?)',
    ...[EidOrderRef, call.userId, onFile, AutoStartToken, call.now],
  )
  const session = latest(call, EidOrderRef) as EidRow
  return { EidOrderRef, AutoStartToken, ...(onFile ? {} : { QrData: qrData(call, session) }) }
}

/** BeginEidVerification. */
export const beginEidVerification = (call: Call): Begun => begin(call, false)
/** BeginEidOnFileVerification. */
export const beginEidOnFileVerification = (call: Call): Begun => begin(call, true)

/**
 * GetEidVerificationProgress for the named session or the caller's latest. IsCompleted is true only for a verified member; a
 * session that ended otherwise has an Error that says how.
 */
export function getEidVerificationProgress(call: Call, { request }: Named): Progress {
  const row = latest(call, request?.EidOrderRef)
  if (row === undefined) return NO_SESSION
  const state = eidState(call, row)
  if (state === 'pending') return { IsCompleted: false, Progress: eidProgress(call, row), QrData: qrData(call, row) }
  const { progress, error } = ENDS[state]
  return { IsCompleted: state === 'approved', Progress: progress, ...(error === undefined ? {} : { Error: error }) }
}

/** CancelEidVerification for the named session or the caller's latest. If there is none, nothing changes. */
export function cancelEidVerification(call: Call, { request }: Named): null {
  const row = latest(call, request?.EidOrderRef)
  if (row !== undefined && eidState(call, row) === 'pending') endSession(call, row, 'cancel')
  return null
}

/** Ends an open session. Call it only within `write`. */
export function endSession(scene: Scene, row: EidRow, outcome: 'approve' | 'fail' | 'cancel'): void {
  scene.store.run('UPDATE eid_sessions SET outcome = ?, ended = ? WHERE order_ref = ?', outcome, scene.now, row.order_ref)
}
