/** XML as a plain tree, without prefixes, namespace declarations and the white space of indentation: for comparing replies. */
import { SaxesParser } from 'saxes'

export interface Tree {
  readonly name: string
  readonly namespace: string
  readonly attributes: Record<string, string>
  readonly children: Tree[]
  text: string
}

/** Reads a document. @throws when it is not well-formed */
export function treeOf(xml: string): Tree {
  const parser = new SaxesParser({ xmlns: true })
  const root: Tree = { name: '', namespace: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.on('opentag', ({ local, uri, attributes }) => {
    const own = Object.values(attributes).filter(({ prefix, local: name }) => prefix !== 'xmlns' && name !== 'xmlns')
    const tree: Tree = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(own.map(({ local: name, value }) => [name, value])),
      children: [],
      text: '',
    }
    open[open.length - 1]?.children.push(tree)
    open.push(tree)
  })
  parser.on('text', (text) => {
    const last = open[open.length - 1]
    if (last !== undefined) last.text += text
  })
  parser.on('cdata', (text) => {
    const last = open[open.length - 1]
    if (last !== undefined) last.text += text
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (closed !== undefined && closed.children.length > 0) closed.text = ''
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  const [document] = root.children
  if (document === undefined) throw new Error('There is no root element.')
  return document
}

/** The element at a path of names; undefined if there is none. */
export function at(tree: Tree | undefined, ...path: string[]): Tree | undefined {
  return path.reduce<Tree | undefined>((found, name) => found?.children.find((child) => child.name === name), tree)
}

/** The content of a SOAP body. */
export function bodyOf(xml: string): Tree | undefined {
  return at(treeOf(xml), 'Body')?.children[0]
}

/** The text and the code of a fault of either SOAP version; undefined if there is no fault. */
export function faultOf(xml: string): { code: string; text: string } | undefined {
  const fault = at(treeOf(xml), 'Body', 'Fault')
  if (fault === undefined) return undefined
  const code = at(fault, 'faultcode') ?? at(fault, 'Code', 'Value')
  const text = at(fault, 'faultstring') ?? at(fault, 'Reason', 'Text')
  return { code: code?.text ?? '', text: text?.text ?? '' }
}
