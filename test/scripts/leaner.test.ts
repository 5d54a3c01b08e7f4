/** A package that waits in the bundle until it is used is then the module itself. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { build } from 'esbuild'
import { LATER, laterImports, leaner } from '../../scripts/leaner.js'
import { root } from '../e2e/product.js'

const native = createRequire(import.meta.url)

/**
 * The exports of a module that is bundled as the product is.
 * @param contents its text
 * @param required what it requires outside
 */
// biome-ignore lint/suspicious/noExplicitAny: any package.
async function bundled(contents: string, required: (id: string) => unknown): Promise<any> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, sourcefile: 'test.mjs' },
    ...{
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
      plugins: [leaner(root)],
      inject: [join(root, 'scripts', 'later.mjs')],
      external: ['libsql'],
    },
  })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', laterImports(outputFiles[0]?.text ?? ''))(module, module.exports, required)
  return module.exports
}

// Not literals: the file has no types.
const { later, LaterListFormat, LaterReport } = (await import(new URL('../../scripts/later.mjs', import.meta.url).href)) as {
  // biome-ignore lint/suspicious/noExplicitAny: any module.
  readonly later: (load: () => unknown, known?: object) => any
  readonly LaterListFormat: typeof Intl.ListFormat
  readonly LaterReport: typeof process.report
}

describe('in the bundle', () => {
  for (const name of LATER) {
    it(`${name} is loaded when it is first used, and is the whole of it`, async () => {
      const asked: string[] = []
      const exports = await bundled(
        `import imported from '${name}'\nimport * as all from '${name}'\nexport const required = require('${name}')\nexport { imported, all }`,
        (id) => {
          asked.push(id)
          return native(id)
        },
      )
      expect(asked).to.deep.equal([])
      const { required, imported, all } = exports
      const real = native(name)
      for (const found of [required, imported]) {
        expect(typeof found).to.equal(typeof real)
        expect(Reflect.ownKeys(found)).to.have.members(Reflect.ownKeys(real))
        for (const key of Object.keys(real)) expect(typeof found[key], key).to.equal(typeof real[key])
      }
      expect(Object.keys(all)).to.include.members(Object.keys(real))
      expect(typeof all.default).to.equal(typeof real)
    })
  }

  it('what waits is called, made, changed and looked into like the module', () => {
    const MARK = Symbol('mark')
    class Real {
      static [MARK] = 'by a symbol'
      static styles = Object.create({ bold: (text: string) => `*${text}*` })
      readonly given: readonly number[]
      constructor(...given: readonly number[]) {
        this.given = given
      }
    }
    const add = Object.assign((...all: readonly number[]) => all.length, { default: Real })
    Object.defineProperty(add, '__esModule', { value: true })
    let loaded = 0
    const wait = (real: unknown) =>
      later(
        () => {
          loaded++
          return real
        },
        { isFunction: true, isEsModule: true },
      )
    const [Class, call] = [wait(Real), wait(add)]
    expect([typeof Class, call.__esModule, loaded]).to.deep.equal(['function', true, 0])
    expect(call(1, 2)).to.equal(2)
    expect(new Class(1, 2)).to.deep.equal(new Real(1, 2))
    expect([new Class() instanceof Real, new Class() instanceof Class]).to.deep.equal([true, true])
    const Heir = class extends Class {} as typeof Real
    expect(new Heir(3)).to.be.instanceOf(Real).and.have.property('given').deep.equal([3])
    expect(Class[MARK]).to.equal('by a symbol')
    expect(Class.styles.bold('text')).to.equal('*text*')
    expect([MARK in Class, 'other' in Class]).to.deep.equal([true, false])
    expect(Object.getPrototypeOf(Class)).to.equal(Object.getPrototypeOf(Real))
    for (const [waiting, real] of [
      [Class, Real],
      [call, add],
    ] as const) {
      expect(Reflect.ownKeys(waiting)).to.deep.equal(Reflect.ownKeys(real))
      expect({ ...waiting }).to.deep.equal({ ...real })
      for (const key of Reflect.ownKeys(real))
        expect(Object.getOwnPropertyDescriptor(waiting, key)?.value).to.equal(Reflect.get(real, key))
    }
    Class.more = 1
    expect(Real).to.have.property('more', 1)
    delete Class.more
    expect(Real).not.to.have.property('more')
  })

  it('a command that lists what it reads loads no ledger, no reader of files and no plan before its first call', async () => {
    const { metafile } = await build({
      ...{ entryPoints: [join(root, 'src', 'commands', 'items', 'list.ts')], absWorkingDir: root, plugins: [leaner(root)] },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', outdir: 'out', metafile: true, write: false },
      ...{ external: ['typescript', 'ts-node', 'pnpapi', 'libsql'], logLevel: 'silent' },
    })
    const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint?.endsWith('items/list.ts'))
    const loaded = new Set([entry ?? ''])
    for (const path of loaded)
      for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) if (kind === 'import-statement') loaded.add(next)
    const sources = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
    expect(sources).to.include('src/actions/prices/live.ts')
    expect(sources.filter((path) => /^src\/(jobs|rows|pricing\/plan)\/|libsql/.test(path))).to.deep.equal([])
  })

  it('the report of the process says the same of the C library', () => {
    const libraries = [LaterReport, process.report].map((report) => {
      const { header } = report.getReport() as { header: object }
      return 'glibcVersionRuntime' in header
    })
    expect(libraries[0]).to.equal(libraries[1])
    expect(LaterReport.directory).to.equal(process.report.directory)
  })

  it('Intl.ListFormat has every method, with the same answers', () => {
    const made = [LaterListFormat, Intl.ListFormat].map((Class) => new Class('en', { type: 'disjunction' }))
    const [ours, real] = made as [Intl.ListFormat, Intl.ListFormat]
    for (const name of Object.getOwnPropertyNames(Intl.ListFormat.prototype)) expect(ours, name).to.respondTo(name)
    expect(ours).to.be.instanceOf(Intl.ListFormat)
    expect(ours.format(['a', 'b', 'c'])).to.equal(real.format(['a', 'b', 'c']))
    expect(ours.formatToParts(['a', 'b'])).to.deep.equal(real.formatToParts(['a', 'b']))
    expect(ours.resolvedOptions()).to.deep.equal(real.resolvedOptions())
    expect(LaterListFormat.supportedLocalesOf('sv')).to.deep.equal(Intl.ListFormat.supportedLocalesOf('sv'))
  })
})
