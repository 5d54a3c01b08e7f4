/** Decides about colour in one place, because chalk ignores NO_COLOR and cli-table3 always colours (measured). */
import type { ColourLevel, Paint, TextStream, Tone } from './types.js'

const TONES: readonly Tone[] = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan']

/**
 * Colour level of a stream. NO_COLOR (not empty, no-color.org) switches all off; then FORCE_COLOR (0 to 3, `true`, `false`)
 * decides; else a terminal gets what TERM and COLORTERM say, and other streams get none.
 */
export function colourLevel(env: Readonly<Record<string, string | undefined>>, stream: Pick<TextStream, 'isTTY'>): ColourLevel {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  const forceColor = env.FORCE_COLOR
  if (forceColor !== undefined) {
    if (forceColor === '0' || forceColor === 'false') return 0
    if (forceColor === '2') return 2
    return forceColor === '3' ? 3 : 1
  }
  if (stream.isTTY !== true || isPlain(env)) return 0
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 3
  return env.TERM?.includes('256color') === true ? 2 : 1
}

/** True if a person reads by ear or on a terminal that only prints: one fact a line, and nothing drawn. */
export function isPlain(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.TERM === 'dumb' || (env.SELLER_PLAIN ?? '') !== ''
}

/** Makes the painter of a level. chalk is loaded only for a level above 0. */
export async function createPaint(level: ColourLevel): Promise<Paint> {
  const tones = {} as Record<Tone, (text: string) => string>
  if (level === 0) {
    const plain = (text: string): string => text
    for (const tone of TONES) tones[tone] = plain
    return { ...tones, blackOnWhite: plain, level }
  }
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  for (const tone of TONES) tones[tone] = (text) => chalk[tone](text)
  return { ...tones, blackOnWhite: (text) => chalk.black.bgWhiteBright(text), level }
}
