/** The work of one shop in a run over several: it waits for its turn, goes on, and ends. */

/** Runs between two waits, or to its end. Whoever drives it lets one of them go on at a time. */
export class Turns<T> {
  #waiting: { readonly proceed: () => void; readonly end: (reason: unknown) => void } | undefined
  #moved: () => void = () => undefined
  #result: T | undefined

  /** What the work ended with; undefined while it has not. */
  get result(): T | undefined {
    return this.#result
  }

  /** Begins the work. Resolves when it waits or has ended. @param work never rejects */
  begin(work: () => Promise<T>): Promise<void> {
    return this.#until(() => {
      void work().then((result) => {
        this.#result = result
        this.#moved()
      })
    })
  }

  /** Called by the work: holds it until its next turn. @throws what it is ended with */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { proceed: resolve, end: reject }
      this.#moved()
    })
  }

  /** Lets the work go on. Resolves when it waits again or has ended. */
  next(): Promise<void> {
    return this.#until(() => this.#take()?.proceed())
  }

  /** Ends the work by an error if it waits. Resolves when it has ended. */
  async end(reason: unknown): Promise<void> {
    const waiting = this.#take()
    if (waiting !== undefined) await this.#until(() => waiting.end(reason))
  }

  #take() {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }

  #until(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#moved = resolve
      act()
    })
  }
}
