/** Starts and stops the server. */
import { setMaxListeners } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDirectories } from '../../system/directory.js'
import { openMarketplace } from '../marketplace/index.js'
import type { SandboxOptions, SandboxServer } from '../options.js'
import { SANDBOX_PROFILE } from '../profile.js'
import { FaultInjector } from './fault-injection.js'
import { handle } from './front.js'
import { servedBy } from './served.js'
import { applyFaults, type Site } from './site.js'
import { noteServer, serverOn } from './standing.js'

/** Loopback only, because the sandbox's credentials are public. */
const HOST = '127.0.0.1'
/** A GET with hundreds of request ids is longer than Node's 16 kB. */
const MAX_HEADER_BYTES = 64 * 1024
/**
 * Time for which an idle connection is kept, in ms: longer than the longest pause of a poller, so that no request meets a
 * connection that is being closed.
 */
const KEEP_ALIVE_MS = 75_000
/** Time for calls under way to end when the server closes, in ms. */
const GRACE_MS = 250

/** Opens the store and listens. @throws {Error} if the port is in use or the file is not a sandbox */
export async function start(options: SandboxOptions): Promise<SandboxServer> {
  makeDirectories(dirname(options.path))
  const marketplace = openMarketplace({ path: options.path, clock: options.clock ?? { now: Date.now } })
  const faults = new FaultInjector(options.faults)
  const closing = new AbortController()
  // One listener for each call that waits because of latency.
  setMaxListeners(0, closing.signal)
  const namespace = (options.namespace ?? SANDBOX_PROFILE.namespace).replace(/\/+$/, '')
  const log = options.log ?? (() => {})
  const site: Site = {
    marketplace,
    faults,
    namespace,
    served: servedBy(options),
    host: options.host ?? 'asmx',
    accept: options.accept,
    closing: closing.signal,
    log,
  }
  applyFaults(marketplace, faults.now)

  const underway = new Set<Promise<void>>()
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const work: Promise<void> = handle(site, request, response)
      .catch((error: unknown) => {
        log(`The sandbox itself failed: ${error instanceof Error ? error.message : String(error)}`)
        response.destroy()
      })
      .finally(() => underway.delete(work))
    underway.add(work)
  })
  let port: number
  try {
    port = await listen(server, options.port ?? 0)
  } catch (error) {
    marketplace.close()
    throw error
  }
  const url = `http://${HOST}:${port}`
  // Links of a server that soon ends lead to the one that stands on the file.
  marketplace.settings.linkBase = options.standing === true ? url : (serverOn(options.path) ?? url)
  marketplace.settings.strict = options.strict === true
  const unnote = options.standing === true ? noteServer(options.path, url) : undefined

  let ending: Promise<void> | undefined
  const end = async () => {
    closing.abort()
    const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    await Promise.race([Promise.all(underway), pause(GRACE_MS, undefined, { ref: false })])
    server.closeAllConnections()
    await Promise.all([serverClosed, ...underway])
    unnote?.()
    marketplace.close()
  }
  return {
    url,
    port,
    namespace,
    close() {
      ending ??= end()
      return ending
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const takenWords = `Port ${port} is taken; name another, or 0 for any free one.`
      reject(error.code === 'EADDRINUSE' ? new Error(takenWords, { cause: error }) : error)
    })
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port))
  })
}
