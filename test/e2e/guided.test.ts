/** items:add and shop:add step by step, before a person: each answer is checked at once, and the answers are kept as a draft. */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { closing, opened } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'
import { ask, type Person } from './person.js'
import { openRecorded } from './recorded.js'
import { setFaults } from './shop.js'

/** Adds without questions, but for the title. */
const REST = ['--category', CATEGORY, '--type', 'auction', '--opening', '10', '--reserve', '20', '--buy-now', '30', '--days', '3']
const ALSO = ['--condition', 'used', '--description', 'Hel', '--payment', '4096', '--shipping', 'pickup']

describe('a guided listing', () => {
  const home = opened(() => openObserved({ extended: true, faults: { queueDelayMs: 20 } }))
  before(async () => {
    await mkdir(join(home.dir, 'bilder'))
    await home.file('bilder/front.png', PIXEL.png)
    await home.file('bilder/text.jpg', 'no image')
    await home.file('bilder/anteckning.txt', 'note')
    // Names are read once.
    await home.seller('reference:categories', '--depth', '1')
    await home.seller('reference:payment-types')
    await home.seller('reference:shipping')
    for (const category of [CATEGORY, 'keramik']) await home.seller('reference:attributes', category)
  })
  beforeEach(() => void home.calls())
  afterEach(async () => {
    await setFaults(home, { 'drop-after': '0%' })
    await rm(join(home.dataDir, 'drafts'), { recursive: true, force: true })
  })

  const drafts = () => readdir(join(home.dataDir, 'drafts')).catch(() => [])
  const draftPath = (command = 'items-add') => join(home.dataDir, 'drafts', `default.${command}.json`)
  const draft = async (command?: string) => JSON.parse(await readFile(draftPath(command), 'utf8'))
  /** The questions after the title, up to the image. */
  const common = async (person: Person, attributes = false) => {
    await person.answers('Condition')
    if (attributes) {
      await person.sees('Märke')
      await person.picks('down')
      await person.sees('More to say')
      await person.presses('space')
      await person.enters()
      await person.sees('Färg (Space marks')
      await person.presses('space')
      await person.enters()
    }
    await person.answers('Description', 'Fin vas<br>Hel')
    await person.sees('Payment')
    await person.presses('down', 'down', 'down', 'down', 'space')
    await person.enters()
    await person.sees('Shipping')
    await person.types('budet 1')
    await person.sees('Sandbudet, Paket 1 kg')
    await person.enters()
    await person.answers('Buyer pays for it')
    await person.sees('No more')
    await person.types('pick')
    await person.sees('Pickup')
    await person.enters()
    await person.sees('No more')
    await person.enters()
  }
  /** Leaves a draft behind. */
  const leave = async (title: string, ...args: string[]) => {
    const person = ask(home, ['items:add', '--no-draft', ...args])
    await person.answers('Title', title)
    await person.sees('Category')
    return person.stops()
  }

  it('asks for everything in order, shows it with the fees, and puts it on sale after a yes', async () => {
    const person = ask(home, ['items:add', '--wait', '--json'])
    await person.answers('Title', 'Höganäs vas')
    await person.sees('Category')
    await person.types('keram')
    await person.sees('Antikt & design > Design > Keramik')
    await person.enters()
    await person.answers('Kind of sale')
    await person.answers('Opening price', '100')
    await person.answers('Reserve price', '200')
    await person.answers('Buy-now price', '300')
    await person.answers('Days on sale', '5')
    await common(person, true)
    await person.sees('No image')
    await person.types('bilder/fr')
    await person.sees('front.png')
    await person.enters()
    await person.answers('No more')
    const summary = await person.sees('Put on sale? (y/N)')
    for (const line of [
      /Category +Antikt & design > Design > Keramik \(120503\)/,
      /Sale +auction, 5 days/,
      /Reserve price +200 kr/,
      /Description +Fin vas \/ Hel/,
      /Attributes +Märke=Höganäs, Färg=Blå/,
      /Payment +Swish/,
      /Shipping +Sandbudet, Paket 1 kg: 62 kr/,
      /Images +front\.png/,
      /Fees +Reserve price: 40 kr/,
      /The service does not say what a listing costs/,
    ]) {
      expect(summary).to.match(line)
    }
    expect(home.calls()).to.not.include('AddItem')
    await person.enters('y')
    const run = await person.done
    expect(run.code, run.stderr).to.equal(0)
    const item = (await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)).json()
    expect(item).to.include({
      ShortDescription: 'Höganäs vas',
      CategoryId: 120503,
      OpeningBid: 100,
      BuyItNowPrice: 300,
      Duration: 5,
    })
    expect(item.PaymentOptions).to.deep.equal([4096])
    expect(item.ItemAttributes).to.deep.equal([2])
    expect(item.AttributeValues.TermAttributeValues.map(({ Name }: { Name: string }) => Name)).to.deep.equal(['Märke', 'Färg'])
    expect(item.ShippingOptions.map(({ Cost }: { Cost: number }) => Cost)).to.deep.equal([62, 0])
    expect(item.ImageLinks).to.have.lengthOf(1)
    expect(await drafts(), 'the draft is gone').to.deep.equal([])
  })

  it('asks only for what flags have not given, and nothing where they have given all that an item needs', async () => {
    const one = ask(home, ['items:add', ...REST, ...ALSO, '--image', 'bilder/front.png', '--wait'])
    await one.answers('Title', 'Bara titeln')
    await one.answers('Put on sale?', 'y')
    const run = await one.done
    expect(run.code, run.stderr).to.equal(0)
    for (const word of ['Category (', 'Condition\n', 'Days on sale', 'Payment (']) expect(run.stderr).to.not.include(word)
    const none = ask(home, ['items:add', '--title', 'Klar', '--category', CATEGORY, '--opening', '5'])
    expect(await none.sees('It goes on sale')).to.not.include('Kind of sale')
    await none.enters('y')
    expect((await none.done).code).to.equal(0)
  })

  it('shows the item with --yes too, and does not ask', async () => {
    const person = ask(home, ['items:add', ...REST, ...ALSO, '--image', 'bilder/front.png', '--yes', '--wait', '--quiet'])
    await person.answers('Title', 'Utan fråga')
    const run = await person.done
    expect(run.code, run.stderr).to.equal(0)
    expect(run.stderr)
      .to.match(/Title +Utan fråga/)
      .and.not.include('Put on sale?')
  })

  it('shows which files are no images while a path is typed, and completes it with Tab', async () => {
    const person = ask(home, ['items:add', ...REST, ...ALSO, '--dry-run', '--json'])
    await person.answers('Title', 'Bild')
    await person.sees('No image')
    await person.presses('tab')
    await person.sees('completes) No image ❯ No image')
    await person.presses('erase')
    await person.types('bil')
    await person.sees('completes) bil ❯ bilder/')
    await person.presses('tab')
    const listed = await person.sees('bilder/front.png')
    expect(listed.replace(/\s+/g, ' ')).to.include('bilder/text.jpg (is not a Gif, Jpeg or Png)')
    expect(listed).to.not.include('anteckning')
    await person.enters()
    await person.answers('No more')
    const run = await person.done
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().Images).to.deep.equal([
      { File: join(home.dir, 'bilder/front.png'), Format: 'Png', Bytes: PIXEL.png.length, HasMega: false },
    ])
    expect(run.stderr).to.include('seller items:add --draft')
    expect(home.calls()).to.deep.equal([])
  })

  it('shows an extra large image and a long description before its last question', async () => {
    const photo = join(home.dir, 'bilder/front.png')
    const told = ALSO.map((arg) => (arg === 'Hel' ? 'x'.repeat(241) : arg))
    const long = ask(home, ['items:add', '--no-draft', ...REST, ...told, '--image', photo, '--mega-image', photo])
    await long.answers('Title', 'Lång')
    const shown = (await long.sees('Put on sale?')).replaceAll(/\s+/g, '')
    expect(shown)
      .to.include(`${'x'.repeat(240)}…(241characters)`)
      .and.include('front.png,front.png(extralarge)')
    await long.stops()
  })

  it('says in the summary that there is no way to pay', async () => {
    const given = ['--category', CATEGORY, '--price', '5', '--quantity', '0', ...ALSO.slice(0, 4), ...ALSO.slice(6)]
    const person = ask(home, ['shop:add', '--no-draft', ...given, '--image', 'bilder/front.png'])
    await person.answers('Title', 'Tom')
    await person.answers('Payment')
    await person.answers('Nothing is chosen.')
    expect(await person.sees('Put on sale?')).to.match(/Payment +none\n +Shipping +pickup\n/)
    await person.stops()
  })

  it('does not take a change that will not do beside the rest, and deletes the answers if that is wanted', async () => {
    await leave('Ändras', ...ALSO, '--image', 'bilder/front.png')
    const person = ask(home, ['items:add', '--draft', ...REST, '--json'])
    await person.answers('Put on sale?', 'n')
    await person.sees('Keep the answers as a draft')
    await person.picks('down', 'down', 'down', 'down')
    await person.sees('? Opening price')
    await person.corrects('25')
    expect(await person.sees('Put on sale?')).to.include('The change was not taken; change it again.')
    await person.enters('n')
    await person.sees('Keep the answers as a draft')
    await person.picks('up')
    const run = await person.done
    expect([run.code, run.json().error.hint]).to.deep.equal([EXIT.held, 'The answers are deleted.'])
    expect(await drafts()).to.deep.equal([])
  })

  it('takes a damaged draft for none', async () => {
    await mkdir(join(home.dataDir, 'drafts'))
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"SavedAt": "x"}',
      '{"SavedAt": "x", "Answers": null}',
      '{"SavedAt": 5, "Answers": {}}',
    ]) {
      await home.file('data/drafts/default.items-add.json', text)
      expect((await home.seller('items:add', '--draft', '--json')).json().error.code, text).to.equal('no_draft')
    }
  })

  it('keeps the answers after Ctrl-C, for the user alone and without a secret, and the next run goes on', async () => {
    const stopped = await leave('Halv vas', '--shipping', 'pickup')
    expect(stopped.code).to.equal(EXIT.interrupted)
    expect(stopped.stderr.replace(/\s+/g, ' ')).to.include('Nothing was sent, and your answers are kept.')
    expect(stopped.stderr, 'the path stays whole')
      .to.match(/Continue with: seller items:add\nThe draft is\s/)
      .and.include(`${draftPath()}\n`)
    expect((await stat(draftPath())).mode & 0o777).to.equal(0o600)
    const kept = await readFile(draftPath(), 'utf8')
    for (const secret of [home.env.SELLER_TOKEN, home.env.SELLER_APP_KEY]) expect(kept).to.not.include(secret ?? '')
    expect((await draft()).Answers).to.deep.equal({ title: 'Halv vas', shipping: ['pickup'] })
    const next = ask(home, ['items:add', '--wait', '--json', ...REST, '--condition', 'new', '--payment', '4096'])
    await next.answers('There is a draft of "Halv vas"')
    await next.answers('Description')
    await next.answers('No image')
    await next.answers('Put on sale?', 'y')
    const run = await next.done
    expect(run.code, run.stderr).to.equal(0)
    const item = (await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)).json()
    expect([item.ShortDescription, item.AcceptsPickup]).to.deep.equal(['Halv vas', true])
    expect(await drafts()).to.deep.equal([])
  })

  it('goes back from a question to the one before by Esc or <, and then on to where it was', async () => {
    const person = ask(home, ['items:add', '--no-draft', '--category', CATEGORY])
    await person.answers('Title', 'Vas')
    await person.answers('Kind of sale')
    await person.answers('Opening price', '100')
    await person.sees('Reserve price')
    await person.types('\u001b')
    await person.sees('Opening price')
    await person.corrects('150')
    await person.answers('Reserve price', '<')
    await person.sees('Opening price')
    await person.corrects('<')
    // Another kind of sale has other questions.
    await person.sees('Kind of sale')
    await person.picks('down')
    await person.answers('Buy-now price', '90')
    await person.sees('Condition')
    await person.types('<')
    await person.sees('Buy-now price')
    expect((await person.stops()).code).to.equal(EXIT.interrupted)
    expect((await draft()).Answers).to.deep.equal({ category: CATEGORY, title: 'Vas', type: 'buy-now', 'buy-now': '90' })
  })

  it('keeps all lines of a description that is pasted or written in an editor, also where the editor fails', async () => {
    const rest = ['--condition', 'used', ...REST]
    const described = async () => (await draft()).Answers.description
    const person = ask(home, ['items:add', '--no-draft', ...rest], {
      env: { VISUAL: '', EDITOR: `sh ${join(home.dir, 'broken.sh')}` },
    })
    await home.file('broken.sh', 'printf "Ett\\nTv\\303\\245\\n" > "$1"; exit 3\n')
    await home.file('editor.sh', 'printf "\\nTre\\n" >> "$1"\n')
    await person.answers('Title', 'Vas')
    await person.sees('e for sh)')
    await person.types('\u001b[200~Rad 1\r\nRad 2\r\rRad 4\u001b[201~')
    await person.sees('Rad 1↵Rad 2↵↵Rad 4')
    await person.corrects('e')
    const kept = await person.sees('Ett↵Två')
    expect(kept).to.include('sh ended with 3. What you wrote is kept below')
    const [file = ''] = /\/\S+description\.txt/.exec(kept.replace(/\n */g, '')) ?? []
    expect(await readFile(file, 'utf8')).to.equal('Ett\nTvå\n')
    await rm(dirname(file), { recursive: true })
    await person.enters()
    await person.sees('Payment')
    expect(await described()).to.equal('Ett<br>Två')
    await person.stops()
    const again = ask(home, ['items:add', '--no-draft', ...rest], { env: { VISUAL: `sh ${join(home.dir, 'editor.sh')}` } })
    await again.answers('Title', 'Vas')
    await again.sees('e for sh)')
    await again.types('Ett\rTv\u00e5\r')
    await again.sees('Ett↵Två')
    await again.corrects('e')
    await again.sees('Payment')
    expect(await described()).to.equal('Tre')
    await again.stops()
  })

  it('is not put on sale without a yes: an answer can be changed, and the rest is kept', async () => {
    await leave('Dry', ...ALSO, '--image', 'bilder/front.png')
    const next = ask(home, ['items:add', '--draft', ...REST, '--wait', '--json'])
    await next.answers('Put on sale?')
    await next.sees('Keep the answers as a draft')
    await next.picks('down')
    await next.sees('? Title Dry')
    await next.corrects('Ny titel')
    const shown = await next.sees('Put on sale?')
    expect(shown).to.match(/Title +Ny titel/)
    await next.enters('n')
    await next.sees('Keep the answers as a draft')
    await next.picks('down', 'down', 'down')
    await next.sees('Kind of sale')
    await next.picks('down')
    const changed = await next.sees('Put on sale?')
    expect(changed)
      .to.match(/Sale +buy now, 30 days/)
      .and.not.match(/Opening price/)
    await next.enters('n')
    await next.answers('Keep the answers as a draft')
    const run = await next.done
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.held, 'declined'])
    expect(run.json().error.hint).to.include(draftPath())
    expect((await draft()).Answers)
      .to.include({ title: 'Ny titel', type: 'buy-now', 'buy-now': '30' })
      .and.not.have.property('days')
    expect(home.calls()).to.not.include('AddItem')
  })

  it('goes on with --draft off a terminal too, asks nothing there, and deletes it with --no-draft', async () => {
    await leave('Kvar', ...ALSO)
    const half = await home.seller('items:add', '--draft', '--json')
    expect(half.json().error.missing).to.deep.equal(['--category', '--opening'])
    const run = await home.done('items:add', '--draft', ...REST, '--wait', '--json')
    expect(run.json()).to.include({ Subject: 'Kvar', State: 'ok' })
    const gone = await home.seller('items:add', '--draft', '--json')
    expect([gone.code, gone.json().error.code]).to.deep.equal([EXIT.usage, 'no_draft'])
    const missing = await home.seller('items:add', '--title', 'Vas', '--json')
    expect(missing.json().error.missing).to.deep.equal(['--category', '--opening'])
    expect(await drafts()).to.deep.equal([])
  })

  it('is not combined with a file or a skeleton, which have items of their own', async () => {
    await leave('Kvar', ...ALSO)
    for (const other of [['--file', 'varor.csv'], ['--skeleton']]) {
      for (const flag of ['--draft', '--no-draft']) {
        const run = await home.seller('items:add', flag, ...other, '--json')
        expect(run.code, run.stdout).to.equal(EXIT.usage)
        expect(run.json().error.message).to.include(`${other[0]} and --draft cannot be given together`)
      }
    }
    expect(await drafts()).to.have.lengthOf(1)
    const gone = await home.seller('items:add', '--no-draft', ...REST, '--title', 'Hel', '--dry-run', '--json')
    expect([gone.code, await drafts()], gone.stdout).to.deep.equal([EXIT.ok, []])
  })

  it('keeps the draft of what the service refused, and removes that of an unknown outcome', async () => {
    const args = ['--title', 'Vägrad', ...REST, '--condition', 'used', '--description', 'x', '--shipping', 'pickup']
    const refused = ask(home, [
      'items:add',
      ...args.filter((arg) => arg !== '--title' && arg !== 'Vägrad'),
      '--payment',
      '999',
      '--json',
    ])
    await refused.answers('Title', 'Vägrad')
    await refused.answers('No image')
    await refused.answers('Put on sale?', 'y')
    const run = await refused.done
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.validation, 'refused_by_service'])
    expect(run.json().error.hint).to.include('Your answers are kept')
    expect((await draft()).SentAt).to.equal(null)
    const again = ask(home, ['items:add', '--draft', '--payment', '4096', '--json'])
    await again.sees('Put on sale?')
    await setFaults(home, { 'drop-after': '100%' })
    await again.enters('y')
    const lost = await again.done
    expect(lost.code, lost.stdout).to.equal(EXIT.unknownOutcome)
    expect(await drafts(), 'the ledger has it').to.deep.equal([])
  })

  it('never sends a draft twice that a killed run has sent, and offers it again if nothing was sent', async () => {
    const sent = await home.done('items:add', '--title', 'Dödad', ...REST, ...ALSO, '--json')
    const answers = { title: 'Dödad', category: CATEGORY }
    await mkdir(join(home.dataDir, 'drafts'))
    const left = (title: string) =>
      home.file(
        `data/drafts/default.items-add.json`,
        JSON.stringify({
          Run: 'killed',
          SavedAt: new Date(Date.now() - 60_000).toISOString(),
          SentAt: new Date(Date.now() - 60_000).toISOString(),
          Answers: { ...answers, title },
        }),
      )
    await left('Dödad')
    const run = await home.seller('items:add', '--draft', '--json')
    expect(run.json().error.code).to.equal('no_draft')
    expect(run.stderr).to.include(`The draft "Dödad" was sent before: see request ${sent.json().RequestId}`)
    expect(await drafts()).to.deep.equal([])
    await left('Aldrig sänd')
    const open = ask(home, ['items:add'])
    await open.sees('There is a draft of "Aldrig sänd"')
    await open.picks('down')
    await open.sees('Title')
    expect((await draft()).Answers).to.deep.equal({})
    await open.stops()
  })

  it('does not send a draft that another run has taken over', async () => {
    const one = ask(home, ['items:add', '--no-draft', ...REST, ...ALSO, '--json'])
    await one.answers('Title', 'Två händer')
    await one.answers('No image')
    await one.sees('Put on sale?')
    const two = ask(home, ['items:add', '--draft', '--json'])
    await two.sees('Put on sale?')
    await one.enters('y')
    const run = await one.done
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.held, 'draft_taken'])
    expect(home.calls()).to.not.include('AddItem')
    await two.enters('y')
    expect((await two.done).code).to.equal(0)
  })

  it('asks again for an answer of the draft that no longer holds', async () => {
    const photo = await home.file('bilder/borta.png', PIXEL.png)
    await leave('Borta', '--image', photo, ...ALSO)
    await home.file('bilder/borta.png', '')
    const next = ask(home, ['items:add', '--draft', ...REST])
    await next.sees('No image')
    expect((await next.stops()).stderr).to.include('--image of the draft is asked again')
  })
})

