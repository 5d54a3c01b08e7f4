import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'

const run = promisify(execFile)
const modules = resolve(import.meta.dirname, '../../node_modules')

/** Code that someone would write against the generated clients; the lines marked must not compile. */
const CONSUMER = `
import { createClientAsync as restricted } from './clients/restrictedservice/index.js'
import { createClientAsync as open } from './clients/publicservice/index.js'

export async function price(): Promise<number | undefined> {
  const client = await restricted('')
  const [item] = await client.GetItemAsync({ itemId: 1 })
  const [queued] = await client.SetPriceOnShopItemsAsync({ request: { ShopItems: { SetPriceShopItem: [{ Id: 1, Price: 2 }] } } })
  const requestId: number | undefined = queued.SetPriceOnShopItemsResult?.QueuedRequestResponses?.QueuedRequestResponse?.[0]?.RequestId
  const [items] = await (await open('')).GetSellerItemsAsync({ userId: 1, filterActive: 'Active' as never, categoryId: 0 })
  const title: string | undefined = items.GetSellerItemsResult?.Item?.[0]?.ShortDescription
  // @ts-expect-error: an id is a number
  await client.GetItemAsync({ itemId: 'one' })
  // @ts-expect-error: an item has no such field
  item.GetItemResult?.Titel
  return requestId ?? title?.length ?? item.GetItemResult?.BuyItNowPrice
}
`

describe('a client generated from the WSDL', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seller-wsdl-'))
    await symlink(modules, join(folder, 'node_modules'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('compiles, and knows the types of the service', async () => {
    for (const service of ['RestrictedService', 'PublicService'] as const) {
      const file = join(folder, `${service}.wsdl`)
      await writeFile(file, buildWsdl(service, 'http://api.marketplace.example', `http://127.0.0.1:8080/v3/${service}.asmx`))
      await run(process.execPath, [join(modules, 'wsdl-tsclient/dist/src/cli.js'), file, '-o', join(folder, 'clients'), '--esm'])
    }
    await writeFile(join(folder, 'consumer.ts'), CONSUMER)
    const compilerOptions = {
      strict: true,
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['consumer.ts', 'clients'] }))
    const compiled = await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder]).then(
      (done) => ({ code: 0, ...done }),
      (error: { code: number | string; stdout: string; stderr: string }) => error,
    )
    // A compiler that could not start says so on stderr alone.
    expect(compiled.code, compiled.stdout + compiled.stderr).to.equal(0)
    expect(compiled.stdout).to.equal('')
  })
})
