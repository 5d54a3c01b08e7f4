/** Descriptions that are read, compared, saved and agreed on. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkDescriptions } from '../../../src/actions/service/check.js'
import { agreeOnNames } from '../../../src/actions/service/names.js'
import { compareWithSaved, dayOf, saveAtLogin, saveDescriptions } from '../../../src/actions/service/save.js'
import { ageOf, formsIn, readSaved } from '../../../src/actions/service/saved.js'
import { openSources } from '../../../src/actions/service/sources.js'
import { readAddress, type Source } from '../../../src/cli/descriptions/read.js'
import { writeSaved } from '../../../src/cli/descriptions/save.js'
import { SellerError } from '../../../src/cli/errors.js'
import { type NameMap, type Operation, Renamer, readNameMap, renaming } from '../../../src/contract/index.js'
import { wsdlOf } from '../../../src/sandbox/wsdl/document.js'
import { readDescription } from '../../../src/soap/description/index.js'
import { type DescribedService, openDescribed } from '../../e2e/described.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { changed, entries, NS, operationsIn, SERVICES } from '../../soap/description/support.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const DAY = 86_400_000
const BASE = 'https://api.example.com'

/** Enough of the contract where it is not compared with it: reading all of it takes its time. */
const few = () => operationsIn('RestrictedService').filter(({ name }) => ['AddItem', 'GetUserInfo'].includes(name))

const sourceOf = (operations: readonly Operation[] = few(), from = 'file.wsdl', base = BASE): Source => {
  const service = 'RestrictedService'
  const text = wsdlOf(service, NS, `${base}/v3/${service}.asmx`, operations)
  return { description: readDescription(text, { service }), text, from }
}
/** The contract with a field of another name. */
const heading = (operations = few()) =>
  sourceOf(
    changed(operations, 'ItemRequest', (fields) =>
      entries(fields, (list) => list.map(([name, field]) => [name === 'Title' ? 'Heading' : name, field])),
    ),
  )

