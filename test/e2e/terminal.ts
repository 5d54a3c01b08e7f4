/** Runs a command in a real terminal, with tmux: what a person sees, and keys as a person presses them. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PATIENCE_MS } from './runs.js'

const run = promisify(execFile)

/** True if tmux is installed. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0

export interface Terminal {
  /** Waits until the text is on the screen. @returns the screen */
  shows(text: string | RegExp): Promise<string>
  /** Presses keys; a line feed is Enter. */
  type(text: string): Promise<void>
  /** Presses a named key of tmux, e.g. C-c, Up, Down. */
  press(key: string): Promise<void>
  /** The current screen, with what scrolled out of it. */
  screen(): Promise<string>
  /** The screen with its escape sequences. */
  colours(): Promise<string>
  /** Waits until the command has ended. @returns its exit code and the last screen */
  done(): Promise<{ code: number; screen: string }>
  close(): void
}

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly width?: number
  readonly height?: number
}

let opened = 0

/**
 * Commands to a tmux server over one client in control mode ("CONTROL MODE" of tmux(1)): a look at the screen costs no process.
 * @returns sends a command; resolves with its output
 */
function control(server: string): (...args: string[]) => Promise<string> {
  const client = spawn('tmux', ['-L', server, '-C', 'attach'], { stdio: ['pipe', 'pipe', 'ignore'] })
  // It ends with the server.
  client.stdin.on('error', () => {})
  const waiting: { resolve(output: string): void; reject(error: Error): void }[] = []
  let block: { readonly end: string; readonly lines: string[] } | undefined
  createInterface(client.stdout).on('line', (line) => {
    // The last number is 1 for what this client has asked.
    const [, mark] = /^%begin (\d+ \d+ 1)$/.exec(line) ?? []
    if (block === undefined) {
      if (mark !== undefined) block = { end: mark, lines: [] }
      return
    }
    const { end, lines } = block
    if (line !== `%end ${end}` && line !== `%error ${end}`) {
      lines.push(line)
      return
    }
    block = undefined
    const output = lines.join('\n')
    if (line.startsWith('%end')) waiting.shift()?.resolve(output)
    else waiting.shift()?.reject(new Error(`tmux: ${output}`))
  })
  let isGone = false
  const rejectAll = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The terminal is gone.'))
  }
  client.once('close', () => {
    isGone = true
    rejectAll()
  })
  return (...args) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      if (isGone) rejectAll()
      else client.stdin.write(`${quoted(args)}\n`)
    })
}

/** Words as a shell reads them, and tmux. */
const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

/** Starts a command in a terminal of its own, on a tmux server of its own. */
export async function openTerminal(command: readonly string[], options: TerminalOptions): Promise<Terminal> {
  const { env, cwd, width = 120, height = 40 } = options
  opened += 1
  const server = `seller-test-${process.pid}-${opened}`
  const variables = Object.entries({ TERM: 'screen-256color', ...env }).map(([name, value]) => `${name}=${value}`)
  // The last line has the exit code; the sleep keeps the screen until it was read.
  const script = `env -i ${quoted(variables)} ${quoted(command)}; echo "[exit $?]"; sleep 600`
  const size = ['-x', String(width), '-y', String(height)]
  await run('tmux', ['-L', server, '-f', '/dev/null', 'new-session', '-d', ...size, '-c', cwd, script])
  const tmux = control(server)
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-J', '-S', '-500')
  const until = async (matches: (text: string) => boolean, what: string): Promise<string> => {
    let text = ''
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(40)) {
      text = await screen()
      if (matches(text)) return text
    }
    throw new Error(`The terminal never showed ${what}:\n${text}`)
  }
  return {
    screen,
    shows: (text) => until((shown) => (typeof text === 'string' ? shown.includes(text) : text.test(shown)), `"${text}"`),
    async type(text) {
      for (const [index, part] of text.split('\n').entries()) {
        if (index > 0) await tmux('send-keys', 'Enter')
        if (part !== '') await tmux('send-keys', '-l', part)
      }
    },
    press: async (key) => void (await tmux('send-keys', key)),
    async done() {
      const text = await until((shown) => /\[exit \d+\]/.test(shown), 'the end')
      return { code: Number(/\[exit (\d+)\]/.exec(text)?.[1]), screen: text }
    },
    colours: () => tmux('capture-pane', '-p', '-e'),
    close: () => void spawnSync('tmux', ['-L', server, 'kill-server']),
  }
}
