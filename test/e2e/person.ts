/** A person at a terminal of the test's own process: what is asked is waited for, and answered by keys. */
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Home } from './harness.js'
import { type HereOptions, PATIENCE_MS, type Run } from './runs.js'

/** Keys that send more than a character. */
export const KEYS = {
  down: '\u001b[B',
  up: '\u001b[A',
  'Ctrl-C': '\u0003',
  backspace: '\u007f',
  tab: '\t',
  space: ' ',
  erase: '\u0015',
} as const

export interface Person {
  /** Waits until the text is printed, after what was waited for before. @returns what was printed since */
  sees(text: string): Promise<string>
  /** Types a line: the text, and Enter. */
  enters(text?: string): Promise<void>
  types(text: string): Promise<void>
  presses(...keys: (keyof typeof KEYS)[]): Promise<void>
  /** Enters another text in place of the one on the line. */
  corrects(text: string): Promise<void>
  /** Enters the choice to which these keys move. */
  picks(...keys: ('down' | 'up')[]): Promise<void>
  /** Waits for the question, and enters the answer. */
  answers(question: string, answer?: string): Promise<void>
  /** Everything on stderr so far, with its escape sequences. */
  noted(): string
  readonly done: Promise<Run>
  /** Presses Ctrl-C, and waits for the end. */
  stops(): Promise<Run>
}

/** Runs a command before the eyes of a person. */
export function ask(home: Home, args: readonly string[], options: HereOptions = {}): Person {
  const keyboard = new PassThrough()
  const running = home.start(args, { columns: 80, ...options, terminal: true, stdin: keyboard })
  let over = false
  running.done.then(
    () => (over = true),
    () => (over = true),
  )
  let seen = 0
  const plain = (): string => stripVTControlCharacters(running.noted())
  const sees = async (text: string): Promise<string> => {
    const before = seen
    const found = (): boolean => plain().slice(before).replace(/\s+/g, ' ').includes(text)
    for (const end = Date.now() + PATIENCE_MS; !found(); ) {
      if (Date.now() > end) throw new Error(`It never showed "${text}":\n${plain().slice(before)}`)
      if (over) throw new Error(`It ended without showing "${text}":\n${plain().slice(before)}`)
      await sleep(5)
    }
    seen = plain().length
    return plain().slice(before, seen)
  }
  const types = async (text: string): Promise<void> => {
    keyboard.write(text)
    // A question reads its keys before the next of them is sent.
    await sleep(5)
  }
  const enters = async (text = ''): Promise<void> => {
    if (text !== '') await types(text)
    await types('\r')
  }
  const presses = async (...keys: (keyof typeof KEYS)[]): Promise<void> => {
    for (const key of keys) await types(KEYS[key])
  }
  return {
    sees,
    types,
    enters,
    presses,
    corrects: async (text) => {
      await presses('erase')
      await enters(text)
    },
    picks: async (...keys) => {
      await presses(...keys)
      await enters()
    },
    answers: async (question, answer) => {
      await sees(question)
      await enters(answer)
    },
    noted: running.noted,
    done: running.done,
    stops: async () => {
      await presses('Ctrl-C')
      return running.done
    },
  }
}
