/** Reads YAML lists of items: a sequence of mappings, or one mapping per document. */
import { inputRefused } from './bytes.js'
import { type RowReader, withoutReasons } from './row-reader.js'
import type { InputForm } from './types.js'

/** Items are written by hand or by a script and take one call per row, so a larger file is something else. */
const MAX_YAML_BYTES = 16 * 1024 * 1024

/** True if the first line is YAML and not the header of a CSV: a dash, a document mark, a comment, or `Name:`. */
export function looksLikeYaml(firstLine: string): boolean {
  return /^(---(\s|$)|- |#(?!\s*[;,\t])|%YAML|[A-Za-z_]\w*:(\s|$))/.test(firstLine.trim())
}

/**
 * @param options `numbers` as values of YAML, or as they are written: `1e3` and `007` are numbers of YAML and not prices
 * @throws InputRefused naming the line that cannot be read
 */
export async function readYaml(
  chunks: AsyncIterable<Buffer>,
  reader: RowReader<string>,
  { numbers }: { readonly numbers: 'values' | 'as written' },
): Promise<InputForm> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_YAML_BYTES)
      throw inputRefused(`The YAML is larger than ${MAX_YAML_BYTES} bytes; give a file of this size as NDJSON or CSV.`)
    pieces.push(chunk)
  }
  // Loaded here, because other inputs do not need it.
  const { isMap, isSeq, parseYaml, plainYaml } = await import('./yaml-library.js')
  const { documents, lineOf, fault } = parseYaml(Buffer.concat(pieces).toString('utf8'), (node) => {
    if (numbers === 'as written' && typeof node.value === 'number' && node.source !== undefined) node.value = node.source
  })
  if (fault !== undefined) throw inputRefused(`cannot be read as YAML: ${fault.message}`, fault.line)
  for (const document of documents) {
    const root = document.contents
    if (root === null) continue
    const values = plainYaml(document)
    if (values === undefined) throw inputRefused('cannot be read as YAML: an alias (*) names an anchor (&) that is not there', 0)
    for (const [at, node] of (isSeq(root) ? root.items : [root]).entries()) {
      const line = lineOf(node)
      const value = isSeq(root) ? (values as unknown[])[at] : values
      if (isMap(node)) reader.object(value as Record<string, unknown>, line, undefined)
      else reader.faults.add(line, null, String(node), 'is not an item; an item is a list of its fields, such as Title: Lamp')
    }
  }
  return { kind: 'yaml', columns: withoutReasons(reader.columns) }
}
