import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from '../e2e/observed.js'

/** A gate in front of the sandbox: when armed, it passes so many calls and holds the next one for ever. */
class Gate {
  readonly #server: Server
  #left = Number.POSITIVE_INFINITY
  #held: () => void = () => {}

  constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      if (this.#left === 0) {
        this.#held()
        return
      }
      this.#left -= 1
      const { method, url, headers } = incoming
      const onward = request(new URL(url ?? '/', target), { method, headers, agent: false }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
  }

  /** @returns a promise that resolves when the call after so many others has come and is held */
  arm(calls: number): Promise<void> {
    this.#left = calls
    return new Promise((resolve) => {
      this.#held = resolve
    })
  }

  disarm(): void {
    this.#left = Number.POSITIVE_INFINITY
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

const SELLERS = [SANDBOX_PROFILE.userId, 1002, 1003, 1005]
const CODES = ['VALKOMMEN', 'STORRABATT']
const CALLS = [
  'AddItem',
  'AddItemImage',
  'AddItemImage',
  'AddItemImage',
  'AddItemImage',
  'AddItemCampaignCode',
  'AddItemCommit',
  'GetRequestResults',
]

describe('a listing killed after each of its steps', () => {
  let home: ObservedHome
  let gate: Gate
  let env: Record<string, string>
  let images: string[]
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    gate = new Gate(home.sandbox.url)
    env = { SELLER_BASE_URL: await gate.open() }
    const files = [PIXEL.png, PIXEL.gif, PIXEL.jpeg, PIXEL.png].map((bytes, index) => home.file(`${index}.img`, bytes))
    images = (await Promise.all(files)).flatMap((file) => ['--image', file])
  })
  after(async () => {
    gate.close()
    await home.close()
  })

  CALLS.forEach((next, done) => {
    it(`${done} of 7 calls answered, killed during ${next}, resumed: one item with four images`, async () => {
      const title = `Vas ${done}`
      home.calls()
      const held = gate.arm(done)
      // Each seller may use a code once.
      const [userId = 0, code = ''] = SELLERS.flatMap((id) => CODES.map((name) => [id, name] as const))[done] ?? []
      const as = {
        ...env,
        ...(userId === SANDBOX_PROFILE.userId
          ? {}
          : { SELLER_USER_ID: String(userId), SELLER_TOKEN: `sandbox-token-of-member-${userId}` }),
      }
      const add = [
        'items:add',
        '--title',
        title,
        '--category',
        CATEGORY,
        '--start-price',
        '10',
        '--shipping',
        'pickup',
        '--wait',
        '--json',
      ]
      const running = home.spawn([...add, ...images, '--campaign', code], { env: as })
      await held
      running.kill('SIGKILL')
      await running.done
      gate.disarm()
      const sent = home.calls()
      expect(sent, 'calls that reached the service').to.have.lengthOf(done)
      expect(sent.filter((name) => name === 'AddItemCommit')).to.have.lengthOf(done > 6 ? 1 : 0)
      const [job] = (await home.seller('jobs:list', '--json')).json()
      // The seller decides about a call that was sent and never answered; the gate never passed it on.
      const choice = next === 'AddItem' || next === 'AddItemImage' ? ['--send-again'] : []
      if (choice.length > 0) {
        const stopped = await home.run(['jobs:resume', String(job.JobId), '--wait', '--json'], { env: as })
        expect([stopped.code, stopped.json().error.category], stopped.stderr).to.deep.equal([9, 'unknown_outcome'])
        expect(home.calls(), 'nothing is sent again by itself').to.deep.equal([])
      }
      const resumed = await home.run(['jobs:resume', String(job.JobId), '--wait', '--json', ...choice], { env: as })
      expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0)
      const all = [...sent, ...home.calls()]
      expect(
        all.filter((name) => name === 'AddItemImage'),
        'images sent',
      ).to.have.lengthOf(4)
      const list = ['call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=Auction']
      const listed = (await home.run(list, { env: as })).json()
      const items = listed.filter(({ ShortDescription }: { ShortDescription: string }) => ShortDescription === title)
      expect(items, 'items of this title').to.have.lengthOf(1)
      expect(items[0].ImageLinks).to.have.lengthOf(4)
    })
  })
})
