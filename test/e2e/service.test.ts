import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Operation, operations, operationsOf, type ServiceName } from '../../src/contract/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { closing, opened, openedForEach } from '../opened.js'
import { changed, entries, operationsIn, SERVICES } from '../soap/description/support.js'
import { NS, openDescribed } from './described.js'
import { openHome } from './harness.js'

type Row = {
  Effect: string
  Kind: string
  Service: string
  Operations: string[]
  Subject: string
  Commands: string[]
  Message: string
}

const renamed = () =>
  changed(operationsIn('RestrictedService'), 'ItemRequest', (fields) =>
    entries(fields, (list) => list.map(([name, field]) => [name === 'Title' ? 'Heading' : name, field])),
  )

describe('service:check', () => {
  const home = openedForEach(openHome)
  const service = opened(openDescribed)
  beforeEach(() => {
    Object.assign(home.env, { SELLER_BASE_URL: service.url, SELLER_NAMESPACE: NS })
    service.answer = undefined
    service.seen.splice(0)
    for (const name of ['RestrictedService', 'PublicService'] as const) service.show(name, operationsIn(name))
  })

  const check = (...args: string[]) => home.seller('service:check', ...args)

  it('needs an address and nothing else, and sends no credentials', async () => {
    const secrets = {
      SELLER_APP_ID: '4242',
      SELLER_APP_KEY: 'key-of-the-application',
      SELLER_USER_ID: '1001',
      SELLER_TOKEN: 'token-of-the-seller',
    }
    expect((await check()).code).to.equal(0)
    expect((await home.run(['service:check'], { env: secrets })).code).to.equal(0)
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(
      Array(2)
        .fill(['Restricted', 'Public', 'Order', 'Listing'].map((name) => `GET /v3/${name}Service.asmx?WSDL`))
        .flat(),
    )
    const sent = JSON.stringify(service.seen.map(({ rawHeaders, url }) => [rawHeaders, url]))
    for (const secret of Object.values(secrets)) expect(sent).not.to.include(secret)
    const none = await home.run(['service:check', '--json'], { env: { SELLER_BASE_URL: undefined } })
    expect(none.code).to.equal(4)
    expect(none.json().error).to.include({ code: 'not_logged_in', message: 'The profile "default" has no base_url.' })
  })

  it('takes any address of the service', async () => {
    const away = { env: { SELLER_BASE_URL: undefined } }
    for (const [path, services] of [
      ['', 4],
      ['/', 4],
      ['/v3', 4],
      ['/v3/', 4],
      ['/v3/RestrictedService.asmx', 1],
      ['/v3/publicservice.asmx?wsdl', 1],
      ['/v3/PublicService.asmx?WSDL#top', 1],
    ] as const) {
      service.seen.splice(0)
      const run = await home.run(['service:check', '--url', service.url + path, '--json'], away)
      expect(run.code, `${path}: ${run.stderr}`).to.equal(0)
      expect(service.seen, path).to.have.length(services)
    }
    const both = await home.run(
      ['service:check', '--url', `${service.url}/v3/PublicService.asmx`, '--url', `${service.url}/v3/RestrictedService.asmx`],
      away,
    )
    expect(both.code, both.stderr).to.equal(0)
  })

  it('names what breaks, and the commands it breaks', async () => {
    service.show('RestrictedService', renamed())
    service.show(
      'PublicService',
      operationsIn('PublicService').filter(({ name }) => name !== 'GetCounties'),
    )
    const run = await check('--json')
    expect(run.code).to.equal(3)
    const rows: Row[] = run.json()
    expect(
      rows.map(({ Effect, Kind, Service, Operations, Subject, Commands }) => [
        Effect,
        Kind,
        Service,
        Operations,
        Subject,
        Commands,
      ]),
    ).to.deep.equal([
      [
        'breaks',
        'field_renamed',
        'RestrictedService',
        ['AddItem'],
        'ItemRequest.Title',
        ['items:add', 'items:relist', 'jobs:due', 'jobs:resume'],
      ],
      ['breaks', 'operation_missing', 'PublicService', ['GetCounties'], 'GetCounties', ['reference:counties']],
    ])
    expect(rows[0]?.Message).to.equal('The service takes "Heading"; this tool sends "Title".')
  })

  it('says that a description names another address than the one calls are sent to', async () => {
    const wsdl = await (await fetch(`${service.url}/v3/PublicService.asmx?WSDL`)).text()
    const elsewhere = 'https://elsewhere.example.com/v3/PublicService.asmx'
    const file = await home.file('other.wsdl', wsdl.replaceAll(`${service.url}/v3/PublicService.asmx`, elsewhere))
    const run = await check('--file', file, '--json')
    expect(run.code, 'nothing breaks by it').to.equal(0)
    const [row, ...more]: Row[] = run.json()
    expect(more).to.deep.equal([])
    expect(row).to.include({ Effect: 'differs', Kind: 'address', Service: 'PublicService' })
    expect(row?.Message).to.equal(
      `The description names the address ${elsewhere}; calls are sent to ${service.url}/v3/PublicService.asmx.`,
    )
    const shown = await check('--file', file)
    expect(shown.stdout).to.include(elsewhere)
    // A profile without an address has nothing to compare with.
    const without = await home.run(['service:check', '--file', file, '--json'], { env: { SELLER_BASE_URL: undefined } })
    expect(without.json()).to.deep.equal([])
  })

  it('says that the saved description is that of another address than the profile has now', async () => {
    expect((await check('--save')).code).to.equal(0)
    await using other = closing(await openDescribed())
    const moved = { env: { SELLER_BASE_URL: other.url } }
    const run = await home.run(['service:check'], moved)
    expect(run.code, run.stderr).to.equal(0)
    const sentence = `The saved description of RestrictedService names the address ${service.url}/v3/RestrictedService.asmx; calls are sent to ${other.url}/v3/RestrictedService.asmx.`
    expect(run.stderr).to.include(sentence).and.include('seller service:check --save')
    expect((await home.run(['service:check', '--save', '--yes'], moved)).code).to.equal(0)
    expect((await home.run(['service:check'], moved)).stderr).to.not.include('names the address')
  })

  it('names a type once, with every operation and command that uses it', async () => {
    const without = changed(operationsIn('RestrictedService'), 'QueuedRequestResponse', ({ ItemId }) => ({ ItemId: ItemId! }))
    service.show('RestrictedService', without)
    const rows: Row[] = (await check('--json')).json()
    expect(rows).to.have.length(1)
    expect(rows[0]).to.include({ Effect: 'breaks', Kind: 'field_missing', Subject: 'QueuedRequestResponse.RequestId' })
    expect(rows[0]?.Operations).to.have.members(['AddItem', 'AddShopItem', 'RemoveShopItem', 'SetPriceOnShopItems'])
    expect(rows[0]?.Commands).to.include.members(['items:add', 'shop:add', 'shop:remove', 'shop:price'])
  })

  it('tells another namespace, and every command that it breaks', async () => {
    service.show('PublicService', operationsIn('PublicService'), 'http://other.example')
    const run = await check('--json', '--url', `${service.url}/v3/PublicService.asmx`)
    expect(run.code).to.equal(3)
    const [row, ...rest]: Row[] = run.json()
    expect(rest).to.deep.equal([])
    expect(row).to.include({ Effect: 'breaks', Kind: 'namespace', Subject: null })
    expect(row?.Commands).to.include.members(['items:list', 'items:show', 'reference:categories'])
    expect(run.stderr).to.include('Differences that break a command: 1 of 1.')
    expect(run.stderr).to.include('seller auth:login --namespace http://other.example')
  })

  it('exits with 0 where nothing breaks, whatever is new or differs by age', async () => {
    const [first] = operationsIn('RestrictedService')
    const older = changed(operationsIn('RestrictedService'), 'GetSellerItems', (fields) =>
      entries(fields, (list) => list.filter(([name]) => name !== 'maxStartDate')),
    )
    service.show('RestrictedService', [...older, { ...first!, name: 'RestartItem' }])
    const run = await check('--json')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().map(({ Effect, Kind, Subject }: Row) => [Effect, Kind, Subject])).to.deep.equal([
      ['differs', 'field_missing', 'GetSellerItems.maxStartDate'],
      ['new', 'operation_new', 'RestartItem'],
    ])
  })

  describe('where there is no description', () => {
    const failing = async (code: number, ...args: string[]) => {
      const run = await check('--json', ...args)
      expect(run.code, run.stdout).to.equal(code)
      return run.json().error
    }

    it('says what to try at an address that answers 404', async () => {
      const error = await failing(1, '--url', `${service.url}/shop/v3/v3`)
      expect(error).to.include({ code: 'no_description', category: 'service', httpStatus: 404 })
      expect(error.hint).to.include(`seller service:check --url ${service.url}/shop`)
      expect(error.hint).to.include('The base_url of the profile "default" is')
    })

    it('says that a web page is one', async () => {
      service.answer = (_request, response) =>
        !!response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><br></html>')
      const error = await failing(1)
      expect(error).to.include({ code: 'not_a_description', category: 'service' })
      expect(error.message).to.match(/RestrictedService\.asmx\?WSDL is a web page\.$/)
    })

    it('follows no redirect', async () => {
      service.answer = ({ url }, response) => !url?.includes('stolen') && !!response.writeHead(302, { location: '/stolen' }).end()
      const error = await failing(1)
      expect(error).to.include({ code: 'no_description', httpStatus: 302 })
      expect(error.message).to.include(`to ${service.url}/stolen, which is not followed`)
      expect(service.seen).to.have.length(1)
    })

    it('reads no more than 8 MiB', async () => {
      service.answer = (_request, response) =>
        !!response.writeHead(200, { 'content-type': 'text/xml' }).end(' '.repeat(9 * 1024 * 1024))
      expect((await failing(1)).message).to.include('more than 8388608 bytes')
    })

    it('says that nobody is there, and that a connection was lost', async () => {
      expect(await failing(1, '--url', 'http://127.0.0.1:9')).to.include({ code: 'unreachable', category: 'network' })
      service.answer = (request) => !!request.socket.destroy()
      expect(await failing(1)).to.include({ code: 'connection_lost', category: 'network' })
    })

    it('refuses an address over which others could change it, and a file that is not a description', async () => {
      expect((await failing(2, '--url', 'http://api.example.com')).message).to.include('is not https')
      expect((await failing(2, '--url', 'nowhere')).code).to.equal('invalid_setting')
      expect((await failing(2, '--url', `${service.url}?op=GetItem`)).message).to.include('holds a query')
      const path = await home.file('page.wsdl', '<html></html>')
      expect(await failing(2, '--file', path)).to.include({
        code: 'invalid_description',
        category: 'usage',
        message: `The file "${path}" is a web page.`,
      })
    })
  })

  it('has a command for every operation, so that what breaks is always told', async () => {
    service.show('RestrictedService', [...operationsIn('RestrictedService')].slice(0, 1))
    service.show('PublicService', [...operationsIn('PublicService')].slice(0, 1))
    const rows: Row[] = (await check('--json')).json()
    const known = ['RestrictedService', 'PublicService'].flatMap((name) => Object.keys(operationsOf(name as ServiceName)))
    // Two are shown; one came with a newer edition, and an older one is no break.
    expect(rows.map(({ Effect }) => Effect)).to.deep.equal([...Array(known.length - 3).fill('breaks'), 'differs'])
    for (const { Commands, Subject } of rows) expect(Commands, Subject).not.to.deep.equal([])
  })
})

