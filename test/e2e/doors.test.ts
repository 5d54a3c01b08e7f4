/** Errors of libraries, and input that is too much: told as what they are, and never as a bug of the tool. */
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { opened } from '../opened.js'
import { NS, response, SOAP_TYPE } from '../soap/service.js'
import { openHome } from './harness.js'
import { openHostile } from './hostile.js'

describe('what a library cannot read', () => {
  const home = opened(() => openHome({ sandbox: true }))

  it('YAML whose anchors grow without end', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdefg'.split('').map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdef'[at]}`).join(',')}]`),
    ]
    const item = `- Title: Lampa\n  Description: *g\n`
    // One item is read as a document, several as rows.
    const given = [
      [`${bomb.join('\n')}\nTitle: *g\n`, 2],
      [`- ${bomb.join('\n  ')}\n${item}`, 3],
      // The library took minutes for six times as many of these.
      [Array.from({ length: 5_000 }, (_, at) => `k${at}: &a [*a]\n`).join(''), 2],
      ['- a: &a [*a]\n'.repeat(5_000), 3],
    ] as const
    for (const [yaml, code] of given) {
      const run = await home.run(['shop:add', '--file', '-', '--yes', '--json'], { stdin: yaml })
      expect(run.code, run.stdout).to.equal(code)
      expect(run.json().error.message).to.include('anchor')
    }
  })

  it('a percent sign in the password of the quota server', async () => {
    const run = await home.run(['items:list', '--json'], { env: { SELLER_QUOTA_URL: 'redis://user:50%@127.0.0.1:1' } })
    expect([run.code, run.json().error.code]).to.deep.equal([2, 'invalid_setting'])
    expect(run.json().error.hint).to.include('%25')
    expect(run.stdout + run.stderr).not.to.include('50%')
  })

  it('a ledger with a layout that no version writes', async () => {
    await home.seller('items:list')
    const path = join(home.dataDir, 'ledger.db')
    const change = (version: number) => {
      const store = openStore(path, 'power')
      const before = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
      store.exec(`PRAGMA user_version = ${version}`)
      store.close()
      return before
    }
    const right = change(-1)
    const run = await home.seller('jobs:list', '--json')
    expect([run.code, run.json().error.code]).to.deep.equal([1, 'ledger_damaged'])
    change(right)
  })

  it('words that every object of JavaScript has', async () => {
    for (const args of [
      ['items:list', '--ends-after', 'constructor'],
      ['help', 'constructor'],
      ['__proto__'],
      ['items:list', '--toString', 'x'],
    ]) {
      const run = await home.seller(...args)
      expect(run.code, run.stderr).to.equal(2)
    }
  })

  it('a system that opens no more files: an end, and the right advice', async function () {
    if (process.platform === 'win32') this.skip()
    // With fewer than 22, Node 26 itself ends before it loads a program.
    const fewest = Number.parseInt(process.versions.node, 10) < 26 ? 20 : 22
    for (const files of [fewest, 24, 32]) {
      const run = await home.shell(`ulimit -n ${files}; seller items:list --profile sandbox`)
      expect(run.code, `${files}: ${run.stderr}`).to.equal(1)
      expect(run.stderr).to.match(/too many files are open/)
      expect(run.stderr).to.include('Close other programs and try again')
    }
  })
})

describe('a service without measure', () => {
  const home = opened(openHostile)

  it('whose list keeps coming ends with --timeout, by the clock', async () => {
    let id = 1
    home.write((reply) => {
      reply.on('error', () => undefined)
      reply.writeHead(200, SOAP_TYPE).write('<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>')
      reply.write(`<GetSellerItemsResponse xmlns="${NS}"><GetSellerItemsResult>`)
      const more = (): void => {
        // Bounded, so that a fault of ours ends too.
        while (id < 3_000_000 && !reply.destroyed) {
          const items = Array.from({ length: 200 }, () => `<Item><ItemType>ShopItem</ItemType><Id>${id++}</Id></Item>`).join('')
          if (!reply.write(items)) break
        }
      }
      reply.on('drain', more)
      more()
    })
    const run = await home.seller('items:list', '--timeout', '700ms', '-o', 'ndjson')
    expect(run.code, run.stderr).to.equal(1)
    expect(run.stderr).to.include('longer than 0.7 s')
    expect(id).to.be.below(3_000_000)
  })

  it('whose result code is a novel is quoted briefly', async () => {
    const code = 'Nej '.repeat(1_000_000)
    home.write((reply) => {
      const result = `<RequestResult><RequestId>5</RequestId><ResultCode>${code}</ResultCode><Message>${code}</Message></RequestResult>`
      reply
        .writeHead(200, SOAP_TYPE)
        .end(response('GetRequestResults', `<GetRequestResultsResult>${result}</GetRequestResultsResult>`))
    })
    const run = await home.seller('requests:wait', '5', '--with', 'unknown', '--timeout', '5s', '--json')
    expect(run.stdout.length + run.stderr.length).to.be.below(20_000)
    expect(run.stdout + run.stderr).to.include('more characters)')
  })
})
