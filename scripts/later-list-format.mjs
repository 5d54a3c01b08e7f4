/** Stands for Intl.ListFormat in the bundle (scripts/leaner.ts): the real one, made at its first use. */
const { ListFormat } = Intl

export class LaterListFormat {
  static supportedLocalesOf = ListFormat.supportedLocalesOf
  #options
  #real

  constructor(...options) {
    this.#options = options
  }

  get #made() {
    this.#real ??= new ListFormat(...this.#options)
    return this.#real
  }

  format(list) {
    return this.#made.format(list)
  }

  formatToParts(list) {
    return this.#made.formatToParts(list)
  }

  resolvedOptions() {
    return this.#made.resolvedOptions()
  }
}
