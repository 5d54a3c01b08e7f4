/** A context for tests: streams that can be read back, a clock that does not move, a home in a temporary directory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, type ContextOptions, openContext } from '../../src/cli/context.js'
import { scratch } from '../scratch.js'
import { createTestHost, type TestHost } from '../test-host.js'

export interface Twin {
  readonly ctx: Context
  readonly host: TestHost
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
  /** True if stdin, stdout and stderr are terminals. */
  readonly terminal?: boolean
  readonly stdin?: string
}

/** Opens a context whose streams and home are the test's own. */
export async function openTwin({ flags = {}, env = {}, terminal = false, stdin = '' }: TwinOptions = {}): Promise<Twin> {
  const home = await mkdtemp(join(scratch(), 'seller-twin-'))
  const clock = { now: () => Date.parse('2026-11-21T12:00:00Z'), sleep: async () => {}, random: () => 0.5 }
  const own = { SELLER_CONFIG_DIR: join(home, 'config'), SELLER_DATA_DIR: join(home, 'data') }
  const host = createTestHost({ env: { ...own, ...env }, terminal, stdin, cwd: home, clock })
  const controller = new AbortController()
  const ctx = await openContext({
    flags,
    host,
    config: { userAgent: 'seller/test', root: '.', version: '0.0.0' },
    signal: controller.signal,
    command: 'items:list',
  })
  return {
    ctx,
    host,
    home,
    stdout: () => host.written.stdout,
    stderr: () => host.written.stderr,
    interrupt: (reason) => controller.abort(reason),
    async close() {
      await ctx.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
