import { Flags, Parser } from '@oclif/core'
import { expect } from 'chai'
import { dateTimeFlag, idArg, intFlag } from '../../src/cli/flags.js'
import { parseWhole } from '../../src/cli/readable.js'
import { SellerError } from '../../src/errors/index.js'
import { createTestHost } from '../test-host.js'
import { rejectedBy } from '../thrown.js'

const input = {
  args: { item: idArg({ required: true }) },
  flags: {
    since: dateTimeFlag(),
    limit: intFlag({ min: 1, max: 9 }),
    id: intFlag({ multiple: true, multipleNonGreedy: true }),
    type: Flags.option({ options: ['all', 'shop'] as const })(),
    json: Flags.boolean(),
    plain: Flags.boolean({ exclusive: ['json', 'type'] }),
    file: Flags.string({ dependsOn: ['limit', 'id'] }),
    force: Flags.boolean({ relationships: [{ type: 'some', flags: ['file', 'limit'] }] }),
  },
}

const parse = (...argv: string[]) =>
  parseWhole(input, (patient) => Parser.parse(argv, { ...patient, context: { host: createTestHost() } as never }))

type Refused = Error & { code?: string; exitCode?: number; details?: unknown }
const refusal = (...argv: string[]): Promise<Refused> => rejectedBy(Error, parse(...argv))

describe('a command line read as a whole', () => {
  it('gives the values that the parsers give', async () => {
    const { args, flags } = await parse(
      '7',
      '--since',
      '2026-11-30T18:00Z',
      '--limit',
      '9',
      '--id',
      '1',
      '--id',
      '2',
      '--type',
      'shop',
    )
    expect(args).to.deep.equal({ item: 7 })
    expect(flags).to.deep.equal({ since: '2026-11-30T18:00:00Z', limit: 9, id: [1, 2], type: 'shop' })
  })

  it('tells every value that cannot be read, choices and arguments among them', async () => {
    const error = await refusal('x', '--since', '2026-13-01', '--limit', '10', '--id', '1', '--id', 'q', '--type', 'car')
    expect(error).to.be.instanceOf(SellerError)
    expect(error).to.include({
      category: 'usage',
      code: 'invalid_values',
      exitCode: 2,
      hint: 'Nothing was sent. Correct the values and run the command again.',
    })
    const lines = error.message.split('\n').sort()
    expect(lines.map((line) => line.slice(0, line.indexOf('.')))).to.deep.equal([
      '--id: "q" is not a whole number',
      '--limit: "10" is not between 1 and 9',
      '--since: "2026-13-01" is not a date',
      '--type: "car" is not one of all, shop',
      'ITEM: "x" is not a whole number',
    ])
    expect((error.details as { faults: { field: string }[] }).faults).to.have.length(5)
  })

  it('leaves a single refusal as its parser threw it', async () => {
    const error = await refusal('7', '--since', 'x')
    expect(error).to.include({ code: 'invalid_date', exitCode: 2, message: '--since: "x" is not a date.' })
    expect(await refusal('7', '--type', 'car')).to.include({
      code: 'wrong_usage',
      message: '--type: "car" is not one of all, shop.',
    })
  })

  it('tells a missing argument and flags that exclude each other beside them', async () => {
    const missing = await refusal('--since', 'x')
    expect(missing).to.include({ category: 'usage', exitCode: 2 })
    expect(missing.message).to.match(/^--since: "x" is not a date\..*\nMissing argument: ITEM\.$/)
    const both = await refusal('7', '--limit', '0', '--json', '--plain')
    expect(both.message).to.match(
      /^--limit: "0" .*\n--json and --plain cannot be given together|--plain and --json cannot be given together/,
    )
  })

  it('names arguments that are missing, and words that are none', async () => {
    expect(await refusal()).to.include({
      code: 'missing_argument',
      message: 'Missing argument: ITEM.',
      hint: 'Give it after the command. See --help.',
    })
    expect(await refusal('7', 'x', 'a b')).to.include({
      code: 'unexpected_argument',
      message: 'Unexpected argument: "x", "a b".',
    })
  })

  it('names flags that do not go together by their rules, once and without their values', async () => {
    const both = await refusal('7', '--plain', '--json', '--type', 'all')
    expect(both).to.include({
      code: 'wrong_usage',
      message: '--json and --plain cannot be given together.',
      hint: 'Leave one of them out. See --help.',
    })
    expect((await refusal('7', '--plain', '--type', 'all')).message).to.equal('--type and --plain cannot be given together.')
    const none = await refusal('7', '--file', 'x')
    expect(none).to.include({ message: '--file needs --limit and --id.', hint: 'See --help.' })
    expect((await refusal('7', '--force')).message).to.equal('--force needs --file or --limit.')
    const needy = { flags: { kind: Flags.string({ required: true }) } }
    const bare = await rejectedBy(
      SellerError,
      parseWhole(needy, (patient) => Parser.parse([], patient)),
    )
    expect(bare).to.include({ message: 'Missing: --kind.', hint: 'See --help.' })
  })

  it('does not depend on the words of oclif', async () => {
    const strange = (argv: readonly string[]) =>
      parseWhole(input, (patient) =>
        Parser.parse([...argv], patient).catch((error: Error) => {
          error.message = 'Något är fel.'
          throw error
        }),
      )
    const message = async (...argv: string[]) => (await rejectedBy(Error, strange(argv))).message
    expect(await message()).to.equal('Missing argument: ITEM.')
    expect(await message('7', '--json', '--plain')).to.equal('--json and --plain cannot be given together.')
    expect(await message('7', '--type', 'car')).to.equal('--type: "car" is not one of all, shop.')
  })

  it('suggests the nearest of the choices', async () => {
    expect(await refusal('7', '--type', 'shp')).to.include({ hint: 'Did you mean shop?' })
    expect(await refusal('7', '--type', 'car')).to.include({ hint: 'Give one of these.' })
  })

  it('leaves an error that is none of a value as it is, and parses once', async () => {
    const mistake = new TypeError('Expected a miracle, to be one of: none')
    let parsed = 0
    const failing = (error: unknown) =>
      parseWhole(input, async () => {
        parsed++
        throw error
      }).catch((reason: unknown) => reason)
    expect(await failing(mistake)).to.equal(mistake)
    expect(await failing('Expected --type=x to be one of: all')).to.equal('Expected --type=x to be one of: all')
    expect(parsed).to.equal(2)
    const broken = { flags: { n: intFlag({ parse: () => Promise.reject(mistake) }) } }
    const own = await parseWhole(broken, (patient) => Parser.parse(['--n', '1'], patient)).catch((reason: unknown) => reason)
    expect(own).to.equal(mistake)
  })

  it('parses a line without choices once, and takes a text that has no parser as it is', async () => {
    const seen: unknown[] = []
    const plain = { flags: { text: { parse: undefined, options: ['a', 'b'] } } }
    const output = await parseWhole(plain as never, async (patient: typeof input) => {
      const { parse: read, options } = (patient.flags as unknown as Record<string, Record<string, unknown>>).text ?? {}
      seen.push(options)
      return (read as (text: string, context: unknown, itself: { name: string }) => unknown)('zzz', {}, { name: 'text' })
    })
    expect([output, seen]).to.deep.equal(['zzz', [['a', 'b']]])
  })
})
