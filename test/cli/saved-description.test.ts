import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import {
  DESCRIPTION_VERSION,
  descriptionPath,
  isKnownToOffer,
  readDescriptionFile,
  readDialect,
  requireOffered,
  savedForClient,
  serviceNames,
} from '../../src/cli/saved-description.js'
import { thrown } from '../jobs/harness.js'

describe('a saved description', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'seller-saved-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const place = () => ({
    dataDir,
    profile: { name: 'Min butik/1', settings: {}, embedded: false },
    learnDescriptions: async () => false,
    requireLogin: () => undefined,
  })
  const whole = {
    Version: DESCRIPTION_VERSION,
    From: 'https://api.example.com',
    SavedAt: '2026-11-01T00:00:00Z',
    Sha256: 'abc',
    Operations: { GetItem: ['itemId'], GetCounties: [] },
    Lacks: [],
    Text: '<x/>',
  }
  const save = async (content: string) => {
    const path = descriptionPath(place(), 'RestrictedService')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return path
  }
  const read = () => readDescriptionFile(place(), 'RestrictedService')

  it('is none until it is saved, and then what was saved', async () => {
    expect(await read()).to.equal(undefined)
    expect((await readDialect(place())).otherForms).to.deep.equal([])
    expect(await isKnownToOffer(place(), 'GetItem')).to.equal(false)
    await save(JSON.stringify(whole))
    expect(await read()).to.deep.equal(whole)
    expect(await readDescriptionFile(place(), 'PublicService')).to.equal(undefined)
    for (const [operation, offered] of Object.entries({ GetItem: true, GetUserInfo: false, toString: false })) {
      expect(await isKnownToOffer(place(), operation), operation).to.equal(offered)
    }
  })

  it('has a file of its own for each profile, with a name that every file system takes', () => {
    const named = (name: string) => descriptionPath({ dataDir, profile: { name, settings: {} } }, 'PublicService')
    expect(named('Min butik/1')).to.match(/descriptions[/\\]min-butik-1-[0-9a-f]{8}\.PublicService\.json$/)
    expect(named('a /_ b')).to.match(/descriptions[/\\]a-b-[0-9a-f]{8}\./)
    expect(named('Min butik/1')).to.not.equal(named('min butik/1'))
  })

  it('says which operations the service offers, by its own names for them; the sandbox offers all', async () => {
    const sandbox = { ...place(), profile: { ...place().profile, embedded: true } }
    const renamed = { ...place(), profile: { ...place().profile, settings: { names: 'Item=Thing' } } }
    const refusal = (on: Parameters<typeof requireOffered>[0]) => thrown(() => requireOffered(on, 'GetItem'))
    expect(await isKnownToOffer(sandbox, 'GetAnything')).to.equal(true)
    await requireOffered(sandbox, 'GetAnything')
    expect(await refusal(place())).to.deep.include({
      code: 'operation_not_offered',
      message:
        'This command needs GetItem, which not every service offers: no description of the service is saved for the profile "Min butik/1".',
      hint: 'Save what the service offers now: seller service:check --save',
      details: { operation: 'GetItem' },
    })
    const login = new Error('log in first')
    const newcomer = {
      ...place(),
      requireLogin: (user: boolean) => {
        if (user) throw login
      },
    }
    expect(await refusal(newcomer)).to.equal(login)
    expect(await thrown(() => requireOffered(newcomer, 'GetItem', 'PublicService'))).to.include({ code: 'operation_not_offered' })
    await save(JSON.stringify(whole))
    await requireOffered(newcomer, 'GetItem')
    await requireOffered(place(), 'GetItem')
    expect(await refusal(renamed)).to.include({
      message:
        'This command needs GetItem, which not every service offers: the description that was saved on 2026-11-01 does not have it.',
    })
    await save(JSON.stringify({ ...whole, Operations: { GetThing: ['thingId'] } }))
    await requireOffered(renamed, 'GetItem')
    expect((await readDialect(renamed)).names).to.deep.equal(serviceNames(renamed.profile))
    expect(serviceNames(renamed.profile)).to.have.lengthOf(1)
    expect(serviceNames(place().profile)).to.deep.equal([])
  })

  it('is damaged without any part of it, or with one of another kind', async () => {
    const others: unknown[] = [null, 7, 'x', [], {}]
    for (const key of Object.keys(whole)) others.push({ ...whole, [key]: null }, { ...whole, [key]: 7 })
    // A file of version 0.3 has no Lacks.
    for (const key of Object.keys(whole)) if (key !== 'Lacks') others.push({ ...whole, [key]: undefined })
    for (const Version of [DESCRIPTION_VERSION - 1, DESCRIPTION_VERSION + 1, String(DESCRIPTION_VERSION)])
      others.push({ ...whole, Version })
    for (const Operations of ['GetItem', { GetItem: 'itemId' }, { GetItem: [], GetCounties: null }])
      others.push({ ...whole, Operations })
    for (const other of others) {
      const text = JSON.stringify(other)
      const path = await save(text)
      const error = await thrown(read)
      expect(error, text).to.deep.include({
        code: 'description_damaged',
        message: `The saved description ${path} lacks what a saved description has.`,
        details: { path },
      })
    }
  })

  it('is damaged where it is of version 0.3 and its text, from which the rest is read, is no description', async () => {
    const path = await save(JSON.stringify({ ...whole, Lacks: undefined }))
    expect(await thrown(read)).to.include({ message: `The saved description ${path} holds no description.` })
  })

  it('is damaged where it is not JSON', async () => {
    for (const text of ['', '{', '<x/>', JSON.stringify(whole).slice(0, -1)]) {
      const path = await save(text)
      expect(await thrown(read), text).to.include({ message: `The saved description ${path} is not JSON.` })
    }
  })

  it('that cannot be read is not taken for none, and says why', async () => {
    const path = descriptionPath(place(), 'RestrictedService')
    await mkdir(path, { recursive: true })
    expect(await thrown(read)).to.include({
      code: 'description_damaged',
      message: `The saved description ${path} cannot be read: it is a directory.`,
    })
    const odd = { ...place(), dataDir: 'a\0b' }
    expect(await thrown(() => readDescriptionFile(odd, 'RestrictedService'))).to.include({ code: 'ERR_INVALID_ARG_VALUE' })
  })

  it('stops a field that the service misses where it is given, at any depth, and nowhere else', async () => {
    const gone = { Operation: 'AddItem', Stops: true, Field: 'Weight', Message: 'It has no Weight.' }
    await save(JSON.stringify({ ...whole, Names: '', Breaks: [gone] }))
    const { changed } = await savedForClient(place())
    const stopped = async (params: object, operation = 'AddItem') =>
      (await changed('RestrictedService', operation, params as Record<string, unknown>))?.Message
    const given = { itemRequest: { Title: 'Vas', Images: null, Options: [null, 5, { Cost: 9 }, { Weight: 0 }] } }
    expect(await stopped(given)).to.equal('It has no Weight.')
    expect(await stopped(given, 'AddShopItem')).to.equal(undefined)
    expect(await stopped({ itemRequest: { Title: 'Weight', Weight: null, Options: [null, 'Weight'] } })).to.equal(undefined)
    expect(await stopped({ Weight: 2 })).to.equal('It has no Weight.')
  })
})
