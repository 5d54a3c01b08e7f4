/**
 * Tasks of a seller on services of other editions and makes: auctions again, and requests without what an edition does not have.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Break, DescriptionFile } from '../../src/cli/descriptions/file.js'
import { EXIT } from '../../src/errors/index.js'
import type { SandboxForms } from '../../src/sandbox/index.js'
import { CATEGORY, PIXEL } from './observed.js'
import { logInPlainly, openRecorded, type RecordedHome } from './recorded.js'

const NS = 'urn:published'

const SERVICES: Readonly<Record<string, SandboxForms>> = {
  'the document': { extended: true },
  'the description of 2022': { edition: '2022' },
  'the description of 2026, on a server in the style of SoapCore': { edition: '2026', host: 'core' },
}

const step = (from: number, to: number) =>
  `<RestartedItem><RestartedItemId>${from}</RestartedItemId><RestartedAsItemId>${to}</RestartedAsItemId><RestartedDate>2026-01-20T10:00:00</RestartedDate></RestartedItem>`

/** Answer of GetItemRestarts about an auction that nobody has put up again since. */
const ANSWERS: Readonly<Record<string, (id: number) => string>> = {
  nothing: () => '',
  'an empty object': () => '<GetItemRestartsResult />',
  'a chain of two': (id) =>
    `<GetItemRestartsResult><LastRestartedItemId>${id}</LastRestartedItemId><AncestorItemId>7</AncestorItemId><RestartedItems>${step(7, 8)}${step(8, id)}</RestartedItems></GetItemRestartsResult>`,
}

for (const [title, forms] of Object.entries(SERVICES))
  describe(`items:relist by ${title}`, () => {
    let home: RecordedHome
    let number = 0
    before(async () => {
      home = await openRecorded({ faults: { queueDelayMs: 0 }, namespace: NS, ...forms })
      await logInPlainly(home)
    })
    after(() => home.close())

    for (const [what, answer] of Object.entries(ANSWERS)) {
      it(`puts an unsold auction up again where its restarts are ${what}`, async () => {
        home.instead(() => undefined)
        const image = await home.file('a.png', PIXEL.png)
        const title = `Vas nr ${++number}`
        const own = ['--title', title, '--category', CATEGORY, '--opening', '100', '--days', '3', '--reference', `V${number}`]
        const added = await home.seller(
          'items:add',
          ...own,
          '--shipping',
          'pickup',
          '--image',
          image,
          '--yes',
          '--wait',
          '--json',
        )
        expect(added.code, added.stdout + added.stderr).to.equal(EXIT.ok)
        const id = added.json().ItemId as number
        expect((await home.seller('items:end', String(id), '--yes')).code).to.equal(EXIT.ok)
        home.instead((service, body) =>
          service === 'ListingService' ? restarts(answer(asked(body) === id ? id : 0)) : undefined,
        )
        const again = await home.seller('items:relist', String(id), '--yes', '--wait', '--json')
        expect([again.code, again.json().Counts?.ok], again.stdout + again.stderr).to.deep.equal([EXIT.ok, 1])
        const rows = (await home.seller('jobs:show', String(again.json().JobId), '--json')).json().Rows
        const item = (await home.seller('items:show', String(rows[0].Id), '--json')).json()
        expect(item.Id).to.be.greaterThan(id)
        expect([
          item.ShortDescription,
          item.OpeningBid,
          item.OwnReferences,
          item.Status.Ended,
          item.ImageLinks.length,
        ]).to.deep.equal([title, 100, [`V${number}`], false, 1])
        // The second time it is up already, whatever the service tells.
        const twice = await home.seller('items:relist', String(id), '--yes', '--json')
        expect([twice.code, twice.json().Counts.held], twice.stdout).to.deep.equal([EXIT.held, 1])
      })
    }
  })

function asked(body: string): number {
  return Number(/<itemId>(\d+)</.exec(body)?.[1])
}

function restarts(inner: string): string {
  const response = `<GetItemRestartsResponse xmlns="${NS}">${inner}</GetItemRestartsResponse>`
  return `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${response}</e:Body></e:Envelope>`
}

