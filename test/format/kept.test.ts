/** The output of one part of a run. */
import { expect } from 'chai'
import { KeptOutput, type Output, type View } from '../../src/format/output/index.js'

interface Row {
  readonly Id: number
}
const view: View<Row> = { columns: [{ key: 'Id' }] }
const rows = [{ Id: 1 }, { Id: 2 }]

describe('KeptOutput', () => {
  const open = (keepRows = true) => {
    const said: string[] = []
    const whole = {
      warn: (text: string) => said.push(`warn ${text}`),
      error: (text: string) => said.push(`error ${text}`),
      progress: ({ text }: { text: string }) => {
        said.push(`progress ${text}`)
        return { update: (state: object) => said.push(`update ${JSON.stringify(state)}`), stop: () => said.push('stop') }
      },
    } as unknown as Output
    const onNote = (text: string): void => void said.push(`note ${text}`)
    const hide = (text: string): string => text.replaceAll('secret', '•••')
    return { said, output: new KeptOutput({ label: 'shop-a', whole, rows: keepRows, hide, onNote }) }
  }

  it('keeps what would have been written as JSON', async () => {
    const { output } = open()
    await output.record(view, { Id: 7 })
    expect(await output.list(view, rows)).to.equal(2)
    await output.list({ ...view, within: { key: 'Rows', record: { Sum: 3 } } }, rows, { limit: 1 })
    await output.list({ ...view, json: ({ Id }) => ({ id: Id }) }, rows)
    expect(output.results).to.deep.equal([{ Id: 7 }, rows, { Sum: 3, Rows: [{ Id: 1 }] }, [{ id: 1 }, { id: 2 }]])
  })

  it('does not read the rows of a record that no one will see', async () => {
    const { output } = open(false)
    const unread: Iterable<Row> = {
      [Symbol.iterator]() {
        throw new Error('read')
      },
    }
    await output.list({ ...view, within: { key: 'Rows', record: { Sum: 3 } } }, unread)
    expect(output.results).to.deep.equal([{ Sum: 3, Rows: [] }])
  })

  it('passes on warnings and progress with the name, and notes to whoever takes them, without secrets', () => {
    const { said, output } = open()
    output.warn('the secret is out')
    output.error('secret')
    output.note('a secret')
    output.hint()
    output.aside()
    const progress = output.progress({ kind: 'spinner', text: 'Reading' })
    progress.update({ text: 'Reading: 10' })
    progress.update({ done: 3 })
    progress.stop()
    expect(said).to.deep.equal([
      'warn shop-a: the ••• is out',
      'error shop-a: •••',
      'note a •••',
      'progress shop-a: Reading',
      'update {"text":"shop-a: Reading: 10"}',
      'update {"done":3}',
      'stop',
    ])
  })
})
