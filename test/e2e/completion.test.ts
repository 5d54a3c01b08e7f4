import { expect } from 'chai'
import { type Home, openHome } from './harness.js'

describe('completion', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: true })
    await home.seller(
      'auth:login',
      '--profile',
      'shop',
      '--base-url',
      'https://api.example.com',
      '--namespace',
      'urn:x',
      '--no-verify',
    )
  })
  after(() => home.close())
  const complete = async (line: string): Promise<string[]> => {
    const run = await home.seller('__complete', 'bash', line, ':=')
    expect([run.code, run.stderr]).to.deep.equal([0, ''])
    return run.lines()
  }

  it('prints a script for each shell, and says on a terminal how to load it', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const run = await home.seller('completion', shell)
      expect([run.code, run.stderr], shell).to.deep.equal([0, ''])
      expect(run.stdout).to.include(`seller __complete ${shell}`)
    }
    const unknown = await home.seller('completion', 'tcsh', '--json')
    expect([unknown.code, unknown.json().error.category]).to.deep.equal([2, 'usage'])
  })

  it('knows commands, with what they do', async () => {
    expect(await complete('seller items:li')).to.deep.equal(['list\tList your items, or those of another seller.'])
  })

  it('knows profiles, jobs and requests, and makes no ledger where there is none', async () => {
    expect(await complete('seller jobs:show ')).to.deep.equal([])
    expect(await complete('seller -p ')).to.deep.equal([])
    expect(await complete('seller items:list -p s')).to.have.members(['shop', 'sandbox'])
    const added = await home.seller('shop:add', '--title', 'Kopp', '--category', '344481', '--price', '49', '--json')
    expect(added.code, added.stderr).to.equal(0)
    const [line = ''] = await complete('seller requests:wait ')
    expect(line).to.equal(`${added.json().RequestId}\tAddShopItem Kopp`)
  })

  it('says nothing where it cannot know: a damaged settings file disturbs no line', async () => {
    const env = { SELLER_CONFIG_DIR: home.dir, SELLER_DATA_DIR: '/proc/none' }
    await home.file('profiles.json', '{')
    for (const line of ['seller items:list -p ', 'seller jobs:show ']) {
      const run = await home.run(['__complete', 'bash', line, ':='], { env })
      expect([run.code, run.stdout, run.stderr]).to.deep.equal([0, '', ''])
    }
  })
})
