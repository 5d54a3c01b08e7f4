/** What stands in the bundle for packages has the exports of those packages. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { build } from 'esbuild'
import { BUILTINS_LATER, leaner, STAND_INS } from '../../scripts/leaner.js'
import { root } from '../e2e/product.js'

const native = createRequire(import.meta.url)
const isClass = (value: unknown): boolean => typeof value === 'function' && /^class\b/.test(String(value))

/** A module of the bundle that has what a package is there. */
// biome-ignore lint/suspicious/noExplicitAny: any package.
async function moduleOf(name: string, required: (id: string) => unknown): Promise<{ exports: any }> {
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = require('${name}')`, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [leaner(root)],
    write: false,
  })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(module, module.exports, required)
  return module
}

const bundled = async (name: string) => (await moduleOf(name, native)).exports

describe('in the bundle', () => {
  const oclif = ['args', 'command', 'config', 'errors', 'flags', 'help', 'parser', 'settings', 'ux']
  for (const name of [...STAND_INS, ...oclif.map((part) => `@oclif/core/${part}`)]) {
    it(`${name} has every export of the package, of the same kind`, async () => {
      const [ours, real] = [await bundled(name), native(name)]
      // __esModule is Node's own mark on what it requires from an ES module.
      const kinds = (given: object) =>
        Object.entries({ ...given, itself: given })
          .filter(([key]) => key !== '__esModule')
          .map(([key, value]) => `${key}: ${isClass(value) ? 'class' : typeof value}`)
      expect(kinds(ours)).to.have.members(kinds(real))
    })
  }

  it('stand-ins can be called', async () => {
    expect((await bundled('@neon-rs/load')).currentTarget()).to.equal(native('@neon-rs/load').currentTarget())
    expect((await bundled('detect-libc')).familySync()).to.equal(native('detect-libc').familySync())
    const http2 = await bundled('http2-wrapper')
    expect([new http2.Agent() instanceof http2.Agent, http2.getDefaultSettings().enablePush]).to.deep.equal([true, true])
    const debug = await bundled('debug')
    for (const log of [debug('got'), debug.default('got').extend('more')])
      expect([log('secret'), log.enabled]).to.deep.equal([undefined, false])
  })

  for (const name of BUILTINS_LATER) {
    it(`node:${name} is loaded when something of it is first used, and is the whole of it`, async () => {
      const asked: string[] = []
      const { exports: stand } = await moduleOf(name, (id) => {
        asked.push(id)
        return native(id)
      })
      expect(asked).to.deep.equal([])
      const real = native(`node:${name}`)
      for (const key of Object.keys(real)) expect(stand[key] === real[key], key).to.equal(true)
      expect(asked).to.include(`node:${name}`)
    })
  }

  it('a command that lists what it reads loads no ledger, no reader of files and no plan before its first call', async () => {
    const { metafile } = await build({
      ...{ entryPoints: [join(root, 'src', 'commands', 'items', 'list.ts')], absWorkingDir: root, plugins: [leaner(root)] },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', outdir: 'out', metafile: true, write: false },
      ...{ external: ['typescript', 'ts-node', 'pnpapi'], logLevel: 'silent' },
    })
    const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint?.endsWith('items/list.ts'))
    const loaded = new Set([entry ?? ''])
    for (const path of loaded)
      for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) if (kind === 'import-statement') loaded.add(next)
    const sources = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
    expect(sources).to.include('src/actions/prices/live.ts')
    expect(sources.filter((path) => /^src\/(jobs|rows|pricing\/plan)\/|libsql/.test(path))).to.deep.equal([])
  })

  it('Intl.ListFormat has every method, with the same answers', async () => {
    // Not a literal: the file has no types.
    const file = new URL('../../scripts/later-list-format.mjs', import.meta.url).href
    const { LaterListFormat } = (await import(file)) as { LaterListFormat: typeof Intl.ListFormat }
    const made = [LaterListFormat, Intl.ListFormat].map((Class) => new Class('en', { type: 'disjunction' }))
    const [ours, real] = made as [Intl.ListFormat, Intl.ListFormat]
    for (const name of Object.getOwnPropertyNames(Intl.ListFormat.prototype)) expect(ours, name).to.respondTo(name)
    expect(ours.format(['a', 'b', 'c'])).to.equal(real.format(['a', 'b', 'c']))
    expect(ours.formatToParts(['a', 'b'])).to.deep.equal(real.formatToParts(['a', 'b']))
    expect(ours.resolvedOptions()).to.deep.equal(real.resolvedOptions())
    expect(LaterListFormat.supportedLocalesOf('sv')).to.deep.equal(Intl.ListFormat.supportedLocalesOf('sv'))
  })
})
