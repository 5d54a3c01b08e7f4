import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { serviceDocsOf } from '../../scripts/service-docs.js'
import { operations } from '../../src/contract/index.js'
import * as limits from '../../src/contract/limits.js'

const path = join(import.meta.dirname, '../../docs/service.md')

describe('docs/service.md', () => {
  let text: string
  before(async () => {
    text = await readFile(path, 'utf8')
  })

  it('has tables of operations and types that are not stale', () => {
    expect(serviceDocsOf(text), 'Run `npm run build` and commit docs/service.md.').to.equal(text)
    for (const name of Object.keys(operations)) expect(text).to.include(`| \`${name}\` |`)
  })

  it('is written anew between its marks only', () => {
    const stale = text.replace('| `GetItem` | read |', '| `GetItem` | write |').replace('### ItemStatus\n', '### Status\n')
    expect(stale).not.to.equal(text)
    expect(serviceDocsOf(stale)).to.equal(text)
    expect(serviceDocsOf(`${text}\nBy hand.\n`)).to.equal(`${text}\nBy hand.\n`)
    expect(() => serviceDocsOf(text.replace('<!-- types:', '<!--'))).to.throw('docs/service.md has lost its line')
  })

  it('gives each limit of the code its value', () => {
    const listed = [...text.matchAll(/^\| [^|]+ \| (-?\d+) \| `([A-Z_]+)` \|/gm)].map(([, value, name]) => [name, Number(value)])
    // The window of the quota is part of its row; ids and dates are not limits.
    const others = ['CALL_QUOTA_WINDOW_MS', 'PICKUP_SHIPPING_OPTION_ID', 'UNUSED_MIN_DATE', 'UNUSED_MAX_DATE']
    expect(listed).to.have.deep.members(Object.entries(limits).filter(([name]) => !others.includes(name)))
  })
})
