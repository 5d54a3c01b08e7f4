/** One guided listing: its answers so far, and what the questions take of the context. */
import type { Context } from '../../cli/context.js'
import type { Prompts } from '../../cli/prompts.js'
import type { FlagTexts } from '../input/flag-fields.js'
import type { InputKind } from '../input/kinds.js'
import type { LoadedNames, NameKind } from '../reference/names.js'
import { openNames } from '../reference/names.js'
import { type Answers, findAnswerFault } from './answers.js'

interface SessionStart {
  readonly answers: Answers
  /** The answers that flags of this run gave. */
  readonly given: Answers
  /** True if nothing is sent: names are then read without a login, if they can be read at all. */
  readonly dryRun: boolean
  /** Make images fit. */
  readonly fit?: boolean | undefined
  /** Values from the profile that apply without an answer. */
  readonly defaults?: FlagTexts | undefined
}

export class Session {
  answers: Answers
  /** Asks the questions; a person can go back from each. */
  readonly prompts: Prompts

  constructor(
    readonly ctx: Context,
    readonly kind: InputKind<unknown>,
    readonly start: SessionStart,
  ) {
    this.answers = start.answers
    this.prompts = ctx.prompts.returning
  }

  set(flag: string, answer: string | readonly string[]): void {
    this.answers = { ...this.answers, [flag]: answer }
  }

  /** True if the profile gives it, and no answer. */
  byDefault(flag: string): boolean {
    return !(flag in this.answers) && this.start.defaults?.[flag] !== undefined
  }

  drop(flag: string): void {
    const { [flag]: _, ...others } = this.answers
    this.answers = others
  }

  /** Why an answer will not do beside the others; undefined if it will. */
  faultOf(flag: string, answer: string | readonly string[]): string | undefined {
    const { [flag]: _, ...others } = this.answers
    return findAnswerFault(this.kind, others, flag, answer, this.ctx)
  }

  /** The texts of a flag that may be repeated. */
  list(flag: string): readonly string[] {
    const answer = this.answers[flag] ?? []
    return typeof answer === 'string' ? [answer] : answer
  }

  client() {
    return this.ctx.client({ user: !this.start.dryRun || this.ctx.profile.settings.user_id !== undefined })
  }

  /** Names of one kind; none where they cannot be read, so that ids are asked for instead. */
  names(kind: NameKind): Promise<LoadedNames | undefined> {
    return this.orElse(undefined, 'Names cannot be read, so ids are asked for', async () => {
      const names = openNames(this.ctx, await this.client(), [kind])
      await names.load('strict')
      return names
    })
  }

  /**
   * Reads, and falls back to another value with the reason if that fails.
   * @param words what cannot be read
   * @throws where the run was interrupted
   */
  async orElse<T>(otherwise: T, words: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      this.ctx.signal.throwIfAborted()
      this.ctx.output.warn(`${words}: ${error instanceof Error ? error.message : 'unknown error'}`)
      return otherwise
    }
  }
}
