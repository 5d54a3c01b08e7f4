/**
 * Reads and writes fault injection as people type it: the values of --fault of `sandbox:start` and the words of the control
 * plane.
 */

import { MAX_INT, nearest, ResultCode, resultCodes } from '../../contract/index.js'
import { readPercent } from '../../contract/percent.js'
import { DAY_MS, formatDuration, parseDuration } from '../../system/durations.js'
import type { QueueCodes } from '../marketplace/types.js'
import type { FaultInjection } from './fault-injection.js'

const LONGEST_MS = 366 * DAY_MS

/** One line about each flag, with an example, for help and for messages. */
export const FAULT_FLAGS = {
  latency: { example: '20ms..200ms', summary: 'How long each call waits. A random time in this range.' },
  'drop-before': { example: '2%', summary: 'Share of calls whose connection is closed before anything is done.' },
  'drop-after': {
    example: '2%',
    summary:
      'Share of calls that are not answered. They are carried out, and the connection is closed before or during the reply.',
  },
  unavailable: { example: '1%', summary: 'Share of calls that get HTTP 503.' },
  quota: { example: '100/24h', summary: 'Calls an application may make in a window. Then HTTP 429 (none: no quota).' },
  'queue-delay': { example: '2s', summary: 'How long a queued request waits before it is carried out.' },
  'queue-codes': {
    example: 'Error TryAgain=5%,Timeout=1%',
    summary: 'Result codes that queued requests end with, and how often (none: their own).',
  },
  'max-items': { example: '500', summary: 'Maximum entries in one SetPriceOnShopItems call.' },
  'bad-characters': {
    example: '&#x2;',
    summary: 'Characters that XML forbids, in the first title or street of each reply (none: no such text).',
  },
  'bad-value': {
    example: 'VAT=1,5',
    summary: 'Element whose first value in each reply is this text, of its type or not (none: as it is).',
  },
  seed: { example: '7', summary: 'Seed of the random sequence. The same seed gives the same faults.' },
} as const

export type FaultFlag = keyof typeof FAULT_FLAGS

/** Fault injection flags that cannot be read. The message has a line for each of them. */
export class FaultSettingsError extends Error {
  override name = 'FaultSettingsError'
  constructor(readonly faults: readonly { readonly flag: string; readonly message: string }[]) {
    super(faults.map(({ flag, message }) => `${flag}: ${message}`).join('\n'))
  }
}

class Unreadable extends Error {}

const readers: { readonly [F in FaultFlag]: (text: string) => Partial<FaultInjection> } = {
  latency: (text) => ({ latency: range(text) }),
  'drop-before': (text) => ({ dropBefore: share(text) }),
  'drop-after': (text) => ({ dropAfter: share(text) }),
  unavailable: (text) => ({ unavailable: share(text) }),
  quota: (text) => ({ quota: quota(text) }),
  'queue-delay': (text) => ({ queueDelayMs: duration(text) }),
  'queue-codes': (text) => ({ queueCodes: queueCodes(text) }),
  'max-items': (text) => ({ maxItems: whole(text, 1) }),
  'bad-characters': (text) => ({ badCharacters: text === 'none' ? '' : text }),
  'bad-value': (text) => ({ badValue: badValue(text) }),
  seed: (text) => ({ seed: whole(text, 0) }),
}

/**
 * Reads the texts of the fault injection flags. A flag that is missing or undefined is left out of the result.
 * @throws {FaultSettingsError} that names every flag that cannot be read.
 */
export function parseFaults(texts: Readonly<Record<string, string | undefined>>): Partial<FaultInjection> {
  const faults: { flag: string; message: string }[] = []
  let settings: Partial<FaultInjection> = {}
  for (const [flag, text] of Object.entries(texts)) {
    if (text === undefined) continue
    if (!Object.hasOwn(readers, flag)) {
      const near = nearest(flag, Object.keys(readers))
      const advice = near === undefined ? `The faults are ${Object.keys(readers).join(', ')}.` : `Did you mean ${near}?`
      faults.push({ flag, message: `this fault does not exist. ${advice}` })
      continue
    }
    try {
      settings = { ...settings, ...readers[flag as FaultFlag](text) }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      faults.push({ flag, message: `${error.message} Example: "${FAULT_FLAGS[flag as FaultFlag].example}".` })
    }
  }
  if (faults.length > 0) throw new FaultSettingsError(faults)
  return settings
}

