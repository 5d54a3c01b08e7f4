import { expect } from 'chai'
import { type SecretCommandOptions, secretFrom } from '../../src/cli/secret-command.js'

const ABOUT = { setting: 'token_command', profile: 'shop' } as const

describe('a secret that a command prints', () => {
  const options = (more: Partial<SecretCommandOptions> = {}): SecretCommandOptions => ({
    host: { env: { PATH: process.env.PATH, WORD: 'open-sesame' }, cwd: '' },
    signal: new AbortController().signal,
    hide: (text) => text,
    ...more,
  })
  const failure = async (command: string, more?: Partial<SecretCommandOptions>) => {
    const error = await secretFrom({ ...ABOUT, command }, options(more)).catch((reason: unknown) => reason)
    return error instanceof Error ? error.message : String(error)
  }

  it('goes through the shell as a line, and around it as a JSON array', async () => {
    expect(await secretFrom({ ...ABOUT, command: 'echo "  $WORD "' }, options())).to.equal('open-sesame')
    const words = JSON.stringify([process.execPath, '-e', 'console.log(process.argv[1])', '$WORD; exit 1'])
    expect(await secretFrom({ ...ABOUT, command: words }, options())).to.equal('$WORD; exit 1')
  })

  it('reads nothing from stdin', async () => {
    expect(await failure('cat')).to.equal('token_command of the profile "shop" printed nothing.')
  })

  it('is not waited for longer than the time allowed, nor after Ctrl-C', async () => {
    expect(await failure('["sleep", "600"]', { timeoutMs: 100 })).to.include('did not end within 0.1 s and was stopped')
    const stop = new AbortController()
    const waiting = failure('["sleep", "600"]', { signal: stop.signal })
    stop.abort(new Error('Interrupted.'))
    expect(await waiting).to.equal('Interrupted.')
  })

  it('shows of what the command said one line of a size to read', async () => {
    const said = await failure(`printf 'one\\n two\\n' >&2; head -c 9000 /dev/zero | tr '\\0' a >&2; exit 2`)
    expect(said).to.match(/ended with exit code 2: one two a+…$/)
    expect(said.length).to.be.lessThan(600)
  })

  it('is none of a command that fails, each in its own words', async () => {
    const about = (why: string) => `token_command of the profile "shop" ${why}`
    expect(await failure('["sh", "-c", "kill -9 $$"]')).to.equal(about('was ended by SIGKILL.'))
    expect(await failure('["/no/such/program"]')).to.equal(about('cannot be started: it does not exist.'))
    expect(await failure('["/"]')).to.equal(about('cannot be started: permission denied.'))
    expect(await failure('exit 3')).to.equal(about('ended with exit code 3.'))
    expect(await failure(`printf 'one\ntwo\n'`)).to.equal(about('printed more than one line.'))
    expect(await failure('head -c 65537 /dev/zero; sleep 60')).to.equal(about('printed more than 65536 bytes.'))
    expect((await failure('head -c 65536 /dev/zero | tr "\\0" a; exit 3')).slice(0, 60)).to.equal(
      about('ended with exit code 3.'),
    )
  })

  it('is hidden where the command says it, unless it is too short for a secret', async () => {
    expect(await failure('echo open-sesame; echo "no open-sesame" >&2; exit 1')).to.match(/: no •••$/)
    expect(await failure('echo abcd; echo "no abcd" >&2; exit 1')).to.match(/: no •••$/)
    expect(await failure('echo abc; echo "no abc" >&2; exit 1')).to.match(/: no abc$/)
    const hide = (text: string) => text.replaceAll('known', '•')
    expect(await failure('echo "a known secret" >&2; exit 1', { hide })).to.match(/: a • secret$/)
  })

  it('has the exit code and the setting for a script', async () => {
    const error = await secretFrom({ ...ABOUT, command: 'exit 3' }, options()).catch((reason: unknown) => reason)
    expect(error).to.deep.include({
      code: 'secret_command_failed',
      details: { setting: 'token_command', profile: 'shop', status: 3 },
    })
  })

  it('runs where the tool was started, and not at all once it was interrupted', async () => {
    expect(
      await secretFrom({ ...ABOUT, command: 'pwd' }, options({ host: { env: { PATH: process.env.PATH }, cwd: '/' } })),
    ).to.equal('/')
    expect(await secretFrom({ ...ABOUT, command: 'pwd' }, options())).to.equal(process.cwd())
    const stop = new AbortController()
    stop.abort(new Error('Interrupted.'))
    expect(await failure('["sleep", "600"]', { signal: stop.signal })).to.equal('Interrupted.')
  })

  it('shows 500 characters of what the command said, and marks what is cut', async () => {
    const said = async (length: number) => (await failure(`head -c ${length} /dev/zero | tr '\\0' a >&2; exit 2`)).split(': ')[1]
    expect(await said(500)).to.equal('a'.repeat(500))
    expect(await said(501)).to.equal(`${'a'.repeat(499)}…`)
  })
})
