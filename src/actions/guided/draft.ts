/**
 * The draft of an item that was not put on sale: a file for each profile and command in the data directory, written after each answer, so
 * that a mistake, Ctrl-C or a kill loses none. It holds what the item says, and nothing of the profile's credentials.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directory.js'
import { SellerError } from '../../cli/errors.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import type { Answers } from './answers.js'

/** What the file holds. */
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
      const stored = JSON.parse(await readFile(this.path, 'utf8')) as StoredDraft
      const { Answers: answers, SavedAt } = stored
      return typeof answers === 'object' && answers !== null && typeof SavedAt === 'string' ? stored : undefined
    } catch {
      return undefined
    }
  }

  /** @throws {SellerError} directory_unusable; the system's error */
  async save(answers: Answers, sentAt: number | null = null): Promise<void> {
    makeDirectory(join(this.#ctx.dataDir, 'drafts'), 'SELLER_DATA_DIR')
    const stored: StoredDraft = {
      Run: this.#run,
      SavedAt: isoOf(this.#ctx.clock.now()),
      SentAt: sentAt === null ? null : isoOf(sentAt),
      Answers: answers,
    }
    await writeWholeFile(this.path, `${JSON.stringify(stored, undefined, 2)}\n`, { force: true, mode: 0o600 })
  }

  /**
   * Marks it as being sent: a run that is killed from here on leaves it to the ledger whether the item is there.
   * @throws {SellerError} draft_taken, if another run has continued it
   */
  async send(answers: Answers): Promise<void> {
    if ((await this.read())?.Run !== this.#run) {
      const hint = 'See what is on sale with: seller items:list, seller requests:list'
      throw new SellerError('draft_taken', 'Another run has continued this draft. Nothing was sent.', hint)
    }
    await this.save(answers, this.#ctx.clock.now())
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
