/** Opening a page in the person's browser, by the opener of the platform. */
import { spawn } from 'node:child_process'

/** The opener and what stands before the address. No shell: an address is a stranger's text. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** @returns whether an opener took the address; false where there is none, or the address is not one of the web */
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

/** Whether an address is http or https: a reply must not start anything else on this machine. */
export function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
