/** A program for output.test.ts: writes a list in the form it is given, to a terminal or not. */
import { createOutput } from '../../src/format/output/index.js'

const [form = '', where = ''] = process.argv.slice(2)
const stream = { write: () => true, on: () => 0, once: () => 0, off: () => 0, isTTY: where === 'terminal', columns: 80 }
const output = await createOutput({ stdout: stream, stderr: stream, env: {}, form } as unknown as Parameters<
  typeof createOutput
>[0])
await output.list({ columns: [{ key: 'Id' }] } as unknown as Parameters<typeof output.list>[0], [{ Id: 1 }])
