/** Reads YAML lists of items: a sequence of mappings, or one mapping per document. */
import type { Document } from 'yaml'
import { refused } from './bytes.js'
import type { FaultList } from './faults.js'
import { JsonColumns, kept, type RowReader } from './row-reader.js'
import type { InputForm } from './types.js'

/** Items are written by hand or by a script and take one call per row, so a larger file is something else. */
const MAX_YAML_BYTES = 16 * 1024 * 1024

/** Aliases of one document. The library compares each with all of them (yaml 2.9: 30,000 took more than ten minutes). */
const MAX_ALIASES = 1000

/** Whether the first line is YAML and not the header of a CSV: a dash, a document mark, a comment, or `Name:`. */
export function looksLikeYaml(firstLine: string): boolean {
  return /^(---(\s|$)|- |#(?!\s*[;,\t])|%YAML|[A-Za-z_]\w*:(\s|$))/.test(firstLine.trim())
}

/**
 * @param options `numbers` as values of YAML, or as they are written: `1e3` and `007` are numbers of YAML and not prices
 * @throws InputRefused naming the line that cannot be read
 */
export async function readYaml(
  chunks: AsyncIterable<Buffer>,
  reader: RowReader,
  faults: FaultList,
  { numbers }: { readonly numbers: 'values' | 'as written' },
): Promise<InputForm> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_YAML_BYTES)
      throw refused(`The YAML is larger than ${MAX_YAML_BYTES} bytes; give a file of this size as NDJSON or CSV.`)
    pieces.push(chunk)
  }
  // Loaded here, because other inputs do not need it.
  const { isMap, isSeq, LineCounter, parseAllDocuments, visit } = await import('./yaml-library.js')
  const counter = new LineCounter()
  // The library warns on stderr by itself, of keys that are no texts.
  const documents = parseAllDocuments(Buffer.concat(pieces).toString('utf8'), { lineCounter: counter, logLevel: 'error' })
  const columns = new JsonColumns(reader)
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors
    if (error !== undefined)
      throw refused(`cannot be read as YAML: ${error.message.split('\n')[0]}`, error.linePos?.[0].line ?? 0)
    let aliases = 0
    visit(document, {
      Scalar(_key, node) {
        if (numbers === 'as written' && typeof node.value === 'number' && node.source !== undefined) node.value = node.source
      },
      Alias(_key, { range }, path) {
        const line = range ? counter.linePos(range[0]).line : 0
        // Anchors that refer to anchors can make a small file grow without end.
        if (path.some((outer) => 'anchor' in outer && outer.anchor !== undefined))
          throw refused('cannot be read as YAML: an alias (*) stands within an anchor (&); write its value out', line)
        if (++aliases > MAX_ALIASES)
          throw refused(`cannot be read as YAML: it has more than ${MAX_ALIASES} aliases (*); write their values out`, line)
      },
    })
    const root = document.contents
    const nodes = isSeq(root) ? root.items : root === null ? [] : [root]
    const values: unknown[] = isSeq(root) ? plainOf(document) : [plainOf(document)]
    for (const [at, node] of nodes.entries()) {
      const offset =
        typeof node === 'object' && node !== null && 'range' in node ? (node.range as number[] | null)?.[0] : undefined
      const line = offset === undefined ? 0 : counter.linePos(offset).line
      if (isMap(node)) columns.row(values[at] as Record<string, unknown>, line, undefined)
      else faults.add(line, null, String(node), 'is not an item; an item is a list of its fields, such as Title: Lamp')
    }
  }
  return { kind: 'yaml', columns: kept(columns.names) }
}

/** The plain values. Their aliases are bounded by what was counted before. */
function plainOf(document: Document.Parsed): unknown[] {
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown[]
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw refused('cannot be read as YAML: an alias (*) names an anchor (&) that is not there', 0)
  }
}
