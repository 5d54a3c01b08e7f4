/** Processes that a command has started, with what they started in turn. */
import type { ChildProcess } from 'node:child_process'

/** Whether a child can have a group of its own (`detached` of spawn): on Windows it would get a console window. */
export const OWN_GROUPS = process.platform !== 'win32'

/** Kills a child and, if it leads a group, everything in it. A child that has ended is left alone. */
export function killGroup(child: ChildProcess): void {
  try {
    if (OWN_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It has just ended.
  }
}
