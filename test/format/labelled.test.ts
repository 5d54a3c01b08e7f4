/** The output of one part of a run. */
import { expect } from 'chai'
import { LabelledOutput, type Output } from '../../src/format/output/index.js'
import { money, run, say } from '../../src/messages/index.js'

describe('LabelledOutput', () => {
  const open = () => {
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
    return {
      said,
      output: new LabelledOutput({
        label: 'shop-a',
        whole,
        edge: () => ({ hide, profile: 'shop-a', unit: () => 'EUR' }),
        onNote,
      }),
    }
  }

  it('passes on warnings and progress with the name, and notes to whoever takes them, without secrets', () => {
    const { said, output } = open()
    output.warn('the secret is out')
    output.error('secret')
    output.note('a secret')
    output.note(say`a secret: ${run('jobs:show', { id: 7 })}`)
    output.note(say`costs ${money(1249.5)}`)
    output.hint()
    output.aside()
    for (const write of [output.list, output.record, output.json]) expect(write, 'a result of its own').to.throw(TypeError)
    const progress = output.progress({ kind: 'spinner', text: 'Reading' })
    progress.update({ text: 'Reading: 10' })
    progress.update({ done: 3 })
    progress.stop()
    expect(said).to.deep.equal([
      'warn shop-a: the ••• is out',
      'error shop-a: •••',
      'note a •••',
      'note a •••: seller jobs:show 7 --profile shop-a',
      'note costs 1 249.50 EUR',
      'progress shop-a: Reading',
      'update {"text":"shop-a: Reading: 10"}',
      'update {"done":3}',
      'stop',
    ])
  })
})
