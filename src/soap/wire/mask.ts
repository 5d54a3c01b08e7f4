/**
 * Masks requests and replies for showing. Secrets are masked before anything is formatted, and never cut out of a finished
 * text.
 */

export const MASK = '***'

/**
 * Names of elements and parameters, in lower case, whose values are never shown. AuthToken and SecretKey are those of the token
 * login (docs/service.md, Token login).
 */
const SECRET_NAMES = new Set(['appkey', 'token', 'personalnumber', 'authtoken', 'secretkey', 'autostarttoken', 'password'])

export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase())
}

/** Names whose value is the bytes of a file. Only the size is shown. */
const FILE_NAMES = new Set(['imagedata', 'data', 'freightlabelcontent'])

/**
 * Elements that tell who a person is (docs/service.md, Orders). A trace is often passed on. Those of ShipTo and of payments go as
 * a whole.
 */
const PERSONAL_NAMES = [
  ...['firstname', 'lastname', 'email', 'phone', 'phonenumber', 'mobilephonenumber', 'address', 'addressline1', 'addressline2'],
  ...['zipcode', 'city', 'reference'],
]
const PERSONAL_PARTS = /(<(?:[\w.-]+:)?(ShipTo|AdditionalInfo)(?:\s[^<>/]*)?>)[\s\S]*?(<\/(?:[\w.-]+:)?\2>|$)/gi

// An element's name, then its text or CDATA up to the next tag, or to the end if the text is cut off.
const NAMES = [...SECRET_NAMES, ...FILE_NAMES, ...PERSONAL_NAMES].join('|')
const CDATA = '<!\\[CDATA\\[(?:[^\\]]|\\](?!\\]>))*(?:\\]\\]>|$)'
const SECRET_ELEMENT = new RegExp(`(<(?:[\\w.-]+:)?(${NAMES})(?:\\s[^<>]*)?>)((?:${CDATA}|[^<])+)`, 'gi')

/** Masks the secrets, and who persons are, in the text of an envelope, which may be cut off anywhere. */
export function maskEnvelope(xml: string): string {
  return xml.replace(PERSONAL_PARTS, `$1${MASK}$3`).replace(SECRET_ELEMENT, (_all, open: string, name: string, value: string) => {
    return open + (FILE_NAMES.has(name.toLowerCase()) ? shortened(value.length) : MASK)
  })
}

/** The text shown instead of the bytes of a file. */
export function shortened(length: number): string {
  return `(${length} characters, not shown)`
}

/**
 * Makes a function that removes known secrets from any text, wherever they are: a fault may repeat the token that it refuses.
 * Values of fewer than 4 characters are left, because removing them would make most texts unreadable.
 */
export function createHider(secrets: readonly (string | undefined)[]): (text: string) => string {
  const longSecrets = secrets.filter((secret) => secret !== undefined && secret.length >= 4) as string[]
  const longestFirst = [...new Set(longSecrets.flatMap(secretForms))].sort((a, b) => b.length - a.length)
  return (text) => {
    let result = text
    // Every text of every reply passes through here, and hardly any holds a secret. Most are too short for one.
    for (const secret of longestFirst) {
      if (result.length >= secret.length && result.includes(secret)) result = result.replaceAll(secret, MASK)
    }
    return result
  }
}

/** The ways in which a text may be written in an address, a form, XML or JSON. */
function secretForms(secret: string): string[] {
  const element = secret.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const both = element.replace(/>/g, '&gt;')
  const attribute = both.replace(/"/g, '&quot;')
  return [
    secret,
    element,
    both,
    attribute,
    attribute.replace(/'/g, '&#39;'),
    attribute.replace(/'/g, '&apos;'),
    encodeURI(secret),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ]
}
