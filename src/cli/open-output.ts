/** Makes the output of a command: its form by the flags, on the streams of the host or through a pager. */
import { resolve } from 'node:path'
import { SellerError } from '../errors/index.js'
// Not through the index of format: see translate.ts.
import { createOutput } from '../format/output/output.js'
import type { Form } from '../format/output/types.js'
import { type Edge, say, typedCommand } from '../messages/index.js'
import type { Host } from './host.js'
import type { OutFile } from './out-file.js'
import type { Pager } from './pager.js'

/** The parts of a run that its output needs. */
export interface OutputRun {
  readonly flags: {
    readonly output?: Form | undefined
    readonly json?: boolean
    readonly columns?: string | undefined
    readonly sort?: string | undefined
    readonly 'no-header'?: boolean
    readonly 'no-pager'?: boolean
    readonly quiet?: boolean
    readonly trace?: boolean
  }
  readonly host: Pick<Host, 'stdout' | 'stderr' | 'env' | 'clock' | 'ownsTerminal' | 'cwd'>
  readonly signal: AbortSignal
  readonly command: string
  readonly paged?: boolean | undefined
  /** True if records name what to type next, once the command has ended. */
  readonly named?: boolean | undefined
  /** Where the result goes instead of stdout. */
  readonly out?: OutFile | undefined
  /** A file with personal data is noted there while it is written. */
  readonly dataDir?: string
  readonly edge?: Edge
}

/** @throws {SellerError} usage for a workbook on a terminal, or a file that cannot be written */
export async function openOutput(run: OutputRun) {
  const { flags, host, command } = run
  const { stdout, stderr, env, clock } = host
  const file = run.out === undefined ? undefined : await openFile(run, run.out)
  const form = flags.json === true ? 'json' : (flags.output ?? file?.form)
  if (flags.output === 'xlsx' && file === undefined && stdout.isTTY === true) throw noWorkbook(command)
  const pager = file === undefined ? await pagerFor(run) : undefined
  const output = await createOutput({
    stdout: file?.stream ?? pager?.stdout ?? stdout,
    stderr: pager?.stderr ?? stderr,
    paged: pager !== undefined,
    named: run.named,
    env,
    form,
    columns: splitList(flags.columns),
    sort: splitList(flags.sort),
    header: flags['no-header'] !== true,
    name: command,
    quiet: flags.quiet,
    edge: run.edge,
    clock,
    signal: run.signal,
  })
  let isClosed = false
  /** Waits until the pager is left, or the file of --out has its name. @param failed whether to leave no file there */
  const close = async (hasFailed = false): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await pager?.close()
    await (hasFailed ? file?.drop() : file?.commit(output))
  }
  return { output, close }
}

async function openFile({ flags, host, ...places }: OutputRun, out: OutFile) {
  // Loaded here: few commands need it.
  const [{ formOf, openOutFile }, { requireFileName }] = await Promise.all([import('./out-file.js'), import('./output-file.js')])
  const form = flags.json === true || flags.output !== undefined ? undefined : formOf(out)
  const path = (fileName: string): string => resolve(host.cwd, requireFileName(fileName))
  return { form, ...(await openOutFile({ ...places, path }, out)) }
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
  const hint = say`Write it to a file: ${typedCommand(command, '--out', `${command.split(':', 1)[0]}.xlsx`)}`
  return new SellerError('wrong_usage', 'A workbook (-o xlsx) cannot be shown on a terminal.', hint)
}

function splitList(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
