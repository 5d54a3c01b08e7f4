/**
 * The credentials of a profile, from the settings or from the commands that they name, each of which runs once per run of the
 * tool; and the secrets that a run has used. They may be repeated by a fault or a file name, and are never shown.
 */
import type { Credentials } from '../soap/client/index.js'
import { NO_QUOTA_URL, readQuotaUrl, secretsOfQuotaUrl } from './address.js'
import type { Host } from './host.js'
import type { ResolvedProfile } from './profiles.js'

/** Shown in a request instead of a secret that a command would print. It is masked like any other secret. */
export const FROM_COMMAND = 'from-a-command'

type Known = Pick<ResolvedProfile, 'name' | 'settings'>

/** @param secrets takes those that are used, from any source */
export function openCredentials(host: Pick<Host, 'env' | 'cwd'>, signal: AbortSignal, secrets: Secrets) {
  const runs = new Map<string, Promise<string>>()
  const hide = (text: string): string => secrets.hide(text)
  const printedBy = (
    setting: 'app_key_command' | 'token_command' | 'quota_url_command',
    profile: string,
    command: string,
  ): Promise<string> => {
    const key = JSON.stringify([setting, command])
    let run = runs.get(key)
    if (run === undefined) {
      run = import('./secret-command.js').then(({ secretFrom }) =>
        secretFrom({ setting, profile, command }, { host, signal, hide }),
      )
      runs.set(key, run)
    }
    return run
  }
  return {
    /**
     * @param user whether the seller's token is needed
     * @throws {SellerError} secret_command_failed
     */
    async of({ name, settings }: Known, user: boolean): Promise<Credentials> {
      const { app_id: appId = 0, user_id: userId, app_key_command: keyCommand, token_command: tokenCommand } = settings
      let { app_key: appKey, token } = settings
      if (appKey === undefined && keyCommand !== undefined) appKey = await printedBy('app_key_command', name, keyCommand)
      if (appKey !== undefined) secrets.add(appKey)
      if (user && token === undefined && tokenCommand !== undefined) token = await printedBy('token_command', name, tokenCommand)
      if (token !== undefined) secrets.add(token)
      return { appId, appKey, userId, token }
    },
    /**
     * The address of the quota server; undefined if the profile has none.
     * @throws {SellerError} secret_command_failed, invalid_setting
     */
    async quotaUrl({ name, settings: { quota_url: url, quota_url_command: command } }: Known): Promise<string | undefined> {
      if (url !== undefined || command === undefined) return addressOf(url)
      const secret = await printedBy('quota_url_command', name, command)
      secrets.add(secret, ...secretsOfQuotaUrl(secret))
      return addressOf(readQuotaUrl(secret, `quota_url_command of the profile "${name}"`))
    },
  }
}

function addressOf(url: string | undefined): string | undefined {
  return url === NO_QUOTA_URL ? undefined : url
}

const HIDDEN = '•••'

/** Shorter ones are left: hiding them would hide ordinary words. */
const SHORTEST = 4

/** Hides them in one pass over a text, whatever their number: a run over 200 shops has 400, and thousands of texts. */
export class Secrets {
  /** By their first characters, the longest first. */
  readonly #byStart = new Map<string, string[]>()

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST) continue
      const start = secret.slice(0, SHORTEST)
      const alike = this.#byStart.get(start) ?? []
      if (alike.includes(secret)) continue
      const at = alike.findIndex(({ length }) => length < secret.length)
      alike.splice(at === -1 ? alike.length : at, 0, secret)
      this.#byStart.set(start, alike)
    }
  }

  hide(text: string): string {
    if (this.#byStart.size === 0) return text
    let output = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= text.length; ) {
      const hiddenSecret = this.#byStart.get(text.slice(at, at + SHORTEST))?.find((secret) => text.startsWith(secret, at))
      if (hiddenSecret === undefined) at++
      else {
        output += text.slice(from, at) + HIDDEN
        at += hiddenSecret.length
        from = at
      }
    }
    return output + text.slice(from)
  }
}
