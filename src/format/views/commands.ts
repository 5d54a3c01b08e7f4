/** The commands of the tool itself. */
import type { View } from '../output/types.js'

export interface CommandRecord {
  readonly Command: string
  readonly Summary: string
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
  readonly Operations: readonly string[]
}

export const commandsView: View<CommandRecord> = {
  columns: [{ key: 'Command' }, { key: 'Summary', maxWidth: 80 }],
  keys: ['Description', 'Operations'],
}
