/**
 * The main job, for real: the built `seller` with its own sandbox. Each line after a `$` is run by a shell, followed by what it
 * printed. Everything is in a temporary folder, which is removed at the end.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SANDBOX_PROFILE } from '../src/sandbox/profile.js'

const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'seller-demo-'))
const paint = (code: number, text: string): string => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text)

// A `seller` on the PATH, as after an installation.
const path = join(home, 'bin')
mkdirSync(path)
writeFileSync(join(path, 'seller'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
chmodSync(join(path, 'seller'), 0o755)

const { SELLER_PROFILE: _profile, ...inherited } = process.env
const env = {
  ...inherited,
  HOME: home,
  PATH: `${path}${delimiter}${process.env.PATH}`,
  SELLER_CONFIG_DIR: join(home, 'config'),
  SELLER_DATA_DIR: join(home, 'data'),
}

function say(words: string): void {
  console.log(`\n${paint(1, `# ${words}`)}`)
}

/** Shows a command line, runs it, and stops the demonstration when it fails. */
function run(line: string): void {
  console.log(paint(36, `$ ${line}`))
  const { status } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    cwd: home,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`«${line}» ended with ${status}`)
}

/** Runs a step that is not shown; the demonstration cannot continue if it fails. */
function prepare(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

/** Starts the sandbox and resolves with its address. */
async function startSandbox(): Promise<{ url: string; stop: () => Promise<void> }> {
  const line = 'seller sandbox:start --strict --output ndjson'
  console.log(paint(36, `$ ${line} &`))
  const child = spawn(process.execPath, [bin, ...line.split(' ').slice(1)], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const [first] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => [''])])) as [string]
  console.log(first)
  const { Url } = JSON.parse(first) as { Url: string }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url: Url, stop }
}

prepare(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('build.ts', import.meta.url)), '--if-newer'])
say('The service itself, on this machine')
const sandbox = await startSandbox()
try {
  const { appId, appKey, userId, token } = SANDBOX_PROFILE
  writeFileSync(join(home, 'credentials.json'), JSON.stringify({ app_key: appKey, token }), { mode: 0o600 })
  say('Log in: the rest of the address is read from the service, and secrets come from a file or a prompt')
  run(
    `seller auth:login -p demo --base-url ${sandbox.url} --app-id ${appId} --user-id ${userId} --use --stdin < credentials.json`,
  )
  say('What is on sale')
  run('seller items:list --type auction --state active --columns Id,ShortDescription,OpeningBid,EndDate | head -n 5')
  say('Add an item, and wait until the service has taken it')
  run(
    "seller items:add --title 'Höganäs krus med lock' --category 344481 --start-price 120 --reserve 200 --days 7 --condition used --shipping provider=2,cost=79 --wait",
  )
  say('It is in the list now')
  run("seller items:list --type auction --state active --columns Id,ShortDescription,OpeningBid,EndDate | grep 'Höganäs krus'")
  say('And as JSON through a pipe')
  const jq = spawnSync('jq', ['--version']).status === 0
  // Node replaces jq if it is not installed.
  const first = jq
    ? "jq -c '.[0] | {Id, ShortDescription, OpeningBid}'"
    : 'node -p \'JSON.parse(require("fs").readFileSync(0))[0].ShortDescription\''
  run(`seller items:list --type auction --state active --json | ${first}`)
} finally {
  await sandbox.stop()
  rmSync(home, { recursive: true, force: true })
}
