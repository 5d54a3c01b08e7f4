/** A quota server of the machine's own Redis, on a port of loopback. It keeps nothing on disk, or has a disk of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { canEnter, unshare } from './bare-root.js'

const SERVERS = ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server', '/usr/local/bin/valkey-server']
export const PASSWORD = 'open-sesame-9'

export interface RedisServer {
  readonly port: number
  /** Id of its process. */
  pid(): number | undefined
  /** With the password. */
  readonly url: string
  /** Ends it at once, with all that it has counted but not written. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Sends commands as a person would type them, one reply line each. */
  say(...commands: string[]): Promise<string[]>
}

export interface RedisOnDisk extends RedisServer {
  /** Leaves no byte free on its disk, or some again. */
  fill(full: boolean): void
}

/**
 * One that writes each count to a disk of its own, of 4 MB, in a name space of its own: it is gone with the server, so that this
 * one is ended for good by `kill`.
 * @returns undefined where there is no server, or no name space for this user
 */
export async function startRedisOnDisk(): Promise<RedisOnDisk | undefined> {
  if (!canEnter) return undefined
  const disk = mkdtempSync(join(tmpdir(), 'seller-disk-'))
  const mounted = ['/bin/sh', '-c', 'mount -t tmpfs -o size=4m none "$0" && exec "$@"', disk]
  const server = await startRedis({ disk, before: [...unshare, ...mounted] })
  if (server === undefined) return undefined
  return {
    ...server,
    async kill() {
      await server.kill()
      rmSync(disk, { recursive: true })
    },
    fill(full) {
      // The disk as the process sees it.
      const rest = join('/proc', String(server.pid()), 'root', disk, 'rest')
      if (!full) rmSync(rest)
      else
        try {
          writeFileSync(rest, Buffer.alloc(8_000_000))
        } catch {
          // It took what there was room for.
        }
    },
  }
}

interface Place {
  /** Where it writes each count; by default nowhere. */
  readonly disk?: string
  /** The command that starts it. */
  readonly before?: readonly string[]
}

/** @returns undefined where there is none; that the shared quota is then not tested is said aloud */
export async function startRedis({ disk, before = [] }: Place = {}): Promise<RedisServer | undefined> {
  const program = [process.env.SELLER_TEST_REDIS ?? '', ...SERVERS].find((path) => path !== '' && existsSync(path))
  if (program === undefined) {
    console.warn(
      `\n!!! NO QUOTA SERVER: none of ${SERVERS.join(', ')} is here, and SELLER_TEST_REDIS names none.\n!!! The shared quota is NOT tested. Install Debian's redis-server to test it.\n`,
    )
    return undefined
  }
  const port = await freePort()
  let child: ChildProcess | undefined
  const server: RedisServer = {
    port,
    pid: () => child?.pid,
    url: `redis://:${PASSWORD}@127.0.0.1:${port}/0`,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', PASSWORD, '--save', '']
      const kept = ['--appendonly', disk === undefined ? 'no' : 'yes', '--dir', disk ?? tmpdir()]
      const [command = '', ...words] = [...before, program, ...args, ...kept]
      child = spawn(command, words, { stdio: 'ignore' })
      const ended = child
      for (;;) {
        if (ended.exitCode !== null) throw new Error(`${program} ended with ${ended.exitCode}.`)
        if ((await server.say('PING').catch(() => []))[0] === '+PONG') return
        await sleep(20)
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
    say(...commands) {
      return new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        let said = ''
        socket.setEncoding('utf8').on('data', (piece: string) => {
          said += piece
          const lines = said.split('\r\n').slice(0, -1)
          if (lines.length <= commands.length) return
          socket.destroy()
          // The first is the answer to the login.
          resolve(lines.slice(1))
        })
        socket.on('error', reject)
        socket.write([`AUTH ${PASSWORD}`, ...commands].map((command) => `${command}\r\n`).join(''))
      })
    },
  }
  await server.start()
  return server
}

async function freePort(): Promise<number> {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const address = holder.address()
  await new Promise((resolve) => holder.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
