/** A listing that is asked for or continued from its draft: the questions, the summary, and the sending. */

import type { Context } from '../../cli/context.js'
import { inOrder, WentBack } from '../../cli/prompts.js'
import { toSellerError } from '../../cli/translate.js'
import { minuteOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { type Command, run, say, type Words } from '../../messages/index.js'
import type { InputKind } from '../input/kinds.js'
import { type Asking, type ReadRequest, readRequest } from '../input/read.js'
import { answersIn, flagsIn, valuesIn } from './answers.js'
import { Draft, openStored, type StoredDraft, soundAnswers, takenBy, titleOf } from './draft.js'
import { Session } from './session.js'
import { type Step, stepsOf } from './steps.js'
import { type AnyItem, buildSummary } from './summary.js'
import type { Guide, GuideFlags, Listing } from './types.js'

interface GuidedOptions<T> {
  readonly session: Session
  readonly kind: InputKind<T>
  readonly draft: Draft
  readonly command: 'items:add' | 'shop:add'
  readonly asking: Asking
  readonly flags: GuideFlags
}

class GuidedListing<T> implements Listing<T> {
  readonly #options: GuidedOptions<T>
  /** True if somebody is asked; otherwise the draft gave everything. */
  readonly #asks: boolean
  #item: ReadRequest<T> | undefined

  constructor(options: GuidedOptions<T>, asks: boolean) {
    this.#options = options
    this.#asks = asks
  }

  get item(): ReadRequest<T> {
    if (this.#item === undefined) throw new Error('The item is not read yet.')
    return this.#item
  }

  /**
   * Reads the item from the answers, after the questions if somebody is asked.
   * @throws {SellerError} with where the answers are kept
   */
  async read(storedDraft: StoredDraft | undefined): Promise<this> {
    const { session, draft, command } = this.#options
    if (!this.#asks) {
      this.#item = await this.#readItem()
      await draft.save(session.answers)
      return this
    }
    const { ctx } = session
    // Nobody answers a dozen questions to learn that they have to log in.
    if (!session.start.dryRun) await session.client()
    if (storedDraft !== undefined) await this.#offer(storedDraft)
    ctx.output.note(
      `Answer the questions; ${ctx.output.plain ? '<' : 'Esc or <'} goes back, Ctrl-C stops. Your answers are kept in ${draft.path}`,
    )
    // The path in a line of its own, for messages are broken into lines, and hints are not.
    ctx.ifInterrupted({
      sent: 'Nothing was sent, and your answers are kept.',
      next: say`${this.#again()}\nThe draft is ${draft.path}`,
    })
    try {
      await this.#askAll()
    } catch (error) {
      throw this.#withDraft(error)
    }
    while (this.#item === undefined) await this.#readOrChange()
    if (session.start.dryRun) ctx.output.hint(say`Put it on sale with: ${run(command, { '--draft': true })}`)
    return this
  }

  /**
   * Reads the item. Where an answer is refused only now, it can be changed.
   * @throws {SellerError} the refusal, where it is not
   */
  async #readOrChange(): Promise<void> {
    const { session, draft } = this.#options
    try {
      this.#item = await this.#readItem()
    } catch (error) {
      if (!(error instanceof SellerError) || error.code === 'interrupted') throw this.#withDraft(error)
      session.ctx.prompts.show(`! ${error.message}`)
      const next = await this.#whatNow()
      if (next === 'keep') throw this.#withDraft(error)
      if (next === 'delete') {
        await draft.remove()
        throw this.#declined('The answers are deleted.')
      }
      await this.#change(next)
    }
  }

  async confirm(plain: (item: ReadRequest<T>) => Promise<void>): Promise<void> {
    if (!this.#asks) return plain(this.item)
    const { session, flags, draft } = this.#options
    const { prompts } = session.ctx
    for (;;) {
      prompts.show(await buildSummary(session, this.item as unknown as AnyItem, flags.campaign))
      if (flags.yes === true || (await prompts.agrees({ message: 'Put on sale?', flag: '--yes', given: undefined }))) return
      const next = await this.#whatNow()
      if (next === 'keep') throw this.#declined(say`Your answers are kept in ${draft.path}. Go on with: ${this.#again()}`)
      if (next === 'delete') {
        await draft.remove()
        throw this.#declined('The answers are deleted.')
      }
      await this.#change(next)
    }
  }

  async send<R extends { readonly row: RequestRow }>(call: (item: ReadRequest<T>) => Promise<R>): Promise<R> {
    const { session, draft, kind } = this.#options
    const { answers, ctx } = session
    const submission = { title: (this.item as unknown as AnyItem).request.Title ?? '', at: ctx.clock.now() }
    await draft.send(answers)
    const keepOrRemove = async (): Promise<boolean> => {
      const isTaken = (await takenBy(ctx, kind, submission)) !== undefined
      await (isTaken ? draft.remove() : draft.save(answers))
      return isTaken
    }
    try {
      const result = await call(this.item)
      if (!(await keepOrRemove())) ctx.output.hint(say`The item is not on sale. Your answers are kept: ${this.#again()}`)
      return result
    } catch (error) {
      throw (await keepOrRemove()) ? error : this.#withDraft(error)
    }
  }

  async #offer({ SavedAt, Answers }: StoredDraft): Promise<void> {
    const { session, flags, draft } = this.#options
    if (flags.draft === true) return
    const title = titleOf(Answers)
    const message = `There is a draft${title === '' ? '' : ` of "${title}"`}, last changed ${minuteOf(Date.parse(SavedAt))}`
    const choices = [
      { value: 'continue', name: 'Go on with it' },
      { value: 'anew', name: 'Delete it and start over' },
    ]
    const { next } = await session.ctx.prompts.fill([{ kind: 'select', key: 'next', flag: '--draft', message, choices }])
    if (next === 'continue') return
    await draft.remove()
    session.answers = session.start.given
  }

  async #askAll(): Promise<void> {
    const { session, draft } = this.#options
    await draft.save(session.answers)
    await inOrder(
      stepsOf(session.kind).map((step) => async (again) => {
        if ((!again && this.#isAnswered(step)) || !this.#applies(step)) return false
        await this.#ask(step)
        await draft.save(session.answers)
        return true
      }),
    )
  }

  /** Asks a question, perhaps once more, and drops what the answer makes void. */
  async #ask(step: Step): Promise<void> {
    const { session } = this.#options
    const before = session.answers[step.flag]
    await step.ask(session)
    for (const other of step.or ?? []) if (other !== 'mega-image') session.drop(other)
    if (before === undefined) return
    if (step.flag === 'type') this.#dropPrices()
    if (step.flag === 'category') session.drop('attribute')
  }

  #isAnswered({ flag, or = [] }: Step): boolean {
    const { session } = this.#options
    return session.byDefault(flag) || [flag, ...or].some((name) => name in session.answers)
  }

  #applies({ applies }: Step): boolean {
    const { session } = this.#options
    return applies === undefined || applies(valuesIn(session.kind, session.answers, session.ctx))
  }

  /** Nothing of the flags that an answer has replaced, or left empty. */
  async #readItem(): Promise<ReadRequest<T>> {
    const { kind, asking, flags, session } = this.#options
    const others = Object.fromEntries(Object.entries(flags).filter(([name]) => !(name in session.start.given)))
    // The summary says where defaults come from.
    return readRequest(kind, { ...asking, note: undefined }, { ...others, ...flagsIn(session.answers) })
  }

  /** @returns `keep`, `delete`, or the label of a step */
  async #whatNow(): Promise<string> {
    const { session } = this.#options
    const steps = stepsOf(session.kind).filter((step) => this.#applies(step))
    const choices = [
      { value: 'keep', name: 'Keep the answers as a draft' },
      ...steps.map(({ label }) => ({ value: label, name: `Change: ${label}` })),
      { value: 'delete', name: 'Delete the answers' },
    ]
    const message = 'Not put on sale. What now?'
    const { next = 'keep' } = await session.ctx.prompts.fill([{ kind: 'select', key: 'next', flag: '--yes', message, choices }])
    return next
  }

  /** Asks one question again, and those that its answer makes necessary. */
  async #change(label: string): Promise<void> {
    const { session, draft } = this.#options
    const step = stepsOf(session.kind).find((candidate) => candidate.label === label && this.#applies(candidate))
    if (step === undefined) return
    try {
      await this.#ask(step)
    } catch (error) {
      // Back to the choice of what to change.
      if (error instanceof WentBack) return
      throw error
    }
    await this.#askAll()
    await draft.save(session.answers)
    // Whoever has no item yet reads it next.
    if (this.#item === undefined) return
    try {
      this.#item = await this.#readItem()
    } catch (error) {
      if (!(error instanceof SellerError)) throw error
      session.ctx.prompts.show(`! ${error.message}\n  The change was not taken; change it again.`)
    }
  }

  /** Another kind of sale has other prices: those that it lacks are dropped, and those left empty are asked again. */
  #dropPrices(): void {
    const { session } = this.#options
    const conditional = stepsOf(session.kind).filter(({ applies }) => applies !== undefined)
    for (const { flag } of conditional) {
      const applies = conditional.some((step) => step.flag === flag && this.#applies(step))
      if (!applies || session.answers[flag] === '') session.drop(flag)
    }
  }

  #again(): Command {
    return run(this.#options.command)
  }

  #declined(hint: Words): SellerError {
    return new SellerError('declined', 'Not put on sale; nothing was sent.', hint)
  }

  #withDraft(error: unknown): unknown {
    const { draft } = this.#options
    const knownError = toSellerError(error)
    // An interruption has words of its own, and a bug must stay one.
    if (knownError.code === 'interrupted' || knownError.code === 'unexpected') return error
    return knownError.with({ hint: say`${knownError.advice} Your answers are kept in ${draft.path}: ${this.#again()}` })
  }
}

