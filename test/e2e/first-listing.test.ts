/**
 * A first listing that the service takes: what is missing is said with the flag that adds it, and a strict service refuses it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'
import { ask } from './person.js'

describe('a first listing', () => {
  const home = opened(() => openObserved({ strict: true, extended: true }))
  const auction = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--opening', '100']
  const ware = ['shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '149']
  const KERAMIK = [...ware.map((arg) => (arg === CATEGORY ? '120503' : arg)), '--condition', 'new']
  const [CONDITION, SHIPPING] = ['no condition, and some categories refuse that. Add --condition used', 'Add --shipping pickup']

  for (const [what, args, exit, said, unsaid] of [
    ['an auction without both', auction, 3, [CONDITION, SHIPPING, 'the condition is required'], []],
    ['a shop item without both', ware, 3, [CONDITION, SHIPPING, 'at least one is required'], []],
    ['one without shipping', [...ware, '--condition', 'new'], 3, [SHIPPING], [CONDITION]],
    ['one without a condition', [...ware, '--shipping', 'pickup'], 3, [CONDITION], [SHIPPING]],
    ['a shop item with both', [...ware, '--condition', 'new', '--shipping', 'pickup'], 0, [], [CONDITION, SHIPPING]],
    ['an auction with both', [...auction, '--condition', 'used', '--shipping', 'pickup'], 0, [], [CONDITION, SHIPPING]],
    ['one of a category that requires a brand', [...KERAMIK, '--shipping', 'pickup'], 3, ['(Märke) is required'], []],
    ['one without a brand, once that is known', [...KERAMIK, '--shipping', 'pickup'], 3, ['Add --attribute Märke=VALUE'], []],
    ['one with its brand', [...KERAMIK, '--shipping', 'pickup', '--attribute', 'märke=höganäs'], 0, [], ['Märke']],
    [
      'a contact, which needs no shipping',
      [...auction.slice(0, -2), '--type', 'contact', '--condition', 'used'],
      0,
      [],
      [SHIPPING],
    ],
  ] as const) {
    it(`of ${what} ${exit === 0 ? 'is taken' : 'is refused'}`, async () => {
      if (what.includes('once')) await home.seller('reference:attributes', 'keramik')
      const { code, stderr } = await home.seller(...args, '--again')
      const words = stderr.replace(/\s+/g, ' ')
      expect(code, stderr).to.equal(exit)
      for (const text of said) expect(words).to.include(text)
      for (const text of unsaid) expect(words).to.not.include(text)
    })
  }

  it('of many rows is told of once, with how many lack it', async () => {
    const file = await home.file(
      'rows.csv',
      `Title,CategoryId,Price,Shipping\nEn,${CATEGORY},10,pickup\nTvå,${CATEGORY},20,\nTre,${CATEGORY},30,\n`,
    )
    const { stderr } = await home.seller('shop:add', '--file', file, '--dry-run')
    const words = stderr.replace(/\s+/g, ' ')
    expect(words).to.include('3 rows of 3 have no condition').and.include('2 rows of 3 have no shipping')
    expect(words).to.include('3 rows of 3 have no payment type.').and.not.include('a quantity of 0')
    const hidden = await home.seller(...ware, '--quantity', '0', '--payment', 'swish', '--dry-run')
    expect(hidden.stderr).to.include('has a quantity of 0, so that').and.not.include('no payment')
  })

  it('takes what the profile says of new items, below flags and files, and says so', async () => {
    const defaults = [
      '--setting',
      'default_shipping=pickup|sandbudet,cost=59',
      '--setting',
      'default_payment=swish|8',
      '--setting',
      'default_vat=25',
    ]
    const _login = await home.done('auth:login', '--no-verify', '--setting', 'default_condition=used', ...defaults)
    const ways = [
      { ShippingOptionId: 8, Cost: 0 },
      { ShippingProviderId: 2, Cost: 59 },
    ]
    const whole = { ItemAttributes: [2], ShippingOptions: ways, PaymentOptionIds: [4096, 8], VAT: 25 }
    const plain = await home.seller(...ware, '--dry-run', '--json')
    expect(plain.json().Request, plain.stderr).to.deep.include(whole)
    expect(plain.stderr.replace(/\s+/g, ' ')).to.include(
      'From the profile: shipping pickup and provider=2,cost=59; payment 4096 and 8;',
    )
    expect(plain.stderr).to.not.include('no condition')
    const given = await home.seller(...ware, '--condition', 'new', '--shipping', 'own-cost', '--dry-run', '--json')
    expect(given.json().Request).to.deep.include({
      ...whole,
      ItemAttributes: [1],
      ShippingOptions: [{ ShippingOptionId: 10, Cost: 0 }],
    })
    const contact = await home.seller(...auction.slice(0, -2), '--type', 'contact', '--dry-run', '--json')
    expect(contact.json().Request).to.not.have.property('ShippingOptions')
    const yaml = `Title: V\nCategoryId: ${CATEGORY}\nPrice: 5\nVAT: 12\nPaymentOptionIds: [32]\n`
    const file = await home.run(['shop:add', '-f', '-', '--dry-run', '--json'], { stdin: yaml })
    expect(file.json().Request).to.deep.include({ ...whole, VAT: 12, PaymentOptionIds: [32] })
    const csv = await home.file(
      'brister.csv',
      `Title,CategoryId,Price,Shipping,OwnReferences\nEn,${CATEGORY},10,own-cost,D1\nTvå,${CATEGORY},20,,D2\n`,
    )
    const rows = await home.done('shop:add', '--file', csv, '--condition', 'new', '--dry-run', '--json')
    const [one, two] = rows.json().Rows.map(({ Request }: { Request: unknown }) => Request)
    expect(one).to.deep.include({ ...whole, ItemAttributes: [1], ShippingOptions: [{ ShippingOptionId: 10, Cost: 0 }] })
    expect(two).to.deep.include({ ...whole, ItemAttributes: [1] })
    expect(rows.stderr.replace(/\s+/g, ' '))
      .to.include('From the profile, where a row gives none: shipping')
      .and.not.include('have no')
    await home.done('shop:sync', '--file', csv, '--yes', '--wait', '--json')
    const person = ask(home, ['shop:add', '--category', CATEGORY, '--price', '5', '--dry-run', '--json'])
    await person.answers('Title', 'Skål')
    await person.answers('Quantity')
    await person.answers('Description')
    await person.answers('No image')
    const guided = await person.done
    expect(guided.json().Request, guided.stderr).to.deep.include(whole)
    const shown = ask(home, ['shop:add', '--draft', '--price', '5', '--condition', 'new', '--json'])
    const summary = await shown.sees('Put on sale?')
    for (const line of [
      /Quantity +1\n/,
      /Condition +new\n/,
      /Payment +Swish, PlusGiro\/Bankgiro \(from the profile\)/,
      /VAT +25 % \(from the profile\)/,
    ])
      expect(summary).to.match(line)
    await shown.stops()
    const wrong = await home.seller('auth:login', '--no-verify', '--setting', 'default_condition=old', '--json')
    expect(wrong.json().error.code).to.equal('invalid_setting')
    await home.seller('auth:login', '--no-verify', '--setting', 'default_shipping=none', '--setting', 'default_condition=none')
    const bare = await home.seller(...ware, '--dry-run', '--json')
    expect(bare.json().Request, bare.stdout).to.not.have.any.keys('ShippingOptions', 'ItemAttributes')
    expect(bare.stderr).to.include('From the profile: payment')
  })

  it('in another currency than the account has is refused, wherever the amount is typed', async () => {
    await home.seller('auth:login', '-p', 'euro', '--no-verify')
    const path = join(home.dir, 'config', 'profiles.json')
    const stored = JSON.parse(await readFile(path, 'utf8'))
    stored.profiles.euro.currency = 'EUR'
    await writeFile(path, JSON.stringify(stored))
    const own = [
      ...ware.slice(0, -1),
      '149 EUR',
      '--condition',
      'new',
      '--shipping',
      'pickup',
      '--dry-run',
      '-p',
      'euro',
      '--json',
    ]
    const taken = await home.seller(...own)
    expect(taken.json().Request?.Price, taken.stdout).to.equal(149)
    for (const args of [
      own.map((arg) => (arg === '149 EUR' ? '149 kr' : arg)),
      own.map((arg) => (arg === 'pickup' ? 'provider=2,cost=59kr' : arg)),
      ['items:price', '1', '--opening', '200 kr', '-p', 'euro', '--json'],
      ['shop:price', '1=200kr', '--dry-run', '-p', 'euro', '--json'],
      ['shop:price', '--all', '--add', '10kr', '--dry-run', '-p', 'euro', '--json'],
    ]) {
      const run = await home.seller(...args)
      expect([run.code, run.stdout.includes('is in SEK, and the account is in EUR')], run.stdout).to.deep.equal([2, true])
    }
    await home.done('shop:price', '--all', '--add', '10 EUR', '--dry-run', '-p', 'euro', '--json')
  })
})
