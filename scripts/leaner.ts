/** A plugin for esbuild: leaves out of the bundle what makes a start slow and is of no use here. Each part was measured by itself. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

// Only what commands use of oclif. Its own index checks the working directory and Node's version with semver at every start.
const OCLIF = `
export { Command } from '@oclif/core/command'
export * as Args from '@oclif/core/args'
export * as Flags from '@oclif/core/flags'
`

// A module of oclif as TypeScript wrote it names what it requires x_1 and uses it as x_1.y only, so it can be loaded at the first use.
const REQUIRED = /^const (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\(["'][^"']+["']\)\)?);$/gm
const LAZY = 'const __later=(load)=>{let m;return new Proxy({},{get:(_,k)=>(m??=load())[k]})};'

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
  // xml2js: its parser; ours reads with saxes.
  sax: 'module.exports = {}',
  // oclif: searching for commands and plugins; the manifest names them. Its spinner; ours is in format.
  minimatch: 'module.exports = {}',
  tinyglobby: 'module.exports = {}',
  lilconfig: 'module.exports = {}',
  // oclif: telling WSL from Linux; it loads node:child_process and with it the sockets (5 ms).
  'wsl-utils': "export const isWsl = false\nexport const powerShellPath = async () => 'powershell.exe'",
  // ansi-styles, for colours by number; nothing asks it for one.
  'color-convert': 'module.exports = {}',
  'cli-spinners': "module.exports = { line: { frames: ['-', '|'] }, dots2: { frames: ['-', '|'] } }",
}
const ABSENT_FILTER = new RegExp(`^(${Object.keys(ABSENT).join('|')})$`)

interface Replacement {
  readonly file: RegExp
  readonly from: string
  readonly to: string
}

/** A package of another version may read otherwise: the build fails where a text is not found. */
const REPLACEMENTS: readonly Replacement[] = [
  {
    // Sorting all commands with localeCompare loads ICU's collation (6 to 8 ms); their ids are ASCII.
    file: /@oclif\/core\/lib\/config\/plugin\.js$/,
    from: 'a.id.localeCompare(b.id)',
    to: '(a.id < b.id ? -1 : a.id > b.id ? 1 : 0)',
  },
  {
    // Small files, read one after another: node:fs/promises brings the readline module and waits for a thread (3 ms).
    file: /@oclif\/core\/lib\/util\/fs\.js$/,
    from: "await (0, promises_1.readFile)(path, 'utf8')",
    to: "(0, node_fs_1.readFileSync)(path, 'utf8')",
  },
  {
    // A template is compiled for each text of a help; most hold nothing to fill in.
    file: /@oclif\/core\/lib\/help\/util\.js$/,
    from: 'return ejs_1.default.render(t, context)',
    to: "return t.includes('<%') ? ejs_1.default.render(t, context) : t",
  },
  {
    // The regular expression of all emoji is made anew for each word that is wrapped; help is ASCII.
    file: /string-width\/index\.js$/,
    from: 'string = stripAnsi(string);',
    to: 'if (/^[\\x20-\\x7e]*$/.test(string)) return string.length; string = stripAnsi(string); if (/^[\\x20-\\x7e]*$/.test(string)) return string.length;',
  },
]

/** @param root where the bundle's own modules look for packages */
export function leaner(root: string): Plugin {
  return {
    name: 'leaner',
    setup({ onEnd, onLoad, onResolve }) {
      const unused = new Set(REPLACEMENTS)
      onResolve({ filter: ABSENT_FILTER }, ({ path }) => ({ path, namespace: 'absent' }))
      onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({ contents: ABSENT[path] ?? '' }))
      onResolve({ filter: /^@oclif\/core$/ }, () => ({ path: OCLIF, namespace: 'oclif' }))
      onLoad({ filter: /.*/, namespace: 'oclif' }, ({ path }) => ({ contents: path, resolveDir: root }))
      onLoad({ filter: /(@oclif[\\/]core[\\/]lib[\\/].*|string-width[\\/]index)\.js$/ }, async ({ path }) => {
        let text = await readFile(path, 'utf8')
        for (const replacement of REPLACEMENTS) {
          if (!replacement.file.test(path.replaceAll('\\', '/')) || !text.includes(replacement.from)) continue
          text = text.replace(replacement.from, () => replacement.to)
          unused.delete(replacement)
        }
        const later = text.replaceAll(REQUIRED, (_line, name, load) => `const ${name} = __later(() => ${load});`)
        return { contents: later === text ? text : later.replace('"use strict";', `"use strict";${LAZY}`) }
      })
      onEnd(() => ({
        errors: [...unused].map(({ file, from }) => ({ text: `«${from}» is not in ${file}: see scripts/leaner.ts` })),
      }))
    },
  }
}
