/**
 * A plugin for esbuild that decides what replaces the imports of packages, so that a start loads no more than it uses. The text
 * of packages is not changed; a package, or a module of oclif, is resolved to something else. Each part was measured separately
 * (docs/decisions.md).
 */
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import type { OnLoadResult, Plugin } from 'esbuild'

// Only the parts of oclif that commands use. Its own index checks the working directory and Node's version with semver at every
// start.
const OCLIF = `
export { Command } from '@oclif/core/command'
export * as Args from '@oclif/core/args'
export * as Flags from '@oclif/core/flags'
`

/**
 * Packages that are loaded when an export of theirs is first used; the exports are the real ones. http2-wrapper reads all root
 * certificates when it is loaded, and got asks it only for HTTP/2. libsql asks detect-libc only when the loader below is not used; it
 * loads node:child_process. libsql loads its native file, which is needed, and there, only where Node has no SQLite of its own. The
 * caches of got and the parser of xml2js are never used (2 % of a start together).
 */
const LATER = ['http2-wrapper', 'detect-libc', 'libsql', 'sax', 'cacheable-request', 'cacheable-lookup']

/**
 * Modules of Node that are loaded when something of theirs is first used: packages import them for what a start never does, or does
 * only at its first call, or for a setting that few have. One that Node itself has not loaded yet costs 1 to 24 ms of CPU (https, with tls
 * and crypto; Node 24).
 */
export const BUILTINS_LATER = ['child_process', 'crypto', 'dns', 'fs/promises', 'http', 'https', 'readline', 'tls', 'zlib']

/**
 * A module with the exports of another one, which is loaded by the first use of one: they are the real ones, with getters in front.
 * @param path the package or file
 * @returns undefined for a module that is a function or a class itself, but for the packages of LATER, which may be a class
 */
function later(path: string, root: string): string | undefined {
  const real: unknown = createRequire(join(root, 'package.json'))(path)
  const isClass = typeof real === 'function' && LATER.includes(path)
  if (!isClass && (typeof real !== 'object' || real === null)) return undefined
  const names = new Set(Object.keys(real as object))
  return `${isClass ? `module.exports = exports = class { constructor(...given) { return new (require(${JSON.stringify(path)}))(...given) } }` : ''}
  ${'__esModule' in real ? `Object.defineProperty(exports, '__esModule', { value: true, enumerable: ${names.has('__esModule')} })` : ''}
  for (const name of ${JSON.stringify([...names].filter((name) => name !== '__esModule'))}) {
    Object.defineProperty(exports, name, { enumerable: true, get: () => require(${JSON.stringify(path)})[name] })
  }`
}

/** A module of Node with all that it has in the Node that runs it, which is newer than the one that builds. */
const builtinLater = (name: string): string =>
  `module.exports = Object.create(new Proxy({}, { get: (_, name) => require(${JSON.stringify(`node:${name}`)})[name] }))`

/** Packages with a text of our own, with all exports of the package. */
const OWN: Readonly<Record<string, string>> = {
  // With DEBUG, oclif and the proxy agents would log what they do, including the URL of a proxy with its password. Not for speed.
  debug: `
    const none = () => Object.assign(() => {}, { enabled: false, namespace: '', color: 0, useColors: false, inspectOpts: {}, extend: none, destroy: () => true })
    module.exports = Object.assign(none, {
      debug: none, default: none, enabled: () => false, disable: () => '', coerce: (given) => given, humanize: String, useColors: () => false, selectColor: () => 0, load: () => undefined,
      enable() {}, destroy() {}, init() {}, log() {}, formatArgs() {}, save() {}, colors: [], inspectOpts: {}, names: [], skips: [], formatters: {}, namespaces: undefined,
    })`,
  // The native file, resolved from libsql, because it is libsql's dependency. The text of ldd shows which C library is used; a
  // system without ldd needs the report of Node, which takes at least 20 ms.
  '@neon-rs/load': `
    const { readFileSync } = require('node:fs')
    const { createRequire } = require('node:module')
    const musl = () => {
      try {
        const ldd = readFileSync('/usr/bin/ldd', 'latin1')
        if (ldd.includes('musl')) return true
        if (ldd.includes('GNU C Library') || ldd.includes('GLIBC')) return false
      } catch {}
      return process.report.getReport().header.glibcVersionRuntime === undefined
    }
    exports.currentTarget = () => {
      const { platform, arch } = process
      if (platform === 'darwin') return 'darwin-' + arch
      if (platform === 'win32') return 'win32-' + arch + '-msvc'
      const arm = arch === 'arm' ? 'eabihf' : ''
      return platform + '-' + arch + '-' + (musl() ? 'musl' : 'gnu') + arm
    }
    exports.load = () => createRequire(require.resolve('libsql'))('@libsql/' + exports.currentTarget())`,
  // It asks node:zlib for an export when it is loaded, and only a packed reply needs either. An ES module, like the package: got takes
  // the default export, which in a CommonJS module would be the module.
  'decompress-response': `
    export default (response) => (response.headers['content-encoding'] ? require('decompress-response').default(response) : response)`,
}

