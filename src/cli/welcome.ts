/** What `seller` alone prints: what it is, and what to type next. */
import type { Host } from './host.js'

const LINES_OF_ALL = ['', 'Every command: seller --help. One of them: seller items:add --help.']

/** @param loggedIn whether a profile with credentials exists */
export function welcome(loggedIn: boolean): string {
  const next: readonly (readonly [string, string])[] = loggedIn
    ? [
        ['seller items:list', 'what you have listed'],
        ['seller items:add', 'list an item, step by step'],
        ['seller shop:price --help', 'change prices, planned and undoable'],
        ['seller transactions:list --since 7d', 'what you have sold'],
        ['seller doctor', 'check the setup'],
      ]
    : [
        ['seller items:list -p sandbox', 'try it without an account'],
        ['seller items:add -p sandbox', 'list an item in the sandbox'],
        ['seller auth:login', 'log in to your shop'],
        ['seller completion bash', 'complete commands with Tab'],
        ['seller doctor', 'check the setup'],
      ]
  const width = Math.max(...next.map(([command]) => command.length))
  return [
    'seller runs your marketplace shop from a terminal and from scripts.',
    '',
    ...next.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`),
    ...LINES_OF_ALL,
  ].join('\n')
}

/** Whether someone has logged in on this machine, or the environment holds credentials. Never throws: a damaged file shows elsewhere. */
export async function isLoggedIn({ env }: Host): Promise<boolean> {
  if (env.SELLER_TOKEN) return true
  const [{ readStored }, { directoriesOf }] = await Promise.all([import('./settings-file.js'), import('./directories.js')])
  try {
    return Object.keys(readStored(directoriesOf(env).configDir).profiles).length > 0
  } catch {
    return true
  }
}
