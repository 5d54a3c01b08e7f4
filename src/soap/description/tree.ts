/** Reads XML into a small tree with resolved names, as strictly and with the same bounds as replies. */
import { SaxesParser } from 'saxes'
import { DescriptionError } from './text.js'

/** Schemas nest a few levels per type, and types are defined side by side. */
const MAX_DEPTH = 100

/** The most elements of a description. The ones we have seen have 1,000 to 12,000. */
const MAX_ELEMENTS = 100_000

/** The most characters kept of one documentation text. */
const MAX_DOCUMENTATION = 1000

/** A name of XML Schema or WSDL: `tns:Item` where `tns` is the prefix of a namespace. */
export interface QName {
  readonly uri: string
  readonly local: string
}

export interface XmlNode extends QName {
  /** Attributes without a prefix, by name. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
  /** Text of a `documentation` element, else empty. */
  readonly text: string
  /** The prefixes that values of its attributes may use. */
  readonly scope: Scope
}

/** Prefixes in scope at an element. Most elements share those of their parent. */
class Scope {
  readonly #parent: Scope | undefined
  readonly #declarations: ReadonlyMap<string, string>

  constructor(parent: Scope | undefined, declarations: ReadonlyMap<string, string>) {
    this.#parent = parent
    this.#declarations = declarations
  }

  namespaceOf(prefix: string): string | undefined {
    return this.#declarations.get(prefix) ?? this.#parent?.namespaceOf(prefix)
  }
}

/** The name that a value such as `tns:Item` means; undefined if its prefix is not declared. */
export function qnameIn(node: XmlNode, value: string | undefined): QName | undefined {
  if (value === undefined) return undefined
  const [first = '', second] = value.trim().split(':')
  const uri = node.scope.namespaceOf(second === undefined ? '' : first)
  if (uri === undefined && second !== undefined) return undefined
  return { uri: uri ?? '', local: second ?? first }
}

/** The children with a namespace and one of the names. */
export function childrenOf(node: XmlNode, uri: string, ...locals: string[]): XmlNode[] {
  return node.children.filter((child) => child.uri === uri && locals.includes(child.local))
}

interface Open {
  uri: string
  local: string
  attributes: Map<string, string>
  children: XmlNode[]
  text: string
  scope: Scope
}

/**
 * Reads a whole document.
 * @returns its root element
 * @throws {DescriptionError} if it is not well-formed, has a DTD, an undeclared prefix or entity, or is over the limits
 */
export function readTree(text: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = []
  let root: XmlNode | undefined
  let elements = 0
  parser.on('error', ({ message }) => {
    throw new DescriptionError(
      'not-xml',
      `is not well-formed XML: ${message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')} (line ${parser.line})`,
    )
  })
  parser.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype)) throw webPage()
    throw new DescriptionError('not-xml', 'has a DTD, which is refused')
  })
  parser.on('opentag', (tag) => {
    const parent = open.at(-1)
    if (parent === undefined && tag.local.toLowerCase() === 'html') throw webPage()
    if (++elements > MAX_ELEMENTS)
      throw new DescriptionError('too-large', `has more than ${MAX_ELEMENTS} elements, which is the limit`)
    if (open.length >= MAX_DEPTH)
      throw new DescriptionError('too-large', `nests deeper than ${MAX_DEPTH} elements, which is the limit`)
    const attributes = new Map<string, string>()
    for (const { prefix, local, value } of Object.values(tag.attributes)) if (prefix === '') attributes.set(local, value)
    const declarations = Object.entries(tag.ns)
    const above = parent?.scope ?? new Scope(undefined, new Map())
    const scope = declarations.length === 0 ? above : new Scope(above, new Map(declarations))
    open.push({ uri: tag.uri, local: tag.local, attributes, children: [], text: '', scope })
  })
  const takeText = (piece: string): void => {
    const node = open.at(-1)
    if (node?.local === 'documentation') node.text = (node.text + piece).slice(0, MAX_DOCUMENTATION)
  }
  parser.on('text', takeText)
  parser.on('cdata', takeText)
  parser.on('closetag', () => {
    const node = open.pop()
    if (node === undefined) return
    const parent = open.at(-1)
    if (parent === undefined) root = node
    else parent.children.push(node)
  })
  parser.write(text).close()
  if (root === undefined) throw new DescriptionError('not-xml', 'is empty')
  return root
}

function webPage(): DescriptionError {
  return new DescriptionError('web-page', 'is a web page')
}
