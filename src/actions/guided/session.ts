/** One guided listing: its answers so far, and what the questions take of the context. */
import type { Context } from '../../cli/context.js'
import type { FlagTexts } from '../input/flag-fields.js'
import type { InputKind } from '../input/kinds.js'
import type { LoadedNames, NameKind } from '../reference/names.js'
import { namesOf } from '../reference/names.js'
import { type Answers, faultOf } from './answers.js'

interface SessionStart {
  readonly answers: Answers
  readonly given: Answers
  readonly dryRun: boolean
  readonly defaults?: FlagTexts
}

export class Session {
  answers: Answers
  readonly ctx: Context
  readonly kind: InputKind<unknown>
  /** Whether nothing is sent: names are then read without a login, if they can be read at all. */
  readonly dryRun: boolean
  /** The answers that flags of this run gave. */
  readonly given: Answers
  /** What the profile says where there is no answer. */
  readonly #defaults: FlagTexts

  constructor(ctx: Context, kind: InputKind<unknown>, { answers, given, dryRun, defaults = {} }: SessionStart) {
    this.#defaults = defaults
    this.given = given
    this.ctx = ctx
    this.kind = kind
    this.answers = answers
    this.dryRun = dryRun
  }

  set(flag: string, answer: string | readonly string[]): void {
    this.answers = { ...this.answers, [flag]: answer }
  }

  /** Whether the profile gives it, and no answer. */
  byDefault(flag: string): boolean {
    return !(flag in this.answers) && this.#defaults[flag] !== undefined
  }

  drop(flag: string): void {
    const { [flag]: _, ...others } = this.answers
    this.answers = others
  }

  /** Why an answer will not do beside the others; undefined if it will. */
  faultOf(flag: string, given: string | readonly string[]): string | undefined {
    const { [flag]: _, ...others } = this.answers
    return faultOf(this.kind, others, flag, given, this.ctx.clock.now())
  }

  /** The texts of a flag that may be repeated. */
  list(flag: string): readonly string[] {
    const given = this.answers[flag] ?? []
    return typeof given === 'string' ? [given] : given
  }

  client() {
    return this.ctx.client({ user: !this.dryRun || this.ctx.profile.settings.user_id !== undefined })
  }

  /** Names of one kind; none where they cannot be read, so that ids are asked for instead. */
  async names(kind: NameKind): Promise<LoadedNames | undefined> {
    try {
      const names = namesOf(this.ctx, await this.client(), [kind])
      await names.load('strict')
      return names
    } catch (error) {
      this.ctx.signal.throwIfAborted()
      this.ctx.output.warn(
        `Names cannot be read, so ids are asked for: ${error instanceof Error ? error.message : 'unknown error'}`,
      )
      return undefined
    }
  }
}
