/** The open elements: their names as written, to match their end tags, and the namespaces in scope (Namespaces in XML 1.0). */
import { Buffer } from 'node:buffer'
import { Broken, MAX_DEPTH, XmlError } from './xml.js'

const XML_URI = 'http://www.w3.org/XML/1998/namespace'
const XMLNS_URI = 'http://www.w3.org/2000/xmlns/'

export class Elements {
  /** Number of open elements. */
  depth = 0
  /** True if a child without a prefix is in the namespace of the innermost element, as in everything that .NET writes. */
  inherits = false
  /** True if the prefix xsi is bound, so that `xsi:nil` is well-formed. */
  hasXsi = false
  /** The name of the innermost element, as bytes. */
  name: Buffer = Buffer.alloc(0)
  readonly #names: Buffer[] = []
  readonly #uris: string[] = []
  /** For each open element: how many bindings there were before its own. */
  readonly #marks: number[] = []
  readonly #prefixes: string[] = ['xml']
  readonly #targets: string[] = [XML_URI]
  #bindings = 1

  /**
   * Binds a prefix for the element that is opened next. The empty prefix is the default namespace.
   * @throws {Broken}
   */
  declare(prefix: string, value: string, at: number): void {
    const uri = value.trim()
    if (prefix === 'xmlns') throw new Broken('the prefix "xmlns" cannot be declared', at)
    if (prefix !== '' && uri === '') throw new Broken(`the prefix "${prefix}" is bound to nothing`, at)
    if ((prefix === 'xml') !== (uri === XML_URI) || uri === XMLNS_URI) {
      throw new Broken(`the prefix "${prefix}" cannot be bound to "${uri}"`, at)
    }
    this.#prefixes[this.#bindings] = prefix
    this.#targets[this.#bindings] = uri
    this.#bindings++
  }

  /** Number of bindings. Read it before the declarations of an element, and give it to `push`. */
  get mark(): number {
    return this.#bindings
  }

  /** The namespace of a prefix; undefined if it has none. The empty prefix means the default namespace. */
  resolve(prefix: string): string | undefined {
    for (let i = this.#bindings - 1; i >= 0; i--) if (this.#prefixes[i] === prefix) return this.#targets[i]
    return prefix === '' ? '' : undefined
  }

  /** The namespace of the innermost element; undefined outside the root. */
  get uri(): string | undefined {
    return this.#uris[this.depth - 1]
  }

  /**
   * Opens an element after its declarations.
   * @throws {XmlError} if it is too deep
   */
  push(name: Buffer, uri: string, mark: number): void {
    this.#uris[this.depth] = uri
    this.#enter(name, mark)
    this.#look()
  }

  /** Opens an element without a prefix and without declarations while `inherits` is true; it stays true inside. */
  pushChild(name: Buffer): void {
    this.#uris[this.depth] = this.#uris[this.depth - 1] as string
    this.#enter(name, this.#bindings)
  }

  #enter(name: Buffer, mark: number): void {
    if (this.depth === MAX_DEPTH) throw new XmlError(`the XML nests deeper than ${MAX_DEPTH} elements`)
    this.#names[this.depth] = name
    this.#marks[this.depth] = mark
    this.name = name
    this.depth++
  }

  /** Closes the innermost element. */
  pop(): void {
    const depth = --this.depth
    if (depth === 0) return
    this.name = this.#names[depth - 1] as Buffer
    const before = this.#marks[depth] as number
    if (before === this.#bindings && this.#uris[depth] === this.#uris[depth - 1]) return
    this.#bindings = before
    this.#look()
  }

  #look(): void {
    this.inherits = this.resolve('') === this.#uris[this.depth - 1]
    this.hasXsi = this.resolve('xsi') !== undefined
  }
}

/** @throws {Broken} if the prefix is not bound */
export function boundUri(elements: Elements, prefix: string, at: number): string {
  const uri = prefix === 'xmlns' ? undefined : elements.resolve(prefix)
  if (uri === undefined) throw new Broken(`unbound namespace prefix "${prefix}"`, at)
  return uri
}
