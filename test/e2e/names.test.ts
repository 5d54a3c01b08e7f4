/** A service with its own names and form: what is sent, what scripts see, and how the profile learns them. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { readNameMap } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { closing, openedForEach } from '../opened.js'
import { type Home, openHome } from './harness.js'
import { ask } from './person.js'

const NAMES = 'Eid=Zed,ExternalPayment=OuterPayment'
const settingsOf = async (home: Home) => JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8'))

describe("a service's own names", () => {
  const home = openedForEach(() =>
    openHome({ sandbox: { names: readNameMap(NAMES), shape: 'nested', namespace: 'urn:another' } }),
  )

  it('are proposed, and saved only after a yes', async () => {
    const before = await home.seller('service:check', '--json')
    expect(before.code, 'they would be learned').to.equal(EXIT.ok)
    expect(before.stderr).to.include('Zed for Eid').and.include('OuterPayment for ExternalPayment')
    expect(await settingsOf(home).catch(() => 'no file')).to.equal('no file')
    const after = await home.done('service:check', '--save', '--save-names', '--json')
    expect(after.json().map(({ Effect, Kind }: { Effect: string; Kind: string }) => [Effect, Kind])).to.deep.equal([
      ['differs', 'form'],
    ])
    expect((await settingsOf(home)).profiles.default.names).to.equal(NAMES)
    const again = await home.seller('service:check')
    expect([again.code, again.stdout.includes('Zed')], again.stderr).to.deep.equal([EXIT.ok, false])
  })

  it('are not saved by a check that only looks, nor guessed where types differ', async () => {
    await home.seller('service:check')
    expect(await settingsOf(home).catch(() => 'no file')).to.equal('no file')
    expect(await readdir(home.dataDir).catch(() => [])).to.not.include('descriptions')
  })

  it('are learned by a profile of environment variables alone, once, with the first operation that the service does not know', async () => {
    const listed = await home.seller('items:list', '--json')
    expect([listed.code, listed.stderr]).to.deep.equal([EXIT.ok, ''])
    const began = await home.done('eid:verify', '--no-wait', '--json')
    expect(began.stderr).to.include('Read the description of the service and kept it').and.include('Zed for Eid')
    const again = await home.seller('eid:status', '--json', '--trace')
    expect(again.code, again.stderr).to.equal(EXIT.pending)
    expect(again.stderr).to.include('GetZedVerificationProgress').and.not.include('?WSDL').and.not.include('Read the description')
    expect(await settingsOf(home).catch(() => 'no file')).to.equal('no file')
    expect((await home.seller('service:check')).stdout).to.not.include('Zed')
    const ended = await home.seller('items:end', '1', '--yes', '--json')
    expect(ended.json().error.message).to.match(/the description that was saved on .* does not have it/)
  })

  it('of the settings stay, whatever a description proposes that is read later by itself', async () => {
    await home.seller('service:check', '--save')
    const login = ['auth:login', '--setting', 'names=Eid=Zed', '--no-verify', '--base-url', home.sandbox.url]
    expect((await home.seller(...login)).code).to.equal(EXIT.ok)
    await rm(join(home.dataDir, 'descriptions'), { recursive: true })
    const began = await home.seller('eid:verify', '--no-wait', '--json')
    expect([began.code, began.stderr.includes('OuterPayment')], began.stderr).to.deep.equal([EXIT.ok, false])
    const [saved = ''] = (await readdir(join(home.dataDir, 'descriptions'))).filter((name) => name.includes('Restricted'))
    expect(JSON.parse(await readFile(join(home.dataDir, 'descriptions', saved), 'utf8')).Names).to.equal('Eid=Zed')
  })

  it('are not blamed on the namespace where the saved description explains the failure', async () => {
    await home.seller('service:check', '--save')
    const login = ['auth:login', '--setting', 'names=none', '--no-verify', '--base-url', home.sandbox.url]
    expect((await home.seller(...login)).code).to.equal(EXIT.ok)
    const failed = await home.seller('eid:status', '--json')
    expect([failed.code, failed.json().error.code]).to.deep.equal([EXIT.failure, 'operation_not_recognized'])
    expect(failed.json().error.hint).to.include('calls it GetZedVerificationProgress').and.include('--save-names')
    const other = await home.run(['account:show', '--json'], { env: { SELLER_NAMESPACE: 'urn:wrong' } })
    expect(other.json().error.hint).to.include('has the namespace "urn:another"; calls are sent with "urn:wrong"')
  })

  it('are saved by a plain login, which says so; those that were taken away stay away', async () => {
    const env = { SELLER_BASE_URL: undefined, SELLER_NAMESPACE: undefined }
    const plain = (...args: string[]) => home.run(['auth:login', '-p', 'shop', '--base-url', home.sandbox.url, ...args], { env })
    const done = await plain()
    expect(done.code, done.stderr).to.equal(EXIT.ok)
    expect(done.stderr).to.include('Zed for Eid').and.include(`Saved for the profile "shop": names ${NAMES}.`)
    const began = await home.run(['eid:verify', '--no-wait', '-p', 'shop'], { env })
    expect(began.code, began.stderr).to.equal(EXIT.ok)
    expect((await plain()).stderr).to.not.include('Zed')
    await plain('--setting', 'names=none')
    expect((await plain()).stderr).to.not.include('Zed')
    expect((await settingsOf(home)).profiles.shop.names).to.equal('')
  })

  it('are asked about on a terminal', async () => {
    const person = ask(home, ['service:check'])
    await person.answers('Send and read these names for the profile "default"?', 'n')
    await person.done
  })

  it('are sent and read, while scripts see the known ones: parameters, results, the raw reply and what is printed', async () => {
    await home.seller('service:check', '--save', '--yes')
    const begun = (await home.seller('call', 'BeginEidVerification')).json()
    expect(Object.keys(begun)).to.include('EidOrderRef')
    const raw = await home.seller('call', 'BeginEidVerification', '--raw')
    expect(raw.stdout).to.include('<BeginZedVerificationResult>')
    const shown = await home.seller('call', 'BeginEidVerification', '--dry-run')
    expect(shown.stdout).to.include('<BeginZedVerification xmlns="urn:another"')
    const items = (await home.seller('items:list', '--json', '--columns', 'Id,ExternalPayment')).json()
    expect(items[0].ExternalPayment).to.be.a('boolean')
    const streamed = await home.seller('items:list', '--output', 'ndjson')
    expect(streamed.stdout).to.include('"ExternalPayment"').and.not.include('OuterPayment')
    const shape = (await home.seller('service:show', 'BeginEidVerification', '--json')).json()
    expect(shape.Result.map(({ Name }: { Name: string }) => Name)).to.include('EidOrderRef')
    const listed = (await home.seller('service:operations', '--json')).json()
    expect(JSON.stringify(listed)).to.include('GetEidVerificationProgress').and.not.include('Zed')
  })

  it('are the known ones in errors', async () => {
    await home.seller('service:check', '--save', '--yes')
    const env = { SELLER_BASE_URL: home.sandbox.url, SELLER_TOKEN: 'wrong' }
    const run = await home.run(['eid:status', '--json'], { env })
    expect(run.json().error.operation).to.equal('GetEidVerificationProgress')
    expect(run.stdout).to.not.include('Zed')
  })

  it('hold for the HTTP forms too', async () => {
    await home.seller('service:check', '--save', '--yes')
    const file = join(home.configDir, 'profiles.json')
    const settings = await settingsOf(home)
    settings.profiles.default.binding = 'get'
    await home.file('config/profiles.json', JSON.stringify(settings))
    expect((await readFile(file, 'utf8')).includes('"get"')).to.equal(true)
    const run = await home.seller('call', 'GetEidVerificationProgress')
    expect(run.json(), run.stderr).to.have.property('IsCompleted')
  })

  it('can be set and taken away by hand, and are refused where they are no pairs', async () => {
    const login = (...args: string[]) => home.run(['auth:login', ...args], { env: { SELLER_TOKEN: home.env.SELLER_TOKEN } })
    expect((await login('--setting', 'names=Eid=Zed, ExternalPayment=OuterPayment')).code).to.equal(EXIT.ok)
    expect((await settingsOf(home)).profiles.default.names).to.equal(NAMES)
    const refused = await login('--setting', 'names=Eid', '--json')
    expect([refused.code, refused.json().error.code]).to.deep.equal([EXIT.usage, 'invalid_setting'])
    expect((await login('--setting', 'names=none')).code).to.equal(EXIT.ok)
    expect((await settingsOf(home)).profiles.default.names).to.equal('')
  })
})

describe('service:check of every edition of the sandbox', () => {
  for (const [edition, options] of Object.entries({
    'the document': {},
    'with operations beyond it': { extended: true },
    'the nested form': { shape: 'nested' },
    'other names in another namespace': { names: readNameMap(NAMES), namespace: 'urn:another', shape: 'nested', extended: true },
  } as const))
    it(`exits 0 after a login: ${edition}`, async () => {
      await using home = closing(await openHome({ sandbox: options }))
      const env = { SELLER_BASE_URL: undefined, SELLER_NAMESPACE: undefined }
      const login = await home.run(['auth:login', '-p', 'shop', '--base-url', home.sandbox.url], { env })
      expect(login.code, login.stderr).to.equal(EXIT.ok)
      const run = await home.run(['service:check', '-p', 'shop', '--json'], { env })
      expect(run.code, run.stdout).to.equal(EXIT.ok)
      const effects = run.json().map(({ Effect }: { Effect: string }) => Effect)
      expect(effects).to.not.include('breaks')
    })
})

describe('the nested form of auction prices', () => {
  const home = openedForEach(() => openHome({ sandbox: { shape: 'nested' } }))
  let auction: number
  beforeEach(async () => {
    const added = await home.seller(
      ...['items:add', '--title', 'Kruka', '--category', '344481', '--opening', '10', '--shipping', 'pickup', '--wait', '--json'],
    )
    auction = added.json().ItemId
  })

  const sent = async (...args: string[]) => (await home.seller('call', 'SetPricesOnNonShopItems', ...args, '--dry-run')).stdout

  it('is sent once the description has it, which the first write has read, from leaves and from itself', async () => {
    const leaves = [`itemId=${auction}`, 'openingPrice=12', 'BinPrice=90']
    const nested = await sent(...leaves)
    expect(nested.replace(/\s+/g, '')).to.include(
      `<request><NonShopItem><Id>${auction}</Id><OpeningPrice>12</OpeningPrice><BinPrice><Price>90</Price></BinPrice></NonShopItem></request>`,
    )
    const given = ['request.NonShopItem.Id', 'request.NonShopItem.OpeningPrice', 'request.NonShopItem.BinPrice.Price']
    const own = given.map((name, at) => `${name}=${[auction, 12, 90][at]}`)
    expect(await sent(...own)).to.equal(nested)
    const wrong = await home.seller(
      'call',
      'SetPricesOnNonShopItems',
      'request.NonShopItem.Id=1',
      'request.NonShopItem.OpeningPrize=2',
      '--json',
    )
    expect([wrong.code, wrong.json().error.code]).to.deep.equal([EXIT.validation, 'invalid_input'])
  })

  it('is what items:price, its file and its undo send', async () => {
    await home.seller('service:check', '--save')
    const price = async () => (await home.seller('items:show', String(auction), '--json')).json().OpeningBid
    const one = await home.done('items:price', String(auction), '--opening', '12', '--trace')
    expect(one.stderr).to.include('<NonShopItem>')
    expect(await price()).to.equal(12)
    const file = await home.file('prices.csv', `Id,OpeningPrice\n${auction},14\n`)
    const many = await home.seller('items:price', '--file', file, '--yes', '--json', '--trace')
    expect([many.code, await price()], many.stderr).to.deep.equal([EXIT.ok, 14])
    expect(many.stderr).to.include('<NonShopItem>')
    const job = many.json().JobId
    const undo = await home.seller('jobs:undo', String(job), '--yes', '--trace')
    expect([undo.code, await price()], undo.stderr).to.deep.equal([EXIT.ok, 12])
    expect(undo.stderr).to.include('<NonShopItem>')
  })
})
