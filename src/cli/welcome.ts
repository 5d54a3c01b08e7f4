/** Output of `seller` alone before a login: what it is, and what to type next. */
import type { Host } from './host.js'

/** Shown where nobody has logged in. */
export const WELCOME = `seller runs your marketplace shop from a terminal and from scripts.

  seller items:list -p sandbox  try it without an account
  seller today -p sandbox       what a day in a shop looks like
  seller items:add -p sandbox   list an item in the sandbox
  seller auth:login             log in to your shop
  seller completion bash        complete commands with Tab
  seller doctor                 check the setup

Every command: seller --help. One of them: seller items:add --help.`

/**
 * True if someone has logged in on this machine, or the environment holds credentials. Never throws: a damaged file shows
 * elsewhere.
 */
export async function isLoggedIn({ env }: Host): Promise<boolean> {
  if (env.SELLER_TOKEN) return true
  const [{ readStored }, { resolveDirectories: directoriesOf }] = await Promise.all([
    import('./settings-file.js'),
    import('./directories.js'),
  ])
  try {
    return Object.keys(readStored(directoriesOf(env).configDir).profiles).length > 0
  } catch {
    return true
  }
}
