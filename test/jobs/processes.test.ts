import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { inspectImages } from '../../src/jobs/listing/images.js'
import { createListing, showListing } from '../../src/jobs/listing/listing.js'
import { runListing } from '../../src/jobs/listing/run.js'
import { programOf } from '../program.js'
import { cleanUp, drain, FakeClock, GIF, PNG, temporaryDirectory, temporaryLedger, thrown } from './harness.js'
import { FakeService, LAMP } from './service.js'

const CHILD = programOf(new URL('child.ts', import.meta.url))

describe('several processes over one ledger', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    cleanUp()
  })

  const start = (task: 'write' | 'list', path: string) => {
    const child = fork(CHILD.path, [task, path], { execArgv: CHILD.execArgv })
    children.push(child)
    return child
  }
  const message = async (child: ChildProcess) => (await once(child, 'message'))[0] as Record<string, unknown>

  it('make a new file at once, lose no row and spend no call twice', async () => {
    const path = join(temporaryDirectory(), 'new', 'ledger.db')
    const two = [start('write', path), start('write', path)]
    await Promise.all(two.map(message))
    const reports = two.map(message)
    for (const child of two) child.send('go')
    const [one, other] = (await Promise.all(reports)) as { spent: number; refused: number }[]
    const ledger = temporaryLedger(new FakeClock(), path)
    expect(ledger.requests.list()).to.have.length(300)
    expect((one?.spent ?? 0) + (other?.spent ?? 0)).to.equal(200)
    expect((one?.refused ?? 0) + (other?.refused ?? 0)).to.equal(100)
    expect(ledger.calls.usage(7).Used).to.equal(200)
    expect(ledger.requests.markAbandoned()).to.equal(0)
    for (const child of two) child.send('end')
    await Promise.all(two.map((child) => once(child, 'exit')))
    // Both have ended without answers: what they left "sending" is unknown now.
    expect(ledger.requests.markAbandoned()).to.equal(300)
  })

  describe('killed -9 in the middle of a listing', () => {
    /** Runs the job in a child; answers its calls, and kills it at the moment `until` names. */
    const runUntil = async (path: string, service: FakeService, until: (event: string) => boolean) => {
      const child = start('list', path)
      const ended = once(child, 'exit')
      child.on('message', async (event: { call?: string; params?: Record<string, unknown>; done?: number }) => {
        if (event.done !== undefined) {
          if (until(`done ${event.done}`)) child.kill('SIGKILL')
          else child.send('go')
          return
        }
        if (until(`before ${event.call}`)) {
          child.kill('SIGKILL')
          return
        }
        const { imageData, ...params } = event.params ?? {}
        const whole = imageData === undefined ? params : { ...params, imageData: Buffer.from(imageData as number[]) }
        const answer = await service.client.call(event.call as 'AddItem', whole as never)
        if (until(`after ${event.call}`)) child.kill('SIGKILL')
        else child.send(answer ?? { nothing: true })
      })
      await ended
    }
    const prepare = async () => {
      const directory = temporaryDirectory()
      const path = join(directory, 'ledger.db')
      const files = [GIF, PNG].map((bytes, index) => {
        const file = join(directory, `${index}`)
        writeFileSync(file, bytes)
        return { path: file }
      })
      const ledger = temporaryLedger(new FakeClock(), path)
      createListing({
        ledger,
        profile: 'p',
        itemRequest: LAMP,
        images: (await inspectImages(files)).images,
        campaignCode: 'VINTER',
      })
      return { ledger, path, service: new FakeService() }
    }
    const whole = { title: 'Lampa', images: [`Gif ${GIF.length}`, `Png ${PNG.length}`], campaignCode: 'VINTER', commits: 1 }

    it('between any two steps or within a repeatable one, and resumed, it ends as an undisturbed one', async () => {
      const { ledger, path, service } = await prepare()
      const kills = ['done 1', 'done 2', 'after AddItemCampaignCode', 'after AddItemCommit']
      for (const kill of kills) {
        await runUntil(path, service, (event) => {
          if (event !== kill) return false
          expect(ledger.jobs.show(1).Running, kill).to.equal(true)
          expect(() => ledger.jobs.lock(1)).to.throw('is in use by process')
          return true
        })
        expect(ledger.jobs.show(1), kill).to.include({ State: 'open', Running: false })
      }
      const { returned } = await drain(runListing({ client: service.client, ledger, jobId: 1, wait: true }))
      expect(returned.State).to.equal('ok')
      expect(service.items).to.deep.equal([whole])
      expect(service.drafts.size).to.equal(1)
    })

    it('within a single write it is unknown, is not sent again by itself, and ends by the choice', async () => {
      const { ledger, path, service } = await prepare()
      const run = (choice?: 'assume-sent' | 'send-again') =>
        drain(runListing({ client: service.client, ledger, jobId: 1, wait: true, ...(choice && { choice }) }))
      await runUntil(path, service, (event) => event === 'after AddItem')
      expect(ledger.requests.list()[0]).to.include({ State: 'unknown', Operation: 'AddItem', JobId: 1 })
      expect(await thrown(() => run())).to.include({ code: 'item_outcome_unknown' })
      expect(service.client.names).to.deep.equal(['AddItem'])
      expect((await run('send-again')).returned.State).to.equal('ok')
      expect(service.items).to.deep.equal([whole])
    })

    it('before an image was taken or after, it asks, and one item with all images comes of the right answer', async () => {
      const { ledger, path, service } = await prepare()
      const run = (choice?: 'assume-sent' | 'send-again') =>
        drain(runListing({ client: service.client, ledger, jobId: 1, wait: true, ...(choice && { choice }) }))
      await runUntil(path, service, (event) => event === 'before AddItemImage')
      expect(await thrown(() => run())).to.include({ code: 'image_outcome_unknown' })
      expect(showListing(ledger, 1).Steps.map(({ State }) => State)).to.deep.equal([
        'done',
        'unknown',
        'waiting',
        'waiting',
        'waiting',
      ])
      expect((await run('send-again')).returned.State).to.equal('ok')
      expect(service.items).to.deep.equal([whole])
    })
  })
})
