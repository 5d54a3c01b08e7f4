/** Every command that any message can name goes through the real parser of the command line. */
import { expect } from 'chai'
import { linesOfCalls, linesOfNext, refusal } from './command-lines.js'

describe('the commands that messages name', () => {
  it('are taken by the parser of the command line', async () => {
    const refused: string[] = []
    let count = 0
    for (const { where, argv } of linesOfCalls()) {
      count++
      const why = await refusal(argv)
      if (why !== undefined) refused.push(`${where}: seller ${argv.join(' ')}: ${why}`)
    }
    expect(refused).to.deep.equal([])
    expect(count, 'command lines').to.be.above(200)
  })

  it('are so in what is kept of real runs', async () => {
    const refused: string[] = []
    const lines = [...linesOfNext()]
    for (const { where, argv } of lines) {
      const why = await refusal(argv)
      if (why !== undefined) refused.push(`${where}: seller ${argv.join(' ')}: ${why}`)
    }
    expect(refused).to.deep.equal([])
    expect(lines.length, 'command lines').to.be.above(100)
  })

  it('are refused where they cannot be typed so', async () => {
    expect(await refusal(['call', 'GetItem', '--raw', '--dry-run'])).to.match(/cannot also be provided/)
    expect(await refusal(['jobs:drop'])).to.match(/Missing 1 required arg/)
    expect(await refusal(['jobs:resume', 'x7'])).to.include('whole number')
    expect(await refusal(['jobs:resumed'])).to.include('no command')
  })
})
