/**
 * The draft of an item that was not put on sale: a file for each profile and command in the data directory, written after each
 * answer, so that a mistake, Ctrl-C or a kill loses none. It holds what the item says, and nothing of the profile's credentials.
 */

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { SellerError } from '../../errors/index.js'
import { inspectImages } from '../../jobs/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import type { InputKind } from '../input/kinds.js'
import { photosOf } from '../input/photos.js'
import { type Answers, findAnswerFault } from './answers.js'

/** Content of the file. */
export interface StoredDraft {
  /** Which run wrote it: two runs must not put one draft on sale twice. */
  readonly Run: string
  readonly SavedAt: string
  /** When the item was sent; the file is removed once its outcome is recorded. */
  readonly SentAt: string | null
  readonly Answers: Answers
}

export class Draft {
  readonly path: string
  readonly #ctx: Context
  readonly #run: string

  /** @param command `items:add` or `shop:add` */
  constructor(ctx: Context, command: string) {
    this.#ctx = ctx
    this.#run = `${ctx.clock.now()}-${ctx.clock.random()}`
    const name = `${encodeURIComponent(ctx.profile.name)}.${command.replace(':', '-')}.json`
    this.path = join(ctx.dataDir, 'drafts', name)
  }

  /** @returns undefined where there is none, or one that cannot be read */
  async read(): Promise<StoredDraft | undefined> {
    try {
      const draft = JSON.parse(await readFile(this.path, 'utf8')) as StoredDraft
      return isDraft(draft) ? { ...draft, Answers: withNewNames(draft.Answers) } : undefined
    } catch {
      return undefined
    }
  }

  /** @throws {SellerError} directory_unusable; the system's error */
  async save(answers: Answers, sentAt: number | null = null): Promise<void> {
    makeDirectory(join(this.#ctx.dataDir, 'drafts'), 'SELLER_DATA_DIR')
    const draft: StoredDraft = {
      Run: this.#run,
      SavedAt: isoOf(this.#ctx.clock.now()),
      SentAt: sentAt === null ? null : isoOf(sentAt),
      Answers: answers,
    }
    await writeWholeFile(this.path, `${JSON.stringify(draft, undefined, 2)}\n`, { force: true, mode: 0o600, follow: true })
  }

  /**
   * Marks it as being sent: a run that is killed from here on leaves it to the ledger whether the item is there.
   * @throws {SellerError} draft_taken, if another run has continued it
   */
  async send(answers: Answers): Promise<void> {
    if ((await this.read())?.Run !== this.#run) {
      const hint = say`See what is on sale with: ${run('items:list')}, ${run('requests:list')}`
      throw new SellerError('draft_taken', 'Another run has continued this draft. Nothing was sent.', hint)
    }
    await this.save(answers, this.#ctx.clock.now())
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}

/** Flags of versions before 0.4, by which their drafts have answers. */
const RENAMED: Readonly<Record<string, string>> = {
  'start-price': 'opening',
  ends: 'until',
  activate: 'from',
  deactivate: 'until',
}

function withNewNames(answers: Answers): Answers {
  return Object.fromEntries(Object.entries(answers).map(([flag, given]) => [RENAMED[flag] ?? flag, given]))
}

/** True if a file has the shape that `save` gives it: it lies where anyone may edit it. */
function isDraft(draft: Partial<Record<keyof StoredDraft, unknown>> | null): boolean {
  const { Run, SavedAt, SentAt, Answers } = draft ?? {}
  const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text))
  const isText = (text: unknown) => typeof text === 'string'
  const isAnswer = (answer: unknown) => isText(answer) || (Array.isArray(answer) && answer.every(isText))
  if (typeof Answers !== 'object' || Answers === null || !Object.values(Answers).every(isAnswer)) return false
  return isText(Run) && isTime(SavedAt) && (SentAt === null || isTime(SentAt))
}

/**
 * Outcome of a draft that was sent, from the ledger.
 * @param at ms since 1970
 * @returns where the item is recorded, e.g. `request 17`, if it was taken or may have been; undefined if nothing was sent or it
 * was refused, so that the draft may be sent again
 */
export async function takenBy<T>(
  ctx: Context,
  kind: InputKind<T>,
  { title, at }: { readonly title: string; readonly at: number },
): Promise<Words | undefined> {
  const ledger = await ctx.ledger()
  const since = { profile: ctx.profile.name, since: at }
  const job = ledger.jobs.list({ ...since, kind: 'listing' }).find(({ Title, State }) => Title === title && !isOver(State))
  if (job !== undefined) return say`job ${job.JobId} (${run('jobs:show', { id: job.JobId })})`
  const rows = ledger.requests.list({ ...since, operation: kind.operation })
  const row = rows.find(({ Subject, State }) => Subject === title && !isOver(State))
  if (row === undefined) return undefined
  const name = row.RequestId === null ? 'a call whose outcome is unknown' : `request ${row.RequestId}`
  return say`${name} (${run('requests:list')})`
}

/** A job or a request that did not add the item, and will not. */
function isOver(state: string): boolean {
  return ['failed', 'cancelled', 'refused', 'retryable'].includes(state)
}

/** The draft, unless there is none or its item was sent: then it is removed, with a note. */
export async function openStored<T>(ctx: Context, kind: InputKind<T>, draft: Draft): Promise<StoredDraft | undefined> {
  const storedDraft = await draft.read()
  if (storedDraft === undefined || storedDraft.SentAt === null) return storedDraft
  const title = titleOf(storedDraft.Answers)
  const where = await takenBy(ctx, kind, { title, at: Date.parse(storedDraft.SentAt) })
  if (where === undefined) return storedDraft
  await draft.remove()
  ctx.output.note(say`The draft "${title}" was sent before: see ${where}.`)
  return undefined
}

export function titleOf({ title }: Answers): string {
  return typeof title === 'string' ? title : ''
}

/** The answers that still hold; for each other one a note says why it is asked again. */
export async function soundAnswers<T>(
  ctx: Context,
  kind: InputKind<T>,
  answers: Answers,
  fits: { readonly fit?: unknown },
): Promise<Answers> {
  let sound: Answers = answers
  for (const [flag, given] of Object.entries(answers)) {
    const { [flag]: _, ...others } = sound
    const fault = findAnswerFault(kind, others, flag, given, ctx) ?? (await imageFault(ctx, flag, given, fits))
    if (fault === undefined) continue
    sound = others
    ctx.output.note(`--${flag} of the draft is asked again: ${fault}`)
  }
  return sound
}

async function imageFault(
  ctx: Context,
  flag: string,
  answer: string | readonly string[],
  fits: { readonly fit?: unknown },
): Promise<string | undefined> {
  if (flag !== 'image' && flag !== 'mega-image') return undefined
  const paths = typeof answer === 'string' ? [answer] : answer
  const { faults } = await inspectImages(
    paths.map((path) => ({ path })),
    { locate: ctx.path, ...photosOf(ctx, fits).options },
  )
  const [fault] = faults
  return fault === undefined ? undefined : `${fault.value} ${fault.message}.`
}
