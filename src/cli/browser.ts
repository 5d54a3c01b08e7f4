/** Opens a page in the user's browser, with the opener of the platform. */
import { spawn } from 'node:child_process'

/** The opener and its first arguments. It runs without a shell, because an address comes from outside. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Time for an opener to say that it found no browser, ms: one that runs longer is the browser, or has started it. */
const PATIENCE_MS = 1000

/**
 * @returns true if an opener accepted the address; false if none exists, it ends with an error, or the address is not http or
 * https
 */
export async function openInBrowser(address: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (!isWebAddress(address)) return false
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      // The browser outlives the command.
      child.unref()
      setTimeout(resolve, PATIENCE_MS, true)
    })
    // xdg-open exits with 3 where no browser is installed.
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** True if an address is http or https. A reply must not start anything else on this machine. */
export function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
