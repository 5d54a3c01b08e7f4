import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Operation, type OperationName, operations, readNameMap, renaming } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import type { SandboxForms } from '../../src/sandbox/index.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from './observed.js'
import { OPERATION_RUNS } from './operation-runs.js'

const isExtended = (name: OperationName): boolean => (operations[name] as Operation).extended === true

/** Services that the same commands work with. */
const SERVICES: readonly { readonly title: string; readonly namespace?: string; readonly forms: SandboxForms }[] = [
  { title: 'the document has it', forms: {} },
  {
    title:
      'another service has it after a plain login: other namespace, other names, nested parameters, operations beyond the document',
    namespace: 'urn:another-shop:v7',
    forms: { names: readNameMap('Eid=Zed,ExternalPayment=OuterPayment,ShopItem=StallItem'), shape: 'nested', extended: true },
  },
]

/** Logs in as a seller does who knows the address and the keys alone; commands then have nothing else. */
async function logInPlainly(home: ObservedHome): Promise<void> {
  const {
    SELLER_BASE_URL: base_url,
    SELLER_APP_ID: app_id,
    SELLER_APP_KEY: app_key,
    SELLER_USER_ID: user_id,
    SELLER_TOKEN: token,
  } = home.env
  for (const name of Object.keys(home.env).filter((name) => /^SELLER_(?:BASE_URL|NAMESPACE|APP|USER|TOKEN)/.test(name)))
    delete (home.env as Record<string, string>)[name]
  const stdin = JSON.stringify({ base_url, app_id, app_key, user_id, token })
  const login = await home.run(['auth:login', '--stdin'], { stdin })
  expect(login.code, login.stderr).to.equal(EXIT.ok)
  home.calls()
}

for (const { title, namespace, forms } of SERVICES)
  describe(`every operation as ${title}, by a command over real HTTP`, () => {
    const theirs = renaming(forms.names ?? [])
    const RUNS = OPERATION_RUNS.filter(({ operation }) => forms.extended === true || !isExtended(operation))
    let home: ObservedHome
    const words: Record<string, string> = { member: '1002' }
    const passed: string[] = []

    before(async () => {
      home = await openObserved({ faults: { queueDelayMs: 0 }, namespace, ...forms })
      if (namespace !== undefined) await logInPlainly(home)
      const list = async (...args: string[]) => (await home.seller('call', ...args)).json()
      const items = await list('GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=All')
      const auctions = items.filter(
        ({ ItemType, TotalBids }: { ItemType: string; TotalBids: number }) => ItemType === 'Auction' && TotalBids === 0,
      )
      const shop = items.filter(({ ItemType }: { ItemType: string }) => ItemType === 'ShopItem')
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
        '--start-price',
        '10',
        '--shipping',
        'pickup',
        '--json',
      )
      const unpaid = forms.extended === true ? (await home.seller('orders:list', '--unpaid', '--json')).json()[0].OrderId : 0
      Object.assign(words, {
        unpaid: String(unpaid),
        file,
        image: await home.file('a.png', PIXEL.png),
        auction: String(auctions[0].Id),
        shop: String(shop[0].Id),
        shop2: String(shop[1].Id),
        price: String(shop[1].BuyItNowPrice + 1),
        item2: String(added.json().ItemId),
        transaction: String(unrated[0].Id),
        // The sandbox numbers orders as it numbers transactions.
        order: String(unrated[1].Id - 300_000_000 + 70_000),
      })
    })

    after(async () => {
      await home.close()
      const width = Math.max(...RUNS.map(({ operation }) => operation.length))
      const wide = Math.max(...RUNS.map(({ command }) => command.length))
      console.log(`\n    ${'operation'.padEnd(width)}  ${'command'.padEnd(wide)}`)
      for (const { operation, command } of RUNS) {
        console.log(
          `    ${operation.padEnd(width)}  ${command.padEnd(wide)}  ${passed.includes(operation) ? '' : 'FAILED'}`.trimEnd(),
        )
      }
    })

    for (const { operation, command } of RUNS) {
      it(`${operation}: seller ${command}`, async () => {
        home.calls()
        const args = command
          .split(' ')
          .map((word) => word.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => words[name] ?? `no ${name}`))
        const run = await home.seller(...args, '--json')
        expect(run.code, run.stdout + run.stderr).to.equal(operation === 'GetEidVerificationProgress' ? EXIT.pending : EXIT.ok)
        const known: Operation = operations[operation]
        expect(home.calls()).to.include(theirs(known.name))
        const result: unknown = run.json()
        expect(result).to.be.an(Array.isArray(result) ? 'array' : 'object')
        if (operation === 'AddItem') words.request = String((result as { RequestId: number }).RequestId)
        passed.push(operation)
      })
    }
  })

describe('the runs of operations', () => {
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
