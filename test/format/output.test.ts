import { expect } from 'chai'
import { type Output, UnknownColumnError, type View } from '../../src/format/output/index.js'
import { run, say } from '../../src/messages/index.js'
import { modulesLoadedBy } from '../loaded.js'
import { stand } from './streams.js'

const view: View<{ Id: number }> = { columns: [{ key: 'Id', kind: 'int' }] }

describe('what goes where', () => {
  it('keeps warnings and errors when quiet', async () => {
    const { output, stderr } = await stand({ quiet: true })
    output.note('a note')
    output.hint('a hint')
    output.warn('a warning')
    output.error('an error')
    expect(stderr.written).to.equal('Warning: a warning\nError: an error\n')
  })

  it('sorts cards, with an empty line between them', async () => {
    const { output, stdout } = await stand({ terminal: true, sort: ['-Id'] })
    expect(await output.records({ ...view, card: true }, [{ Id: 1 }, { Id: 2 }])).to.equal(2)
    expect(stdout.written).to.equal('Id  2\n\nId  1\n')
  })

  it('makes words safe', async () => {
    const { output, stderr } = await stand({ terminal: true })
    output.warn('item "\u001b]0;gone\u0007"\nis \u202efdp.exe')
    expect(stderr.written).to.equal('Warning: item "␛]0;gone␇"\nis <U+202E>fdp.exe\n')
  })

  it('shows asides to a person only', async () => {
    const human = await stand({ terminal: true, env: { NO_COLOR: '', FORCE_COLOR: '1' } })
    human.output.aside(`${human.output.paint.red('12')} held \u001b[2J \u001b[8mhidden`)
    expect(human.stdout.written).to.equal('\u001b[31m12\u001b[39m held ␛[2J ␛[8mhidden\n')
    for (const wish of [{}, { terminal: true, form: 'json' }] as const) {
      const { output, stdout, stderr } = await stand(wish)
      output.aside('12 held')
      expect(stdout.written + stderr.written).to.equal('')
    }
  })

  it('writes text as it is to a pipe and safely to a terminal, with one line end', async () => {
    const piped = await stand()
    piped.output.text('Title: \u001bx')
    expect(piped.stdout.written).to.equal('Title: \u001bx\n')
    const human = await stand({ terminal: true })
    human.output.text('a\n\u001bx\n')
    expect(human.stdout.written).to.equal('a\n␛x\n')
  })

  it('ends a record with the warnings and the commands of all messages, each command once, quiet or not', async () => {
    const next = [
      { command: 'seller jobs:undo 2', why: 'Restore the old prices' },
      { command: 'seller jobs:list', why: 'See all' },
    ]
    const warnings = ['no command', 'Two rows are held.\nThey were not sent.']
    for (const [wish, expected] of [
      [{ form: 'json' }, { Id: 1, warnings, next }],
      [
        { form: 'ndjson', quiet: true },
        { Id: 1, warnings, next },
      ],
      [{ form: 'json', columns: ['Id'] }, { Id: 1 }],
    ] as const) {
      const { output, stdout } = await stand({ ...wish, named: true })
      output.warn('no command')
      await output.record(view, { Id: 1 })
      output.warn('Two rows are held.\nThey were not sent.')
      output.hint(say`Restore the old prices with: ${run('jobs:undo', { id: 2 })}`)
      output.note(say`Again: ${run('jobs:undo', { id: 2 })}. See all with: ${run('jobs:list')}`)
      await output.settle()
      await output.settle()
      expect(JSON.parse(stdout.written)).to.deep.equal(expected)
    }
    const { output, stdout } = await stand({ form: 'json', named: true })
    await output.record(view, { Id: 1 })
    await output.record(view, { Id: 2 })
    await output.settle()
    expect(stdout.written).to.equal('{"Id":1}\n{"Id":2}\n')
  })

  it('ends a record around a list with them, whose rows do not wait for it', async () => {
    const next = [{ command: 'seller jobs:due', why: 'Send it' }]
    const within = { key: 'Rows', record: { JobId: 3 } }
    const rows = [{ Id: 1 }, { Id: 2 }]
    for (const [wish, own, list, expected] of [
      [{ form: 'json' }, within, rows, `{"JobId":3,"Rows":[\n{"Id":1},\n{"Id":2}\n],"next":${JSON.stringify(next)}}\n`],
      [{ form: 'json', columns: ['Id'] }, within, [], `{"JobId":3,"Rows":[],"next":${JSON.stringify(next)}}\n`],
      [{ form: 'json' }, undefined, rows, '[\n{"Id":1},\n{"Id":2}\n]\n'],
      [{ form: 'json' }, { ...within, isJsonLd: true }, [], '{"JobId":3,"Rows":[]}\n'],
      [{ form: 'ndjson' }, within, rows, '{"Id":1}\n{"Id":2}\n'],
      [{ form: 'yaml' }, within, [], 'JobId: 3\nRows: []\nnext:\n  - command: seller jobs:due\n    why: Send it\n'],
      [
        { form: 'yaml' },
        within,
        rows,
        'JobId: 3\nRows:\n  - Id: 1\n  - Id: 2\nnext:\n  - command: seller jobs:due\n    why: Send it\n',
      ],
    ] as const) {
      const { output, stdout } = await stand({ ...wish, named: true })
      await output.list(own === undefined ? view : { ...view, within: own }, list)
      output.hint(say`Send it with: ${run('jobs:due')}`)
      await output.settle()
      await output.settle()
      expect(stdout.written).to.equal(expected)
    }
    for (const [form, end] of [
      ['json', ',"warnings":["Look."]}'],
      ['yaml', 'warnings:\n  - Look.'],
    ] as const) {
      const { output, stdout } = await stand({ form, named: true })
      await output.list({ ...view, within }, rows)
      output.warn('Look.')
      await output.settle()
      expect(stdout.written.endsWith(`${end}\n`), stdout.written).to.equal(true)
    }
    const silent = await stand({ form: 'json', named: true })
    await silent.output.list({ ...view, within }, rows)
    await silent.output.settle()
    expect(silent.stdout.written).to.equal('{"JobId":3,"Rows":[\n{"Id":1},\n{"Id":2}\n]}\n')
    const many = await stand({ form: 'json', named: true })
    await many.output.list(
      { ...view, within },
      Array.from({ length: 200 }, (_, Id) => ({ Id, Text: 'x'.repeat(10_000) })),
    )
    expect(many.stdout.written.endsWith('x"}')).to.equal(true)
    await many.output.settle()
    expect(JSON.parse(many.stdout.written).Rows).to.have.length(200)
  })

  it('ends a record around a list before what is written after it', async () => {
    const { output, stdout } = await stand({ form: 'json', named: true })
    await output.list({ ...view, within: { key: 'Rows', record: {} } }, [])
    await output.record(view, { Id: 1 })
    await output.list(view, [])
    expect(stdout.written).to.equal('{"Rows":[]}\n{"Id":1}\n[]\n')
  })

  it('escapes in JSON what JSON.stringify leaves and a terminal obeys', async () => {
    const { output, stdout } = await stand({ form: 'json' })
    const title = 'a\u009b31m\u202eb\u2066\u007f\ud800'
    output.json({ title })
    expect(stdout.written).to.equal('{"title":"a\\u009b31m\\u202eb\\u2066\\u007f\\ud800"}\n')
    expect(JSON.parse(stdout.written)).to.deep.equal({ title })
  })
})

