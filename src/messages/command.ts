/**
 * Commands that a message names. They are typed by the manifest: one that does not exist, or lacks an argument, does not compile.
 */
import type manifest from '../../oclif.manifest.json'

type Commands = typeof manifest.commands
export type CommandId = keyof Commands

/** Stands for a value that only the reader knows: `ID`, `17=PRICE`, `[FILE…]`. It is never quoted. */
export interface Blank {
  readonly blank: string
}

/** A value of a flag or an argument, as it would be typed. */
export type Word = string | number | Blank
type Given = Word | readonly Word[] | undefined

// The manifest is JSON, so that its values have wide types: whether a key is there is all that can be told apart.
type ArgsOf<I extends CommandId> = Commands[I]['args']
type FlagsOf<I extends CommandId> = Commands[I]['flags']
type Required<I extends CommandId> = {
  [A in keyof ArgsOf<I>]: ArgsOf<I>[A] extends { required: boolean } ? A : never
}[keyof ArgsOf<I>]

/** The words of a command after its name: arguments by their names, flags with their dashes, in the order of the line. */
export type Line<I extends CommandId> = { readonly [A in Required<I>]: Word | readonly Word[] } & {
  readonly [A in Exclude<keyof ArgsOf<I>, Required<I>>]?: Given
} & {
  readonly [F in keyof FlagsOf<I> as `--${F & string}`]?: FlagsOf<I>[F] extends { allowNo: boolean } ? boolean : Given
}

/** Words after the name: the words of the command, or only that its help is meant. */
type Rest<I extends CommandId> = object & (Line<I> | { readonly '--help': true })

/** A command as it would be typed. */
export interface Command {
  readonly kind: 'command'
  /** The name, and what follows it. */
  readonly words: readonly CommandWord[]
  /** The line of the run itself: it names its profile already, if it names any. */
  readonly isWhole?: true
}

/**
 * @property name of the argument, or the flag with its dashes; `value` is left out for a switch, `name` for what is written as it
 * is
 */
export interface CommandWord {
  readonly name?: string
  readonly value?: Word
}

/** The command with its arguments and flags. A value that is undefined, and a switch that is false, are left out. */
export function run<I extends CommandId>(id: I, ...line: Record<never, never> extends Line<I> ? [Rest<I>?] : [Rest<I>]): Command {
  const words: CommandWord[] = [{ value: { blank: id } }]
  for (const [name, given] of Object.entries((line[0] ?? {}) as Readonly<Record<string, Given | boolean>>)) {
    if (given === undefined || given === false) continue
    if (given === true) words.push({ name })
    else for (const value of [given].flat() as readonly Word[]) words.push({ name, value })
  }
  return { kind: 'command', words }
}

/** A command line whose words are known at run time only: what the user typed, a topic, a command found by its name. */
export function typedCommand(...words: readonly Word[]): Command {
  return { kind: 'command', words: words.map((value) => ({ value })) }
}

export function blank(text: string): Blank {
  return { blank: text }
}
