/**
 * Connections to the service: kept open between calls, new for each single write, through a proxy if the environment names one.
 */
import type https from 'node:https'
import { Agents } from './http.js'

export interface Connections {
  /** Kept open between calls. */
  readonly kept: Agents
  /**
   * One connection per call, for single writes. The other side may close a kept connection just as we use it, and then we cannot
   * tell whether the write was carried out.
   */
  readonly fresh: Agents
  /** The proxy that calls go through, if one does. */
  readonly proxy?: ProxyInUse | undefined
  close(): void
}

export interface ProxyInUse {
  /** HOST:PORT; the text of the variable where it is not an address. */
  readonly host: string
  /** True if its address names a user. */
  readonly named: boolean
}

// Variables that proxy-from-env reads, by protocol; lower case too.
const PROXY_VARIABLES = { 'http:': ['HTTP_PROXY', 'ALL_PROXY'], 'https:': ['HTTPS_PROXY', 'ALL_PROXY'] } as const

/** True if the environment sends calls to an address through a proxy. A loopback address is never reached through one. */
export function usesProxy(baseUrl: string, env: NodeJS.ProcessEnv): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return false
  const names = protocol === 'https:' ? PROXY_VARIABLES['https:'] : PROXY_VARIABLES['http:']
  return names.some((name) => Boolean(env[name] || env[name.toLowerCase()]))
}

/** Creates the agents for a service address. Nothing is connected yet. */
export async function openConnections(baseUrl: string, env: NodeJS.ProcessEnv = process.env): Promise<Connections> {
  const { make, proxy } = usesProxy(baseUrl, env)
    ? await proxyAgents(baseUrl, env)
    : { make: direct(new URL(baseUrl).protocol), proxy: undefined }
  const keptAgents = make(true)
  const fresh = make(false)
  return {
    kept: keptAgents,
    fresh,
    proxy,
    close() {
      for (const agent of [keptAgents.http, keptAgents.https, fresh.http, fresh.https]) agent?.destroy()
    },
  }
}

/**
 * A kept connection that is idle for so long, ms, is closed here. The other side closes it too, many after 5 s, and a call that
 * is sent just then is lost and made again. Without a time of its own the agent does not heed the time that a reply names either.
 */
const IDLE_MS = 4_000

/**
 * One agent for the protocol of the address, since no redirect is followed. Its module is loaded here: commands without a call
 * need neither, and node:https, with all that it loads, costs a start up to 24 ms.
 */
function direct(protocol: string): (keepAlive: boolean) => Agents {
  return (keepAlive) => {
    const options = keepAlive ? { keepAlive, timeout: IDLE_MS } : { keepAlive }
    return protocol === 'https:'
      ? new Agents({ https: new (process.getBuiltinModule('node:https').Agent)(options) })
      : new Agents({ http: new (process.getBuiltinModule('node:http').Agent)(options) })
  }
}

/** proxy-agent takes longer to load than got does, so it is loaded only if a proxy is configured. */
async function proxyAgents(
  baseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<{ make: (keepAlive: boolean) => Agents; proxy: ProxyInUse | undefined }> {
  const { ProxyAgent } = await import('proxy-agent')
  const own = new ProxyAgent()
  const { protocol } = new URL(baseUrl)
  // NO_PROXY may except the address. A variable without a scheme, which is read as that of the address, means http, as curl has
  // it.
  const proxyValues = Object.values(PROXY_VARIABLES)
    .flat()
    .flatMap((name) => [env[name], env[name.toLowerCase()]])
  const getProxyForUrl = async (url: string): Promise<string> => {
    const proxyUrl = await own.getProxyForUrl(url, undefined as never)
    const bare = proxyValues.find(
      (value) => value !== undefined && !value.includes('://') && proxyUrl === `${protocol}//${value}`,
    )
    return bare === undefined ? proxyUrl : `http://${bare}`
  }
  const address = await getProxyForUrl(baseUrl)
  const make = (keepAlive: boolean) => {
    const agent = new ProxyAgent({ keepAlive, getProxyForUrl })
    return new Agents({ http: agent, https: agent as unknown as https.Agent })
  }
  return { make, proxy: address === '' ? undefined : parseProxy(address) }
}

function parseProxy(address: string): ProxyInUse {
  // Its user and password are never shown.
  if (!URL.canParse(address)) return { host: '', named: false }
  const { host, username } = new URL(address)
  return { host, named: username !== '' }
}