describe('the description of 2022, as version 0.3 saved it', () => {
  const NEWER = /maxStartDate|ShippingProviderId|DescriptionLanguageCodeIso2|RestartedFromItemId/
  let home: RecordedHome
  before(async () => {
    home = await openRecorded({ faults: { queueDelayMs: 0 }, namespace: NS, edition: '2022' })
    await logInPlainly(home)
    const folder = join(home.dataDir, 'descriptions')
    for (const name of readdirSync(folder)) {
      const { Lacks, Breaks = [], ...file } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as DescriptionFile
      // It knew these fields as differences of an edition, except the provider.
      const known = ({ Field }: Break) => Field === 'ShippingProviderId' || !NEWER.test(Field ?? '')
      writeFileSync(join(folder, name), JSON.stringify({ ...file, Breaks: Breaks.filter(known) }))
    }
  })
  after(() => home.close())

  it('keeps newer fields out of every request, and says so of the one that a relist sets', async () => {
    const ended = (await home.seller('items:list', '--state', 'ended', '--type', 'auction', '--json')).json()
    const unsold = ended.find(({ Status }: { Status: { GotWinner: boolean } }) => !Status.GotWinner)
    const relist = await home.seller('items:relist', String(unsold.Id), '--yes', '--json')
    expect(relist.json().JobId, relist.stdout + relist.stderr).to.be.a('number')
    expect(relist.stderr.match(/RestartedFromItemId is not sent/g)).to.have.length(1)
    const bodies = home.envelopes.map(({ body }) => body)
    expect(bodies.filter((body) => /<AddItem /.test(body))).to.have.length(1)
    expect(bodies.filter((body) => NEWER.test(body))).to.deep.equal([])
  })

  for (const [what, args, hint] of [
    ['a filter by start', ['items:list', '--started-before', '2026-01-01'], /Leave --started-before out/],
    [
      'a language',
      [
        'call',
        'AddShopItem',
        ...['Title=Fat', 'CategoryId=344481', 'Price=10', 'DescriptionLanguageCodeIso2=en'].map((each) => `shopItemData.${each}`),
      ],
      /knows no language/,
    ],
  ] as const)
    it(`refuses ${what}, which the service would ignore`, async () => {
      home.calls()
      const run = await home.seller(...args, '--json')
      expect([run.code, run.json().error?.code], run.stdout).to.deep.equal([EXIT.usage, 'operation_changed'])
      expect(run.json().error.hint).to.match(hint)
      expect(home.calls()).to.deep.equal([])
    })

  it('is checked without a break: what it does not have is of a newer edition', async () => {
    const check = await home.seller('service:check', '--json')
    expect(check.code, check.stderr).to.equal(EXIT.ok)
    const rows = check.json() as { Effect: string; Subject: string; Message: string }[]
    expect(rows.filter(({ Effect }) => Effect === 'breaks')).to.deep.equal([])
    expect(rows.find(({ Subject }) => Subject === 'BeginEidOnFileVerification')?.Message).to.equal(
      'An older edition of the service: it does not offer BeginEidOnFileVerification.',
    )
  })
})

describe('a host that knows its services by lower-case paths alone', () => {
  let home: RecordedHome
  before(async () => {
    home = await openRecorded(
      { faults: { queueDelayMs: 0 }, namespace: NS, edition: '2026', host: 'core' },
      /^\/v3\/[a-z]+\.asmx/,
    )
  })
  after(() => home.close())

  it('is logged in to by such a path, which every call then has', async () => {
    Object.assign(home.env, { SELLER_BASE_URL: `${home.env.SELLER_BASE_URL}/v3/restrictedservice.asmx` })
    await logInPlainly(home)
    for (const command of [['items:list'], ['reference:time'], ['orders:list', '--since', '10d']]) {
      const run = await home.seller(...command, '--json')
      expect(run.code, run.stdout + run.stderr).to.equal(EXIT.ok)
    }
    const doctor = (await home.seller('doctor', '--json')).json() as { Check: string; State: string }[]
    expect(doctor.find(({ Check }) => Check === 'Orders')?.State).to.equal('ok')
  })
})

describe('a host without an order service', () => {
  it('is told of once by login, and by a row of doctor', async () => {
    const home = await openRecorded({ namespace: NS })
    try {
      const login = await logInPlainly(home)
      expect(login.stderr.match(/This service has no OrderService/g)).to.have.length(1)
      const doctor = await home.seller('doctor', '--json')
      const row = (doctor.json() as { Check: string; State: string; Detail: string }[]).find(({ Check }) => Check === 'Orders')
      expect([row?.State, /no order service/.test(row?.Detail ?? ''), doctor.code]).to.deep.equal(['note', true, EXIT.ok])
    } finally {
      await home.close()
    }
  })
})
