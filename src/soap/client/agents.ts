/**
 * Connections to the service: kept open between calls, new for each single write, through a proxy if the environment names one.
 */
import http from 'node:http'
import https from 'node:https'
import type { Agents } from './http.js'

export interface Connections {
  /** Kept open between calls. */
  readonly kept: Agents
  /**
   * One connection per call, for single writes. The other side may close a kept connection just as we use it, and then we cannot
   * tell whether the write was carried out.
   */
  readonly fresh: Agents
  close(): void
}

// What proxy-from-env reads, by protocol; lower case too.
const PROXY_VARIABLES = { 'http:': ['HTTP_PROXY', 'ALL_PROXY'], 'https:': ['HTTPS_PROXY', 'ALL_PROXY'] } as const

/** Whether the environment sends calls to an address through a proxy. A loopback address is never reached through one. */
export function usesProxy(baseUrl: string, env: NodeJS.ProcessEnv): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return false
  const names = protocol === 'https:' ? PROXY_VARIABLES['https:'] : PROXY_VARIABLES['http:']
  return names.some((name) => Boolean(env[name] || env[name.toLowerCase()]))
}

/** Creates the agents for a service address. Nothing is connected yet. */
export async function openConnections(baseUrl: string, env: NodeJS.ProcessEnv = process.env): Promise<Connections> {
  const make = usesProxy(baseUrl, env) ? await proxyAgents() : direct(new URL(baseUrl).protocol)
  const kept = make(true)
  const fresh = make(false)
  return {
    kept,
    fresh,
    close() {
      for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent?.destroy()
    },
  }
}

/**
 * A kept connection that is idle for so long, ms, is closed here. The other side closes it too, many after 5 s, and a call that is sent just then
 * is lost and made again. Without a time of its own the agent does not heed the time that a reply names either.
 */
const IDLE_MS = 4_000

/** One agent for the protocol of the address, since no redirect is followed: node:https, with what it loads, costs a start 24 ms. */
function direct(protocol: string): (keepAlive: boolean) => Agents {
  return (keepAlive) => {
    const options = keepAlive ? { keepAlive, timeout: IDLE_MS } : { keepAlive }
    return protocol === 'https:' ? { https: new https.Agent(options) } : { http: new http.Agent(options) }
  }
}

/** proxy-agent takes longer to load than got does, so it is loaded only if a proxy is configured. */
async function proxyAgents(): Promise<(keepAlive: boolean) => Agents> {
  const { ProxyAgent } = await import('proxy-agent')
  return (keepAlive) => {
    const agent = new ProxyAgent({ keepAlive })
    return { http: agent, https: agent as unknown as https.Agent }
  }
}
