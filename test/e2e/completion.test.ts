import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome, words } from './harness.js'

describe('completion', () => {
  const home = opened(() => openHome({ sandbox: true }))
  before(async () => {
    await home.seller(...words`auth:login --profile shop --base-url https://api.example.com --namespace urn:x --no-verify`)
  })
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

  it('gets the line from PowerShell where nothing else reads it: cmd would take "Matt > prices.csv" for an order', async () => {
    const script = (await home.seller('completion', 'powershell')).stdout
    const [call = ''] = script.split('\n').filter((line) => line.includes('seller __complete'))
    expect(call).to.match(/seller __complete powershell 2>\$null/)
    expect(call.replaceAll('2>$null', '')).to.not.match(/\$(?!found\b)/)
    expect(script).to.match(/\$env:SELLER_COMPLETE_LINE = \$line\n[^\n]*finally \{ Remove-Item Env:SELLER_COMPLETE_LINE /)
    const asked = (line: string | undefined) => home.run(['__complete', 'powershell'], { env: { SELLER_COMPLETE_LINE: line } })
    expect((await asked('seller items:li')).stdout).to.equal('items:list\tList your items, or those of another seller.\n')
    expect((await asked('seller shop:add --title "Matt > prices.csv" --categ')).stdout).to.match(/^--category\t/m)
    for (const line of ['seller shop:add --title "Matt > prices.csv', '', undefined]) {
      const { code, stderr } = await asked(line)
      expect([code, stderr], line).to.deep.equal([0, ''])
    }
  })

  it('knows commands, with what they do', async () => {
    expect(await complete('seller items:li')).to.deep.equal(['list\tList your items, or those of another seller.'])
  })

  it('knows profiles, jobs and requests, and makes no ledger where there is none', async () => {
    expect(await complete('seller jobs:show ')).to.deep.equal([])
    expect(await complete('seller -p ')).to.deep.equal([])
    expect(await complete('seller items:list -p s')).to.have.members(['shop', 'sandbox'])
    const added = await home.done('shop:add', '--title', 'Kopp', '--category', '344481', '--price', '49', '--json')
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