describe('a guided listing with an answer that is refused only at its end', () => {
  const home = opened(() => openRecorded({ extended: true, faults: { queueDelayMs: 20 } }))

  it('is changed, and not only deleted: an attribute with an id beyond those that an item takes', async () => {
    const given = [...REST, ...ALSO, '--image', await home.file('a.png', PIXEL.png)]
    home.instead((_service, body) => {
      if (!body.includes('<GetAttributeDefinitions')) return undefined
      const namespace = /<GetAttributeDefinitions xmlns="([^"]+)"/.exec(body)?.[1]
      const values = '<PossibleTermValues><string>hel</string><string>sprucken</string></PossibleTermValues>'
      const one = `<AttributeDefinition><Id>9007199254740993</Id><Name>Skick</Name><MaxNumberOfValues>1</MaxNumberOfValues><MinNumberOfValues>1</MinNumberOfValues>${values}</AttributeDefinition>`
      const result = `<GetAttributeDefinitionsResult>${one}</GetAttributeDefinitionsResult>`
      return `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><GetAttributeDefinitionsResponse xmlns="${namespace}">${result}</GetAttributeDefinitionsResponse></e:Body></e:Envelope>`
    })
    const person = ask(home, ['items:add', '--no-draft', ...given])
    await person.answers('Title', 'Vas')
    await person.answers('Skick')
    const menu = await person.sees('Keep the answers as a draft')
    expect(menu, JSON.stringify(menu).slice(0, 700)).to.match(/! --attribute: "9007199/)
    await person.picks('down')
    await person.sees('? Title Vas')
    await person.corrects('Ny vas')
    await person.answers('Keep the answers as a draft')
    const run = await person.done
    expect(run.stderr).to.include('Your answers are kept in')
    const path = join(home.dataDir, 'drafts', 'default.items-add.json')
    expect(JSON.parse(await readFile(path, 'utf8')).Answers.title).to.equal('Ny vas')
    expect(home.calls()).to.not.include('AddItem')
  })
})

describe('a guided listing without names', () => {
  it('asks for a login before the first question', async () => {
    await using home = closing(await openObserved())
    const person = ask(home, ['items:add', '--json'], { env: { SELLER_TOKEN: undefined, SELLER_USER_ID: undefined } })
    const run = await person.done
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.auth, 'not_logged_in'])
    expect(run.stderr).to.not.include('Title')
  })
})
