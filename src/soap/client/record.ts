/** Records a reply's text: all of it for a raw call, its beginning for a trace. */
import { maskEnvelope } from '../wire/mask.js'

/** Characters of a reply that a trace shows. */
const SHOWN_LENGTH = 64 * 1024

/** Characters kept beyond those, so that a secret at the edge is whole when it is searched for. */
const MARGIN = 4 * 1024

export class ReplyRecord {
  #pieces: string[] = []
  #keptLength = 0
  #length = 0

  readonly #keepsAll: boolean

  constructor(keepsAll: boolean) {
    this.#keepsAll = keepsAll
  }

  add(piece: string): void {
    this.#length += piece.length
    if (!this.#keepsAll && this.#keptLength >= SHOWN_LENGTH + MARGIN) return
    this.#pieces.push(piece)
    this.#keptLength += piece.length
  }

  get text(): string {
    return this.#pieces.join('')
  }

  /**
   * The status and the beginning of the reply, secrets masked.
   * @param hide removes the secrets of this client
   */
  beginning(status: number, contentType: string | undefined, hide: (text: string) => string): string {
    const text = hide(maskEnvelope(this.text.slice(0, SHOWN_LENGTH + MARGIN))).slice(0, SHOWN_LENGTH)
    const more = this.#length > SHOWN_LENGTH ? `\n(${this.#length - SHOWN_LENGTH} more characters)` : ''
    return `<-- HTTP ${status}${contentType === undefined ? '' : ` ${contentType}`}\n${text}${more}`
  }
}
