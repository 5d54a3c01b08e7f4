/** The reader of CSV next to a library: the same cells, and the line on which each record begins. */
import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { readCsv } from '../../src/rows/csv.js'

type Read = readonly [line: number, cells: readonly string[]]

/** Reads a text that comes in pieces of so many bytes. */
async function ours(text: string, delimiter: ',' | ';' | '\t', size: number): Promise<Read[]> {
  const bytes = Buffer.from(text)
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const records: Read[] = []
  await readCsv(pieces(), delimiter, (cells, line) => records.push([line, [...cells]]))
  return records
}

function library(text: string, delimiter: string): string[][] {
  return parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: delimiter === '\t',
    skip_empty_lines: true,
  })
}

const delimiters = fc.constantFrom(',' as const, ';' as const, '\t' as const)
const sizes = fc.constantFrom(1, 2, 3, 7, 64)

describe('a CSV', () => {
  it('has the cells that a library finds, however it is cut, and each record its line', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'å', '€', ' ', '"', ',', ';', '\t', '\n', '\r'), maxLength: 5 })
    const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    await fc.assert(
      fc.asyncProperty(records, delimiters, ends, sizes, async (rows, delimiter, end, size) => {
        const plain = (text: string) => text !== '' && !/[",;\t\r\n]/.test(text)
        const lines = rows.map((row) =>
          row.map((text) => (plain(text) ? text : `"${text.replaceAll('"', '""')}"`)).join(delimiter),
        )
        const text = lines.join(end)
        const found = await ours(text, delimiter, size)
        expect(found.map(([, cells]) => cells))
          .to.deep.equal(rows)
          .and.to.deep.equal(library(text, delimiter))
        const begins = lines.map((_, at) =>
          lines
            .slice(0, at)
            .join(end)
            .concat(at === 0 ? '' : end),
        )
        expect(found.map(([line]) => line)).to.deep.equal(begins.map((before) => before.split(/\r\n|\r|\n/).length))
      }),
    )
  })

  it('of any text is read as a library reads it, or refused where it refuses', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '"', '"', ',', '\t', '\n', '\r\n', '\r'), maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(texts, delimiters, sizes, async (text, delimiter, size) => {
        let wanted: string[][] | undefined
        try {
          wanted = library(text, delimiter)
        } catch {}
        const found = await ours(text, delimiter, size).catch(() => undefined)
        expect(found?.map(([, cells]) => cells)).to.deep.equal(wanted)
      }),
      { numRuns: 500 },
    )
  })
})
