/** Questions to a person: keys in, answers out. A pair of streams stands for the terminal. */
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createPrompts, type Prompts, type Question } from '../../src/cli/prompts.js'
import { toSellerError } from '../../src/cli/translate.js'

const DOWN = '\u001b[B'

class Person {
  readonly stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => this.stdin })
  readonly stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  readonly prompts: Prompts
  #shown = ''

  constructor(plain = false) {
    this.stderr.on('data', (chunk) => {
      this.#shown += String(chunk)
    })
    this.prompts = createPrompts({ available: true, host: { stdin: this.stdin, stderr: this.stderr } as never, plain })
  }

  /** Text that was shown, without escape sequences. */
  get shown(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
    return this.#shown.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
  }

  /** Output until the text was shown. */
  async reads(text: string): Promise<string> {
    for (let tries = 0; !this.shown.includes(text) && tries < 2000; tries++) await sleep(5)
    const { shown } = this
    await this.sees(text)
    return shown
  }

  async sees(text: string): Promise<void> {
    for (let tries = 0; !this.shown.includes(text); tries++) {
      if (tries > 2000) throw new Error(`Never shown: ${text}\n${this.shown}`)
      await sleep(5)
    }
    this.#shown = ''
    // The question listens for keys in the turn after it is drawn.
    await sleep(20)
  }

  type(keys: string): void {
    this.stdin.write(keys)
  }

  /** Types once the text was shown. */
  async answers(text: string, keys: string): Promise<void> {
    await this.sees(text)
    this.type(keys)
  }
}

const question = (more: Partial<Question<'a'>>): Question<'a'> => ({
  key: 'a',
  flag: '--a',
  message: 'Name',
  kind: 'text',
  ...more,
})

