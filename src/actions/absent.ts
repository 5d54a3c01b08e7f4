/**
 * Lists that the service leaves out: none for a command that shows them, and no answer for one that concludes something
 * (docs/service.md, Absent lists).
 */
import type { Context } from '../cli/context.js'

/** Says that a list was left out although this ledger has seen entries of it. @param what the entries, `sales` */
export function noteAbsent({ output }: Pick<Context, 'output'>, what: string, seenBefore: boolean): void {
  if (seenBefore)
    output.warn(`The service left out the list of ${what}, which is shown as none. This ledger knows some from before.`)
}
