import { expect } from 'chai'
import { importFaults } from '../../scripts/imports.js'

describe('the table of imports', () => {
  it('finds an import that goes the wrong way, a package outside its home and a file of no module', () => {
    const faults = importFaults(
      new Map([
        ['contract/a.ts', ['../jobs/index.js']],
        ['jobs/index.ts', ['got']],
        ['elsewhere/b.ts', ['../contract/a.js']],
        ['commands/items/list.ts', ['./show.js']],
      ]),
    )
    expect(faults).to.deep.equal([
      'contract/a.ts: contract may not import jobs (../jobs/index.js)',
      'jobs/index.ts: only soap/client may import got',
      'elsewhere/b.ts: is in no module of scripts/imports.ts',
      'commands/items/list.ts: a command may not import another (commands/items/show.ts)',
    ])
  })

  it('finds a cycle, and what leads into it is no part of it', () => {
    const graph = new Map([
      ['contract/a.ts', ['./b.js']],
      ['contract/b.ts', ['./c.js']],
      ['contract/c.ts', ['./b.js']],
    ])
    expect(importFaults(graph)).to.deep.equal(['cycle: contract/b.ts -> contract/c.ts -> contract/b.ts'])
  })
})