describe('a list that breaks off', () => {
  async function* breaking(good: number, size: number): AsyncGenerator<{ Id: number; Text: string }> {
    for (let Id = 0; Id < good; Id++) yield { Id, Text: 'x'.repeat(size) }
    throw new Error('the connection was lost')
  }
  const failed = async (output: Output, rows: AsyncIterable<{ Id: number }>) => {
    try {
      await output.list(view, rows)
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }

  it('leaves stdout to the error document while the array was held back', async () => {
    const { output, stdout } = await stand({ form: 'json' })
    expect(await failed(output, breaking(10, 10))).to.equal('the connection was lost')
    output.json({ error: {} })
    expect(stdout.written).to.equal('{"error":{}}\n')
  })

  it('says so when the array stands begun on stdout', async () => {
    const { output, stdout } = await stand({ form: 'json' })
    expect(await failed(output, breaking(30, 100_000))).to.equal('the connection was lost')
    output.error('the connection was lost')
    expect(stdout.written).to.match(/^\[\n\{"Id":0/)
    expect(() => JSON.parse(stdout.written)).to.throw()
  })

  it('writes the rows it had, line by line', async () => {
    const { output, stdout } = await stand({ form: 'ndjson' })
    await failed(output, breaking(2, 1))
    output.error('the connection was lost')
    expect(stdout.written).to.equal('{"Id":0,"Text":"x"}\n{"Id":1,"Text":"x"}\n')
  })
})

describe('streams', () => {
  it('writes while it reads', async () => {
    const { output, stdout } = await stand({ form: 'ndjson' })
    const seen: string[] = []
    async function* slow() {
      for (const Id of [1, 2]) {
        yield { Id }
        await new Promise((resolve) => setTimeout(resolve, 5))
        seen.push(stdout.written)
      }
    }
    await output.list(view, slow())
    expect(seen).to.deep.equal(['{"Id":1}\n', '{"Id":1}\n{"Id":2}\n'])
  })

  it('waits for a slow reader and loses nothing', async () => {
    const { output, stdout } = await stand({ form: 'ndjson' })
    stdout.takes = false
    const rows = Array.from({ length: 20_000 }, (_, Id) => ({ Id }))
    let [made, ahead] = [0, 0]
    function* read() {
      for (const row of rows) {
        made += JSON.stringify(row).length + 1
        ahead = Math.max(ahead, made - stdout.written.length)
        yield row
      }
    }
    await output.list(view, read())
    expect(ahead, 'characters that are held').to.be.within(20_000, 100_000)
    expect(stdout.written.split('\n')).to.have.length(20_001)
    expect(stdout.writes).to.be.within(5, 100)
  })

  it('stops reading when nobody reads the rows any more', async () => {
    const { output, stdout } = await stand({ form: 'ndjson' })
    let taken = 0
    function* endless() {
      for (;;) {
        if (++taken === 5) stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
        yield { Id: taken }
      }
    }
    expect(await output.list(view, endless())).to.equal(5)
  })

  it('passes on that the disk is full', async () => {
    const { output, stdout } = await stand({ form: 'csv' })
    stdout.write = () => {
      setImmediate(() => stdout.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' })))
      return true
    }
    let message = ''
    await output.list(view, [{ Id: 1 }]).catch((error: Error) => {
      message = error.message
    })
    expect(message).to.equal('no space left')
  })
})

describe('names of columns', () => {
  it('are judged before the first row is asked for', async () => {
    let asked = false
    function* rows() {
      asked = true
      yield { Id: 1 }
    }
    for (const wish of [{ columns: ['Idd'] }, { sort: ['-Idd'] }]) {
      const { output } = await stand(wish)
      const error = await output.list(view, rows()).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).to.be.instanceOf(UnknownColumnError)
      expect((error as UnknownColumnError).hint).to.equal('Did you mean Id? Known: Id.')
    }
    expect(asked).to.equal(false)
  })
})

describe('what is loaded', () => {
  const loadedFor = async (form: string, where: 'terminal' | 'pipe') => {
    const { code, stderr, urls } = await modulesLoadedBy(new URL('one-list.ts', import.meta.url), form, where)
    expect(code, stderr).to.equal(0)
    return ['chalk', 'cli-table3'].filter((name) => urls.some((url) => url.includes(`/node_modules/${name}/`)))
  }

  it('is nothing for JSON in a pipe, and chalk and cli-table3 for a table on a terminal', async () => {
    expect(await loadedFor('json', 'pipe')).to.deep.equal([])
    expect(await loadedFor('table', 'terminal')).to.deep.equal(['chalk', 'cli-table3'])
  })
})
