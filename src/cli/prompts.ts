/** Questions to a person, on stderr. inquirer is loaded for the first question, and never without a terminal. */

import { SellerError } from '../errors/index.js'
import { safeLine, safeText } from '../format/output/safe-text.js'
import { textWidth, wrap } from '../format/output/width.js'
import { type Edge, ownHelp, say, textOf, type Words } from '../messages/index.js'
import type { Host } from './host.js'
import type { Choice, PlainQuestion } from './plain-prompts.js'
import { BACK, WentBack } from './went-back.js'

export type { Choice } from './plain-prompts.js'
export { inOrder, WentBack } from './went-back.js'

/** One value that a flag left open. */
export interface Question<K extends string = string> {
  /** Key of the answer. */
  readonly key: K
  /**
   * The flag or variable that a script uses instead, e.g. `--title` or `SELLER_TOKEN`; named in the error when prompts are off.
   */
  readonly flag: string
  readonly message: string
  /** `lines`: a text that may have several, typed, pasted or written in an editor. */
  readonly kind: 'text' | 'lines' | 'secret' | 'int' | 'select'
  readonly choices?: readonly Choice[] | undefined
  readonly default?: string | undefined
  /** Why the text is not accepted; undefined if it is. */
  readonly check?: ((answer: string) => string | undefined) | undefined
  /** An empty answer is refused unless this is set. */
  readonly optional?: boolean
  /** The default is put into the line, to be edited. */
  readonly editable?: boolean
}

/** A choice among many, found by typing. */
export interface SearchQuestion {
  readonly message: string
  /** The choices for what was typed so far. */
  readonly source: (term: string) => Promise<readonly Choice[]> | readonly Choice[]
  /** True if choosing it completes the line instead of ending the question, like a directory. */
  readonly completes?: (value: string) => boolean
}

export interface ManyQuestion {
  readonly message: string
  readonly choices: readonly Choice[]
  readonly chosen?: readonly string[]
  /** Why these values are not accepted; undefined if they are. */
  readonly check?: (values: readonly string[]) => string | undefined
}

export interface Confirmation {
  readonly message: Words
  /** The flag that answers it, e.g. `--yes`; its value. */
  readonly flag: string
  readonly given: boolean | undefined
  /** The word or number a person must type for yes; a plain y/N when absent. */
  readonly typed?: string | undefined
}

export interface Prompts {
  /** Stdin, stdout and stderr are terminals, and neither --no-input nor CI is set. */
  readonly available: boolean
  /**
   * Asks the questions in order. Without a terminal it throws one usage error (exit 2) that names every missing flag, unless all
   * questions are optional.
   * @returns the answers as text by key; an optional one that was left empty is absent
   */
  fill<K extends string>(questions: ReadonlyArray<Question<K>>): Promise<Partial<Record<K, string>>>
  /** Asks for one of many; only where prompts are available. @returns its value */
  search(question: SearchQuestion): Promise<string>
  /** Asks for any number of a few; only where prompts are available. @returns their values */
  many(question: ManyQuestion): Promise<string[]>
  /** The same questions for a flow of several: Esc, or `<` for an answer, throws a WentBack. */
  readonly returning: Prompts
  /** Shows a text to the person who is asked, on stderr. --quiet does not mute it. */
  show(text: string): void
  /** Returns if the flag is given or a person says yes. Otherwise throws a guard error (exit 6) that names the flag. */
  confirm(confirmation: Confirmation): Promise<void>
  /** True if the flag is given or a person says yes. @throws {SellerError} confirmation_missing, where nobody can be asked */
  agrees(confirmation: Confirmation): Promise<boolean>
}

export interface PromptOptions {
  /** Facts about the run that messages need. */
  readonly edge?: Edge | undefined
  readonly available: boolean
  readonly host: Pick<Host, 'stdin' | 'stderr'> & Partial<Pick<Host, 'env'>>
  /** Ends a question that is open. */
  readonly signal?: AbortSignal | undefined
  /** True if nothing is drawn. */
  readonly plain?: boolean | undefined
  /** True if a person can go back to the question before. */
  readonly back?: boolean | undefined
}

export function createPrompts(options: PromptOptions): Prompts {
  const { available } = options
  return {
    available,
    async fill<K extends string>(questions: ReadonlyArray<Question<K>>) {
      const answers: Partial<Record<K, string>> = {}
      if (!available) {
        const missing = questions.filter(({ optional }) => optional !== true).map(({ flag }) => flag)
        if (missing.length > 0) throw missingFlags(missing)
        return answers
      }
      for (const question of questions) {
        const answer = await ask(options, question)
        if (answer !== '') answers[question.key] = answer
      }
      return answers
    },
    get returning() {
      return createPrompts({ ...options, back: true })
    },
    search: (question) => searched(options, question),
    many: (question) => askMany(options, question),
    show: (text) => show(options, text),
    agrees: (confirmation) => agreed(options, confirmation),
    async confirm(confirmation) {
      if (!(await agreed(options, confirmation))) {
        throw new SellerError(
          'declined',
          'Not confirmed; nothing was done.',
          'To go ahead, run the command again and answer yes.',
        )
      }
    },
  }
}

