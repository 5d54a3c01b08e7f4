/** Aliases that were shown before, as names of members. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { memberId, rememberingMembers } from '../../../src/actions/reference/members.js'
import { keep, readKept } from '../../../src/actions/reference/store.js'
import { SellerError } from '../../../src/cli/errors.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { fakeShop } from '../fake-shop.js'

describe('the id of a member', () => {
  it('is not known by any alias where none was shown, whatever its letters, and is taken as it is', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'seller-members-'))
    try {
      const ctx = { dataDir, profile: { name: 'default', settings: {} } } as unknown as Parameters<typeof memberId>[0]
      expect(await memberId(ctx, '4242', 'ID')).to.equal(4242)
      for (const alias of ['t', 'glasboden']) {
        const error = await memberId(ctx, alias, 'ID').catch((thrown: unknown) => thrown)
        expect(error).to.be.instanceOf(SellerError).and.include({ code: 'unknown_member' })
        expect((error as SellerError).hint).to.not.include('Did you mean')
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('the aliases that were shown', () => {
  afterEach(cleanUp)

  interface Row {
    readonly Buyer?: { readonly Id: number; readonly Alias?: string }
  }
  const show = async (ctx: Parameters<typeof memberId>[0], rows: readonly Row[], most = rows.length) => {
    const source = (async function* () {
      yield* rows
    })()
    const seen: Row[] = []
    for await (const row of rememberingMembers(ctx, source, ({ Buyer }) => [Buyer, undefined])) {
      seen.push(row)
      if (seen.length === most) break
    }
    return seen
  }
  const buyer = (Id: number, Alias?: string): Row => ({ Buyer: { Id, Alias } })
  const kept = async (ctx: Parameters<typeof memberId>[0]) => (await readKept<[number, string][]>(ctx, 'members')) ?? []

  it('are kept, also where the list was left early, and rows pass as they are', async () => {
    const { ctx } = fakeShop()
    const rows = [buyer(1, 'Anna'), buyer(2, ''), buyer(3), {}, buyer(4, 'bo')]
    expect(await show(ctx, rows)).to.deep.equal(rows)
    expect(await kept(ctx)).to.deep.equal([
      [1, 'Anna'],
      [4, 'bo'],
    ])
    await show(ctx, [buyer(5, 'Cia'), buyer(6, 'Dan')], 1)
    expect((await kept(ctx)).at(-1)).to.deep.equal([5, 'Cia'])
    expect(await kept(ctx)).to.have.lengthOf(3)
  })

  it('have the newest last and a new alias of a member in place of the old one; nothing new changes nothing', async () => {
    const { ctx } = fakeShop()
    await show(ctx, [buyer(1, 'Anna'), buyer(2, 'Bo')])
    await show(ctx, [buyer(1, 'Anna')])
    expect((await kept(ctx)).map(([id]) => id)).to.deep.equal([1, 2])
    await show(ctx, [buyer(1, 'Annika'), buyer(3, 'Cia')])
    expect(await kept(ctx)).to.deep.equal([
      [2, 'Bo'],
      [1, 'Annika'],
      [3, 'Cia'],
    ])
  })

  it('are at most 5000, without the oldest', async () => {
    const { ctx } = fakeShop()
    await keep(
      ctx,
      'members',
      Array.from({ length: 5000 }, (_, at) => [at + 1, `a${at}`]),
    )
    await show(ctx, [buyer(9001, 'New')])
    const all = await kept(ctx)
    expect([all.length, all[0], all.at(-1)]).to.deep.equal([5000, [2, 'a1'], [9001, 'New']])
  })

  it('name a member in any case; of two that differ in it, the one that is typed exactly', async () => {
    const { ctx } = fakeShop()
    await show(ctx, [buyer(1, 'Anna'), buyer(2, 'bo'), buyer(3, 'BO'), buyer(4, 'glasboden')])
    expect(await memberId(ctx, 'ANNA', 'ID')).to.equal(1)
    expect([await memberId(ctx, 'bo', 'ID'), await memberId(ctx, 'BO', 'ID')]).to.deep.equal([2, 3])
    expect(await thrown(() => memberId(ctx, 'Bo', 'ID'))).to.include({ code: 'unknown_member' })
    const error = (await thrown(() => memberId(ctx, 'glasbodn', '--buyer'))) as SellerError
    expect(error.message).to.equal('--buyer: "glasbodn" is neither a user id nor an alias that was shown before.')
    expect(error.hint).to.match(/^Did you mean glasboden\? The service finds members only by id\./)
  })

  it('are not asked about for what looks like a number, which must be one', async () => {
    const { ctx } = fakeShop()
    await keep(ctx, 'members', [
      [1, '42'],
      [2, '4x2'],
    ])
    expect(await memberId(ctx, '42', 'ID')).to.equal(42)
    expect(await memberId(ctx, '4x2', 'ID')).to.equal(2)
    for (const text of ['0', '-5', '', '4-2']) {
      expect(await thrown(() => memberId(ctx, text, 'ID')), text)
        .to.be.instanceOf(SellerError)
        .and.not.include({ code: 'unknown_member' })
    }
  })
})
