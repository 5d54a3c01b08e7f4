import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { choicesOf } from '../../src/cli/choices.js'
import { FAULT_FLAGS, SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { CAMPAIGNS } from '../../src/sandbox/marketplace/seed/campaigns.js'
import { CSV_COLUMNS } from '../../src/sandbox/marketplace/seed/csv.js'
import { opened } from '../opened.js'
import { openSandbox, send } from './support.js'

const text = readFileSync(resolve(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')
const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../oclif.manifest.json'), 'utf8'))

describe('docs/sandbox.md', () => {
  const sandbox = opened(openSandbox)

  it('names the credentials, the flags, the codes and the columns that there are', () => {
    for (const value of Object.values(SANDBOX_PROFILE)) expect(text).to.include(`\`${value}\``)
    for (const [flag, { example }] of Object.entries(FAULT_FLAGS))
      expect(text).to.include(`| \`--fault ${flag}\` | \`${example}\` |`)
    const { variant } = manifest.commands['sandbox:start'].flags
    const variants = [...text.matchAll(/^- `--variant ([a-z-]+)/gm)].map(([, name]) => name)
    expect(choicesOf(variant).map(([usage]) => usage.split('=')[0])).to.have.members(variants)
    for (const { code } of CAMPAIGNS) expect(text).to.include(`\`${code}\``)
    for (const column of CSV_COLUMNS) expect(text).to.include(`\`${column}\``)
  })

  it('shows calls that work as they stand', async () => {
    const curls = [...text.matchAll(/curl "([^"]+)"/g)].map(([, url]) => url ?? '')
    expect(curls).to.have.lengthOf(1)
    for (const url of curls) {
      const got = await send(url.replace('http://127.0.0.1:8080', sandbox.url))
      expect(got.status).to.equal(200)
      expect(text.replace(/\s+/g, '')).to.include(got.text.trim().replace(/\s+/g, ''))
    }
    const posts = [...text.matchAll(/-d '([^']+)' http:\/\/127\.0\.0\.1:8080(\S+)/g)]
    expect(posts).to.have.lengthOf(1)
    for (const [, body, path] of posts) {
      // As curl sends it without a content type.
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const got = await send(`${sandbox.url}${path}`, { method: 'POST', headers, body })
      expect(got.status).to.equal(200)
    }
  })

  it('lists the orders of the control plane that there are', async () => {
    const listed = [...text.matchAll(/^\| `([a-z]+)` \| [`{]/gm)].map(([, order]) => order)
    const got = await send(`${sandbox.url}/_sandbox/zzzzzz`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
    const { error } = JSON.parse(got.text) as { error: string }
    expect(error).to.equal(`The control plane has no "zzzzzz". There are ${listed.join(', ')}.`)
  })
})