/** got numbers its requests for observers inside the process, of which there are none, by node:crypto: 11 ms of a start. */
const GOT = `
  let made = 0
  export * from './diagnostics-channel.js'
  export const generateRequestId = () => String(++made)
`

/**
 * @redis/client without clusters, sentinels and the methods for 400 commands: scripts are sent by sendCommand, and the login needs AUTH.
 * A third of the size, and a fifth of the time to load it (docs/decisions.md).
 */
const REDIS: Readonly<Record<string, string>> = {
  '@redis/client': "import Client from '@redis/client/dist/lib/client/index.js'\nexport const createClient = Client.create",
  '../commands':
    "exports.__esModule = true\nexports.default = { AUTH: require('@redis/client/dist/lib/commands/AUTH.js').default }",
  '../command-metadata': 'exports.isCacheable = () => false\nexports.defaultCommandMetadata = { lookup: () => undefined }',
}

/**
 * Expressions that are replaced in the whole bundle. At their start, got's checks make two list formatters for an error message
 * that is never shown (12 to 20 ms, measured). libsql, as its own developers run it, asks the loader above for its native file.
 */
export const LEANER_DEFINES = { 'Intl.ListFormat': 'LaterListFormat', 'process.env.LIBSQL_JS_DEV': '"1"' }

const oneOf = (names: readonly string[]): RegExp => new RegExp(`^(${names.join('|')})$`)

/** What stands in the bundle for packages: a test compares the exports of each with those of its package. */
export const STAND_INS: readonly string[] = [...LATER, ...Object.keys(OWN)]

/** @param root where the bundle's own modules look for packages */
export function leaner(root: string): Plugin {
  return {
    name: 'leaner',
    setup({ onLoad, onResolve, resolve }) {
      const from = (contents: string, resolveDir = root): OnLoadResult => ({ contents, resolveDir })
      onResolve({ filter: oneOf(STAND_INS) }, ({ path, namespace, resolveDir }) => {
        return namespace === 'stand-in' ? undefined : { path, namespace: 'stand-in', pluginData: resolveDir }
      })
      onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path, pluginData }) =>
        from(OWN[path] ?? later(path, root) ?? '', pluginData),
      )
      onResolve({ filter: oneOf(BUILTINS_LATER.map((name) => `(?:node:)?${name}`)) }, ({ path, namespace }) =>
        namespace === 'builtin-later'
          ? { path, external: true }
          : { path: path.replace(/^node:/, ''), namespace: 'builtin-later' },
      )
      onLoad({ filter: /.*/, namespace: 'builtin-later' }, ({ path }) => from(builtinLater(path)))
      onResolve({ filter: /^\.\/diagnostics-channel\.js$/ }, ({ path, namespace, importer, resolveDir }) =>
        namespace !== 'got' && /got[\\/]dist/.test(importer) ? { path, namespace: 'got', pluginData: resolveDir } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'got' }, ({ pluginData }) => from(GOT, pluginData))
      onResolve({ filter: /^libsql$/ }, ({ kind, path }) => (kind === 'require-resolve' ? { path, external: true } : undefined))
      onResolve({ filter: /^@oclif\/core$/ }, ({ path }) => ({ path, namespace: 'oclif' }))
      onLoad({ filter: /.*/, namespace: 'oclif' }, () => from(OCLIF))
      onResolve({ filter: /^(@redis\/client|\.\.\/commands|\.\.\/command-metadata)$/ }, ({ path, importer }) => {
        const own = path === '@redis/client' || /@redis[\\/]client[\\/]dist[\\/]lib[\\/]client[\\/]/.test(importer)
        return own ? { path, namespace: 'redis' } : undefined
      })
      // Most of what the modules of oclif require is never used by a command.
      onResolve({ filter: /.*/ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
        const byOclif = namespace === 'file' && /@oclif[\\/]core[\\/]lib[\\/]/.test(importer)
        if (!byOclif || kind !== 'require-call' || pluginData === 'itself') return undefined
        const found = await resolve(path, { kind, importer, namespace, resolveDir, pluginData: 'itself' })
        if (found.external || found.path.endsWith('.json') || later(found.path, root) === undefined) return undefined
        // Without the folder of the checkout: the path stands in the bundle, which is the same wherever it is built.
        return { path: relative(root, found.path).replaceAll(sep, '/'), namespace: 'later' }
      })
      onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => from(later(join(root, path), root) ?? ''))
      onLoad({ filter: /.*/, namespace: 'redis' }, ({ path }) => from(REDIS[path] ?? ''))
    },
  }
}
