/** Calls every command of a built product in ways that anybody types. */
import { readManifest } from '../../src/cli/manifest.js'
import { type ErrorCode, exitCodeOf } from '../../src/errors/codes.js'
import { createTestHost } from '../test-host.js'
import { runOn } from './product.js'

/**
 * Calls each command with nothing, with --help and with an unknown flag, as a user who is not logged in.
 * @param from the directory of the product
 * @param home where the user's files are
 * @returns what came out otherwise than promised
 */
export async function brokenPromises(from: string, home: string): Promise<string[]> {
  const env = { HOME: home, SELLER_CONFIG_DIR: `${home}/config`, SELLER_DATA_DIR: `${home}/data`, NO_COLOR: '1' }
  const broken: string[] = []
  const call = async (argv: readonly string[], isKept: (code: number, stdout: string, error?: ErrorCode) => boolean) => {
    const host = createTestHost({ env, cwd: home })
    // A server runs until it is stopped.
    if (argv[0] === 'sandbox:start') host.onWrite(() => setImmediate(() => host.interrupt('SIGTERM')))
    const { code, stdout, stderr } = await runOn(host, argv, from)
    const error: ErrorCode | undefined = /^\{\s*"error"/.test(stdout) ? JSON.parse(stdout).error.code : undefined
    const isBug = error === 'unexpected' || /internal error/i.test(stdout + stderr)
    if (isBug || !isKept(code, stdout, error)) broken.push(`${argv.join(' ')}: exit ${code}\n${stdout}${stderr}`)
  }
  const fails = (promised: ErrorCode) => (code: number, _stdout: string, error?: ErrorCode) =>
    error === promised && code === exitCodeOf(promised)
  for (const { id, args } of readManifest(from)) {
    const lacks = Object.values(args).some(({ required }) => required === true)
    const ends = (code: number, _stdout: string, error?: ErrorCode) => error === undefined || code === exitCodeOf(error)
    await call([id, '--json'], lacks ? fails('missing_argument') : ends)
    await call([id, '--help'], (code, stdout) => code === 0 && stdout.includes('USAGE\n  seller'))
    await call([id, '--no-such-flag', '--json'], fails('unknown_flag'))
  }
  return broken
}
