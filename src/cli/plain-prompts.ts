/**
 * Questions where nothing may be drawn (a screen reader, a terminal that only prints): a line asks, a line answers, and choices
 * have numbers. Takes the questions of inquirer that prompts.ts asks.
 */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { safeLine, safeText } from '../format/output/safe-text.js'
import { orAborted } from '../system/room.js'
import type { Host } from './host.js'
import { Interrupted } from './interrupt.js'
import { BACK, WentBack } from './went-back.js'

export interface Choice {
  readonly value: string
  readonly name: string
  /** Shown below the list while the choice is marked. */
  readonly description?: string
  /** Why it cannot be chosen. */
  readonly disabled?: string
  readonly checked?: boolean
}

/** Question as prompts.ts hands it to inquirer. */
export interface PlainQuestion {
  readonly type: 'input' | 'lines' | 'password' | 'confirm' | 'select' | 'search' | 'checkbox'
  readonly message: string
  readonly default?: string | boolean
  readonly choices?: readonly Choice[]
  readonly source?: (term: string) => Promise<readonly Choice[]>
  // biome-ignore lint/suspicious/noExplicitAny: of a text, a value or marked choices, by the type of the question.
  readonly validate?: (answer: any) => boolean | string
}

/** Choices that are read out at once. */
const MOST_CHOICES = 20

/** Asks one question. @throws {Interrupted} its terminal is closed; the reason of the signal */
export async function askPlainly(
  {
    host,
    signal,
    back = false,
  }: {
    readonly host: Pick<Host, 'stdin' | 'stderr'>
    readonly signal?: AbortSignal | undefined
    readonly back?: boolean | undefined
  },
  question: PlainQuestion,
): Promise<unknown> {
  const say = (text: string): void => void host.stderr.write(`${text}\n`)
  const readAnswer = (text: string, secret = false): Promise<string> => {
    host.stderr.write(`${text} `)
    return orAborted(readLine(host.stdin, secret), signal)
      .finally(() => secret && say(''))
      .then((line) => {
        if (back && line.trim() === BACK) throw new WentBack()
        return line
      })
  }
  const block = async (text: string, isAll: (first: string) => boolean): Promise<string[]> => {
    host.stderr.write(`${text} `)
    const lines = await orAborted(readBlock(host, '> ', isAll), signal)
    if (back && lines.length === 1 && lines[0]?.trim() === BACK) throw new WentBack()
    return lines
  }
  return ANSWERS[question.type](question, { say, read: readAnswer, block })
}

interface Line {
  say(text: string): void
  read(text: string, secret?: boolean): Promise<string>
  /** Lines up to an empty one, or the first alone if it says all. */
  block(text: string, isAll: (first: string) => boolean): Promise<string[]>
}

type Answer = (question: PlainQuestion, line: Line) => Promise<unknown>

const ANSWERS: Readonly<Record<PlainQuestion['type'], Answer>> = {
  input: (question, line) => readValid(question, line, false),
  lines: readLines,
  password: (question, line) => readValid(question, line, true),
  async confirm({ message }, { read }) {
    return /^y(es)?$/i.test((await read(`${message} (y/N)`)).trim())
  },
  async select({ message, choices = [], default: given }, line) {
    line.say(message)
    const currentIndex = choices.findIndex(({ value }) => value === given)
    return theChoice(choices, line, currentIndex < 0 ? 'Number:' : `Number (${currentIndex + 1}):`, (text) =>
      text === '' && currentIndex >= 0 ? choices[currentIndex]?.value : undefined,
    )
  },
  async search({ message, source, validate }, line) {
    for (let term = (await line.read(questionLine(message))).trim(); ; ) {
      const matches = (await source?.(term)) ?? []
      if (matches.length > MOST_CHOICES) line.say(`The first ${MOST_CHOICES} of ${matches.length}:`)
      if (matches.length === 0) line.say('Nothing found.')
      const value = await theChoice(matches.slice(0, MOST_CHOICES), line, 'Number, or other words:', (text) => {
        term = text
        return null
      })
      if (value === null) continue
      if (validate?.(value) !== false) return value
      // It completes the line, like a directory.
      term = String(value)
    }
  },
  async checkbox({ message, choices = [], validate }, line) {
    for (;;) {
      line.say(message)
      for (const [at, { name, checked }] of choices.entries()) line.say(`${at + 1}: ${name}${checked ? ', chosen' : ''}`)
      const text = (await line.read('Numbers with spaces, 0 for none, or Enter for what is chosen:')).trim()
      const numbers = text.split(/[\s,]+/).map(Number)
      const markedChoices = choices.filter(({ checked }, at) => (text === '' ? checked : numbers.includes(at + 1)))
      const why = numbers.some((number) => !(number >= 0 && number <= choices.length))
        ? 'Give numbers of the list.'
        : validate?.(markedChoices)
      if (typeof why !== 'string') return markedChoices.map(({ value }) => value)
      line.say(why)
    }
  },
}

