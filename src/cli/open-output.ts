/** Makes the output of a command: its form by the flags, on the streams of the host or through a pager. */
// Not through the index of format: see translate.ts.
import { createOutput } from '../format/output/output.js'
import type { Form, Output } from '../format/output/types.js'
import { SellerError } from './errors.js'
import type { Host, OutputStream } from './host.js'
import type { Pager } from './pager.js'

/** The parts of a run that its output needs. */
export interface OutputRun {
  readonly flags: {
    readonly output?: Form
    readonly json?: boolean
    readonly columns?: string
    readonly sort?: string
    readonly 'no-header'?: boolean
    readonly 'no-pager'?: boolean
    readonly quiet?: boolean
    readonly trace?: boolean
  }
  readonly host: Pick<Host, 'stdout' | 'stderr' | 'env' | 'clock' | 'ownsTerminal'>
  readonly signal: AbortSignal
  readonly command: string
  readonly paged?: boolean
}

export interface OpenedOutput {
  readonly output: Output
  /** Whether anything was written to stdout. */
  written(): boolean
  /** Waits until the pager is left, if there is one. */
  close(): Promise<void>
}

/** @throws {SellerError} usage for a workbook on a terminal */
export async function openOutput(run: OutputRun): Promise<OpenedOutput> {
  const { flags, host, command } = run
  const { stdout, stderr, env, clock } = host
  if (flags.output === 'xlsx' && stdout.isTTY === true) throw noWorkbook(command)
  let written = false
  const pager = await pagerFor(run)
  const output = await createOutput({
    stdout: observed(pager?.stdout ?? stdout, () => {
      written = true
    }),
    stderr: pager?.stderr ?? stderr,
    paged: pager !== undefined,
    env,
    form: flags.json === true ? 'json' : flags.output,
    columns: listed(flags.columns),
    sort: listed(flags.sort),
    header: flags['no-header'] !== true,
    name: command,
    quiet: flags.quiet,
    clock,
  })
  return { output, written: () => written, close: async () => pager?.close() }
}

/** A pager if a person reads on a terminal of the process. Traces are written as they come, so they get no pager. */
async function pagerFor({ flags, host, signal, paged }: OutputRun): Promise<Pager | undefined> {
  if (paged !== true || host.ownsTerminal !== true || host.stdout.isTTY !== true) return undefined
  if (flags['no-pager'] === true || flags.trace === true) return undefined
  const { openPager } = await import('./pager.js')
  return openPager({ stdout: host.stdout, stderr: host.stderr, env: host.env, signal })
}

/** Bytes of a workbook say nothing on a terminal. */
function noWorkbook(command: string): SellerError {
  const hint = `Write it to a file: seller ${command} -o xlsx > ${command.split(':', 1)[0]}.xlsx`
  return new SellerError('wrong_usage', 'A workbook (-o xlsx) cannot be shown on a terminal.', hint)
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Wraps a stream so that `onWrite` is called at each write. */
function observed(stream: OutputStream, onWrite: () => void): OutputStream {
  return new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'write') return value.bind(target)
      return (...args: unknown[]) => {
        onWrite()
        return Reflect.apply(value, target, args)
      }
    },
  })
}
