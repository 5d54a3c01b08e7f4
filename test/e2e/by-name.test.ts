/** Words instead of ids where services differ in what they list; sessions/names.txt has the rest. */
import { expect } from 'chai'
import { operationsOf } from '../../src/contract/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { opened } from '../opened.js'
import { openObserved } from './observed.js'

const ADD = ['items:add', '--title', 'Vas', '--opening', '100', '--dry-run', '--json']

describe('names instead of ids', () => {
  const home = opened(openObserved)
  beforeEach(() => void home.calls())

  it('takes the words for shipping that every service has, and says where providers have no names', async () => {
    const flags = ['--category', '344481', '--shipping', 'pickup', '--shipping', 'own-cost,cost=40']
    const run = await home.seller(...ADD, ...flags)
    expect(run.json().Request.ShippingOptions, run.stdout).to.deep.equal([
      { Cost: 0, ShippingOptionId: 8 },
      { Cost: 40, ShippingOptionId: 10 },
    ])
    for (const word of ['Hämtas', 'avhämtning', 'option=Upphämtning']) {
      const swedish = await home.seller(...ADD, '--category', '344481', '--shipping', word)
      expect(swedish.json().Request?.ShippingOptions, swedish.stdout).to.deep.equal([{ Cost: 0, ShippingOptionId: 8 }])
    }
    home.calls()
    const slip = await home.seller(...ADD, '--category', '344481', '--shipping', 'pickp')
    expect([slip.json().error.code, home.calls()]).to.deep.equal(['unknown_name', []])
    expect(slip.json().error.hint).to.include('Did you mean pickup?')
    const carrier = await home.seller(...ADD, '--category', '344481', '--shipping', 'Sandbudet,cost=59')
    expect(carrier.json().error.hint).to.include(
      'The service lists no providers by name. Give provider=ID; see what is known with: seller reference:shipping',
    )
  })

  it('does not take the names of one service for those of another', async () => {
    const category = ['--category', 'KERAMIK']
    const asked = async (address: string): Promise<string[]> => {
      const run = await home.run([...ADD, ...category], { env: { SELLER_BASE_URL: address } })
      expect([run.code, run.json().Request.CategoryId]).to.deep.equal([0, 120503])
      return home.calls()
    }
    const { url } = home.sandbox
    expect(await asked(url)).to.deep.equal(['GetCategories'])
    expect(await asked(url)).to.deep.equal([])
    expect(await asked(url.replace('127.0.0.1', 'localhost'))).to.deep.equal(['GetCategories'])
  })

  it('lists the shipping of own items where the service has no list', async () => {
    const run = await home.seller('reference:shipping', '--json')
    const rows = run.json()
    expect(rows[0]).to.include({ Name: 'pickup', ShippingOptionId: 8, Cost: 0, From: 'known' })
    const used = rows.filter(({ From }: { From: string }) => From === 'items')
    expect(used.some(({ ShippingProviderId: id }: { ShippingProviderId: number }) => id === 2)).to.equal(true)
    for (const { Items, Cost } of used) expect([Items, Cost].every((value) => value > 0)).to.equal(true)
    expect(run.stderr).to.include('The service lists no providers')
    const columns = await home.seller('reference:shipping', '--columns', 'Flag', '--no-header')
    expect(columns.lines()).to.include.members(['pickup', 'provider=2', 'own-cost'])
  })
})

describe('a service that lists its shipping', () => {
  const home = opened(() => openObserved({ extended: true }))

  it('is called for the seller who is logged in, and names its obsolete options', async () => {
    const shown = await home.seller('call', 'GetShippingOptions', '--service', 'public', '--dry-run')
    expect(shown.stdout).to.include('AuthorizationHeader').and.include('1001')
    await home.done('call', 'GetShippingOptions', '--service', 'public', '--json')
    const types = await home.seller('call', 'GetShippingTypes', '--service', 'public', '--json')
    expect(types.json()).to.deep.include({ Id: 12, Value: 'Parcel', Description: 'Sandposten paket' })
  })

  it('takes an option by its name, and by the name alone where the service lists no products', async () => {
    const shippingOf = async (text: string) =>
      (await home.seller(...ADD, '--category', '344481', '--shipping', text)).json().Request?.ShippingOptions
    const parcel = [{ ShippingOptionId: 12, Cost: 59 }]
    expect(await shippingOf('option=sandposten paket,cost=59')).to.deep.equal(parcel)
    const operations = Object.values(operationsOf('PublicService', 'all')).filter(({ name }) => name !== 'GetShippingOptions')
    const url = `${home.sandbox.url}/v3/PublicService.asmx`
    const file = await home.file('public.wsdl', buildWsdl('PublicService', home.env.SELLER_NAMESPACE ?? '', url, operations))
    await home.seller('service:check', '--file', file, '--save', '--yes')
    const listed = await home.seller('reference:shipping', '--json')
    const [express] = listed.json().filter(({ ShippingOptionId: id }: { ShippingOptionId: number }) => id === 20)
    expect(express, listed.stdout).to.include({ Name: 'Sandbudet express', Cost: null, Items: 0, From: 'service' })
    expect(await shippingOf('sandposten paket,cost=59')).to.deep.equal(parcel)
  })
})