describe('questions to a person', () => {
  let person: Person
  beforeEach(() => {
    person = new Person()
  })

  it('are asked again until there is an answer, and it is trimmed', async () => {
    const answers = person.prompts.fill([question({})])
    await person.answers('Name', '\r')
    await person.answers('An answer is required.', '  Vas \r')
    expect(await answers).to.deep.equal({ a: 'Vas' })
  })

  it('take an empty answer where one is optional, which is then absent', async () => {
    const answers = person.prompts.fill([question({ optional: true })])
    await person.answers('Name', '\r')
    expect(await answers).to.deep.equal({})
  })

  it('take whole numbers where one is asked for, and say why a text is not accepted', async () => {
    const check = (answer: string) => (answer === '5' ? undefined : 'Only five.')
    const answers = person.prompts.fill([question({ kind: 'int', check })])
    await person.answers('Name', '1.5\r')
    await person.answers('Give a whole number.', '\u007f\u007f\u007f12x\r')
    await person.answers('Give a whole number.', '\u007f\u007f\u007fx12\r')
    await person.answers('Give a whole number.', '\u007f\u007f\u007f-12\r')
    await person.answers('Only five.', '\u007f\u007f\u007f+6\r')
    await person.answers('Only five.', '\u007f\u007f6\r')
    await person.answers('Only five.', '\u007f5\r')
    expect(await answers).to.deep.equal({ a: '5' })
  })

  it('say why over several lines where the terminal is narrow', async () => {
    person.stderr.columns = 20
    const answers = person.prompts.fill([
      question({ check: (answer) => (answer === 'b' ? undefined : 'Give b, and nothing else.') }),
    ])
    await person.answers('Name', 'a\r')
    await person.answers('Give b, and', '\u007fb\r')
    expect(await answers).to.deep.equal({ a: 'b' })
  })

  it('are broken between words, and so is a text before them, but no address', async () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
    const address = `https://${'x'.repeat(90)}`
    person.prompts.show(`! ${words}\n  ${words}\n  ${address}`)
    const before = await person.reads('xxx')
    expect(before.split('\n')).to.satisfy((lines: string[]) => lines.every((line) => line.length < 80 || line.includes(address)))
    expect(before.match(/^ {2}word\d+/gm)).to.have.lengthOf(5)
    for (const [ask, last] of [
      [() => person.prompts.confirm({ message: `${words}?`, flag: '--yes', given: undefined }), '(y/N)'],
      [() => person.prompts.confirm({ message: words, flag: '--yes', given: undefined, typed: 'yes' }), 'confirm:'],
      [() => person.prompts.fill([question({ message: words })]), 'word29'],
    ] as const) {
      person = new Person()
      const asked = ask()
      const shown = await person.reads(last)
      expect(shown.split(/\s+/)).to.include.members(words.split(' ').slice(0, 29))
      person.type('n\r')
      await asked.catch(() => undefined)
    }
  })

  it('take texts that are no numbers where none is asked for', async () => {
    const answers = person.prompts.fill([question({}), { ...question({ kind: 'int' }), key: 'a' }])
    await person.answers('Name', '1.5\r')
    await person.answers('Name', '7\r')
    expect(await answers).to.deep.equal({ a: '7' })
  })

  it('offer a default, and put one into the line to be edited', async () => {
    const kept = person.prompts.fill([question({ default: 'Vas' })])
    await person.answers('Vas', '\r')
    expect(await kept).to.deep.equal({ a: 'Vas' })
    const edited = person.prompts.fill([question({ default: 'Vas', editable: true })])
    await person.answers('Vas', 'e\r')
    expect(await edited).to.deep.equal({ a: 'Vase' })
  })

  it('show no secret', async () => {
    const answers = person.prompts.fill([question({ kind: 'secret' })])
    await person.answers('Name', '\r')
    await person.answers('An answer is required.', ' hush \r')
    expect(await answers).to.deep.equal({ a: 'hush' })
    expect(person.shown).to.include('******')
    expect(person.shown).to.not.include('hush')
  })

  it('are a choice among few: the default first, keys move', async () => {
    const choices = [
      { name: 'Red', value: 'r' },
      { name: 'Green\u001b[2J', value: 'g' },
      { name: 'Blue', value: 'b' },
    ]
    const picked = person.prompts.fill([question({ kind: 'select', choices, default: 'g' })])
    await person.answers('Blue', `${DOWN}\r`)
    expect(await picked).to.deep.equal({ a: 'b' })
    const first = person.prompts.fill([question({ kind: 'select', choices, default: 'g' })])
    await person.answers('Blue', '\r')
    expect(await first).to.deep.equal({ a: 'g' })
  })

  it('are a choice among many, found by typing, and a choice that completes the line goes on', async () => {
    const source = (term: string) => [
      { value: `${term}/`, name: 'folder/' },
      { value: `${term}file`, name: `${term}file` },
    ]
    const found = person.prompts.search({ message: 'Where', source, completes: (value) => value.endsWith('/') })
    await person.answers('folder/', 'a')
    await person.answers('afile', `${DOWN}\r`)
    expect(await found).to.equal('afile')
  })

  it('are any number of a few, checked together', async () => {
    const choices = ['a', 'b', 'c'].map((value) => ({ value, name: value.toUpperCase() }))
    const check = (values: readonly string[]) => (values.length > 1 ? undefined : 'Choose two.')
    const many = person.prompts.many({ message: 'Which', choices, chosen: ['b'], check })
    await person.answers('Which', '\r')
    await person.answers('Choose two.', ' \r')
    expect(await many).to.have.members(['a', 'b'])
  })

  it('are a yes that is typed, or a declined run', async () => {
    const confirmation = { message: 'Send 3 prices?', flag: '--yes', given: undefined }
    /** Outcome of a confirmation that is answered with these keys. */
    const ended = async (keys: string, typed?: string): Promise<string> => {
      const asked = new Person()
      const done = asked.prompts.confirm({ ...confirmation, typed }).then(
        () => 'confirmed',
        ({ code }: { code: string }) => code,
      )
      await asked.answers(typed === undefined ? 'Send 3 prices?' : 'Type 3 to confirm:', keys)
      return done
    }
    expect(await ended('y\r')).to.equal('confirmed')
    expect(await ended('\r'), 'no by default').to.equal('declined')
    expect(await ended(' 3 \r', '3')).to.equal('confirmed')
    expect(await ended('n\r', '3')).to.equal('declined')
    expect(await ended('\r', '3')).to.equal('declined')
    const asked = new Person()
    const done = asked.prompts.confirm({ ...confirmation, typed: '3' })
    for (const wrong of ['4', 'y']) {
      await asked.answers('Type 3', `${wrong}\r`)
      await asked.answers('That is not 3. Type 3 to go ahead, or n to stop.', '\u0015')
    }
    asked.type('3\r')
    await done
  })

  it('are not asked where the flag is given, and name every missing flag where nobody is there', async () => {
    await person.prompts.confirm({ message: 'Send?', flag: '--yes', given: true })
    expect(person.shown).to.equal('')
    const alone = createPrompts({ available: false, host: { stdin: person.stdin, stderr: person.stderr } as never })
    const missing = await alone
      .fill([question({}), { ...question({}), flag: '--b' }, { ...question({ optional: true }), flag: '--c' }])
      .catch((error: unknown) => error)
    expect(missing).to.deep.include({
      code: 'missing_flags',
      message: 'Missing: --a, --b.',
      hint: 'Prompts are off (no terminal, --no-input or CI), so give all of them as flags. See --help.',
      details: { missing: ['--a', '--b'] },
    })
    expect(await alone.fill([question({})]).catch((error: unknown) => error)).to.deep.include({
      message: 'Missing: --a.',
      hint: 'Prompts are off (no terminal, --no-input or CI), so give --a. See --help.',
      details: { missing: ['--a'] },
    })
    expect(await alone.fill([question({ optional: true })])).to.deep.equal({})
    const unsure = await alone.confirm({ message: 'Send?', flag: '--yes', given: undefined }).catch((error: unknown) => error)
    expect(unsure).to.deep.include({
      code: 'confirmation_missing',
      message: 'Send? Not confirmed; nothing was done.',
      hint: 'Prompts are off (no terminal, --no-input or CI), so confirm with --yes.',
      details: { flag: '--yes' },
    })
    expect(person.shown, 'nobody was asked').to.equal('')
  })

  it('may have a text before them, without codes that a terminal obeys', async () => {
    person.prompts.show('A plan\nof two\u001b[2J lines')
    await sleep(5)
    expect(person.shown).to.match(/^A plan\nof two.* lines\n$/)
  })
})