/**
 * @param guide `asks`: whether somebody is asked; otherwise the draft must give what flags do not
 * @returns undefined if a draft was only deleted
 * @throws {SellerError} no_draft; not_logged_in, before the first question; what readRequest throws. The draft is kept.
 */
export async function openGuided<T>(
  ctx: Context,
  kind: InputKind<T>,
  { command, asking, flags, asks }: Guide & { readonly asks: boolean },
): Promise<Listing<T> | undefined> {
  const draft = new Draft(ctx, command)
  if (flags.draft === false) await draft.remove()
  if (!asks && flags.draft !== true) return undefined
  const storedDraft = await openStored(ctx, kind, draft)
  if (storedDraft === undefined && flags.draft === true) {
    const hint = `A draft is kept when the questions of ${command} are left before the item is on sale. Run it without --draft.`
    throw new SellerError('no_draft', `There is no draft of ${command} for the profile "${ctx.profile.name}".`, hint)
  }
  const flagAnswers = answersIn(kind, flags)
  const answers =
    storedDraft === undefined ? flagAnswers : { ...(await soundAnswers(ctx, kind, storedDraft.Answers, flags)), ...flagAnswers }
  const session = new Session(ctx, kind, {
    answers,
    given: flagAnswers,
    dryRun: flags['dry-run'] === true,
    fit: flags.fit === true,
    defaults: asking.defaults,
  })
  return new GuidedListing({ session, kind, draft, command, asking, flags }, asks).read(storedDraft)
}
