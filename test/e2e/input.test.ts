/** Requests that items:add and shop:add make of flags, files and images: the request as a dry run shows it, or every fault of it, without a call. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ItemRequest, ShopItemData } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { Hands } from './clock.js'
import { openHome, type Run } from './harness.js'
import { PIXEL } from './observed.js'

const ITEM = ['--title', 'V', '--category', '1', '--start-price', '5']
const SHOP = ['--title', 'V', '--category', '1', '--price', '5']
const YAML = 'Title: V\nCategoryId: 1\nStartPrice: 5\n'

describe('the input of an item', () => {
  const home = opened(openHome)
  const clock = new Hands()
  before(() => {
    clock.time = Date.UTC(2026, 9, 5, 12)
  })

  const dry = (command: string, args: readonly string[], stdin?: string | Buffer): Promise<Run> =>
    home.run([command, ...args, '--dry-run', '--json'], { clock, stdin })
  const request = async (command: string, args: readonly string[], stdin?: string | Buffer) => {
    const run = await dry(command, args, stdin)
    expect(run.code, run.stdout + run.stderr).to.equal(EXIT.ok)
    return run.json().Request
  }
  const file = (stdin: string | Buffer, ...args: string[]) => request('items:add', ['--file', '-', ...args], stdin)
  const refused = async (command: string, args: readonly string[], stdin?: string | Buffer) => {
    const run = await dry(command, args, stdin)
    const { error } = run.json()
    expect(run.code, run.stdout).to.equal(error.exitCode)
    return error
  }
  const fields = ({ faults }: { faults: readonly { field: string }[] }) => faults.map(({ field }) => field)

  it('comes from YAML and JSON alike, and flags override', async () => {
    const json = JSON.stringify({ Title: 'V', CategoryId: 1, StartPrice: 5, ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }] })
    const yaml = `${YAML}ShippingOptions:\n  - ShippingOptionId: 8\n    Cost: 0\n`
    expect(await file(yaml, '--title', 'Kruka')).to.deep.equal(await file(json, '--title', 'Kruka'))
    expect(await file(yaml, '--title', 'Kruka')).to.include({ Title: 'Kruka', StartPrice: 5 })
    expect(await file(`${YAML}StartPrice: 1.5\n`.replace('StartPrice: 5\n', ''), '--start-price', '7')).to.include({
      StartPrice: 7,
    })
    const weight = 'ShippingOptions:\n  - {ShippingProviderId: 1, Cost: 9, ShippingWeight: 1.0}\n'
    expect((await file(YAML + weight)).ShippingOptions).to.deep.equal([{ ShippingProviderId: 1, Cost: 9, ShippingWeight: 1 }])
    expect(await file(`${YAML}Description:\nVAT: ~\n`)).to.not.have.any.keys('Description', 'VAT')
    expect((await file(`${YAML}CustomEndDate: 2026-10-10\n`)).CustomEndDate).to.equal('2026-10-10T00:00:00+02:00')
    const description = await home.file('text.html', '\uFEFF  Fin vas<br>\n\n')
    expect((await request('items:add', [...ITEM, '--description-file', description])).Description).to.equal('  Fin vas<br>')
  })

  for (const [written, why] of [
    ...['12.50', '100.0', '1e3', '0x10', "'100'", '1_000', 'true', '[5]'].map((text) => [text, 'must be a whole number']),
    ['-5', 'must be at least 0'],
    ['2147483648', 'does not fit in a 32-bit int'],
  ] as const) {
    it(`is refused for StartPrice: ${written} in a file`, async () => {
      const error = await refused('items:add', ['--file', '-'], `Title: V\nCategoryId: 1\nStartPrice: ${written}\n`)
      expect(error.exitCode).to.equal(EXIT.validation)
      expect(error.message).to.include('StartPrice (stdin, line 3)').and.include(why)
    })
  }

  const aliases = Array.from(
    { length: 9 },
    (_, at) =>
      `a${at}: &a${at} [${Array(10)
        .fill(at === 0 ? 'x' : `*a${at - 1}`)
        .join(', ')}]`,
  )
  for (const [name, text, why] of [
    ['nothing', '', 'is empty'],
    ['aliases that grow without end', aliases.join('\n'), ''],
    ['bytes that are text in no encoding', Buffer.from('Title: K\x81pa', 'latin1'), 'not text in utf-8'],
    ['UTF-8 only in part', Buffer.concat([Buffer.from('Title: Köpa\n'), Buffer.from('# \xf6\n', 'latin1')]), 'not text in utf-8'],
  ] as const) {
    it(`is refused for ${name} as a file: exit 2`, async () => {
      const error = await refused('items:add', ['--file', '-'], text)
      expect(error.exitCode).to.equal(EXIT.usage)
      expect(error.message.toLowerCase()).to.include(why)
    })
  }

  it('comes from stdin once, never from a terminal, and from no directory', async () => {
    const path = await home.file('item.yaml', YAML)
    await mkdir(join(home.dir, 'folder'))
    for (const [args, code] of [
      [['--file', '-', '--description-file', '-'], 'stdin_twice'],
      [['--file', 'folder'], 'unreadable_file'],
      [['--file', path, '--description-file', 'none'], 'unreadable_file'],
    ] as const) {
      expect((await refused('items:add', args, YAML)).code, args.join(' ')).to.equal(code)
    }
    const typed = await home.run(['items:add', '--file', '-', '--dry-run', '--json'], { clock, terminal: true })
    expect(typed.json().error.code).to.equal('stdin_is_terminal')
  })

  describe('of images', () => {
    const image = (Data: string, Format = 'Png') =>
      JSON.stringify({ Title: 'V', CategoryId: 1, Price: 5, ItemImages: [{ HasMega: false, Format, Data }] })

    it('has them in their order, those shown extra large last, and as many as the service takes', async () => {
      const paths = await Promise.all(['a.png', 'b.png', 'c.png'].map((name) => home.file(name, PIXEL.png)))
      const run = await dry('shop:add', [...SHOP, '--image', 'b.png', '--image', 'a.png', '--mega-image', 'c.png'])
      expect(run.json().Images.map(({ File, HasMega }: { File: string; HasMega: boolean }) => [File, HasMega])).to.deep.equal([
        [paths[1], false],
        [paths[0], false],
        [paths[2], true],
      ])
      const many = (count: number) => Array(count).fill(['--image', 'a.png']).flat()
      const own = await home.file('own.json', image(`@${paths[0]}`))
      expect((await dry('shop:add', ['--file', own, ...many(39)])).json().Images).to.have.length(40)
      expect((await refused('shop:add', ['--file', own, ...many(40)])).message).to.include('must be at most 40 images')
    })

    it('names each that will not do by its flag or field, beside other faults', async () => {
      const flags = ['--image', 'none.png', '--mega-image', 'folder', '--price', 'x']
      expect(fields(await refused('shop:add', ['--title', 'V', '--category', '1', ...flags]))).to.have.members([
        '--image',
        '--mega-image',
        '--price',
      ])
      const png = await home.file('good.png', PIXEL.png)
      expect((await dry('shop:add', ['--file', '-'], image(`@${png}`))).json().Images).to.deep.equal([
        { File: '', Format: 'Png', Bytes: PIXEL.png.length, HasMega: false },
      ])
      for (const [data, why] of [
        [PIXEL.gif.toString('base64'), 'is Gif by its content, not Png'],
        ['YWJj', 'does not contain a Gif, Jpeg or Png'],
        ['@/nowhere.png', 'cannot be read: it does not exist'],
        ['no base64!', 'is not base64'],
      ] as const) {
        const error = await refused('shop:add', ['--file', '-'], image(data))
        expect(fields(error), data).to.deep.equal(['ItemImages[0].Data (stdin, line 1)'])
        expect(error.message).to.include(why)
      }
    })
  })

  for (const [command, struct, filled] of [
    ['items:add', ItemRequest, { Title: 'Vas', CategoryId: '1612', StartPrice: '100' }],
    ['shop:add', ShopItemData, { Title: 'Vas', CategoryId: '1612', Price: '100' }],
  ] as const) {
    it(`has a skeleton for ${command} with every field of the contract, which is accepted when all of it is filled in`, async () => {
      const { stdout } = await home.run([command, '--skeleton'], { clock })
      expect(stdout).to.match(new RegExp(`^# One item for: seller ${command} --file FILE\n`))
      for (const [name, { rule }] of Object.entries(struct.fields)) {
        const block = stdout.split('\n\n').find((text) => new RegExp(`^#?${name}:`, 'm').test(text))
        expect(block, name).to.include(rule?.maxLength === undefined ? '# ' : `At most ${rule.maxLength} characters.`)
      }
      const given: Readonly<Record<string, string>> = filled
      const whole = stdout
        .replace(/^(\w+):$/gm, (_line, name: string) => `${name}: ${given[name]}`)
        .replace(/^#(?! )/gm, '')
        .replace(/^#( +(- )?\w+:)/gm, '$1')
        .replace(/^#( {2}(Hand|Picked))/gm, '$1')
      const made = await request(command, ['--file', '-'], whole)
      expect(made).to.include({ Title: 'Vas', CategoryId: 1612 })
      for (const name of ['VAT', 'ShippingOptions', 'AttributeValues', 'Description']) expect(made).to.have.property(name)
    })
  }
})
