/**
 * The YAML library, in a module of its own so that it can be loaded late: it takes 10 ms, and a bundled CommonJS package gives a
 * dynamic import no names. With it, what it leaves without bounds.
 */
import { type Document, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseAllDocuments, type Scalar, visit } from 'yaml'

export { isMap, isSeq }

/** Aliases of one document. The library compares each with all of them (yaml 2.9: 30,000 took more than ten minutes). */
const MAX_ALIASES = 1000

export interface YamlFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** A sentence without a full stop. */
  readonly message: string
}

export interface ParsedYaml {
  readonly documents: readonly Document.Parsed[]
  /** The line of a node, from 1; 0 if it has none. */
  lineOf(node: unknown): number
  /** The first thing that cannot be read. Values are only plain without one. */
  readonly fault: YamlFault | undefined
}

/** Parses all documents of a text. @param scalar sees every value that is no collection, and may change it */
export function parseYaml(text: string, scalar?: (node: Scalar) => void): ParsedYaml {
  const lines = new LineCounter()
  // Its own check for keys that come twice compares each with all others: 30,000 took 8 s. The warnings it prints are not ours.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const
  const parsed = parseAllDocuments(text, options)
  const documents = Array.isArray(parsed) ? parsed : []
  const faultAt = (offset: number, message: string): YamlFault => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, message }
  }
  const documentFault = (document: Document.Parsed): YamlFault | undefined => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) return faultAt(problem.pos[0], problem.message.replace(/\.$/, ''))
    const fault = beyondBounds(document, scalar)
    return fault && faultAt(fault.node.range?.[0] ?? 0, fault.why)
  }
  return {
    documents,
    lineOf: (node) => {
      const offset = (node as ParsedNode | null)?.range?.[0]
      return offset === undefined ? 0 : lines.linePos(offset).line
    },
    fault: documents.map(documentFault).find((fault) => fault !== undefined),
  }
}

interface Found {
  readonly node: { readonly range?: readonly number[] | null }
  readonly why: string
}

function beyondBounds(document: Document.Parsed, scalar: ((node: Scalar) => void) | undefined): Found | undefined {
  let aliases = 0
  let fault: Found | undefined
  const stop = (node: Found['node'], why: string): symbol => {
    fault = { node, why }
    return visit.BREAK
  }
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key') scalar?.(node)
    },
    Map(_key, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (keys.has(name)) return stop(key as Found['node'], 'Map keys must be unique')
        keys.add(name)
      }
      return undefined
    },
    Alias(_key, node, path) {
      // Anchors that refer to anchors can make a small file grow without end.
      if (path.some((outer) => 'anchor' in outer && outer.anchor !== undefined))
        return stop(node, 'an alias (*) stands within an anchor (&); write its value out')
      return ++aliases > MAX_ALIASES
        ? stop(node, `it has more than ${MAX_ALIASES} aliases (*); write their values out`)
        : undefined
    },
  })
  return fault
}

/** The values of a document without a fault. @returns undefined where an alias names an anchor that is not there */
export function plainYaml(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 })
  } catch {
    return undefined
  }
}
