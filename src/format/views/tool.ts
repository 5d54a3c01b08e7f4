/** The tool itself: its commands, checks and versions, and what needs doing today. */
import type { UpdateRecord } from '../../contract/update.js'
import type { Next } from '../../messages/index.js'
import type { View } from '../output/types.js'
import { columnsOf, stateColumn } from './columns.js'

/** A command in short. */
export interface CommandEntry {
  readonly Command: string
  readonly Summary: string
  /** The operations of the service that it may call. */
  readonly Operations: readonly string[]
}

export interface CommandRecord extends CommandEntry {
  readonly Description: string
  readonly Arguments: readonly {
    readonly Name: string
    readonly Description: string
    readonly Required: boolean
    readonly Multiple: boolean
    readonly Values: readonly string[]
  }[]
  readonly Flags: readonly {
    readonly Name: string
    readonly Char: string | null
    readonly Summary: string
    /** The name of its value; null if it takes none. */
    readonly Takes: string | null
    readonly Required: boolean
    readonly Multiple: boolean
    readonly Values: readonly string[]
  }[]
  readonly Examples: readonly string[]
}

export const commandsView: View<CommandEntry | CommandRecord> = {
  columns: [{ key: 'Command' }, { key: 'Summary', maxWidth: 80 }],
  keys: ['Description', 'Operations'],
}

export interface CheckRecord {
  readonly Check: string
  /** ok; note: it works, but deserves a look; fault: commands will fail. */
  readonly State: 'ok' | 'note' | 'fault'
  readonly Detail: string
  /** Next step; null if nothing is needed. */
  readonly Fix: string | null
}

export const doctorView: View<CheckRecord> = {
  columns: [{ key: 'Check' }, stateColumn(), { key: 'Detail', maxWidth: 60 }, { key: 'Fix', maxWidth: 60 }],
}

export interface TodayShown {
  readonly Kind: string
  readonly Count: number
  readonly Words: string
  /** The command that does it. */
  readonly Command: string
  /** The same, as other results have it. */
  readonly next: readonly Next[]
}

export const todayView: View<TodayShown> = {
  keys: ['Kind', 'Count', 'next'],
  empty: 'Nothing needs doing.',
  columns: [
    { key: 'Words', header: 'Today', maxWidth: 60 },
    { key: 'Command', header: 'With' },
  ],
}

export const updateView: View<UpdateRecord> = {
  card: true,
  columns: columnsOf('Version', 'Newest', 'Newer', 'File', { Sha256: 'SHA-256' }, 'ReleaseFile'),
}
