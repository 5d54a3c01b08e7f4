/** Opens a page in the user's browser, with the opener of the platform. */
import { spawn } from 'node:child_process'

/** The opener and its first arguments. It runs without a shell, because an address comes from outside. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** @returns whether an opener accepted the address; false if there is none, or the address is not http or https */
export async function openInBrowser(address: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (!isWebAddress(address)) return false
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      // The browser outlives the command.
      child.unref()
      resolve(true)
    })
  })
}

/** Whether an address is http or https. A reply must not start anything else on this machine. */
export function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