describe('questions where nothing may be drawn', () => {
  let person: Person
  beforeEach(() => {
    person = new Person(true)
  })

  it('are a line each, asked again until the answer will do, or take the default', async () => {
    const check = (answer: string) => (answer === '5' ? undefined : 'Only five.')
    const answers = person.prompts.fill([question({ kind: 'int', check }), { ...question({ default: 'Vas' }), key: 'a' }])
    expect(await person.reads('Name: ')).to.equal('Name: ')
    person.type('\n')
    await person.answers('An answer is required.\nName: ', '6\n')
    await person.answers('Only five.\nName: ', ' 5 \n')
    await person.answers('Name (Enter for Vas): ', '\n')
    expect(await answers).to.deep.equal({ a: 'Vas' })
  })

  it('show nothing of a secret', async () => {
    const answers = person.prompts.fill([question({ kind: 'secret' })])
    await person.answers('Name: ', 'hush\r')
    expect(await answers).to.deep.equal({ a: 'hush' })
    expect(person.shown).to.equal('\n')
  })

  it('take a choice among few by its number, or the default by Enter', async () => {
    const choices = [
      { name: 'Red', value: 'r' },
      { name: 'Green\u001b[2J', value: 'g', description: 'like grass' },
    ]
    for (const [given, last, chosen] of [
      [undefined, 'Number: ', 'r'],
      ['g', 'Number (2): ', 'g'],
    ] as const) {
      const picked = person.prompts.fill([question({ kind: 'select', choices, default: given })])
      expect(await person.reads(last)).to.equal(`Name\n1: Red\n2: Green␛[2J, like grass\n${last}`)
      for (const wrong of ['3', '0', 'Red', ...(given === undefined ? [''] : [])]) {
        person.type(`${wrong}\n`)
        await person.sees(`Give a number of the list.\n${last}`)
      }
      person.type(given === undefined ? '1\n' : '\n')
      expect(await picked).to.deep.equal({ a: chosen })
    }
  })

  it('take a choice among many by words and then a number, and go on below one that completes the line', async () => {
    const source = (term: string) =>
      term === 'none'
        ? []
        : [
            { value: `${term}/`, name: `${term}/` },
            { value: 'off', name: 'off', disabled: 'too large' },
          ]
    const found = person.prompts.search({ message: 'Where', source, completes: (value) => value.length < 3 })
    await person.answers('Where: ', 'none\n')
    await person.answers('Nothing found.\nNumber, or other words: ', 'a\n')
    await person.answers('1: a/\n2: off, too large\nNumber, or other words: ', '2\n')
    await person.answers('too large\nNumber, or other words: ', '1\n')
    await person.answers('1: a//\n', '1\n')
    expect(await found).to.equal('a//')
  })

  it('name the first of many', async () => {
    const source = () => Array.from({ length: 30 }, (_, at) => ({ value: String(at), name: `word ${at}` }))
    const found = person.prompts.search({ message: 'Where?', source })
    await person.answers('Where? ', 'word\n')
    const shown = await person.reads('Number, or other words: ')
    expect(shown)
      .to.match(/^The first 20 of 30:\n1: word 0\n/)
      .and.include('\n20: word 19\n')
      .and.not.include('word 20')
    person.type('20\n')
    expect(await found).to.equal('19')
  })

  it('take several by their numbers, none by 0, and what is chosen by Enter', async () => {
    const choices = ['a', 'b', 'c'].map((value) => ({ value, name: value.toUpperCase() }))
    const check = (values: readonly string[]) => (values.includes('c') ? 'Not c.' : undefined)
    const last = 'Numbers with spaces, 0 for none, or Enter for what is chosen: '
    for (const [typed, chosen] of Object.entries({ '1 2': ['a', 'b'], '1,2': ['a', 'b'], '0': [], '': ['b'] })) {
      const many = person.prompts.many({ message: 'Which', choices, chosen: ['b'], check })
      const asked = `Which\n1: A\n2: B, chosen\n3: C\n${last}`
      expect(await person.reads(last)).to.equal(asked)
      person.type('4\n')
      await person.answers(`Give numbers of the list.\n${asked}`, '3\n')
      await person.answers(`Not c.\n${asked}`, `${typed}\n`)
      expect(await many).to.deep.equal(chosen)
    }
  })

  it('are a yes that is typed, and end where the terminal does', async () => {
    for (const [typed, ended] of [
      ['y\n', 'confirmed'],
      ['Yes\n', 'confirmed'],
      ['\n', 'declined'],
      ['yesterday\n', 'declined'],
      [undefined, 'interrupted'],
    ] as const) {
      const asked = new Person(true)
      const done = asked.prompts.confirm({ message: 'Send?', flag: '--yes', given: undefined }).then(
        () => 'confirmed',
        (error: unknown) => toSellerError(error).code,
      )
      await asked.sees('Send? (y/N) ')
      if (typed === undefined) asked.stdin.end()
      else asked.type(typed)
      expect(await done, typed).to.equal(ended)
    }
  })

  it('are long lines that the terminal breaks', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
    person.prompts.show(words)
    expect(person.shown).to.equal(`${words}\n`)
  })
})
