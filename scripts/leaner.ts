/**
 * A plugin for esbuild that decides what replaces the imports of packages, so that a start loads no more than it uses. The text
 * of packages is not changed; a package, or a module of oclif, is resolved to something else. Each part was measured separately
 * (docs/decisions.md).
 */
import type { OnLoadResult, Plugin } from 'esbuild'

// Only the parts of oclif that commands use. Its own index checks the working directory and Node's version with semver at every
// start.
const OCLIF = `
export { Command } from '@oclif/core/command'
export * as Args from '@oclif/core/args'
export * as Flags from '@oclif/core/flags'
`

/**
 * Packages that others load but that are never used here, with their replacements. Together they were a third of what
 * `items:list` loads; http2-wrapper also reads all root certificates when it is loaded (25 ms).
 */
const ABSENT: Readonly<Record<string, string>> = {
  // With DEBUG, oclif and the proxy agents log what they do, including the URL of a proxy with its password.
  debug: `
    const none = () => Object.assign(() => {}, { enabled: false, extend: none, destroy: () => true })
    none.enabled = () => false
    module.exports = none`,
  // got: HTTP/2, caches of replies and of host names. SOAP here is HTTP/1.1, and its replies are never cached.
  'http2-wrapper': 'export default {}',
  'cacheable-request': 'export default class {}\nexport class CacheError extends Error {}',
  'cacheable-lookup': 'export default class {}',
  // xml2js: its parser; src/soap/wire reads replies.
  sax: 'module.exports = {}',
  // oclif: searching for commands and plugins; the manifest names them. Its spinner; ours is in format.
  minimatch: 'module.exports = {}',
  tinyglobby: 'module.exports = {}',
  lilconfig: 'module.exports = {}',
  // oclif: telling WSL from Linux; it loads node:child_process and with it the sockets (5 ms).
  'wsl-utils': "export const isWsl = false\nexport const powerShellPath = async () => 'powershell.exe'",
  // ansi-styles, for colours by number, which are not used.
  'color-convert': 'module.exports = {}',
  // libsql: finds its platform's file. It loads node:child_process, and reads the reports of all platforms.
  'detect-libc': 'module.exports = {}',
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
    const target = () => {
      const { platform, arch } = process
      if (platform === 'darwin') return 'darwin-' + arch
      if (platform === 'win32') return 'win32-' + arch + '-msvc'
      const arm = arch === 'arm' ? 'eabihf' : ''
      return platform + '-' + arch + '-' + (musl() ? 'musl' : 'gnu') + arm
    }
    exports.load = () => createRequire(require.resolve('libsql'))('@libsql/' + target())`,
  'cli-spinners': "module.exports = { line: { frames: ['-', '|'] }, dots2: { frames: ['-', '|'] } }",
}

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

/** Packages with a short cut for what most calls need; other calls load the package itself. */
const SHORT: Readonly<Record<string, string>> = {
  // A template is compiled for each text of a help; most hold nothing to fill in.
  ejs: "exports.render = (text, data) => (text.includes('<%') ? require('ejs').render(text, data) : text)",
  // Its regular expression of all emoji is created again for each word that is wrapped; help is ASCII.
  'string-width': `
    const plain = /^[\\x20-\\x7e]*$/
    const escapes = /\\u001b\\[[\\d;]*m/g
    module.exports = (text) => {
      const bare = typeof text === 'string' ? text.replace(escapes, '') : ''
      return plain.test(bare) && typeof text === 'string' ? bare.length : require('string-width')(text)
    }`,
}

/**
 * What a module of oclif gets for another one that it requires: the same, but loaded when it is first used. TypeScript writes
 * requires at the top of a module and uses them as \`x_1.name\`, so most of them are never loaded by a command.
 */
const LATER = `
module.exports = (load) => {
  let loaded
  const module = () => (loaded ??= load())
  // A target that can be called, for a module that is a function or a class. A bound function has no property that cannot be deleted.
  return new Proxy(function () {}.bind(), {
    apply: (_, self, args) => Reflect.apply(module(), self, args),
    construct: (_, args) => Reflect.construct(module(), args),
    get: (_, key) => key === '__esModule' ? true : key === 'default' && !module().__esModule ? module() : module()[key],
    has: (_, key) => key in module(),
    ownKeys: () => Reflect.ownKeys(module()),
    getOwnPropertyDescriptor: (_, key) => key in module() ? { enumerable: true, configurable: true, value: module()[key] } : undefined,
  })
}`

const named = (names: Readonly<Record<string, string>>): RegExp => new RegExp(`^(${Object.keys(names).join('|')})$`)

/** @param root where the bundle's own modules look for packages */
export function leaner(root: string): Plugin {
  return {
    name: 'leaner',
    setup({ onLoad, onResolve, resolve }) {
      const from = (contents: string, resolveDir = root): OnLoadResult => ({ contents, resolveDir })
      onResolve({ filter: named(ABSENT) }, ({ path }) => ({ path, namespace: 'absent' }))
      onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => from(ABSENT[path] ?? ''))
      onResolve({ filter: /^libsql$/ }, ({ kind, path }) => (kind === 'require-resolve' ? { path, external: true } : undefined))
      onResolve({ filter: named(SHORT) }, async ({ path, namespace, kind, resolveDir }) => {
        if (namespace === 'short' || kind !== 'require-call') return undefined
        return { path, namespace: 'short', pluginData: resolveDir }
      })
      onLoad({ filter: /.*/, namespace: 'short' }, ({ path, pluginData }) => from(SHORT[path] ?? '', pluginData))
      onResolve({ filter: /^@oclif\/core$/ }, ({ path }) => ({ path, namespace: 'oclif' }))
      onLoad({ filter: /.*/, namespace: 'oclif' }, () => from(OCLIF))
      onResolve({ filter: /^(@redis\/client|\.\.\/commands|\.\.\/command-metadata)$/ }, ({ path, importer }) => {
        const own = path === '@redis/client' || /@redis[\\/]client[\\/]dist[\\/]lib[\\/]client[\\/]/.test(importer)
        return own ? { path, namespace: 'redis' } : undefined
      })
      onLoad({ filter: /.*/, namespace: 'redis' }, ({ path }) => from(REDIS[path] ?? ''))
      onResolve({ filter: /.*/ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
        const byOclif = namespace === 'file' && /@oclif[\\/]core[\\/]lib[\\/]/.test(importer)
        if (!byOclif || kind !== 'require-call' || pluginData === 'itself') return undefined
        const found = await resolve(path, { kind, importer, namespace, resolveDir, pluginData: 'itself' })
        return { path: found.path, namespace: 'later' }
      })
      onResolve({ filter: /^later$/ }, () => ({ path: 'later', namespace: 'later' }))
      onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => {
        return from(path === 'later' ? LATER : `module.exports = require('later')(() => require(${JSON.stringify(path)}))`)
      })
    },
  }
}