/** The error for values that nobody can be asked for. @param how to give them, where they are not all flags */
export function missingFlags(flags: readonly string[], how = 'all of them as flags'): SellerError {
  return new SellerError(
    'missing_flags',
    `Missing: ${flags.join(', ')}.`,
    say`Prompts are off (no terminal, --no-input or CI), so give ${flags.length === 1 ? (flags[0] ?? '') : how}. See ${ownHelp}.`,
    { missing: flags },
  )
}

function unconfirmed({ message, flag }: Pick<Confirmation, 'message' | 'flag'>): SellerError {
  return new SellerError(
    'confirmation_missing',
    say`${message} Not confirmed; nothing was done.`,
    `Prompts are off (no terminal, --no-input or CI), so confirm with ${flag}.`,
    { flag },
  )
}

/** @param after what follows the message, in characters @param input the keys, by default those of the terminal */
async function answerTo<T>(
  options: PromptOptions,
  question: Record<string, unknown>,
  message: string,
  { after = 0, input = options.host.stdin }: { readonly after?: number; readonly input?: NodeJS.ReadableStream } = {},
): Promise<T> {
  const { host, signal, plain } = options
  const fullQuestion = { ...question, name: 'answer', message: wrapped(options, message, after) }
  if (plain) {
    const { askPlainly } = await import('./plain-prompts.js')
    return (await askPlainly(options, fullQuestion as unknown as PlainQuestion)) as T
  }
  const { createPromptModule } = (await import('inquirer')).default
  const back = options.back === true ? new AbortController() : undefined
  const ends = [signal, back?.signal].flatMap((one) => one ?? [])
  const prompt = createPromptModule({
    input,
    output: host.stderr,
    ...(ends.length > 0 && { signal: ends.length === 1 ? ends[0] : AbortSignal.any(ends) }),
  })
  const answers = prompt([fullQuestion as never]) as unknown as Promise<{ answer: T }>
  if (back === undefined) return (await answers).answer
  const keys = KEYS_BACK[String(question.type)] ?? []
  const onKeypress = (text: string | undefined, key?: { readonly name?: string }): void => {
    if (key?.name === 'escape' || keys.includes(text ?? '')) back.abort()
  }
  // Only now: whoever listens takes the keys, and those typed ahead are for the question.
  input.on('keypress', onKeypress)
  try {
    return (await answers).answer
  } catch (error) {
    if (back.signal.aborted && signal?.aborted !== true) throw new WentBack()
    throw error
  } finally {
    input.off('keypress', onKeypress)
  }
}

/** Keys that go back beside Esc, by the type of question: where text is typed, they would be part of it. */
const KEYS_BACK: Readonly<Record<string, readonly string[]>> = { select: [BACK], checkbox: [BACK] }

/**
 * Broken between words: the library breaks wherever the line is full. It puts two characters before.
 * @param after what follows, in characters
 */
function wrapped({ host, plain }: PromptOptions, text: string, after = 0): string {
  return plain ? safeText(text) : wrap(safeText(text), (host.stderr.columns ?? 80) - 3 - after).join('\n')
}

/** Why an answer will not do; true if it will. */
function refusedFor(options: PromptOptions, why: string | undefined): true | string {
  return why === undefined || wrapped(options, why)
}

/** Broken between words, below the beginning of its line. A word that is too long, such as an address, stays one. */
function shownLines({ host, plain }: PromptOptions, text: string): string {
  if (plain) return safeText(text)
  const width = host.stderr.columns ?? 80
  const lines = safeText(text).split('\n')
  return lines
    .flatMap((line) => {
      const [lead = ''] = /^(?:! | *)/.exec(line) ?? []
      const room = width - lead.length
      if (textWidth(line) <= width || line.split(' ').some((word) => textWidth(word) > room)) return [line]
      return wrap(line.slice(lead.length), room).map((part, at) => `${at === 0 ? lead : lead.replaceAll('!', ' ')}${part}`)
    })
    .join('\n')
}

/** ` (y/N)`, or the answer in its place. */
const ANSWERED = 6

/** A name that is longer than a line is broken between words. */
const safeChoice = (options: PromptOptions, choice: Choice) => ({ ...choice, name: wrapped(options, safeLine(choice.name), 1) })

function searched(options: PromptOptions, { message, source, completes }: SearchQuestion): Promise<string> {
  const question = {
    type: 'search',
    source: async (term: string | undefined) => {
      if (goesBack(options, (term ?? '').trim())) return [{ value: BACK, name: 'Back to the question before' }]
      return (await source(term ?? '')).map((choice) => safeChoice(options, choice))
    },
    // A choice that is not valid is put into the line.
    validate: (value: string) => completes?.(value) !== true,
  }
  return answerTo<string>(options, question, withKeys(options, message, completes === undefined ? '' : 'Tab completes')).then(
    (value) => {
      if (goesBack(options, value)) throw new WentBack()
      return value
    },
  )
}

