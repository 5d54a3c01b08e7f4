/** Messages as data: their words at the edge of a run, and the commands in them. */
import { expect } from 'chai'
import {
  blank,
  count,
  duration,
  type Edge,
  GLUE,
  joined,
  money,
  nextCommands,
  ownHelp,
  run,
  say,
  textOf,
  typedCommand,
  type Words,
} from '../../src/messages/index.js'

/** `command | why`, for each. */
const listed = (words: Words, edge?: Edge): string[] => nextCommands(words, edge).map(({ command, why }) => `${command} | ${why}`)

describe('a message', () => {
  it('has words, values and commands', () => {
    const words = say`${count(1, 'row')} of ${count(5000, 'row')} and ${count(7000)} of item ${90000001} for ${money(1249.5)} in ${duration(90_000)}`
    expect(textOf(words)).to.equal('1 row of 5 000 rows and 7 000 of item 90000001 for 1 249.50 kr in 1 min 30 s')
  })

  it('shows amounts in the currency of each shop, side by side', () => {
    const words = say`It costs ${money(99)}.`
    const shown = ['kr', 'EUR', 'kr'].map((unit) => textOf(words, { unit: () => unit }))
    expect(shown).to.deep.equal(['It costs 99 kr.', 'It costs 99 EUR.', 'It costs 99 kr.'])
  })

  it('takes in another message, and follows one', () => {
    const one = say`Item ${7} is there.`
    const both = say`${one} See it with: ${run('items:show', { id: 7 })}`
    expect(textOf(both)).to.equal('Item 7 is there. See it with: seller items:show 7')
    expect(textOf(joined([one, undefined, '', 'Go on.', both]))).to.equal(`Item 7 is there. Go on. ${textOf(both)}`)
  })

  for (const [command, text] of [
    [run('items:list'), 'seller items:list'],
    [run('jobs:resume', { id: 7, '--wait': true, '--retry-failed': false }), 'seller jobs:resume 7 --wait'],
    [run('jobs:resume', { '--timeout': undefined, '--row': [3, 7] }), 'seller jobs:resume --row 3 --row 7'],
    [run('images:upload', { request: 7, file: blank('[FILE…]') }), 'seller images:upload 7 [FILE…]'],
    [run('shop:price', { price: blank('17=PRICE') }), 'seller shop:price 17=PRICE'],
    [run('service:check', { '--file': '100%.wsdl' }), 'seller service:check --file 100%.wsdl'],
    [run('service:check', { '--file': '' }), "seller service:check --file ''"],
    [run('service:check', { '--file': "the shop's.wsdl" }), "seller service:check --file 'the shop'\\''s.wsdl'"],
    [typedCommand('items:list', '--reference', 'A B'), "seller items:list --reference 'A B'"],
  ] as const) {
    it(`names ${text}`, () => expect(textOf(say`${command}`)).to.equal(text))
  }

  it('names only commands that can be typed', () => {
    // @ts-expect-error the id is required
    run('jobs:drop')
    // @ts-expect-error there is no such flag
    run('jobs:resume', { '--wiat': true })
    // @ts-expect-error a switch has no value
    run('jobs:resume', { '--wait': 'yes' })
    // @ts-expect-error words need names
    run('orders:list', '--unpaid')
    // @ts-expect-error there is no such command
    run('jobs:resumed')
  })

  it('names the profile of the run, but not of the sandbox nor of another', () => {
    const edge = { profile: 'my shop' }
    expect(textOf(say`See ${run('jobs:due')}, then go on.`, edge)).to.equal(
      "See seller jobs:due --profile 'my shop', then go on.",
    )
    expect(textOf(say`${run('sandbox:start')}`, edge)).to.equal('seller sandbox:start')
    expect(textOf(say`${run('jobs:undo', { id: 3, '--profile': 'b' })}`, edge)).to.equal('seller jobs:undo 3 --profile b')
    expect(textOf(say`${run('jobs:resume', { '--profiles': 'a,b' })}`, edge)).to.equal('seller jobs:resume --profiles a,b')
    expect(textOf(say`${typedCommand('help', 'items:list')}`, edge)).to.equal('seller help items:list')
    for (const flag of ['-p', '--profile', '--profiles']) {
      expect(textOf(say`${typedCommand('jobs:list', flag, 'b')}`, edge)).to.equal(`seller jobs:list ${flag} b`)
    }
    expect(textOf(say`${typedCommand()}`, edge)).to.equal("seller --profile 'my shop'")
    expect(textOf('The seller has to allow it.', edge)).to.equal('The seller has to allow it.')
  })

  it('quotes for the shells of Windows, and shows what they cannot quote as a blank', () => {
    const edge = { shell: 'windows' } as const
    const text = (file: string) => textOf(say`${run('service:check', { '--file': file })}`, edge)
    expect(text('C:/a b.wsdl')).to.equal('seller service:check --file "C:/a b.wsdl"')
    for (const name of ['100%.wsdl', '$a', '`a`', 'a"b', 'a\nb'])
      expect(text(name), name).to.equal('seller service:check --file FILE')
    expect(textOf(say`${run('items:show', { id: '100%' })}`, edge)).to.equal('seller items:show ID')
    expect(textOf(say`${typedCommand('help', '100%')}`, edge)).to.equal('seller help VALUE')
    expect(text('')).to.equal('seller service:check --file ""')
    expect(text('plain.wsdl')).to.equal('seller service:check --file plain.wsdl')
  })

  it('hides a secret, also one that spans two values', () => {
    const hide = (text: string) => text.replaceAll('k-12 34', '•••')
    const words = say`The key ${'k-12'} ${'34'} is no key: ${run('service:check', { '--file': 'k-12 34' })}`
    expect(textOf(words, { hide, glue: true })).to.equal("The key ••• is no key: seller service:check --file '•••'")
    expect(listed(words, { hide })).to.deep.equal(["seller service:check --file '•••' | The key ••• is no key"])
  })

  it('is held together where no line may be broken', () => {
    expect(textOf(say`For ${money(1249)} with ${run('items:list')} of a b`, { glue: true })).to.equal(
      `For 1${GLUE}249${GLUE}kr with seller${GLUE}items:list of a b`,
    )
    // A search for secrets that finds none changes nothing.
    expect(textOf(say`For ${money(1249)} of ${'a b'}`, { glue: true, hide: (text) => text })).to.equal(
      `For 1${GLUE}249${GLUE}kr of a b`,
    )
  })

  for (const [words, ...expected] of [
    [say`See your items with: ${run('items:list')}`, 'seller items:list | See your items'],
    [
      say`Nothing answers. Start a sandbox with: ${run('sandbox:start')}. See the address with: ${run('auth:status')}`,
      'seller sandbox:start | Start a sandbox',
      'seller auth:status | See the address',
    ],
    [
      say`It is not sent again. Check first: ${run('items:list')}, ${run('requests:list')}.`,
      'seller items:list | Check first',
      'seller requests:list | Check first',
    ],
    [
      say`Continue with: ${run('jobs:resume', { id: 3 })}. Or drop it with: ${run('jobs:drop', { id: 3 })}`,
      'seller jobs:resume 3 | Continue',
      'seller jobs:drop 3 | drop it',
    ],
    [say`Nothing is lost. Run ${run('jobs:due')} again.`, 'seller jobs:due | Run'],
    [
      say`${run('jobs:due')} sends the starts and ends. Let it run: ${run('schedule:show', { timer: 'cron' })}`,
      'seller jobs:due | seller jobs:due sends the starts and ends',
      'seller schedule:show cron | Let it run',
    ],
    [say`Look at "${'A. B; C'}" with: ${run('items:list')}`, 'seller items:list | Look at "A. B; C"'],
    [say`${'It broke off.'} Continue with: ${run('jobs:resume')}`, 'seller jobs:resume | Continue'],
    [say`See ${run('jobs:list')}, then ${run('jobs:list')}.`, 'seller jobs:list | See'],
    [
      say`It is known; see it (${run('jobs:list')}), and look at ${run('jobs:due')}.\nThen stop: ${run('items:list')}`,
      'seller jobs:list | see it',
      'seller jobs:due | look at',
      'seller items:list | Then stop',
    ],
    [say`${run('jobs:list')} shows ${'A. B'} now. It is kept.`, 'seller jobs:list | seller jobs:list shows A. B now'],
    [say`It stopped. ${run('jobs:list')} shows ${'1.5'}.`, 'seller jobs:list | seller jobs:list shows 1.5'],
    [say`Look at "${'A.  B'}" with: ${run('items:list')}`, 'seller items:list | Look at "A.  B"'],
    // A word that begins with "Or" or "and" is not one.
    [say`They are paid. Order labels with: ${run('jobs:due')}`, 'seller jobs:due | Order labels'],
    ['The seller has to allow the application first.'],
  ] as [Words, ...string[]][]) {
    it(`says what to do next: ${textOf(words)}`, () => expect(listed(words)).to.deep.equal(expected))
  }

  it('means the help of the command that runs', () => {
    const words = say`Give it after the command. See ${ownHelp}.`
    expect(textOf(words)).to.equal('Give it after the command. See --help.')
    expect(listed(words, { command: 'items:show' })).to.deep.equal(['seller items:show --help | See how it works'])
    expect(listed(words)).to.deep.equal([])
    expect(listed(say`Wait ${duration(1000)}.`, { command: 'items:show' })).to.deep.equal([])
  })

  it('is one of several: each command is named once, as it was first', () => {
    const several = [say`See it with: ${run('items:list')}`, 'It is kept.', say`Look with: ${run('items:list')}`]
    expect(nextCommands(several)).to.deep.equal([{ command: 'seller items:list', why: 'See it' }])
  })
})
