/**
 * A plugin for esbuild: what a start would load and not use is loaded at its first use. One proxy (scripts/later.mjs) stands for
 * each such module and forwards everything to the real one. What each entry saves is in docs/decisions.md, "A start loads what it
 * uses".
 */
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'esbuild'

/** Modules of Node that packages import for what a start never does, or for settings that few have. */
const OF_NODE = ['child_process', 'crypto', 'dns', 'fs/promises', 'https', 'process', 'readline', 'tls', 'zlib']

/** Packages, and modules of Node. libsql is here because its native file is not installed where Node has SQLite of its own. */
export const LATER: readonly string[] = ['http2-wrapper', 'libsql', ...OF_NODE.map((name) => `node:${name}`)]

/** Files whose requires wait too. */
const WAITING = /@oclif[\\/]core[\\/]lib[\\/]/

/** Expressions that are replaced in the whole bundle by a part of scripts/later.mjs. */
export const LEANER_DEFINES = { 'Intl.ListFormat': 'LaterListFormat', 'process.report': 'LaterReport' }

/** @param root where the bundle's own modules look for packages */
export function leaner(root: string): Plugin {
  const native = createRequire(join(root, 'package.json'))
  const isListed = (path: string): boolean => LATER.some((name) => path === name || `node:${path}` === name)
  return {
    name: 'leaner',
    setup({ onLoad, onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
        if (pluginData === 'found' || namespace === 'later' || !/^(?:import-statement|require-call)$/.test(kind)) return undefined
        if (isListed(path)) return { path, namespace: 'later' }
        if (kind !== 'require-call' || !WAITING.test(importer)) return undefined
        const found = await resolve(path, { kind, importer, namespace, resolveDir, pluginData: 'found' })
        if (found.external || found.path.endsWith('.json')) return undefined
        // Relative, so that the bundle is the same wherever it is built.
        return { path: `./${relative(root, found.path).replaceAll(sep, '/')}`, namespace: 'later' }
      })
      onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => {
        const real = native(path.startsWith('.') ? join(root, path) : path)
        const known = { isFunction: typeof real === 'function', isEsModule: real.__esModule === true }
        if (isListed(path) && known.isEsModule)
          throw new Error(`${path} is an ES module, whose default export is not the module.`)
        return { contents: `module.exports = later(() => require('${path}'), ${JSON.stringify(known)})`, resolveDir: root }
      })
    },
  }
}

/** Lets what ES modules import wait too: esbuild's helper would read all properties at once. */
export function laterImports(text: string): string {
  const helper = 'var __toESM = ('
  const waiting = `${helper}mod, ...given) => mod?.[Symbol.for('later')]?.((real) => __nowESM(real, ...given)) ?? __nowESM(mod, ...given)`
  return text.replace(helper, `${waiting}\nvar __nowESM = (`)
}
