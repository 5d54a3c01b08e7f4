/**
 * Every block of the documents for users, as it is typed, on the sandbox: in a terminal whose questions are answered, or in a
 * script.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { bin, ensureBuilt, type Home, openHome } from '../e2e/harness.js'
import { OWN_SELLERS, writeProfiles } from '../e2e/several-shops.js'
import { hasTmux } from '../e2e/terminal.js'
import { type RedisServer, startRedis } from './redis.js'
import { blocksOf, typed, writeFiles, writeOwnFiles } from './typed.js'

const { appKey, token } = SANDBOX_PROFILE
const secret = (value: string): string => `echo '${value}'`
/** Programs on the path beside `seller`: programs of the system that a test must not run, and password managers. */
const PROGRAMS: Readonly<Record<string, string>> = {
  seller: `exec '${process.execPath}' '${bin}' "$@"`,
  ...Object.fromEntries(['npm', 'kubectl', 'useradd', 'systemctl', 'cp'].map((name) => [name, 'exit 0'])),
  // Only the command of `sudo -u seller`; what it would write for all users goes to the home.
  sudo: `shift 2; for word; do set -- "$@" "$(echo "$word" | sed "s:/var/lib/seller:$HOME/var:")"; shift; done; exec "$@"`,
  pass: secret(appKey),
  op: secret(token),
  'secret-tool': secret(token),
}
interface Document {
  readonly path: string
  /** Without a terminal, and every recipe prints something. */
  readonly script?: true
  /** Where its lines run: no other files are there than those that it shows and that its lines make. */
  readonly alone?: 'service' | 'sandbox'
  readonly prepare?: (home: Home) => Promise<Readonly<Record<string, string | undefined>>>
}

const DOCUMENTS: readonly Document[] = [
  // Nobody is logged in at first.
  { path: 'README.md', alone: 'service', prepare: async () => OWN_SELLERS },
  { path: 'README.md', alone: 'sandbox', prepare: async () => ({ ...OWN_SELLERS, SELLER_PROFILE: 'sandbox' }) },
  { path: 'docs/discounts.md' },
  { path: 'docs/sync.md' },
  {
    path: 'docs/shops.md',
    async prepare(home) {
      await writeProfiles(home)
      const path = join(home.configDir, 'profiles.json')
      const { profiles } = JSON.parse(await readFile(path, 'utf8'))
      await writeFile(path, JSON.stringify({ profiles: { 'shop-a': profiles['shop-a'], 'shop-b': profiles['shop-b'] } }))
      return OWN_SELLERS
    },
  },
  { path: 'docs/machines.md', prepare: async () => ({ CREDENTIALS_DIRECTORY: '/nowhere' }) },
  { path: 'docs/scripting.md', script: true },
]

for (const { path, script, alone, prepare } of DOCUMENTS) {
  describe(alone === undefined ? path : `${path}, at a ${alone}`, function () {
    this.timeout(600_000)
    let home: Home
    let redis: RedisServer | undefined
    let env: Record<string, string>
    before(async function () {
      redis = path === 'docs/machines.md' ? await startRedis() : undefined
      if (!hasTmux || (path === 'docs/machines.md' && redis === undefined)) this.skip()
      ensureBuilt()
      home = await openHome({ sandbox: { extended: true, faults: { queueDelayMs: 0 } } })
      const programs = join(home.dir, 'bin')
      await mkdir(programs)
      for (const [name, text] of Object.entries(PROGRAMS)) {
        await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`)
        await chmod(join(programs, name), 0o755)
      }
      const changes = { ...(await prepare?.(home)), SERVICE: home.sandbox.url, QUOTA: redis?.url, PAGER: 'cat' }
      const own = { ...home.env, ...changes, PATH: `${programs}:${home.env.PATH}` }
      env = Object.fromEntries(Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined))
      const saved = await home.run(['service:check', '--save', '--yes'])
      expect(saved.code, saved.stderr).to.be.oneOf([0, 3])
    })
    after(async () => {
      await redis?.kill()
      await home?.close()
    })

    it('has blocks that run as they are typed', async () => {
      if (alone !== undefined) await writeOwnFiles(home.dir, path)
      // In the sandbox, nobody logs in.
      const blocks = (await blocksOf(path)).filter((block) => alone !== 'sandbox' || !/^seller auth:login +#/.test(block))
      for (const block of blocks) {
        if (alone === undefined) await writeFiles(home.dir)
        if (script) {
          const { code, stdout, stderr } = await home.shell(block, { env })
          expect(code, `${block}\n${stdout}${stderr}`).to.equal(0)
          expect(stderr, block).to.not.include('Error')
          if (block.includes('jq')) expect(stdout.trim(), block).to.not.be.oneOf(['', 'null'])
        } else {
          const at = { service: home.sandbox.url, env, cwd: home.dir }
          const { code, screen } = await typed(['bash', '-e', await home.file('block.sh', block)], at)
          expect(code, `${block}\n${screen}`).to.equal(0)
        }
      }
      if (alone === undefined) return
      const jobs: { Title: string; State: string }[] = (await home.run(['jobs:list', '--json'], { env })).json()
      const titles = jobs.reverse().map(({ Title, State }) => `${State}: ${Title}`)
      expect(titles.slice(0, 2)).to.deep.equal([
        'ok: shop:price --all: 10 % less each, ending with 9, at least 20 kr',
        'ok: jobs:undo 1',
      ])
      expect(titles.filter((title) => /^(?:partial|failed)/.test(title))).to.deep.equal([])
    })
  })
}
