/** Every block of the documents for users, as it is typed, on the sandbox: in a terminal whose questions are answered, or in a script. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { bin, ensureBuilt, type Home, openHome, root } from '../e2e/harness.js'
import { CATEGORY, PIXEL } from '../e2e/observed.js'
import { PATIENCE_MS } from '../e2e/runs.js'
import { OWN_SELLERS, writeProfiles } from '../e2e/several-shops.js'
import { hasTmux, openTerminal } from '../e2e/terminal.js'
import { type RedisServer, startRedis } from './redis.js'

const { appKey, token } = SANDBOX_PROFILE
const secret = (value: string): string => `echo '${value}'`
/** What is on the path beside `seller`: programs of the system that a test must not run, and password managers. */
const PROGRAMS: Readonly<Record<string, string>> = {
  seller: `exec '${process.execPath}' '${bin}' "$@"`,
  ...Object.fromEntries(['npm', 'kubectl', 'useradd', 'systemctl', 'cp'].map((name) => [name, 'exit 0'])),
  // Of `sudo -u seller`, only the command; what it would write for all users goes to the home.
  sudo: `shift 2; for word; do set -- "$@" "$(echo "$word" | sed "s:/var/lib/seller:$HOME/var:")"; shift; done; exec "$@"`,
  pass: secret(appKey),
  op: secret(token),
  'secret-tool': secret(token),
}
/** The files that the documents name. Each block finds them whole. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  'prices.csv': 'Id,Price\n600000416,5900\n600000415,175\n',
  'prices-shop-a.csv': 'Id,Price\n600000416,5910\n',
  'prices-shop-b.csv': 'Id,Price\n600000418,45\n',
  'costs.csv': 'Id,Cost\n600000416,3000\n600000415,60\n',
  'credentials.json': JSON.stringify({ app_key: appKey, token }),
  'item.yaml': `Title: Vas\nCategoryId: ${CATEGORY}\nStartPrice: 100\n`,
  'front.jpg': PIXEL.jpeg,
  'back.jpg': PIXEL.jpeg,
  'print-label.sh': '#!/bin/sh\ncat > label.json\n',
}

interface Document {
  readonly path: string
  /** Without a terminal, and every recipe prints something. */
  readonly script?: true
  readonly prepare?: (home: Home) => Promise<Readonly<Record<string, string | undefined>>>
}

const DOCUMENTS: readonly Document[] = [
  // Nobody is logged in at first.
  { path: 'README.md', prepare: async () => OWN_SELLERS },
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

/** What a person answers, by the question: the text, and for a list the choice that it leaves. */
const answersAt = (home: Home): readonly (readonly [RegExp, string, RegExp?])[] => [
  [/Base URL/, home.sandbox.url],
  [/Application id/, String(SANDBOX_PROFILE.appId)],
  [/Application key/, appKey],
  [/User id/, String(SANDBOX_PROFILE.userId)],
  [/Public key/, ''],
  [/token/, token],
  [/Title/, 'Höganäs krus'],
  [/Category/, 'keramik', /❯ Antikt & design > Design > Keramik/],
  [/Start price/, '100'],
  [/Payment/, ' '],
  [/Shipping/, '', /❯ Pickup/],
  // A list that is still being read takes no key.
  [/Another way/, '', /❯ No more/],
  [/Image/, '', /❯ No (?:image|more)/],
  [/\(y\/N\)|\(y\/n\)/i, 'y'],
]

for (const { path, script, prepare } of DOCUMENTS) {
  describe(path, function () {
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

    /** Types a block at a terminal, answers what is asked, and ends what runs until Ctrl-C. */
    const type = async (block: string): Promise<{ code: number; screen: string }> => {
      const answers = answersAt(home)
      const terminal = await openTerminal(['bash', '-e', await home.file('block.sh', block)], { env, cwd: home.dir, height: 60 })
      try {
        let answered: string | undefined
        for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
          const screen = await terminal.screen()
          if (/\[exit \d+\]/.test(screen)) return terminal.done()
          const question = screen.split('\n').findLast((line) => /^\? /.test(line)) ?? ''
          const before = screen.slice(0, screen.lastIndexOf(question))
          const number = /Type (\d+)/.exec(question)?.[1]
          if (question !== '' && before !== answered) {
            const [, text = '', choice] = answers.find(([asked]) => asked.test(question)) ?? []
            await terminal.type(number ?? text)
            if (choice !== undefined) await terminal.shows(choice)
            await terminal.type('\n')
            answered = before
          } else if (/The watch begins/.test(screen.trimEnd().split('\n').at(-1) ?? '')) await terminal.press('C-c')
          else await new Promise((resolve) => setTimeout(resolve, 40))
        }
        throw new Error(`It did not end:\n${await terminal.screen()}`)
      } finally {
        terminal.close()
      }
    }

    const text = () => readFile(join(root, path), 'utf8')
    it('has blocks that run as they are typed', async () => {
      for (const [, block = ''] of (await text()).matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
        for (const [name, content] of Object.entries(FILES)) await home.file(name, content)
        await chmod(join(home.dir, 'print-label.sh'), 0o755)
        if (script) {
          const { code, stdout, stderr } = await home.shell(block, { env })
          expect(code, `${block}\n${stdout}${stderr}`).to.equal(0)
          expect(stderr, block).to.not.include('Error')
          if (block.includes('jq')) expect(stdout.trim(), block).to.not.be.oneOf(['', 'null'])
        } else {
          const { code, screen } = await type(block)
          expect(code, `${block}\n${screen}`).to.equal(0)
        }
      }
    })
  })
}
