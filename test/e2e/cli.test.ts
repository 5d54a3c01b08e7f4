import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome, root } from './harness.js'
import { hasTmux } from './terminal.js'

describe('the command line', () => {
  const home = opened(() => openHome({ sandbox: true }))

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    for (const flag of ['--version', '-v']) {
      const run = await home.seller(flag)
      expect(run.stdout).to.match(new RegExp(`^seller/${version.replaceAll('.', '\\.')} `))
      expect(run.code).to.equal(0)
    }
  })

  it('shows help of everything, of a topic and of a command, by flag and by word', async () => {
    const all = await home.done('--help')
    expect(all.stdout).to.contain('EVERY DAY').and.contain('help exit-codes')
    expect((await home.seller('help', 'environment')).stdout).to.contain('SELLER_TOKEN')
    expect((await home.seller('help')).stdout).to.equal(all.stdout)
    const topic = await home.seller('requests')
    expect(topic.stdout).to.contain('requests:wait')
    expect((await home.seller('help', 'requests')).stdout).to.equal(topic.stdout)
    const command = await home.seller('requests', 'wait', '--help')
    expect(command.stdout).to.contain('EXAMPLES').and.contain('--timeout')
    expect((await home.seller('help', 'requests', 'wait')).stdout).to.equal(command.stdout)
    expect((await home.seller('requests:wait', '-h')).stdout).to.equal(command.stdout)
  })

  it('names a wrong flag and never its value, even where it could be a secret', async () => {
    for (const args of [
      ['account:show', '--token', 'a-token-nobody-may-see'],
      ['account:show', '--app-key=a-token-nobody-may-see'],
      ['requests:show', '--token', 'a-token-nobody-may-see', '--json'],
      ['requests:show', '--json', '-ka-token-nobody-may-see'],
      ['--token', 'a-token-nobody-may-see', 'account:show'],
      ['account', '--token', 'a-token-nobody-may-see', 'show', '--json'],
    ]) {
      const run = await home.seller(...args)
      expect(run.code).to.equal(2)
      expect(run.stdout + run.stderr).not.to.contain('nobody-may-see')
    }
    const run = await home.seller('account:show', '--token', 'x', '--colums', 'Id')
    expect(run.stderr).to.contain('--token, --colums').and.contain('Secrets are never flags').and.contain('--columns')
  })

  it('writes rows without colour to a pipe', async () => {
    const run = await home.shell("seller auth:status | grep '^app_id'")
    expect(run.stdout).to.equal('app_id\t1\tenvironment\tSELLER_APP_ID\n')
  })

  it('ends quietly when the reader goes away', async () => {
    const run = await home.shell('seller help | head -n 1; echo $PIPESTATUS')
    expect(run.lines().at(-1)).to.equal('0')
    expect(run.stderr).to.equal('')
    const list = await home.shell('seller items:list -o ndjson | head -n 1 | cut -c 1; echo $PIPESTATUS')
    expect(list.lines()).to.deep.equal(['{', '0'])
    expect(list.stderr).to.equal('')
  })

  it('says so, without a stack, when the output cannot be written', async function () {
    if (process.platform !== 'linux') this.skip()
    for (const command of ['items:list --json', 'items:list -o csv', 'auth:status', 'completion bash']) {
      const run = await home.shell(`seller ${command} > /dev/full`)
      expect(run.code, command).to.equal(1)
      expect(run.stderr, command).to.match(
        /^Error: The output cannot be used: no space is left on the device\.\nFree some space and try again\.\n$/,
      )
    }
    expect((await home.shell('seller --help > /dev/full')).code).to.equal(1)
  })

  it('reads no argument from a pipe: a loop over lines keeps its lines', async () => {
    const run = await home.shell('printf \'1\\n2\\n\' | while read -r line; do seller requests:show || echo "line $line"; done')
    expect(run.lines()).to.deep.equal(['line 1', 'line 2'])
  })

  it('works when stdin is closed', async () => {
    const run = await home.shell('seller account:show --json <&-')
    expect(run.json().Id).to.equal(1001)
  })

  it('traces what is sent on stderr, without secrets, and leaves stdout alone', async () => {
    const run = await home.seller('account:show', '--json', '--trace')
    expect(run.json().Id).to.equal(1001)
    expect(run.stderr).to.contain('GetUserInfo')
    for (const secret of [home.env.SELLER_APP_KEY, home.env.SELLER_TOKEN]) expect(run.stderr).not.to.contain(secret)
  })

  it('colours for a person, unless NO_COLOR is set', async function () {
    if (!hasTmux) this.skip()
    for (const [env, coloured] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      const terminal = await home.terminal(['auth:status', '--all'], { env })
      const { screen, code } = await terminal.done()
      expect(code).to.equal(0)
      expect(screen).to.contain('Profile')
      expect((await terminal.colours()).includes('\u001b[')).to.equal(coloured)
    }
  })

  it('works with NODE_ENV set to anything', async () => {
    for (const NODE_ENV of ['development', 'test', 'production']) {
      const run = await home.spawn(['account:show', '--json'], { env: { NODE_ENV } }).done
      expect(run.code, run.stderr).to.equal(0)
      expect(run.stderr).to.equal('')
    }
  })
})

describe('interruption', () => {
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 3_600_000 } } }))
  const ADD = ['items:add', '--title', 'Vas', '--category', '344481', '--opening', '100', '--shipping', 'pickup', '--wait']
  const sent = async (): Promise<number[]> =>
    (await home.seller('requests:list', '--state', 'queued', '--json'))
      .json()
      .map(({ RequestId }: { RequestId: number }) => RequestId)
  const until = async (count: number): Promise<number[]> => {
    for (;;) {
      const ids = await sent()
      if (ids.length >= count) return ids
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`by ${signal}: 130, what was sent, and the command that goes on`, async () => {
      const before = (await sent()).length
      const running = home.spawn(ADD)
      const [id] = await until(before + 1)
      running.kill(signal)
      const run = await running.done
      expect(run.code, run.stderr).to.equal(130)
      expect(run.stderr).to.contain('Interrupted').and.contain(`seller requests:wait ${id}`)
    })
  }

  it('killed outright, nothing is lost: requests:wait goes on', async () => {
    const before = (await sent()).length
    const running = home.spawn(ADD)
    const [id] = await until(before + 1)
    running.kill('SIGKILL')
    expect((await running.done).signal).to.equal('SIGKILL')
    const run = await home.seller('requests:wait', String(id), '--timeout', '0s', '--json')
    expect(run.code, run.stdout + run.stderr).to.equal(8)
    expect(run.stderr).to.contain(`seller requests:wait ${id}`)
  })

  it('a second Ctrl-C ends it at once', async () => {
    const before = (await sent()).length
    const running = home.spawn(ADD)
    await until(before + 1)
    running.kill('SIGINT')
    running.kill('SIGINT')
    expect((await running.done).code).to.equal(130)
  })
})
