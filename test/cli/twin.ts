/** The context's twin for tests: streams that are read back, a clock that stands, a home in a temporary directory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type Context, type ContextOptions, openContext } from '../../src/cli/context.js'

export interface Twin {
  readonly ctx: Context
  readonly stdout: () => string
  readonly stderr: () => string
  /** Presses Ctrl-C. */
  interrupt(reason: Error): void
  readonly home: string
  close(): Promise<void>
}

export interface TwinOptions {
  readonly flags?: ContextOptions['flags']
  readonly env?: Readonly<Record<string, string>>
  /** Whether stdin, stdout and stderr are terminals. */
  readonly terminal?: boolean
  readonly stdin?: string
}

/** Opens a context whose streams and home are the test's own. */
export async function openTwin({ flags = {}, env = {}, terminal = false, stdin = '' }: TwinOptions = {}): Promise<Twin> {
  const home = await mkdtemp(join(tmpdir(), 'seller-twin-'))
  const stream = () => Object.assign(new PassThrough(), { isTTY: terminal, columns: 80 })
  const streams = { stdin: stream(), stdout: stream(), stderr: stream() }
  streams.stdin.end(stdin)
  const controller = new AbortController()
  const ctx = await openContext({
    flags,
    dirs: { configDir: join(home, 'config'), dataDir: join(home, 'data') },
    signal: controller.signal,
    userAgent: 'seller/test',
    streams,
    env,
    clock: { now: () => Date.parse('2026-11-21T12:00:00Z'), sleep: async () => {}, random: () => 0.5 },
  })
  return {
    ctx,
    home,
    stdout: () => String(streams.stdout.read() ?? ''),
    stderr: () => String(streams.stderr.read() ?? ''),
    interrupt: (reason) => controller.abort(reason),
    async close() {
      await ctx.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
