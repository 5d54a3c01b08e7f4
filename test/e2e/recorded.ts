/** A home whose calls to its sandbox are recorded as they are sent. */
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { type Asked, startService } from '../soap/service.js'
import { type ObservedHome, openObserved } from './observed.js'
import type { Run } from './runs.js'

export interface RecordedHome extends ObservedHome {
  /** The envelopes that were sent, in their order, each with its service. */
  readonly envelopes: readonly { readonly service: string; readonly body: string }[]
  /** Sets what is answered in place of the sandbox: the body of a reply with HTTP 200; undefined where the sandbox answers. */
  instead(answer: (service: string, body: string) => string | undefined): void
}

/**
 * @param options as of an observed home
 * @param known the addresses that the host knows; all that the sandbox does by default
 */
export async function openRecorded(options: Parameters<typeof openObserved>[0], known = /./): Promise<RecordedHome> {
  const home = await openObserved(options)
  const envelopes: { service: string; body: string }[] = []
  const { url } = home.sandbox
  let answered: Parameters<RecordedHome['instead']>[0] = () => undefined
  const between = await startService((asked, response) => {
    if (!known.test(asked.url)) return void response.writeHead(404).end()
    const service = /^\/v3\/(\w+)\.asmx/.exec(asked.url)?.[1]
    if (asked.method === 'POST' && service !== undefined) envelopes.push({ service, body: asked.body })
    const other = service === undefined ? undefined : answered(service, asked.body)
    if (other !== undefined)
      return void response.writeHead(200, { 'content-type': asked.headers['content-type'] ?? '' }).end(other)
    void passOn(url, asked).then(
      ({ status, type, bytes }) => response.writeHead(status, type === null ? {} : { 'content-type': type }).end(bytes),
      () => response.destroy(),
    )
  })
  Object.assign(home.env, { SELLER_BASE_URL: between.url })
  const more = {
    envelopes,
    instead(next: typeof answered) {
      answered = next
    },
    async close() {
      await home.close()
      await between.close()
    },
  }
  // Not a prototype: the getters of the home must stay getters.
  return Object.defineProperties(more as unknown as RecordedHome, {
    ...Object.getOwnPropertyDescriptors(home),
    ...Object.getOwnPropertyDescriptors(more),
  })
}

/** Logs in as a seller does who knows the address and the keys alone; commands then have nothing else. */
export async function logInPlainly(home: ObservedHome): Promise<Run> {
  const {
    SELLER_BASE_URL: base_url,
    SELLER_APP_ID: app_id,
    SELLER_APP_KEY: app_key,
    SELLER_USER_ID: user_id,
    SELLER_TOKEN: token,
  } = home.env
  for (const name of Object.keys(home.env).filter((name) => /^SELLER_(?:BASE_URL|NAMESPACE|APP|USER|TOKEN)/.test(name)))
    delete (home.env as Record<string, string>)[name]
  const stdin = JSON.stringify({ base_url, app_id, app_key, user_id, token })
  const login = await home.run(['auth:login', '--stdin'], { stdin })
  expect(login.code, login.stderr).to.equal(EXIT.ok)
  home.calls()
  return login
}

async function passOn(to: string, { method, url, headers, body }: Asked) {
  const type = headers['content-type']
  const answer = await fetch(`${to}${url}`, {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(method === 'POST' ? { body } : {}),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}