describe('a description of another kind', () => {
  const home = openedForEach(openHome)
  const listing = () =>
    buildWsdl(
      'ListingService',
      NS,
      'https://api.example.com/v3/ListingService.asmx',
      operationsIn('RestrictedService').slice(0, 2),
    )
  const foreign = () =>
    listing()
      .replaceAll('ListingService', 'WeatherService')
      .replaceAll('GetItem', 'GetRain')
      .replaceAll('GetSellerItems', 'GetSun')
  const split = async (folder: string, whole = listing()) => {
    const [types = ''] = /<s:schema [\s\S]*?<\/s:schema>/.exec(whole) ?? []
    const spaces = [...whole.matchAll(/xmlns:\w+="[^"]*"/g)].join(' ')
    await home.file(`${folder}/types.xsd`, types.replace('<s:schema ', `<s:schema ${spaces} `))
    return home.file(
      `${folder}/order.wsdl`,
      whole.replace(types, `<s:schema><s:import namespace="${NS}" schemaLocation="types.xsd"/></s:schema>`),
    )
  }

  it('of the marketplace is stored under its own name, and leaves the others as they are', async () => {
    await home.done('service:check', '--file', await home.file('order.wsdl', listing()), '--save', '--yes')
    expect(await readdir(join(home.dataDir, 'descriptions'))).to.deep.equal(['default-37a8eec1.ListingService.json'])
    expect(
      (await home.seller('service:operations', '--json')).json().filter(({ Service }: Row) => Service === 'ListingService'),
    ).to.have.length(2)
  })

  it('of a stranger is refused, and its operations are listed without being stored', async () => {
    const file = await home.file('weather.wsdl', foreign())
    const refused = await home.seller('service:check', '--file', file, '--save', '--yes', '--json')
    expect([refused.code, refused.json().error.code]).to.deep.equal([2, 'invalid_description'])
    expect(refused.json().error.message).to.include('describes WeatherService at https://').and.include('ListingService')
    const listed = (await home.seller('service:operations', '--file', file, '--json')).json()
    expect(
      listed.map(({ Service, Operation, Commands }: Record<string, unknown>) => [Service, Operation, Commands]),
    ).to.deep.equal([
      ['WeatherService', 'GetRain', []],
      ['WeatherService', 'GetSun', []],
    ])
    expect(existsSync(join(home.dataDir, 'descriptions'))).to.equal(false)
  })

  it('in several files is read from its folder, kept whole, and not from outside of it', async () => {
    await mkdir(join(home.dir, 'a'), { recursive: true })
    const file = await split('a')
    const listed = (await home.seller('service:operations', '--file', file, '--json')).json()
    expect(listed).to.have.length(2)
    expect((await home.seller('service:check', '--file', file, '--save')).code).to.equal(0)
    await writeFile(join(home.dir, 'a', 'types.xsd'), '')
    expect((await home.seller('service:operations', '--service', 'listing', '--json')).json()).to.have.length(2)
    const text = (await readFile(file, 'utf8')).replace('types.xsd', '../b/types.xsd')
    await mkdir(join(home.dir, 'b'), { recursive: true })
    await split('b')
    await writeFile(file, text)
    const outside = await home.seller('service:operations', '--file', file, '--json')
    expect([outside.code, outside.json().error.code]).to.deep.equal([2, 'invalid_description'])
    expect(outside.json().error.message).to.include(
      '2 of its 2 operations are called with elements that are not in the description; parts of it are in other files (../b/types.xsd)',
    )
  })

  it('in several files says why an operation is not recognized', async () => {
    await using shop = closing(await openHome({ sandbox: true }))
    await mkdir(join(home.dir, 'a'), { recursive: true })
    const address = 'https://api.example.com/v3/RestrictedService.asmx'
    const file = await split('a', buildWsdl('RestrictedService', NS, address, operationsIn('RestrictedService')))
    await shop.seller('service:check', '--file', file, '--save', '--yes')
    const failed = await shop.run(['account:show', '--json'], { env: { SELLER_NAMESPACE: 'http://other.example' } })
    expect(failed.json().error.hint).to.include(`has the namespace "${NS}"; calls are sent with "http://other.example"`)
  })

  it('in several files is read from its host', async () => {
    await using service = closing(await openDescribed())
    await mkdir(join(home.dir, 'a'), { recursive: true })
    const file = await split('a')
    const types = await readFile(join(home.dir, 'a', 'types.xsd'), 'utf8')
    service.answer = ({ url }, response) => !!response.end(/types/.test(url ?? '') ? types : readFileSync(file))
    const run = await home.done('service:check', '--url', `${service.url}/v3/ListingService.asmx?WSDL`, '--json')
    expect(run.json().filter(({ Kind }: Row) => Kind === 'operation_new')).to.have.length(2)
    expect(service.seen.map(({ url }) => url)).to.deep.equal(['/v3/ListingService.asmx?WSDL', '/v3/types.xsd'])
  })
})

describe('a saved description', () => {
  const home = openedForEach(openHome)
  const service = opened(openDescribed)
  beforeEach(() => {
    Object.assign(home.env, { SELLER_BASE_URL: service.url, SELLER_NAMESPACE: NS })
    for (const name of ['RestrictedService', 'PublicService'] as const) service.show(name, operationsIn(name))
  })

  const directory = () => join(home.dataDir, 'descriptions')
  const saved = async () => {
    const names = (await readdir(directory())).sort()
    return Promise.all(
      names.map(async (name) => ({
        name,
        path: join(directory(), name),
        ...JSON.parse(await readFile(join(directory(), name), 'utf8')),
      })),
    )
  }
  const end = (): Operation => ({
    ...operationsIn('RestrictedService')[0]!,
    name: 'RestartItem',
    kind: 'single write',
    summary: 'Ends an item.',
    result: undefined,
  })

  it('is a file of its own for each profile and service, for the user alone', async () => {
    const run = await home.done('service:check', '--save')
    const files = await saved()
    expect(files.map(({ Profile, Service, From }) => [Profile, Service, From])).to.deep.equal([
      ['default', 'PublicService', `${service.url}/v3/PublicService.asmx?WSDL`],
      ['default', 'RestrictedService', `${service.url}/v3/RestrictedService.asmx?WSDL`],
    ])
    for (const { path, Text, Sha256, SavedAt } of files) {
      expect((await stat(path)).mode & 0o777).to.equal(0o600)
      expect(Sha256).to.equal(createHash('sha256').update(Text).digest('hex'))
      expect(Math.abs(Date.now() - Date.parse(SavedAt))).to.be.below(60_000)
      expect(run.stderr).to.include(path)
    }
    expect((await home.seller('service:check', '--save', '-p', 'sandbox')).code).to.equal(0)
    expect(await saved(), 'the sandbox has the order service and that of listings too').to.have.length(6)
  })

  it('is renewed without a question where only its address or words changed', async () => {
    await home.seller('service:check', '--save')
    service.show(
      'PublicService',
      operationsIn('PublicService').map((operation) => ({ ...operation, summary: 'Other words.' })),
    )
    const run = await home.done('service:check', '--save')
    expect(run.stderr).to.include('unchanged since')
    expect((await saved())[0].Text).to.include('Other words.')
  })

  it('is what service:operations and service:show go by', async () => {
    const before = await home.seller('service:operations', '--json')
    expect(before.json()).to.have.length(Object.values<Operation>(operations).filter(({ extended }) => extended !== true).length)
    expect(new Set(before.json().map(({ Source }: { Source: string }) => Source))).to.deep.equal(new Set(['contract']))
    expect(before.stderr).to.equal('')

    service.show('RestrictedService', [...renamed().filter(({ name }) => name !== 'GetShopSettings'), end()])
    await home.seller('service:check', '--save')
    const run = await home.seller('service:operations', '--json')
    expect(run.stderr).to.match(/^RestrictedService: from the description saved on \d{4}-\d\d-\d\d \(http/)
    const rows: { Operation: string; Source: string; Kind: string; Parameters: number; Commands: string[] }[] = run.json()
    const of = (name: string) => rows.find(({ Operation }) => Operation === name)
    expect(of('RestartItem')).to.include({ Source: 'description', Kind: 'single write', Parameters: 1 })
    expect(of('GetShopSettings')).to.include({ Source: 'contract' })
    expect(of('AddItem')).to.deep.include({ Source: 'both', Commands: ['items:add', 'items:relist', 'jobs:due', 'jobs:resume'] })

    const shown = (await home.seller('service:show', 'AddItem', '--json')).json()
    const names = shown.Parameters.map(({ Name }: { Name: string }) => Name)
    expect(names).to.include('itemRequest.Heading').and.not.include('itemRequest.Title')
    const limits = shown.Parameters.find(({ Name }: { Name: string }) => Name === 'itemRequest.Restarts').Limits
    expect(limits).to.equal('0 to 2 (each restart costs as much as a new auction)')
    const other = (await home.seller('service:show', 'RestartItem', '--json')).json()
    expect(other).to.include({
      Source: 'description',
      Summary: 'Ends an item.',
      Example: 'seller call RestartItem itemId=1001',
    })
    expect(other.Result).to.deep.equal([])
  })

  it('is the same in a home of a test that has a copy of it', async () => {
    // The second home of a kind has the copy.
    for (let opened = 0; opened < 2; opened++) {
      await using own = closing(await openHome({ sandbox: { extended: true, described: true, emptyShops: true } }))
      const folder = join(own.dataDir, 'descriptions')
      const files = async () =>
        Promise.all(
          (await readdir(folder)).sort().map(async (name) => {
            const { SavedAt, ...rest } = JSON.parse(await readFile(join(folder, name), 'utf8'))
            return { name, mode: (await stat(join(folder, name))).mode, ...rest, isTime: !Number.isNaN(Date.parse(SavedAt)) }
          }),
        )
      const copied = await files()
      await own.done('service:check', '--save', '--yes')
      expect(copied)
        .to.deep.equal(await files())
        .and.to.have.length(4)
    }
  })

  it('that was damaged is named, and left as it is', async () => {
    await home.seller('service:check', '--save')
    const [file] = await saved()
    const text = await readFile(file.path, 'utf8')
    for (const [damage, why] of [
      [text.slice(0, 100), 'is not JSON'],
      ['null', 'lacks what a saved description has'],
      [text.replace('Reads the tree', 'Reads a tree'), 'was changed after it was saved'],
    ] as const) {
      await writeFile(file.path, damage)
      const run = await home.seller('service:operations', '--json')
      expect(run.code).to.equal(1)
      expect(run.json().error).to.include({ code: 'description_damaged', message: `The saved description ${file.path} ${why}.` })
      expect(await readFile(file.path, 'utf8')).to.equal(damage)
    }
  })
})

describe('service:operations and service:show', () => {
  const home = opened(openHome)

  it('show every name of an operation in full on a terminal of 80 columns', async () => {
    const run = await home.run(['service:operations', '--no-pager'], { terminal: true, columns: 80 })
    expect(run.stdout).to.include('SetPricesOnNonShopItems ').and.include('GetSellerTransactions ')
  })

  for (const [service, operations] of SERVICES.map((name) => [name, Object.values(operationsOf(name))] as const)) {
    it(`give an example for every operation of ${service} that call accepts`, async () => {
      await home.file('photo.jpg', Buffer.from([0xff, 0xd8, 0xff]))
      for (const { name } of operations) {
        const { Example } = (await home.seller('service:show', `${service}.${name}`, '--json')).json()
        if (Example.includes('--input')) {
          expect(['AddItem', 'AddShopItem'], Example).to.include(name)
          continue
        }
        const args = Example.replace(/^seller /, '')
          .split(' ')
          .map((word: string) => word.replace(/^'(.*)'$/, '$1'))
        const run = await home.done(...args, '--dry-run')
        expect(run.stdout).to.include(`<${name}`)
      }
    })
  }
})
