/** eid:verify: begins a session, shows how to start the app, and follows the session until it ends. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode } from '../../cli/errors.js'
import { qrCode } from '../../format/output/index.js'
import { type EidRecord, eidView } from '../../format/views/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { type Result, recordResult } from '../result.js'
import {
  autoStartLink,
  beginEid,
  cancelledOnError,
  type EidOrder,
  type EidSession,
  eidOutcome,
  eidOwner,
  followEid,
  orderOf,
  takesOrderRef,
} from './session.js'

export interface VerifyOptions {
  /** Whether to start the app by link or QR code (BeginEidOnFileVerification). */
  readonly onFile: boolean
  readonly wait: boolean
  /** How long to follow the session, ms. */
  readonly timeoutMs: number
}

/** @returns the last known state of the session */
export async function verifyEid(ctx: Context, options: VerifyOptions): Promise<Result> {
  const client = await ctx.client()
  const { eidSessions } = await ctx.ledger()
  const sent = (await takesOrderRef(ctx)) === true
  const warn = (cancelled: boolean): void =>
    ctx.output.warn(`The session ${cancelled ? 'was' : 'could not be'} cancelled at the service.`)
  const session = await beginEid(client, options.onFile, ctx.signal, warn)
  const { EidOrderRef: ref } = session
  eidSessions.begin(ref, eidOwner(ctx))
  const order = orderOf(ref, sent)
  const onCancel = (cancelled: boolean): void => {
    if (cancelled) eidSessions.end(ref, 'cancelled')
    warn(cancelled)
  }
  const last = await cancelledOnError(client, order, () => follow(ctx, client, order, session, options), onCancel)
  const outcome = options.wait ? eidOutcome(last) : undefined
  if (outcome !== undefined) eidSessions.end(ref, outcome)
  return recordResult(eidView, { ...session, ...last }, judge(ctx, last, options))
}

async function follow(
  ctx: Context,
  client: SoapClient,
  order: EidOrder,
  session: EidSession,
  options: VerifyOptions,
): Promise<EidRecord> {
  ctx.output.note(`Order reference ${session.EidOrderRef}`)
  if (options.onFile) await showStart(ctx, session)
  // In the sandbox, only the user can approve it.
  if (ctx.profile.embedded) ctx.output.hint('In the sandbox, approve it from another terminal with: seller sandbox:eid approve')
  if (!options.wait) return {}
  const progress = ctx.output.progress({ kind: 'spinner', text: 'Open your electronic-ID app' })
  let last: EidRecord = {}
  try {
    for await (last of followEid({ client, order, clock: ctx.clock, signal: ctx.signal, timeoutMs: options.timeoutMs })) {
      if (last.Progress) progress.update({ text: last.Progress })
    }
  } finally {
    progress.stop()
  }
  return last
}

/** The link for this device, the QR code for another. Only a person can use either. */
async function showStart(ctx: Context, { AutoStartToken: token }: EidSession): Promise<void> {
  if (token === null) return
  ctx.output.note(`Start the app on this device: ${autoStartLink(token)}`)
  if (ctx.output.human && !ctx.output.plain)
    ctx.output.aside(`Or scan this with it:\n${await qrCode(autoStartLink(token), ctx.output.paint)}`)
}

function judge({ output }: Context, record: EidRecord, { wait }: VerifyOptions): ExitCode {
  const next = (verb: string): string => `${verb} it with: seller eid:status. Cancel it with: seller eid:cancel`
  if (!wait) {
    output.hint(next('Follow'))
    return EXIT.ok
  }
  const outcome = eidOutcome(record)
  if (outcome === 'completed') return EXIT.ok
  if (outcome === undefined) {
    output.warn('The time is up, but the verification has not ended.')
    output.hint(next('See'))
    return EXIT.pending
  }
  output.warn(`You are not verified: ${record.Error}`)
  return EXIT.failure
}
