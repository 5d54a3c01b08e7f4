import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { FaultInjection } from '../../../src/sandbox/index.js'
import { SANDBOX_PROFILE, startSandbox } from '../../../src/sandbox/index.js'
import { grow } from '../../grow.js'
import { modulesLoadedBy } from '../../loaded.js'
import { closing, opened } from '../../opened.js'
import { scratch } from '../../scratch.js'
import {
  CREDENTIALS,
  envelope,
  HEADERS,
  NS,
  openSandbox,
  order,
  post,
  removeOne,
  SOAP_TYPES,
  send,
  type TestSandbox,
} from '../support.js'
import { at, bodyOf } from '../tree.js'

describe('the server', () => {
  describe('starting and closing', () => {
    it('takes any free port, says where it is, and keeps its state in the file', async () => {
      const folder = mkdtempSync(join(scratch(), 'seller-sandbox-'))
      const path = join(folder, 'not', 'yet', 'there.db')
      try {
        const first = await startSandbox({ path })
        expect(first.url).to.equal(`http://127.0.0.1:${first.port}`)
        expect(first.namespace).to.equal(SANDBOX_PROFILE.namespace)
        const seeded = await order(first, 'seed', { csv: 'Title,Price\nSpår,50\n' })
        await first.close()
        await first.close()
        const second = await startSandbox({ path, port: first.port })
        const [id] = seeded.ids as [number]
        expect((await post(second, '1.2', 'GetItem', `<itemId>${id}</itemId>`)).text).to.include('Spår')
        await second.close()
        expect((await send(second.url).catch((error: NodeJS.ErrnoException) => error)) as { code?: string }).to.have.property(
          'code',
          'ECONNREFUSED',
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })

    it('says that a port is taken, and that a file is not a sandbox', async () => {
      await using one = closing(await openSandbox())
      const taken = await openSandbox({ port: one.port }).catch((error: Error) => error.message)
      expect(taken).to.equal(`Port ${one.port} is taken; name another, or 0 for any free one.`)
      const other = join(one.path, '..', 'other.db')
      writeFileSync(other, 'This is a shopping list, and no database at all. '.repeat(100))
      const refused = await startSandbox({ path: other }).catch((error: Error) => error.message)
      expect(refused)
        .to.be.a('string')
        .and.match(/other\.db/)
    })

    it('answers in the namespace that is given', async () => {
      await using other = closing(await openSandbox({ namespace: 'http://api.other.example/' }))
      expect(other.namespace).to.equal('http://api.other.example')
      const headers = HEADERS.replaceAll(NS, other.namespace)
      const body = envelope('1.2', `<GetUserInfo xmlns="${other.namespace}"/>`, headers)
      const got = await send(`${other.url}/v3/RestrictedService.asmx`, {
        method: 'POST',
        headers: { 'Content-Type': SOAP_TYPES['1.2'] },
        body,
      })
      expect(bodyOf(got.text)).to.include({ name: 'GetUserInfoResponse', namespace: other.namespace })
      expect((await post(other, '1.2', 'GetUserInfo', '')).status).to.equal(500)
      expect((await send(`${other.url}/v3/PublicService.asmx?wsdl`)).text).to.include(`targetNamespace="${other.namespace}"`)
    })

    it('ends connections that are open, idle or waiting, at once', async () => {
      const sandbox = await openSandbox({ faults: { latency: { minMs: 3_600_000, maxMs: 3_600_000 } } })
      const idle = connect(sandbox.port, '127.0.0.1')
      await new Promise((done) => idle.once('connect', done))
      const gone = new Promise((done) => idle.once('close', done))
      const waiting = post(sandbox, '1.2', 'GetUserInfo', '').catch((error: NodeJS.ErrnoException) => error.code)
      await new Promise((done) => setTimeout(done, 30))
      // If either were waited for, the test would time out: the call waits an hour, the idle connection for ever.
      await sandbox.close()
      await gone
      expect(await waiting).to.equal('ECONNRESET')
    })

    it('loads neither pages nor WSDL for a call', async () => {
      const folder = mkdtempSync(join(scratch(), 'seller-sandbox-'))
      try {
        const program = new URL('one-call.ts', import.meta.url)
        const { stdout, stderr, urls } = await modulesLoadedBy(program, join(folder, 'a.db'))
        expect(stdout, stderr).to.equal('200')
        const found = urls.map((url) => /src\/sandbox\/(.*)\.[jt]s/.exec(url)?.[1] ?? '')
        expect(found).to.include('server/front')
        expect(found.filter((name) => /^(pages|wsdl)\//.test(name) || name === 'server/control')).to.deep.equal([])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })

  describe('faults', () => {
    const faulty: Partial<FaultInjection> = { dropBefore: 0.2, dropAfter: 0.3, unavailable: 0.2 }

    async function fates(seed: number, calls: number): Promise<string[]> {
      await using sandbox = closing(await openSandbox({ faults: { ...faulty, seed } }))
      const seen: string[] = []
      for (let i = 0; i < calls; i++) {
        const ending = await post(sandbox, '1.2', 'GetUserInfo', '').then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
        seen.push(ending)
      }
      return [...seen, ...sandbox.lines.map((line) => line.replace(/ \d+ ms$/, ''))]
    }

    it('is the same again by its seed, and another by another', async () => {
      const first = await fates(7, 30)
      expect(await fates(7, 30)).to.deep.equal(first)
      expect(await fates(8, 30)).to.not.deep.equal(first)
      expect(first).to.include.members(['200', '503', 'ECONNRESET'])
      const log = first.join('\n')
      expect(log).to.match(/dropped before it was carried out/)
      expect(log).to.match(/carried out \(200\), reply dropped/)
      expect(log).to.match(/carried out \(200\), reply cut/)
    })

    const calls = async (sandbox: TestSandbox) => {
      const got = await send(`${sandbox.url}/_sandbox/state`)
      const { panels } = JSON.parse(got.text) as { panels: Record<string, string> }
      return Number(/Application 1<\/span> <span[^>]*>(\d+) in/.exec(panels['call-rows'] ?? '')?.[1])
    }

    it('carries out what it drops after, and not what it drops before or refuses', async () => {
      await using sandbox = closing(await openSandbox())
      const strike = async (flag: string) => {
        await order(sandbox, 'faults', { 'drop-before': '0%', 'drop-after': '0%', unavailable: '0%', [flag]: '100%' })
        const made = await calls(sandbox)
        for (let i = 0; i < 4; i++) await post(sandbox, '1.2', 'GetUserInfo', '').catch(() => undefined)
        return (await calls(sandbox)) - made
      }
      expect(await strike('drop-before')).to.equal(0)
      expect(await strike('unavailable')).to.equal(0)
      expect(await strike('drop-after')).to.equal(4)
    })

    it('drops a reply before its first byte, or cuts it in the middle', async () => {
      await using sandbox = closing(await openSandbox({ faults: { dropAfter: 1 } }))
      const got = () =>
        new Promise<string>((done) => {
          const socket = connect(sandbox.port, '127.0.0.1')
          let text = ''
          socket.on('data', (data) => {
            text += data.toString('latin1')
          })
          socket.on('error', () => undefined)
          socket.on('close', () => done(text))
          socket.write(
            `GET /v3/RestrictedService.asmx/GetUserInfo?${CREDENTIALS} HTTP/1.1\r\nHost: 127.0.0.1:${sandbox.port}\r\n\r\n`,
          )
        })
      const texts: string[] = []
      for (let i = 0; i < 12; i++) texts.push(await got())
      const cut = texts.filter((text) => text !== '')
      expect(cut.length).to.be.within(1, 11)
      for (const text of cut) {
        const [head = '', body = ''] = text.split('\r\n\r\n')
        expect(head).to.match(/^HTTP\/1\.1 200 OK/)
        expect(body.length).to.be.greaterThan(10)
        expect(body).to.not.include('</UserInfo>')
        expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).to.be.greaterThan(body.length)
      }
    })

    it('waits within the range that is given', async () => {
      await using sandbox = closing(await openSandbox({ faults: { latency: { minMs: 40, maxMs: 60 } } }))
      // A shorter timer that was started before. If the longer end were far off, the test would time out.
      let rung = false
      setTimeout(() => {
        rung = true
      }, 38)
      await post(sandbox, '1.2', 'GetUserInfo', '')
      expect(rung).to.equal(true)
    })

    it('ends queued requests with the codes that are given', async () => {
      await using sandbox = closing(
        await openSandbox({
          faults: { queueCodes: [{ codes: 'Error TryAgain', probability: 1 }], queueDelayMs: 1000 },
        }),
      )
      const { requestId: request } = await removeOne(sandbox)
      sandbox.clock.at += 1001
      const result = await post(sandbox, '1.1', 'GetRequestResults', `<requestIds><int>${request}</int></requestIds>`)
      expect(at(bodyOf(result.text), 'GetRequestResultsResult', 'RequestResult', 'ResultCode')?.text).to.equal('Error TryAgain')
    })
  })

  describe('large replies', () => {
    const ALL = '<filterActive>All</filterActive><filterItemType>All</filterItemType>'
    const sandbox = opened(openSandbox)
    before(() => {
      grow(sandbox.path, 3000)
    })

    it('come in pieces and whole', async () => {
      const got = await post(sandbox, '1.2', 'GetSellerItems', ALL)
      expect(got.status).to.equal(200)
      expect(got.headers['transfer-encoding']).to.equal('chunked')
      expect(at(bodyOf(got.text), 'GetSellerItemsResult')?.children.length).to.be.greaterThan(3000)
      const plain = await send(
        `${sandbox.url}/v3/RestrictedService.asmx/GetSellerItems?categoryId=0&filterActive=All&filterItemType=All&${CREDENTIALS}`,
      )
      expect(plain.text.match(/<Item>/g)?.length).to.equal(got.text.match(/<Item>/g)?.length)
    })

    it('are not made faster than they are read, and a reader who leaves ends them', async () => {
      const slow = connect(sandbox.port, '127.0.0.1')
      await new Promise((done) => slow.once('connect', done))
      slow.pause()
      slow.write(
        `GET /v3/RestrictedService.asmx/GetSellerItems?categoryId=0&filterActive=All&filterItemType=All&${CREDENTIALS} HTTP/1.1\r\nHost: localhost:${sandbox.port}\r\n\r\n`,
      )
      await new Promise((done) => setTimeout(done, 150))
      const finished = () => sandbox.lines.filter((line) => line.startsWith('HTTP GET RestrictedService.GetSellerItems')).length
      const before = finished()
      // Other calls are served meanwhile, also writes, although the list is still open.
      const written = await post(sandbox, '1.2', 'CancelEidVerification', '')
      expect(written.status).to.equal(200)
      expect(finished()).to.equal(before)
      slow.destroy()
      for (let i = 0; i < 100 && finished() === before; i++) await new Promise((done) => setTimeout(done, 10))
      expect(finished(), 'the call was given up').to.equal(before + 1)
      expect(sandbox.lines.join('\n')).to.not.include('The sandbox itself failed')
    })
  })
})
