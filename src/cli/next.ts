/** What to do next, as data: the commands that a hint names. Programs read them; a person reads the hint. */

/** A command that a hint names. */
export interface Next {
  /** As it would be typed; words in capitals stand for values. */
  readonly command: string
  /** What it is for, in the words of the hint. */
  readonly why: string
}

/** Commands without a topic; every other one has a colon, which tells it from "the seller". */
const ALONE = 'call|commands|completion|doctor|help|today'

const COMMAND = new RegExp(`(?<![\\w-])seller (?:[a-z]+:[a-z-]+|(?:${ALONE})\\b)`, 'g')
/** Words before a command that is written out whole. */
const INTRODUCED = /(?:: |\bwith )$/
/** A word of a command, whatever follows it: an id, a name in capitals, a pair, a list, a text in quotes, a path. */
const OF_COMMAND = /^(?:['"[<].*|.*=.*|\w+(?:,\w+)+|.*[/\\].*|[\d…]+.*|-|[A-Z][A-Z\d_…,]*)[.,;:)]*$/
const END = /[.,;:)]+$/
/** The sandbox is one, whatever the profile. */
const NAMES_PROFILE = / (?:--profiles?|-p)\b|^seller sandbox:/
/** The next word, right after the one before. */
const WORD = / ('[^']*'\S*|"[^"]*"\S*|\S+)/gy

/**
 * The commands in a hint, in their order, each once.
 * @param help the command whose help is meant by `See --help`
 */
export function nextIn(hint: string, help?: string): Next[] {
  const found: Next[] = []
  for (const { command, before, at } of commandsIn(hint)) {
    const why = whyIn(before) || (found.at(-1)?.why ?? sentenceAt(hint, at))
    if (!found.some((one) => one.command === command)) found.push({ command, why })
  }
  if (help !== undefined && /\bSee --help\b/.test(hint)) found.push({ command: `seller ${help} --help`, why: 'See how it works' })
  return found
}

/**
 * The words for a person, whose commands name the profile of this run: as they are they would be about another shop.
 * @param flag ` --profile NAME`, or an empty text if the commands mean this profile without it
 */
export function namingProfile(words: string, flag: string): string {
  if (flag === '') return words
  let named = ''
  let end = 0
  for (const { command, before } of commandsIn(words)) {
    named += before + command + (NAMES_PROFILE.test(command) ? '' : flag)
    end += before.length + command.length
  }
  return named + words.slice(end)
}

function* commandsIn(hint: string) {
  let end = 0
  for (const match of hint.matchAll(COMMAND)) {
    const before = hint.slice(end, match.index)
    const introduced = INTRODUCED.test(before) || (end > 0 && before === ', ')
    const command = match[0] + argumentsAt(hint.slice(match.index + match[0].length), introduced)
    end = match.index + command.length
    yield { command, before, at: match.index }
  }
}

/** The words after the name of a command that belong to it. */
function argumentsAt(rest: string, introduced: boolean): string {
  let taken = ''
  let flags = 0
  for (const [text, word = ''] of rest.matchAll(WORD)) {
    const flag = /^--?[a-z]/.test(word)
    // A word in small letters is a value after a flag, or the first argument; elsewhere the sentence goes on. Every profile has a name.
    const value =
      / (?:--profiles?|-p)$/.test(taken) || (introduced && (flags > 0 || taken === '') && /^[a-z][\w./-]*[.,;:)]*$/.test(word))
    if (!flag && !value && !OF_COMMAND.test(word)) break
    if (flag) flags++
    taken += text
    if (END.test(word)) break
  }
  return taken.replace(END, '')
}

/** The words that introduce a command: those after the last sentence, without "with:". */
function whyIn(before: string): string {
  const words = before.split(/[.;]\s|\n|^[.,;:)]+/).at(-1) ?? ''
  return words
    .replace(/(?:\s*\bwith)?:?\s*\(?$/, '')
    .replace(/^[\s,]*(?:or|Or|and|then)?\s*/, '')
    .trim()
}

function sentenceAt(hint: string, at: number): string {
  const stop = hint.indexOf('. ', at)
  return hint
    .slice(0, stop < 0 ? undefined : stop)
    .replace(/\.$/, '')
    .trim()
}
