/** Going on with a draft: whether it was sent meanwhile, and which of its answers still hold. */
import type { Context } from '../../cli/context.js'
import { inspectImages } from '../../jobs/index.js'
import type { InputKind } from '../input/kinds.js'
import { type Answers, faultOf } from './answers.js'
import type { Draft, StoredDraft } from './draft.js'
import { takenBy } from './fate.js'

/** The draft, unless there is none or its item was sent: then it is removed, with a note. */
export async function openStored<T>(ctx: Context, kind: InputKind<T>, draft: Draft): Promise<StoredDraft | undefined> {
  const stored = await draft.read()
  if (stored === undefined || stored.SentAt === null) return stored
  const title = titleOf(stored.Answers)
  const where = await takenBy(ctx, kind, { title, at: Date.parse(stored.SentAt) })
  if (where === undefined) return stored
  await draft.remove()
  ctx.output.note(`The draft "${title}" was sent before: see ${where}.`)
  return undefined
}

export function titleOf({ title }: Answers): string {
  return typeof title === 'string' ? title : ''
}

/** The answers that still hold; for each other one a note says why it is asked again. */
export async function soundAnswers<T>(ctx: Context, kind: InputKind<T>, answers: Answers): Promise<Answers> {
  let sound: Answers = answers
  for (const [flag, given] of Object.entries(answers)) {
    const { [flag]: _, ...others } = sound
    const fault = faultOf(kind, others, flag, given, ctx.clock.now()) ?? (await imageFault(ctx, flag, given))
    if (fault === undefined) continue
    sound = others
    ctx.output.note(`--${flag} of the draft is asked again: ${fault}`)
  }
  return sound
}

async function imageFault(ctx: Context, flag: string, given: string | readonly string[]): Promise<string | undefined> {
  if (flag !== 'image' && flag !== 'mega-image') return undefined
  const paths = typeof given === 'string' ? [given] : given
  const { faults } = await inspectImages(
    paths.map((path) => ({ path })),
    ctx.path,
  )
  const [fault] = faults
  return fault === undefined ? undefined : `${fault.value} ${fault.message}.`
}
