/** Things that a suite opens before its tests and closes after them. */

interface Closing {
  close(): unknown
}

/**
 * Opens something once, before the tests of a suite, and closes it after them.
 * @returns it, for hooks and tests: it is not open before
 */
export function opened<T extends Closing>(open: () => T | Promise<T>): T {
  const { current, start, end } = holding(open)
  before(start)
  after(end)
  return current
}

/** Opens something before each test of a suite, and closes it after each. @returns the one of the test that runs */
export function openedForEach<T extends Closing>(open: () => T | Promise<T>): T {
  const { current, start, end } = holding(open)
  beforeEach(start)
  afterEach(end)
  return current
}

function holding<T extends Closing>(open: () => T | Promise<T>) {
  let it: T | undefined
  const now = (): T => {
    if (it === undefined) throw new Error('It is opened before the tests begin; use it in a hook or in a test.')
    return it
  }
  const current = new Proxy({} as T, {
    get(_, key) {
      const value: unknown = Reflect.get(now(), key)
      return typeof value === 'function' ? value.bind(now()) : value
    },
    set: (_, key, value) => Reflect.set(now(), key, value),
  })
  const start = async (): Promise<void> => {
    it = await open()
  }
  const end = async (): Promise<void> => {
    const last = it
    it = undefined
    await last?.close()
  }
  return { current, start, end }
}

/** Closes what a test has opened when its block ends, however it ends: `await using home = closing(await openHome())`. */
export function closing<T extends Closing>(it: T): T & Disposable & AsyncDisposable {
  return Object.assign(it, {
    [Symbol.dispose]: () => void it.close(),
    [Symbol.asyncDispose]: async () => void (await it.close()),
  })
}
