import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { hasOperation, type Operation, type OperationName, operations, readNameMap, renaming } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import type { SandboxForms } from '../../src/sandbox/index.js'
import { requestSchema } from '../oracles/published.js'
import { root } from './harness.js'
import { CATEGORY, PIXEL } from './observed.js'
import { COMMAND_RUNS, OPERATION_RUNS } from './operation-runs.js'
import { logInPlainly, openRecorded, type RecordedHome } from './recorded.js'
import { stock } from './shop.js'

/** Services that the same commands work with. */
const SERVICES: readonly { readonly title: string; readonly namespace?: string; readonly forms: SandboxForms }[] = [
  { title: 'the document has it', forms: {} },
  {
    title:
      'another service has it after a plain login: other namespace, other names, nested parameters, operations beyond the document',
    namespace: 'urn:another-shop:v7',
    forms: { names: readNameMap('Eid=Zed,ExternalPayment=OuterPayment,ShopItem=StallItem'), shape: 'nested', extended: true },
  },
  { title: 'the description of 2022 has it after a plain login', namespace: 'urn:published', forms: { edition: '2022' } },
  { title: 'the description of 2026 has it after a plain login', namespace: 'urn:published', forms: { edition: '2026' } },
  {
    title: 'a server in the style of SoapCore has it after a plain login',
    namespace: 'urn:published',
    forms: { edition: '2026', host: 'core' },
  },
]

/** The operations that passed, by service: the table that is printed at the end. */
const PASSED = new Map<string, Set<OperationName>>()

function has({ extended = false, edition = 'document' }: SandboxForms, name: OperationName): boolean {
  return (extended && edition === 'document') || hasOperation(edition, operations[name] as Operation)
}

/** Everything that an auction may have in any edition, an option for the shipping. */
const FULL_ITEM = `Title: Kanna
CategoryId: ${CATEGORY}
StartPrice: 10
ReservePrice: 100
BuyItNowPrice: 200
Duration: 5
Restarts: 1
Description: Blå.<br>Fin & hel.
OwnReferences: [K1, K2]
PaymentOptionIds: [4096, 8]
ShippingOptions: [{ShippingOptionId: 12, Cost: 59, ShippingWeight: 1.5}, {ShippingOptionId: 8, Cost: 0}]
AcceptedBidderId: 1
ExpoItemIds: []
ItemAttributes: [2]
VAT: 25
ShippingCondition: Inom två dagar.
PaymentCondition: Swish.
DescriptionLanguageCodeIso2: sv
AttributeValues: {Terms: [{Id: 103, Values: [blå]}], Numbers: [{Id: 202, Values: [0.5]}]}
`

