/** Programs that a command starts, with what they start in turn. */
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { win32 } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { errnoOf, errnoWords } from './errno.js'

export interface ChildOptions {
  /** A JSON array's words, which run without a shell, or a line for the platform's shell. */
  readonly command: readonly string[] | string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: 'ignore' | 'pipe'
  /**
   * Ctrl-C at the terminal does not reach it (POSIX: a process group of its own; on Windows every child has a console of its own,
   * which is hidden).
   */
  readonly apart?: boolean | undefined
}

export interface Started<In extends Writable | null> {
  readonly child: ChildProcessByStdio<In, Readable, Readable>
  /** Kills it and what it started: everything in its group, or on Windows its descendants. */
  end(): void
}

/** Those that run: none outlives this process, not even where a second Ctrl-C ends it at once. */
const running = new Set<() => void>()
process.on('exit', () => {
  for (const end of running) end()
})

export function startChild(options: ChildOptions & { readonly stdin: 'pipe' }): Started<Writable>
export function startChild(options: ChildOptions & { readonly stdin: 'ignore' }): Started<null>
export function startChild({ command, env, cwd, stdin, apart = false }: ChildOptions): Started<Writable | null> {
  const windows = process.platform === 'win32'
  const group = apart && !windows
  const common = {
    env,
    cwd,
    stdio: [stdin, 'pipe', 'pipe'] as [typeof stdin, 'pipe', 'pipe'],
    windowsHide: true,
    detached: group,
  }
  const [program = '', ...args] = typeof command === 'string' ? [] : command
  // Node starts no batch file without a shell (EINVAL), because cmd reads its words a second time.
  const child = (
    typeof command === 'string'
      ? spawn(command, { ...common, shell: true })
      : windows && /\.(?:bat|cmd)$/i.test(program)
        ? spawn(env.ComSpec ?? 'cmd.exe', [batchLine(program, args)], { ...common, windowsVerbatimArguments: true })
        : spawn(program, args, common)
  ) as ChildProcessByStdio<Writable | null, Readable, Readable>
  const end = (): void => {
    try {
      if (windows) endDescendants(child, env)
      else if (group && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    } catch {
      // It has just ended.
    }
  }
  running.add(end)
  child.once('close', () => running.delete(end)).once('error', () => running.delete(end))
  return { child, end }
}

/** End of a child: by itself, stopped, or never begun. */
export interface ChildEnd {
  readonly how: 'ended' | 'aborted' | 'too slow' | 'too long' | 'not started'
  /** Exit code; null where it was stopped, or a signal ended it. */
  readonly code: number | null
  /** The signal that ended it, or why it could not be started. */
  readonly why: string
}

export interface ChildWatch {
  readonly signal: AbortSignal
  /** Time that it may continue after the signal, ms. */
  readonly graceMs?: number
  readonly timeoutMs: number
  /** Takes what it prints. It is stopped where that is too much: false. */
  readonly take: (text: string, from: 'stdout' | 'stderr') => boolean
}

/** Waits for the end of a child, and stops one that takes too long. */
export function waitForEnd({ child, end }: Started<Writable | null>, watch: ChildWatch): Promise<ChildEnd> {
  const { signal, graceMs = 0, timeoutMs, take } = watch
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = []
    const finish = (how: ChildEnd['how'], why = '', code: number | null = null): void => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve({ how, why, code })
    }
    const stop = (how: ChildEnd['how']): void => {
      end()
      // A process that it started may hold its streams open for ever.
      child.stdout.destroy()
      child.stderr.destroy()
      finish(how)
    }
    const abort = (): void => {
      if (graceMs === 0) stop('aborted')
      else timers.push(setTimeout(stop, graceMs, 'aborted'))
    }
    timers.push(setTimeout(stop, timeoutMs, 'too slow'))
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (!take(text, name)) stop('too long')
      })
    }
    child.once('error', (error) => {
      const code = errnoOf(error)
      finish('not started', code === undefined ? error.name : errnoWords(code))
    })
    child.once('close', (code, by) => finish('ended', by ?? 'a signal', code))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

/** While Node has not seen its end, the id is not given to another process. */
function endDescendants(child: ChildProcess, env: ChildOptions['env']): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const tool = win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  const { status } = spawnSync(tool, ['/PID', String(child.pid), '/T', '/F'], {
    stdio: 'ignore',
    timeout: 5000,
    windowsHide: true,
  })
  if (status !== 0) child.kill('SIGKILL')
}

/**
 * The arguments of cmd.exe that run a batch file with these words, none of which it takes for a variable, an operator or two
 * words: the way of Rust's standard library since CVE-2024-24576. A percent sign stands behind `%cd:~,%`, which is empty.
 */
export function batchLine(program: string, args: readonly string[]): string {
  const word = (text: string): string =>
    `"${text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => `${slashes}${slashes}${quote}${quote}`).replace(/[%\r]/g, '%%cd:~,$&')}"`
  return `/e:ON /v:OFF /d /s /c "${[`"${program}"`, ...args.map(word)].join(' ')}"`
}
