/** Parts of the bundle (scripts/leaner.ts): proxies of things that are made at their first use. */
const LATER = Symbol.for('later')

/**
 * A proxy that forwards everything to a module.
 * @param load gives the module; called at each use, since `require` keeps what it has loaded
 * @param known facts about the module that are known before it is loaded: whether it is a function, and its mark of an ES module, which
 *   importers read at once
 */
export function later(load, known = {}) {
  // The target has no properties of its own: for a fixed one, a proxy could not answer freely.
  const target = known.isFunction ? class {}.bind() : {}
  for (const key of Reflect.ownKeys(target)) delete target[key]
  return new Proxy(target, new Traps(load, known))
}

/** The traps of a proxy: one class for all, since a start makes a hundred of them. */
class Traps {
  constructor(load, known) {
    this.load = load
    this.known = known
  }

  get(_, key) {
    const { load, known } = this
    if (key === LATER) return (change) => later(() => change(load()))
    return key === '__esModule' && 'isEsModule' in known ? known.isEsModule : load()[key]
  }

  getOwnPropertyDescriptor(_, key) {
    const found = Reflect.getOwnPropertyDescriptor(this.load(), key)
    return found && { ...found, configurable: true }
  }

  static {
    for (const trap of Object.getOwnPropertyNames(Reflect))
      Traps.prototype[trap] ??= function (_, ...given) {
        return Reflect[trap](this.load(), ...given)
      }
  }
}

/** A report of the C library of this process alone, as its memory map names it. @returns undefined unless that is glibc */
function reportOfGlibc() {
  try {
    const maps = process.getBuiltinModule('node:fs').readFileSync('/proc/self/maps', 'latin1')
    return maps.includes('/libc.so.6') ? { header: { glibcVersionRuntime: 'not read' } } : undefined
  } catch {
    return undefined
  }
}

const withShortReport = ({ report }) =>
  Object.create(report, { getReport: { value: () => reportOfGlibc() ?? report.getReport() } })

/** process.report, of which libsql asks for the C library alone, to choose its native file: the whole report takes 5 ms. */
export const LaterReport = /* @__PURE__ */ later(() => withShortReport(process))

const { ListFormat } = Intl

/** Intl.ListFormat, whose instances are made when a property is first read: got makes two at its start. */
export const LaterListFormat = /* @__PURE__ */ new Proxy(ListFormat, {
  construct(_, given) {
    let made
    const get = (_, key) => {
      made ??= new ListFormat(...given)
      return typeof made[key] === 'function' ? made[key].bind(made) : made[key]
    }
    return new Proxy(Object.create(ListFormat.prototype), { get })
  },
})