for (const { title, namespace, forms } of SERVICES)
  describe(`every operation as ${title}, by a command over real HTTP`, () => {
    const theirs = renaming(forms.names ?? [])
    const RUNS = OPERATION_RUNS.filter(({ operation }) => has(forms, operation))
    const beyond = has(forms, 'GetSellerOrders')
    let home: RecordedHome
    const words: Record<string, string> = { member: '1002' }
    const passed = new Set<OperationName>()
    PASSED.set(title, passed)

    before(async () => {
      home = await openRecorded({ faults: { queueDelayMs: 0 }, emptyShops: true, namespace, ...forms })
      if (namespace !== undefined) await logInPlainly(home)
      const shop = await stock(home, [100, 200, 300])
      const list = async (...args: string[]) => (await home.seller('call', ...args)).json()
      const items = await list('GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=All')
      const auctions = items.filter(
        ({ ItemType, TotalBids }: { ItemType: string; TotalBids: number }) => ItemType === 'Auction' && TotalBids === 0,
      )
      const unrated = (await home.seller('feedback:pending', '--json')).json()
      const file = await home.file(
        'item.yaml',
        `Title: Vas\nCategoryId: ${CATEGORY}\nStartPrice: 10\nAutoCommit: false\nShippingOptions: [{ShippingOptionId: 8, Cost: 0}]\n`,
      )
      const added = await home.seller(
        'items:add',
        '--title',
        'Kruka',
        '--category',
        CATEGORY,
        '--opening',
        '10',
        '--shipping',
        'pickup',
        '--json',
      )
      const unpaid = beyond ? (await home.seller('orders:list', '--unpaid', '--json')).json()[0].OrderId : 0
      const full = await home.file('full.yaml', FULL_ITEM)
      const sync = await home.file(
        'sync.csv',
        `SKU,Titel,CategoryId,Pris,Lager\nS1,Skål,${CATEGORY},120,2\nS2,Krus,${CATEGORY},99,1\n`,
      )
      const shopFile = await home.file(
        'shop.csv',
        `Title,CategoryId,Price,Quantity\nMugg,${CATEGORY},149,3\nFat,${CATEGORY},20,1\n`,
      )
      Object.assign(words, {
        unpaid: String(unpaid),
        file,
        full,
        sync,
        shopFile,
        auction2: String(auctions[1].Id),
        image: await home.file('a.png', PIXEL.png),
        auction: String(auctions[0].Id),
        shop: String(shop[0]),
        shop2: String(shop[1]),
        shop3: String(shop[2]),
        price: '201',
        item2: String(added.json().ItemId),
        transaction: String(unrated[0].Id),
        // The sandbox numbers orders as it numbers transactions.
        order: String(unrated[1].Id - 300_000_000 + 70_000),
      })
    })

    after(() => home.close())

    const filled = (command: string): string[] =>
      command.split(' ').map((word) => word.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => words[name] ?? `no ${name}`))

    for (const { operation, command } of RUNS) {
      it(`${operation}: seller ${command}`, async () => {
        home.calls()
        const run = await home.seller(...filled(command), '--json')
        expect(run.code, run.stdout + run.stderr).to.equal(operation === 'GetEidVerificationProgress' ? EXIT.pending : EXIT.ok)
        const known: Operation = operations[operation]
        expect(home.calls()).to.include(theirs(known.name))
        const result: unknown = run.json()
        expect(result).to.be.an(Array.isArray(result) ? 'array' : 'object')
        if (operation === 'AddItem') words.request = String((result as { RequestId: number }).RequestId)
        passed.add(operation)
      })
    }

    const { edition } = forms
    if (edition === undefined || edition === 'document') return

    for (const command of COMMAND_RUNS) {
      it(`seller ${command}`, async () => {
        const run = await home.seller(...filled(command), '--json')
        // A field that an older edition lacks is refused where the seller gave it.
        const isNewer = edition === '2022' && /--file \{full\}|--started-before/.test(command)
        expect(run.code, run.stdout + run.stderr).to.equal(isNewer ? EXIT.usage : EXIT.ok)
        if (isNewer) expect(run.json().error).to.include({ code: 'operation_changed' })
        if (command.startsWith('orders:slips') || isNewer) return
        const { JobId } = Object(run.json()) as { readonly JobId?: number | null }
        if (typeof JobId === 'number') words.job = String(JobId)
      })
    }

    it(`sends nothing that the types of ${edition} do not have, by an outside validator`, () => {
      const { envelopes } = home
      const faults = new Map<string, number>()
      for (const service of new Set(envelopes.map((each) => each.service))) {
        const schema = XmlDocument.fromString(requestSchema(service, edition, namespace ?? ''))
        const validator = XsdValidator.fromDoc(schema)
        for (const { body } of envelopes.filter((each) => each.service === service)) {
          for (const part of partsOf(body)) {
            for (const fault of faultsOf(part, validator)) faults.set(fault, (faults.get(fault) ?? 0) + 1)
          }
        }
        validator.dispose()
        schema.dispose()
      }
      console.log(`    ${envelopes.length} requests by the types of ${edition}, ${faults.size} kinds of faults`)
      expect([...faults].map(([fault, times]) => `${times}x ${fault}`)).to.deep.equal([])
      expect(envelopes.length).to.be.greaterThan(100)
    })
  })

after(() => {
  const titles = SERVICES.map(({ title }) => title)
  const width = Math.max(...OPERATION_RUNS.map(({ operation }) => operation.length))
  const wide = Math.max(...OPERATION_RUNS.map(({ command }) => command.length))
  console.log(`\n    Columns: ${titles.map((title, at) => `${at + 1} ${title}`).join('; ')}`)
  for (const { operation, command } of OPERATION_RUNS) {
    const marks = SERVICES.map(({ title, forms }) =>
      has(forms, operation) ? (PASSED.get(title)?.has(operation) === true ? 'ok' : 'FAILED') : '-',
    )
    console.log(`    ${operation.padEnd(width)}  ${command.padEnd(wide)}  ${marks.join('  ')}`)
  }
})

/** The headers and the payload of an envelope, each as a document. */
function partsOf(envelope: string): string[] {
  const inside = (name: string) => new RegExp(`<soap:${name}>([\\s\\S]*)</soap:${name}>`).exec(envelope)?.[1] ?? ''
  const headers = inside('Header').match(/<(\w+) xmlns[\s\S]*?<\/\1>/g) ?? []
  return [...headers, inside('Body')].map((xml) =>
    xml.replace(/^<(\w+)/, '<$1 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'),
  )
}

function faultsOf(xml: string, validator: XsdValidator): string[] {
  const document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    const operation = /^<(\w+)/.exec(xml)?.[1] ?? '?'
    return error.details.map(({ message }) => `${operation}: ${message.trim()}`)
  } finally {
    document.dispose()
  }
}

describe('the runs of operations', () => {
  it('have a row for each command that calls the service', () => {
    const run = new Set([...OPERATION_RUNS.map(({ command }) => command), ...COMMAND_RUNS].map((each) => each.split(' ', 1)[0]))
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
    const calling = Object.keys(commands).filter((id) => (commands[id].operations ?? []).length > 0)
    // A login is made before the others.
    expect(calling.filter((id) => !run.has(id) && id !== 'auth:login')).to.deep.equal([])
  })

  it('have a row for each operation, and each command is run elsewhere too', () => {
    expect(OPERATION_RUNS.map(({ operation }) => operation)).to.have.members(Object.keys(operations))
    const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test\.ts|txt)$/.test(name) && !name.startsWith('operations'))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    for (const { command } of OPERATION_RUNS) {
      const name = command.split(' ', 1)[0] ?? command
      expect(
        tests.some((text) => text.includes(`'${name}'`) || text.includes(`seller ${name}`)),
        name,
      ).to.equal(true)
    }
  })
})
