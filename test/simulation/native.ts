/**
 * The functions of SQLite's driver on Node 20 and 22, which the driver takes once, when it is loaded. This module is loaded
 * before it, and puts functions in their place that ask `hooks` first.
 */
import { createRequire } from 'node:module'

export type Native = Record<string, (this: unknown, ...given: unknown[]) => unknown>

const require = createRequire(import.meta.url)
const load = createRequire(require.resolve('libsql'))
const libc = (load('detect-libc') as { familySync(): string | null }).familySync() === 'musl' ? 'musl' : 'gnu'
const native = load(`@libsql/linux-${process.arch}-${libc}`) as Native

/** False if the driver has taken the real ones. */
export const isFirst = !Object.keys(require.cache).some((file) => /libsql[\\/](?:index|promise)\.js$/.test(file))

export const driver: Native = { ...native }
export const hooks: Native = {}

for (const [name, real] of Object.entries(driver)) {
  native[name] = function (...given) {
    return (hooks[name] ?? real).apply(this, given)
  }
}
