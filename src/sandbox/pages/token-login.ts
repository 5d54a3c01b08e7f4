/** The page on which a member allows an application to act (docs/service.md, Token login). Anybody may be any member here. */
import type { IncomingMessage } from 'node:http'
import { SANDBOX_SELLERS } from '../marketplace/index.js'
import { escaped } from '../markup.js'
import { SANDBOX_PROFILE } from '../profile.js'
import { readBody } from '../server/body.js'
import type { Reply } from '../server/reply.js'
import type { Site } from '../server/site.js'
import { page } from './layout.js'
import { noticePage } from './notice.js'

const MAX_FORM_BYTES = 64 * 1024
/** Characters of the secret that an application makes for one login. */
const SECRET = { least: 32, most: 255 }

/** Shows the page for GET; for POST, notes that the member has allowed the application, and leads where it wants. */
export async function loginReply(site: Site, request: IncomingMessage, query: URLSearchParams): Promise<Reply> {
  const refusal = refusalOf(query)
  if (refusal !== undefined) return noticePage(400, refusal)
  if (request.method === 'GET') return choicePage(site, query)
  const form = new URLSearchParams((await readBody(request, MAX_FORM_BYTES)).toString('utf8'))
  const seller = SANDBOX_SELLERS.find(({ userId }) => String(userId) === form.get('userId'))
  if (seller === undefined) return noticePage(400, 'Choose one of the members.')
  const { userId } = seller
  const { token, expires } = site.marketplace.control.grant(SANDBOX_PROFILE.appId, userId, valueIn(query, 'skey'))
  site.log(`/token-login member ${userId} allowed the application`)
  if (site.accept === undefined) {
    const content = `<h1>The application may act for ${escaped(seller.alias)}</h1>\n<p>You may close this window.</p>`
    return page({ title: 'Allowed', content })
  }
  const address = new URL(site.accept.url)
  address.searchParams.set('userId', String(userId))
  for (const [name, value] of new URLSearchParams(valueIn(query, 'ruparams'))) address.searchParams.set(name, value)
  if (site.accept.showToken === true) {
    address.searchParams.set('token', token)
    address.searchParams.set('exp', expires)
  }
  return { status: 303, headers: { Location: address.href, 'Cache-Control': 'no-store' }, text: '' }
}

/** Why the address of a login is not accepted; undefined if it is. */
function refusalOf(query: URLSearchParams): string | undefined {
  const { appId, publicKey } = SANDBOX_PROFILE
  if (valueIn(query, 'appId') !== String(appId))
    return `There is no application with the id "${valueIn(query, 'appId')}" (appId).`
  if (valueIn(query, 'pkey') !== publicKey) return 'This is not the public key of the application (pkey).'
  const { length } = valueIn(query, 'skey')
  if (length >= SECRET.least && length <= SECRET.most) return undefined
  return `The secret of the login (skey) has ${length} characters; ${SECRET.least} to ${SECRET.most} are expected.`
}

/** A parameter, whatever the case of its name. */
function valueIn(query: URLSearchParams, name: string): string {
  return [...query].find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1] ?? ''
}

function choicePage({ accept }: Site, query: URLSearchParams): Reply {
  const members = SANDBOX_SELLERS.map(
    ({ userId, alias, note }, index) =>
      `<p><label><input type="radio" name="userId" value="${userId}"${index === 0 ? ' checked' : ''}> ${escaped(alias)} (${userId}), ${escaped(note)}</label></p>`,
  )
  const content = `<h1>Allow the application ${SANDBOX_PROFILE.appId}?</h1>
<p>It will list items, change prices and see sales for the member. This sandbox asks for no password.</p>
<form method="post" action="?${escaped(query.toString())}">${members.join('\n')}<button class="main">Allow</button></form>`
  return page({ title: 'Log in', content, formTarget: accept === undefined ? undefined : new URL(accept.url).origin })
}