/** The message with a colon, unless it ends a sentence. */
function questionLine(message: string, defaultText = ''): string {
  return `${message}${defaultText === '' ? '' : ` (Enter for ${safeLine(defaultText)})`}${/[?:]$/.test(message) && defaultText === '' ? '' : ':'}`
}

/** A text, asked for until it is accepted. */
async function readValid(
  { message, default: given = '', validate }: PlainQuestion,
  { say, read }: Line,
  secret: boolean,
): Promise<string> {
  for (;;) {
    const text = (await read(questionLine(message, String(given)), secret)) || String(given)
    const why = validate?.(text)
    if (typeof why !== 'string') return text
    say(why)
  }
}

/** Lines until an empty one, or the text as it is. A single `e` opens the editor, whatever follows. */
async function readLines({ message, default: given = '', validate }: PlainQuestion, { say, block }: Line): Promise<string> {
  const currentText = String(given).replaceAll('\n', ' ')
  for (;;) {
    const lines = await block(questionLine(message, currentText), (line) => ['e', BACK].includes(line.trim()))
    const text = lines.length === 0 ? String(given) : lines.join('\n')
    const why = validate?.(text)
    if (typeof why !== 'string') return text
    say(why)
  }
}

/** The value of a choice by its number. @param other what another answer means; undefined if nothing */
async function theChoice<T>(
  choices: readonly Choice[],
  { say, read }: Line,
  text: string,
  other: (answer: string) => T | undefined,
): Promise<string | T> {
  // In parentheses where it is drawn.
  const disabledReason = (choice: Choice | undefined) => choice?.disabled?.replace(/^\((.*)\)$/, '$1')
  for (const [at, choice] of choices.entries()) {
    say(safeText([`${at + 1}: ${choice.name}`, disabledReason(choice), choice.description].filter(Boolean).join(', ')))
  }
  for (;;) {
    const answer = (await read(text)).trim()
    const choice = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined
    if (choice !== undefined && choice.disabled === undefined) return choice.value
    const value = choice === undefined ? other(answer) : undefined
    if (value !== undefined) return value
    say(disabledReason(choice) ?? 'Give a number of the list.')
  }
}

/** Lines that come within this time, ms, were pasted: an empty one among them ends nothing. */
const PASTED_MS = 150

/**
 * Several lines by one reader.
 * @param mark written before each line but the first
 * @param isAll true if the first line says all
 */
function readBlock(
  { stdin: input, stderr }: Pick<Host, 'stdin' | 'stderr'>,
  mark: string,
  isAll: (first: string) => boolean,
): Promise<string[]> {
  const reader = createInterface({ input, terminal: false })
  const lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  return new Promise<string[]>((resolve, reject) => {
    const end = (): void => resolve(lines.join('\n').trimEnd().split('\n'))
    reader.on('line', (line) => {
      clearTimeout(timer)
      if (lines.length === 0 && (line.trim() === '' || isAll(line))) return resolve(line.trim() === '' ? [] : [line])
      lines.push(line)
      if (line.trim() === '') timer = setTimeout(end, PASTED_MS)
      else stderr.write(mark)
    })
    reader.once('close', () => reject(new Interrupted('SIGINT')))
  }).finally(() => {
    clearTimeout(timer)
    reader.close()
  })
}

/** A line as the terminal lets it be edited; a secret is not shown. */
function readLine(input: Host['stdin'], secret: boolean): Promise<string> {
  const silentOutput = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input, output: silentOutput, terminal: secret })
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Interrupted('SIGINT')))
  }).finally(() => lines.close())
}
