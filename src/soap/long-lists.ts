/**
 * Long lists of plain values, written beside xml2js: it takes 2 microseconds for an element, and a request of 500 prices has 1,500 of them
 * (measured: a quarter of all the CPU time of repricing a million items). xml2js builds the envelope around them.
 */
import { randomUUID } from 'node:crypto'
import type { Node } from './encode.js'

/** From this many entries on it pays. */
const LONG = 32

/** Text that needs no escaping and is no blank: the same in any XML writer. */
const PLAIN = /^[A-Za-z0-9.:+-]+$/

type Nodes = Record<string, Node | Node[] | Record<string, string>>

export interface CutTree {
  /** The tree with one entry in the place of every long list. */
  readonly tree: Node
  /** Puts the lists back into the text that was made of the tree. */
  restore(xml: string): string
}

/** Takes the long lists of plain values out of a tree; one without any comes back as it is. */
export function cutLongLists(tree: Node): CutTree {
  const mark = randomUUID()
  const lists: { element: string; text: string }[] = []
  const cut = (node: Node): Node => {
    if (typeof node === 'string') return node
    let copy: Nodes | undefined
    for (const [name, child] of Object.entries(node)) {
      const less = name === '$' ? child : Array.isArray(child) ? cutList(name, child) : cut(child as Node)
      if (less === child) continue
      copy ??= { ...(node as Nodes) }
      copy[name] = less
    }
    return (copy as Node | undefined) ?? node
  }
  const cutList = (name: string, entries: Node[]): Node | Node[] => {
    const text = entries.length < LONG ? undefined : plainEntries(name, entries)
    if (text === undefined) return entries
    const place = `${mark}-${lists.length}`
    lists.push({ element: `<${name}>${place}</${name}>`, text })
    return place
  }
  const less = cut(tree)
  const restore = (xml: string) => lists.reduce((whole, { element, text }) => whole.replace(element, () => text), xml)
  return { tree: less, restore }
}

/** The entries as elements; undefined when one of them is more than plain texts. */
function plainEntries(name: string, entries: readonly Node[]): string | undefined {
  let text = ''
  for (const entry of entries) {
    const inner = typeof entry === 'string' ? plainText(entry) : plainChildren(entry)
    if (inner === undefined) return undefined
    text += `<${name}>${inner}</${name}>`
  }
  return text
}

function plainChildren(entry: Exclude<Node, string>): string | undefined {
  let text = ''
  for (const name in entry) {
    const child = entry[name]
    const inner = typeof child === 'string' ? plainText(child) : undefined
    if (inner === undefined || name === '$') return undefined
    text += `<${name}>${inner}</${name}>`
  }
  return text === '' ? undefined : text
}

function plainText(text: string): string | undefined {
  return PLAIN.test(text) ? text : undefined
}