/** Writes settings as the texts of their flags. */
export function formatFaults(settings: FaultInjection): Record<FaultFlag, string> {
  const { latency, quota, queueCodes } = settings
  return {
    latency:
      latency.minMs === latency.maxMs
        ? formatDuration(latency.minMs)
        : `${formatDuration(latency.minMs)}..${formatDuration(latency.maxMs)}`,
    'drop-before': percent(settings.dropBefore),
    'drop-after': percent(settings.dropAfter),
    unavailable: percent(settings.unavailable),
    quota: quota === null ? 'none' : `${quota.calls}/${formatDuration(quota.windowMs)}`,
    'queue-delay': formatDuration(settings.queueDelayMs),
    'queue-codes':
      queueCodes.length === 0 ? 'none' : queueCodes.map(({ codes, probability }) => `${codes}=${percent(probability)}`).join(','),
    'max-items': String(settings.maxItems),
    'bad-characters': settings.badCharacters === '' ? 'none' : settings.badCharacters,
    'bad-value': settings.badValue === null ? 'none' : `${settings.badValue.element}=${settings.badValue.text}`,
    seed: String(settings.seed),
  }
}

/**
 * Reads a duration with its unit (`20ms`, `2s`, `10m`, `24h`, `7d`), in ms.
 * @throws {FaultSettingsError} under the given name.
 */
export function readDuration(name: string, text: string): number {
  try {
    return duration(text)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new FaultSettingsError([{ flag: name, message: error.message }])
  }
}

function duration(text: string): number {
  const ms = parseDuration(text.trim())
  if (ms === undefined) throw new Unreadable(`"${text}" is not a duration. Give a number with a unit: ms, s, m, h or d.`)
  if (ms > LONGEST_MS) throw new Unreadable(`"${text}" is longer than the maximum of 366d.`)
  return ms
}

function range(text: string): FaultInjection['latency'] {
  const [first = '', second, ...more] = text.split('..')
  if (more.length > 0) throw new Unreadable(`"${text}" is not a range of durations.`)
  const minMs = duration(first)
  const maxMs = second === undefined ? minMs : duration(second)
  if (maxMs < minMs) throw new Unreadable(`"${text}" begins later than it ends.`)
  return { minMs, maxMs }
}

function badValue(text: string): FaultInjection['badValue'] {
  if (text === 'none') return null
  const [, element, value] = /^(\w+)=([^<&]*)$/.exec(text) ?? []
  if (element === undefined || value === undefined) throw new Unreadable(`"${text}" is not an element with a value.`)
  return { element, text: value }
}

function share(text: string): number {
  const value = readPercent(text) ?? Number.NaN
  if (!(value <= 100)) throw new Unreadable(`"${text}" is not a percentage from 0% to 100%.`)
  return value / 100
}

function quota(text: string): FaultInjection['quota'] {
  if (text.trim() === 'none') return null
  const [calls, window, ...more] = text.split('/')
  if (calls === undefined || window === undefined || more.length > 0) {
    throw new Unreadable(`"${text}" is not a quota. Write calls, a slash and a duration, or none.`)
  }
  const windowMs = duration(window)
  if (windowMs === 0) throw new Unreadable(`"${text}" has a window of zero length.`)
  return { calls: whole(calls, 0), windowMs }
}

function queueCodes(text: string): QueueCodes[] {
  if (text.trim() === 'none' || text.trim() === '') return []
  const all = text.split(',').map((part): QueueCodes => {
    const [words, probability, ...more] = part.split('=')
    if (words === undefined || probability === undefined || more.length > 0) {
      throw new Unreadable(`"${part.trim()}" has no share. Write codes, an equals sign and a percentage.`)
    }
    return { codes: ordered(resultCodes(words), part), probability: share(probability) }
  })
  if (all.reduce((sum, { probability }) => sum + probability, 0) > 1.000_001) {
    throw new Unreadable(`the shares of "${text}" add up to more than 100%.`)
  }
  return all
}

/** Codes in ascending bit order, as the service writes a list of them (docs/service.md, Result codes). */
function ordered(words: readonly string[], part: string): string {
  if (words.length === 0) throw new Unreadable(`"${part.trim()}" does not name a result code.`)
  for (const word of words) {
    if ((ResultCode.values as readonly string[]).includes(word)) continue
    const near = nearest(word, ResultCode.values)
    throw new Unreadable(
      `"${word}" is not a result code${near === undefined ? `: ${ResultCode.values.join(', ')}.` : `; did you mean ${near}?`}`,
    )
  }
  if (
    words.includes('TryAgain') &&
    words.every((word) => word === 'TryAgain' || word === 'Ok' || word === 'WaitingToBeProcessed')
  ) {
    throw new Unreadable('TryAgain needs an error code beside it, such as "Error TryAgain".')
  }
  return ResultCode.values.filter((code) => words.includes(code)).join(' ')
}

function whole(text: string, least: number): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN
  if (!(value >= least && value <= MAX_INT)) {
    throw new Unreadable(`"${text}" is not a whole number from ${least} to ${MAX_INT}.`)
  }
  return value
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(6))}%`
}
