/**
 * One form of 10,000 items, in a separate process: `output-one.ts FORM`. Prints the CPU time of writing them (without loading the
 * program) and the peak memory of the whole process. The form `JSON.stringify` is the plainest that JavaScript has.
 */
import { Writable } from 'node:stream'
import { createOutput, type Form } from '../src/format/output/index.js'
import { itemsView } from '../src/format/views/items.js'
import { item } from './item.js'

const ITEMS = 10_000
/** Columns of the terminal that a table is drawn for. */
const WIDTH = 120

const form = process.argv[2] ?? ''
const items = Array.from({ length: ITEMS }, (_, at) => item(1_000_000 + at))
let bytes = 0
/** Takes everything at once, as a terminal or a pipe with a quick reader does. */
const taker = (isTTY: boolean) =>
  Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        done()
      },
    }),
    { isTTY, columns: WIDTH },
  )

async function write(): Promise<void> {
  if (form === 'JSON.stringify') {
    const stream = taker(false)
    for (const item of items) stream.write(`${JSON.stringify(item)}\n`)
    return
  }
  const output = await createOutput({ stdout: taker(form === 'table'), stderr: taker(false), env: {}, form: form as Form })
  await output.list(itemsView, items)
}

const before = process.cpuUsage()
await write()
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024, note: String(bytes) }))
