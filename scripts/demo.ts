/**
 * `npm run demo`: the main job for real, each command as a user types it, with its own output. Everything happens in a home made for it
 * and removed after, against the sandbox on this machine: nothing of the user's is touched, nothing leaves the machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_PROFILE } from '../src/sandbox/index.js'
import { bundle, root } from './build.js'

const seller = join(root, 'bin', 'run.js')

async function demo(): Promise<void> {
  await bundle(true)
  const home = await mkdtemp(join(tmpdir(), 'seller-demo-'))
  const env: NodeJS.ProcessEnv = { ...process.env, SELLER_CONFIG_DIR: join(home, 'config'), SELLER_DATA_DIR: join(home, 'data') }
  for (const name of Object.keys(env)) if (/^SELLER_(?!CONFIG_DIR|DATA_DIR)/.test(name)) delete env[name]
  // The commands are typed as they would be after an installation.
  env.PATH = `${join(root, 'node_modules', '.bin')}:${env.PATH ?? ''}`
  const server = spawn(process.execPath, [seller, 'sandbox:start', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const url = await firstUrl(server.stdout)
    say(`The service runs on this machine, as seller sandbox:start serves it: ${url}`)
    const { namespace, appId, appKey, userId, token } = SANDBOX_PROFILE
    const secrets = `echo '${JSON.stringify({ app_key: appKey, token })}'`
    run(
      `${secrets} | seller auth:login --base-url ${url} --namespace ${namespace} --app-id ${appId} --user-id ${userId} --stdin`,
      env,
    )
    run('seller account:show --columns Id,Alias,City', env)
    run('seller items:list --type Auction --columns Id,ShortDescription,NextBid,EndDate | head -n 8', env)
    run('seller items:add --title "Vas i opalglas" --category 344481 --start-price 250 --shipping pickup --wait', env)
    run(
      'seller items:list --type Auction --json | jq -c \'.[] | select(.ShortDescription == "Vas i opalglas") | {Id, ShortDescription, NextBid}\'',
      env,
    )
    run('seller requests:list', env)
    run('seller items:add --title "Utan pris" --category 344481 --shipping pickup --no-input; echo "exit $?"', env)
    say('That was the main job. Next: seller --help, docs/commands.md, docs/scripting.md.')
  } finally {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('close', resolve))
    await rm(home, { recursive: true, force: true })
  }
}

function say(text: string): void {
  console.log(process.stdout.isTTY ? `\n\u001b[2m${text}\u001b[0m` : `\n${text}`)
}

/** Shows the line and runs it; `seller` is the product as built, and jq is stood in for where there is none. */
function run(line: string, env: NodeJS.ProcessEnv): void {
  console.log(process.stdout.isTTY ? `\n\u001b[1m$ ${line}\u001b[0m` : `\n$ ${line}`)
  const functions = `seller() { '${process.execPath}' '${seller}' "$@"; }\n`
  const { status } = spawnSync('bash', ['-c', `${functions}${line}`], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`The demo ended early: «${line}» exited with ${status}.`)
}

function firstUrl(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
      const url = /"Url":\s*"([^"]+)"/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    stream.once('end', () => reject(new Error(`The sandbox did not start: ${text}`)))
  })
}

await demo()
