/** One word has one meaning: the names that flags had before 0.4 still work, and no help shows them. */
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { readsByName } from '../../src/contract/kinds.js'
import { type ObservedHome, openObserved } from './observed.js'
import { root } from './product.js'

interface Sale {
  readonly Id: number
  readonly IsMarkedAsShipped: boolean
}

describe('flags', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ extended: true, described: true, faults: { queueDelayMs: 0 } })
  })
  after(() => home.close())
  const sales = async (...flags: string[]): Promise<readonly Sale[]> =>
    (await home.done('transactions:list', ...flags, '--json')).json()

  it('have the names of before, which mean the same', async () => {
    const [one] = await sales()
    const id = String(one?.Id)
    for (const [flag, sent] of [
      ['--no-shipped', false],
      ['--shipped', true],
      ['--no-sent', false],
      ['--sent', true],
    ] as const) {
      await home.done('transactions:mark', id, flag, '--yes', '--json')
      expect((await sales()).find((sale) => sale.Id === one?.Id)?.IsMarkedAsShipped, flag).to.equal(sent)
    }
    const idsOf = (list: readonly Sale[]) => list.map(({ Id }) => Id)
    expect(idsOf(await sales('--unsent')))
      .to.deep.equal(idsOf(await sales('--no-sent')))
      .and.not.include(one?.Id)
    expect(idsOf(await sales('--sent'))).to.include(one?.Id)
    for (const flags of ['--fresh', '--refresh']) await home.done('items:list', flags, '--json')
    for (const flag of ['--timeout', '--call-timeout']) {
      const late = await home.seller('account:show', flag, '1ms', '--json')
      expect([flag, late.json().error.category]).to.deep.equal([flag, 'network'])
    }
  })

  it('show the new names alone', async () => {
    for (const [command, former] of [
      ['transactions:mark', '--shipped'],
      ['transactions:list', '--unsent'],
      ['items:list', '--fresh'],
      ['account:show', ' --timeout'],
    ] as const)
      for (const help of ['-h', '--help']) expect((await home.seller(command, help)).stdout, command).to.not.include(former)
  })

  it('have --yes for everything that changes something, also where nothing is asked', () => {
    const without = readManifest(root).filter(({ operations = [], flags }) => {
      const writes = operations.some((name) => !readsByName(name.split('.').at(-1) ?? name))
      const yes = flags.yes as { readonly dependsOn?: readonly string[] } | undefined
      return writes && (yes === undefined || (yes.dependsOn ?? []).length > 0)
    })
    expect(without.map(({ id }) => id)).to.deep.equal([])
  })
})
