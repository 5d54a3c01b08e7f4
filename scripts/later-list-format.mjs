/** Stands for Intl.ListFormat in the bundle (scripts/leaner.ts): the real one, made at its first use. */
const { ListFormat } = Intl

export class LaterListFormat {
  #options
  #real

  constructor(...options) {
    this.#options = options
  }

  format(list) {
    this.#real ??= new ListFormat(...this.#options)
    return this.#real.format(list)
  }
}