describe('a description that is saved', () => {
  afterEach(cleanUp)

  it('is read back as it was, for its profile and service alone', async () => {
    const shop = fakeShop()
    const source = sourceOf()
    expect(await readSaved(shop.ctx, 'RestrictedService')).to.equal(undefined)
    const path = await writeSaved(shop.ctx, source)
    const saved = await readSaved(shop.ctx, 'RestrictedService')
    expect(saved).to.deep.include({
      text: source.text,
      from: 'file.wsdl',
      savedAt: new Date(shop.clock.time).toISOString(),
      path,
    })
    expect(dayOf(saved as never)).to.equal('2026-11-02')
    expect([...(saved?.description.operations.keys() ?? [])]).to.deep.equal([...source.description.operations.keys()])
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(await readSaved(shop.ctx, 'PublicService')).to.equal(undefined)
    expect(await readSaved({ ...shop.ctx, profile: { ...shop.ctx.profile, name: 'other' } }, 'RestrictedService')).to.equal(
      undefined,
    )
  })

  it('is refused where its text or its list of operations was changed by hand', async () => {
    const shop = fakeShop()
    const path = await writeSaved(shop.ctx, sourceOf())
    const whole = JSON.parse(readFileSync(path, 'utf8'))
    for (const change of [
      { Text: `${whole.Text} ` },
      { Operations: { ...whole.Operations, AddItem: [] } },
      { Text: 'no description', Sha256: '5f0b6f6a5e0f8d0d0f6c35f0e2a1b3c4' },
    ]) {
      writeFileSync(path, JSON.stringify({ ...whole, ...change }))
      expect(await thrown(() => readSaved(shop.ctx, 'RestrictedService'))).to.include({ code: 'description_damaged' })
    }
    writeFileSync(path, JSON.stringify(whole))
    expect(await readSaved(shop.ctx, 'RestrictedService')).to.not.equal(undefined)
  })

  it('is old after 30 days, or those of the profile', () => {
    const shop = fakeShop()
    const age = (days: number, limit?: string) => {
      const place = { ...shop.ctx, profile: { ...shop.ctx.profile, settings: { description_max_age: limit } } } as never
      return Object.values(ageOf(place, { savedAt: new Date(shop.clock.time - days * DAY).toISOString() }))
    }
    expect([age(30), age(30.01), age(1.9), age(8, '7d'), age(7, '7d')]).to.deep.equal([
      [30, false],
      [30, true],
      [1, false],
      [8, true],
      [7, false],
    ])
  })

  it('has the forms that the service takes', () => {
    expect(formsIn([sourceOf().description], [])).to.deep.equal([])
    expect(formsIn([], [])).to.deep.equal([])
  })

  it('is replaced by one that differs after a yes only, which is asked with what changed', async () => {
    const shop = fakeShop()
    await saveDescriptions(shop.ctx, [sourceOf()], {})
    expect([shop.asked, shop.said.length]).to.deep.equal([[], 1])
    expect(shop.said[0]).to.match(/^note: Saved the description of RestrictedService for the profile "shop": \//)
    await saveDescriptions(shop.ctx, [sourceOf()], {})
    expect(shop.said[1]).to.match(/^note: Saved .* for the profile "shop", unchanged since 2026-11-02: \//)
    await saveDescriptions(shop.ctx, [heading()], { yes: true })
    expect(shop.asked).to.deep.equal([
      { message: 'Replace the description of RestrictedService that was saved on 2026-11-02?', flag: '--yes', given: true },
    ])
    expect(shop.said[2]).to.match(
      /^warn: The description of RestrictedService has changed since 2026-11-02 \(file\.wsdl\):\n {2}field renamed: ItemRequest\.Title, was "Title", is now "Heading"/,
    )
    expect(shop.said[3]).to.match(/^note: Saved .* for the profile "shop": \//)
    const decline = new SellerError('declined', 'No.', 'No.')
    const declining = { ...shop.ctx, prompts: { confirm: () => Promise.reject(decline) } } as never
    expect(await thrown(() => saveDescriptions(declining, [sourceOf()], {}))).to.equal(decline)
    expect((await readSaved(shop.ctx, 'RestrictedService'))?.text).to.equal(heading().text)
  })

  it('lists twenty changes, and how many more there are', async () => {
    const lines = async (count: number) => {
      const shop = fakeShop()
      const all = few()
      await writeSaved(shop.ctx, sourceOf(all))
      const extra = Array.from({ length: count }, (_, at): Operation => ({ ...(all[0] as Operation), name: `Extra${at}` }))
      await saveDescriptions(shop.ctx, [sourceOf([...all, ...extra])], { yes: true })
      return shop.said[0]?.split('\n') ?? []
    }
    expect(await lines(20)).to.have.lengthOf(21)
    const more = await lines(21)
    expect([more.length, more.at(-1)]).to.deep.equal([22, '  and 1 more'])
  })

  it('is kept at a login where the one that is read differs, and replaced where it comes from elsewhere', async () => {
    const shop = fakeShop()
    const login = (source: Source) => saveAtLogin(shop.ctx, { name: 'a b', settings: {} } as never, [source])
    await login(sourceOf())
    expect(shop.said).to.deep.equal(['note: Saved the description of RestrictedService (file.wsdl).'])
    await login(sourceOf())
    expect(shop.said).to.have.lengthOf(1)
    await login(heading())
    expect(shop.said[1]).to.match(/^warn: The description of RestrictedService has changed/)
    expect(shop.said[2]).to.equal(
      "hint: The saved one is kept. See what changed, and save the new one, with: seller service:check --save --profile 'a b'",
    )
    await login({ ...heading(), from: 'other.wsdl' })
    expect(shop.said.slice(3)).to.deep.equal([
      'note: Saved the description of RestrictedService (other.wsdl), in place of that of file.wsdl.',
    ])
    const place = { dataDir: shop.dataDir, clock: shop.clock, profile: { name: 'a b', settings: {} } } as never
    const path = await writeSaved(place, sourceOf())
    writeFileSync(path, '{')
    await login(sourceOf())
    expect(shop.said.at(-2)).to.match(/^warn: The saved description .* is not JSON\. It is replaced\.$/)
    expect(shop.said.at(-1)).to.equal('note: Saved the description of RestrictedService (file.wsdl).')
  })

  it('is compared with what the service shows: what changed, how old it is, which address it names', async () => {
    const shop = fakeShop({ settings: { base_url: BASE } })
    const compare = async (source: Source) => {
      shop.said.length = 0
      await compareWithSaved(shop.ctx, [source])
      return [...shop.said]
    }
    expect(await compare(sourceOf()), 'none is saved').to.deep.equal([])
    await writeSaved(shop.ctx, sourceOf())
    expect(await compare(sourceOf())).to.deep.equal([])
    const differs = await compare(heading())
    expect(differs[0]).to.match(/^warn: The description of RestrictedService has changed/)
    expect(differs[1]).to.equal('hint: Save it with --save.')
    shop.clock.time += 31 * DAY
    expect((await compare(sourceOf()))[0]).to.match(/^warn: The saved description of RestrictedService is 31 days old\./)
    expect((await compare(heading())).join()).to.not.include('days old')
    const elsewhere = 'https://old.example.com'
    await writeSaved(shop.ctx, sourceOf(undefined, 'file.wsdl', elsewhere))
    expect(await compare(sourceOf())).to.deep.equal([
      `warn: The saved description of RestrictedService names the address ${elsewhere}/v3/RestrictedService.asmx; calls are sent to ${BASE}/v3/RestrictedService.asmx.`,
      'hint: Save the present one: seller service:check --save -p q',
    ])
    expect(await compare(sourceOf(undefined, 'x', elsewhere)), 'saving again would change nothing').to.deep.equal([])
    const nowhere = { ...shop.ctx, profile: { ...shop.ctx.profile, settings: {} } } as never
    shop.said.length = 0
    await compareWithSaved(nowhere, [sourceOf()])
    expect(shop.said).to.deep.equal([])
  })
})

describe('differences of a description', () => {
  const whole = () => operationsIn('RestrictedService')
  const uses = (commands: readonly string[]) => ({ of: () => [...commands], ofService: () => [...commands] })
  const check = (
    source: Source,
    commands: readonly string[] = ['items:add'],
    settings: object = { base_url: BASE, namespace: NS },
    otherForms: readonly string[] = [],
  ) =>
    checkDescriptions({ profile: { settings } } as never, uses(commands), [source.description], {
      names: [],
      otherForms,
      accepted: () => false,
    })

  it('are none for the contract at the address of the profile', () => {
    expect(check(sourceOf(whole()))).to.deep.equal([])
  })

  it('are one record for what several operations share, those that break a command first', () => {
    const all = operationsIn('RestrictedService')
    const more = sourceOf([...all, { ...(all[0] as Operation), name: 'Extra' }])
    const added = check(more)
    expect(added.map(({ Effect, Operations }) => [Effect, Operations])).to.deep.equal([['new', ['Extra']]])
    const broken = check(heading(whole()))
    expect(broken[0]).to.deep.include({ Effect: 'breaks', Subject: 'ItemRequest.Title', Commands: ['items:add'] })
    expect(new Set(broken.map(({ Message }) => Message)).size).to.equal(broken.length)
    const order = broken.map(({ Effect }) => ['breaks', 'differs', 'new', 'only_here', 'unread'].indexOf(Effect))
    expect(order).to.deep.equal([...order].sort((one, other) => one - other))
  })

  it('break nothing that no command uses', () => {
    expect(check(heading(whole()), []).map(({ Effect }) => Effect)).to.not.include('breaks')
    const less = sourceOf(operationsIn('RestrictedService').slice(1))
    expect(check(less, []).map(({ Effect, Kind }) => [Effect, Kind])).to.deep.equal([['only_here', 'operation_missing']])
    expect(check(less).map(({ Effect }) => Effect)).to.deep.equal(['breaks'])
  })

  it('are also those of namespace and address', () => {
    expect(check(sourceOf(whole()), undefined, { base_url: BASE, namespace: 'urn:other' }).length).to.be.greaterThan(0)
    expect(check(sourceOf(whole()), undefined, { base_url: 'https://x.example.com', namespace: NS }).length).to.be.greaterThan(0)
    expect(check(sourceOf(whole()), undefined, { namespace: NS })).to.deep.equal([])
  })
})

describe('names of the service', () => {
  afterEach(cleanUp)

  const described = (names: NameMap) =>
    SERVICES.map((service) => {
      const renamer = new Renamer(renaming(names), 'whole')
      const operations = operationsIn(service).map((operation) => renamer.operation(operation))
      return readDescription(wsdlOf(service, NS, `${BASE}/v3/${service}.asmx`, operations), { service })
    })
  const ZED = readNameMap('Eid=Zed')
  const agree = async (names: NameMap, agreeing: { save?: boolean; yes?: boolean }, options: FakeShopOptions = {}) => {
    const shop = fakeShop(options)
    const found = await agreeOnNames(shop.ctx, described(names), { save: false, yes: undefined, ...agreeing })
    const path = join(shop.ctx.configDir, 'profiles.json')
    const stored = await Promise.resolve()
      .then(() => JSON.parse(readFileSync(path, 'utf8')).profiles.shop)
      .catch(() => undefined)
    return { ...shop, found, stored }
  }

  it('are not proposed where the service has none, which is said where they were to be saved', async () => {
    expect(await agree([], {})).to.deep.include({ found: [], said: [], stored: undefined })
    expect((await agree([], { save: true })).said).to.deep.equal([
      'note: The service has no names of its own that this tool could use in place of the known ones.',
    ])
    expect(await agree(ZED, { save: true }, { embedded: true })).to.deep.include({ found: [], said: [] })
  })

  it('are saved after a yes: by a flag, or an answer', async () => {
    for (const [agreeing, terminal, given] of [
      [{ save: true }, false, true],
      [{ yes: true }, false, true],
      [{}, true, false],
      [{ yes: false }, true, false],
    ] as const) {
      const { found, stored, asked, said } = await agree(ZED, agreeing, { terminal })
      expect(found).to.deep.equal(ZED)
      expect(stored).to.deep.equal({ names: 'Eid=Zed' })
      expect(asked).to.deep.equal([{ message: 'Send and read these names for the profile "shop"?', flag: '--save-names', given }])
      expect(said).to.deep.equal([
        'note: The service has names of its own: Zed for Eid.',
        'note: Saved for the profile "shop": names Eid=Zed. Take them away with seller auth:login --names none.',
      ])
    }
  })

  it('are left without a yes, and off a terminal with the command that takes them', async () => {
    const script = await agree(ZED, {})
    expect([script.found, script.stored, script.asked]).to.deep.equal([[], undefined, []])
    expect(script.said[1]).to.equal('hint: Use them for the profile "shop": seller service:check --save-names -p q')
    const declined = await agree(ZED, {}, { terminal: true, decline: new SellerError('declined', 'No.', 'No.') })
    expect([declined.found, declined.stored]).to.deep.equal([[], undefined])
    const other = new SellerError('interrupted', 'No.', 'No.')
    expect(await thrown(() => agree(ZED, {}, { terminal: true, decline: other }))).to.equal(other)
  })

  it('are added to those that the profile has', async () => {
    const both = readNameMap('Eid=Zed,ExternalPayment=OuterPayment')
    const { stored, found } = await agree(both, { save: true }, { settings: { names: 'Eid=Zed' } as never })
    expect([stored.names, found]).to.deep.equal(['Eid=Zed,ExternalPayment=OuterPayment', both])
  })
})

describe('where a description comes from', () => {
  let service: DescribedService
  before(async () => {
    service = await openDescribed()
  })
  after(() => service.close())
  afterEach(() => {
    service.answer = undefined
    cleanUp()
  })

  it('is a file, an address, or the profile', async () => {
    const shop = fakeShop({ settings: { base_url: service.url } })
    const names = (sources: readonly Source[]) => sources.map(({ description, from }) => [description.service, from])
    const restricted = shop.file('a.wsdl', sourceOf().text)
    const publicUrl = `${service.url}/v3/PublicService.asmx?WSDL`
    expect(names(await openSources(shop.ctx, { files: [restricted] }))).to.deep.equal([['RestrictedService', 'a.wsdl']])
    expect(names(await openSources(shop.ctx, { files: [restricted], urls: [publicUrl] }))).to.deep.equal([
      ['RestrictedService', 'a.wsdl'],
      ['PublicService', publicUrl],
    ])
    const both = ['RestrictedService', 'PublicService'].map((name) => [name, `${service.url}/v3/${name}.asmx?WSDL`])
    expect(names(await openSources(shop.ctx, {}))).to.deep.equal(both)
    expect(names(await openSources(shop.ctx, { urls: [service.url] }))).to.deep.equal(both)
    expect(await thrown(() => openSources(shop.ctx, { files: [restricted], urls: [service.url] }))).to.include({
      code: 'description_twice',
    })
    expect(await thrown(() => openSources(fakeShop().ctx, {}))).to.include({ code: 'not_logged_in' })
  })

  it('is named with what to try where it is none', async () => {
    const shop = fakeShop({ settings: { base_url: service.url } })
    const refused = async (url: string, about?: string) =>
      (await thrown(() => readAddress(shop.ctx, { url }, about))) as SellerError
    const page = shop.file('page.html', '<html><body>x</body></html>')
    expect(await thrown(() => openSources(shop.ctx, { files: [page] }))).to.include({ code: 'invalid_description' })
    const missing = await refused(`${service.url}/v3/v3/Other.asmx?WSDL`, 'About it.')
    expect(missing).to.include({ code: 'no_description' })
    expect(missing.hint).to.equal(
      `About it. Try the base address, without /v3 and what follows: seller service:check --url ${service.url}`,
    )
    expect((await refused(`${service.url}/shop/v3/`)).hint).to.equal(
      `Try the base address, without /v3 and what follows: seller service:check --url ${service.url}/shop`,
    )
    service.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': ' Text/HTML; charset=utf-8' }).end(sourceOf().text)
      return true
    }
    const web = await refused(`${service.url}/v3/RestrictedService.asmx?WSDL`)
    expect(web).to.include({ code: 'not_a_description' })
    expect(web.message).to.match(/is a web page\.$/)
    service.answer = (request) => {
      request.socket.destroy()
      return true
    }
    expect(['connection_lost', 'unreachable']).to.include((await refused(`${service.url}/v3/x.asmx?WSDL`)).code)
    shop.leaving.abort()
    expect(await refused(`${service.url}/v3/RestrictedService.asmx?WSDL`)).to.include({ code: 'interrupted' })
  })
})
