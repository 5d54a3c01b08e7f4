/**
 * A plugin for esbuild: decides what stands behind the imports of packages, so that a start loads no more than it uses. No text of a package
 * is changed; a package, or a module of oclif's, is resolved to something else. Each part was measured by itself (docs/decisions.md).
 */
import type { OnLoadResult, Plugin } from 'esbuild'

// Only what commands use of oclif. Its own index checks the working directory and Node's version with semver at every start.
const OCLIF = `
export { Command } from '@oclif/core/command'
export * as Args from '@oclif/core/args'
export * as Flags from '@oclif/core/flags'
`

/**
 * Packages that others load and that nothing here ever uses, with what stands in their place. Together they were a third of what
 * `items:list` loads; http2-wrapper also reads all root certificates when it is loaded (25 ms).
 */
const ABSENT: Readonly<Record<string, string>> = {
  // oclif and the proxy agents tell under DEBUG what they do, the URL of a proxy with its password too.
  debug: `
    const none = () => Object.assign(() => {}, { enabled: false, extend: none, destroy: () => true })
    none.enabled = () => false
    module.exports = none`,
  // got: HTTP/2, caches of replies and of host names. SOAP here is HTTP/1.1, and its replies are never cached.
  'http2-wrapper': 'export default {}',
  'cacheable-request': 'export default class {}\nexport class CacheError extends Error {}',
  'cacheable-lookup': 'export default class {}',
  // xml2js: its parser; replies are read by src/soap/wire.
  sax: 'module.exports = {}',
  // oclif: searching for commands and plugins; the manifest names them. Its spinner; ours is in format.
  minimatch: 'module.exports = {}',
  tinyglobby: 'module.exports = {}',
  lilconfig: 'module.exports = {}',
  // oclif: telling WSL from Linux; it loads node:child_process and with it the sockets (5 ms).
  'wsl-utils': "export const isWsl = false\nexport const powerShellPath = async () => 'powershell.exe'",
  // ansi-styles, for colours by number; nothing asks it for one.
  'color-convert': 'module.exports = {}',
  // libsql: finding its platform's file. It loads node:child_process, and reads the reports of all platforms.
  'detect-libc': 'module.exports = {}',
  // The native file, asked for where libsql is installed, for it is libsql's dependency. Which C library runs is in the text of ldd; a system
  // without it tells in the report of Node, which takes 20 ms and more.
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
 * Expressions that stand for others in all of the bundle. got's checks make two formatters of lists at their start for the words of an error
 * that nobody sees (12 to 20 ms, measured). libsql, as its own developers run it, asks the loader that stands above for its native file.
 */
export const LEANER_DEFINES = { 'Intl.ListFormat': 'LaterListFormat', 'process.env.LIBSQL_JS_DEV': '"1"' }

/** Packages with a short cut for what most calls need; the package itself is loaded for the rest. */
const SHORT: Readonly<Record<string, string>> = {
  // A template is compiled for each text of a help; most hold nothing to fill in.
  ejs: "exports.render = (text, data) => (text.includes('<%') ? require('ejs').render(text, data) : text)",
  // The regular expression of all emoji is made anew for each word that is wrapped; help is ASCII.
  'string-width': `
    const plain = /^[\\x20-\\x7e]*$/
    const escapes = /\\u001b\\[[\\d;]*m/g
    module.exports = (text) => {
      const bare = typeof text === 'string' ? text.replace(escapes, '') : ''
      return plain.test(bare) && typeof text === 'string' ? bare.length : require('string-width')(text)
    }`,
}

/**
 * What a module of oclif gets for another that it requires: the same, loaded at its first use. TypeScript writes requires at the head of a
 * module and uses them as \`x_1.name\`, so most of them are never loaded by a command.
 */
const LATER = `
module.exports = (load) => {
  let loaded
  const module = () => (loaded ??= load())
  return new Proxy({}, {
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