function askMany(options: PromptOptions, { message, choices, chosen: checked = [], check }: ManyQuestion): Promise<string[]> {
  const question = {
    type: 'checkbox',
    loop: false,
    choices: choices.map((choice) => ({ ...safeChoice(options, choice), checked: checked.includes(choice.value) })),
    validate: (markedChoices: ReadonlyArray<{ readonly value: string }>) =>
      refusedFor(options, check?.(markedChoices.map(({ value }) => value))),
  }
  return answerTo(options, question, withKeys(options, message, 'Space marks, Enter goes on'))
}

/** A terminal that only prints has no keys but Enter. */
function withKeys({ plain }: PromptOptions, message: string, keys: string): string {
  return plain || keys === '' ? message : `${message} (${keys})`
}

/**
 * A text of several lines. `e` opens the editor with what there is so far; what is written there is never lost, also if the
 * editor fails.
 */
async function askLines(options: PromptOptions, question: Question): Promise<string> {
  const { lineOf, pasting, textOfLine } = await import('./lines-prompt.js')
  const { editorName, editorCommands: editorsOf, editText } = await import('./editor.js')
  const { host, plain, signal } = options
  const { env = {} } = host
  const editor = editorName(editorsOf(env)[0] ?? '')
  const { message, check, optional, default: given = '' } = question
  const lineMessage = `${message} (${optional === true ? 'Enter for none, ' : ''}e for ${editor}${plain ? '; an empty line ends it' : ''})`
  const validate = (line: string): true | string =>
    refusedFor(options, line.trim() === 'e' || goesBack(options, line.trim()) ? undefined : check?.(textOfLine(line).trim()))
  for (let text = given; ; ) {
    const keys = plain ? undefined : pasting(host)
    const lineQuestion = { type: plain ? 'lines' : 'input', default: lineOf(text), prefill: 'editable', validate }
    const line = await answerTo<string>(options, lineQuestion, lineMessage, keys && { input: keys.input }).finally(() =>
      keys?.close(),
    )
    if (goesBack(options, line.trim())) throw new WentBack()
    if (line.trim() !== 'e') return textOfLine(line).trim()
    const edit = await editText(env, text, { name: `${question.flag.replace(/^-+/, '')}.txt`, signal })
    text = edit.text
    if (edit.failed === undefined) {
      const why = check?.(text)
      if (why === undefined) return text
      show(options, `! ${why}`)
    } else
      show(options, `! ${edit.failed}.${edit.file === undefined ? '' : ` What you wrote is kept below, and in ${edit.file}`}`)
  }
}

function show(options: PromptOptions, text: string): void {
  options.host.stderr.write(`${shownLines(options, text)}\n`)
}

async function ask(options: PromptOptions, question: Question): Promise<string> {
  if (question.kind === 'lines') return askLines(options, question)
  const { kind, optional, message, choices = [], default: preset, check, editable } = question
  const validate = (text: string): true | string => {
    const answer = text.trim()
    if (goesBack(options, answer)) return true
    if (answer === '') return optional === true || 'An answer is required.'
    if (kind === 'int' && !/^[+-]?\d+$/.test(answer)) return 'Give a whole number.'
    return refusedFor(options, check?.(answer))
  }
  const line = { type: 'input', default: preset, prefill: editable === true ? 'editable' : 'tab', validate }
  const fullQuestion = {
    select: { type: 'select', choices: choices.map((choice) => ({ ...choice, name: safeText(choice.name) })), default: preset },
    secret: { type: 'password', mask: '*', validate },
    text: line,
    int: line,
  }[kind]
  const answer = String((await answerTo(options, fullQuestion, message)) ?? '').trim()
  if (goesBack(options, answer)) throw new WentBack()
  return answer
}

const goesBack = ({ back }: PromptOptions, answer: string): boolean => back === true && answer === BACK

async function agreed(options: PromptOptions, { given, flag, message: words, typed }: Confirmation): Promise<boolean> {
  if (given === true) return true
  if (!options.available) throw unconfirmed({ message: words, flag })
  const message = textOf(words, options.edge)
  if (typed === undefined)
    return (await answerTo(options, { type: 'confirm', default: false }, message, { after: ANSWERED })) === true
  const [yes, no] = [typed.toLowerCase(), ['', 'n', 'no']]
  const normalized = (text: string): string => text.trim().toLowerCase()
  const validate = (text: string): true | string =>
    normalized(text) === yes || no.includes(normalized(text)) || `That is not ${typed}. Type ${typed} to go ahead, or n to stop.`
  // A wrong answer is taken away: it would be in front of the next one.
  const question = { type: 'input', validate, theme: { validationFailureMode: 'clear' } }
  const answer = await answerTo<string>(options, question, `${message} Type ${typed} to confirm:`, { after: typed.length })
  return normalized(String(answer)) === yes
}
