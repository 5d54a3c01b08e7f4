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
})
