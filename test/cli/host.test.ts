import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { interruptible } from '../../src/cli/interrupt.js'
import { runOn } from '../e2e/product.js'
import { createTestHost } from '../test-host.js'
import { openTwin } from './twin.js'

describe('a command line on a host of its own', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'seller-host-'))
  })
  after(() => rm(home, { recursive: true, force: true }))
  const hostOf = (name: string, env: Record<string, string> = {}) =>
    createTestHost({ env: { SELLER_CONFIG_DIR: join(home, name), SELLER_DATA_DIR: join(home, name), ...env } })

  it('runs beside others, and leaves nothing behind in the process', async () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)])
    const before = [listeners(), process.exitCode, process.cwd()]
    const [shown, refused, lost, version] = await Promise.all([
      runOn(hostOf('a', { SELLER_PROFILE: 'sandbox' }), ['account:show', '--json']),
      runOn(hostOf('b'), ['account:show', '--json']),
      runOn(hostOf('c'), ['acount:show']),
      runOn(hostOf('d'), ['--version']),
    ])
    expect([shown.code, refused.code, lost.code, version.code]).to.deep.equal([0, 4, 2, 0])
    expect(JSON.parse(shown.stdout)).to.include({ Id: 1001 })
    expect(JSON.parse(refused.stdout).error).to.include({ code: 'not_logged_in' })
    expect(lost.stdout).to.equal('')
    expect(lost.stderr).to.contain('Did you mean seller account:show?')
    expect(version.stdout).to.match(/^seller\/\S+ test node-v\S+\n$/)
    expect([listeners(), process.exitCode, process.cwd()]).to.deep.equal(before)
  })

  it('takes any length of output, and tells of each write', async () => {
    const twin = await openTwin()
    let writes = 0
    const deaf = twin.host.onWrite(() => writes++)
    try {
      const rows = Array.from({ length: 20_000 }, (_, Id) => ({ Id }))
      expect(await twin.ctx.output.list({ columns: [{ key: 'Id' }] }, rows)).to.equal(20_000)
      expect(twin.stdout().length).to.be.greaterThan(100_000)
      expect(writes).to.be.greaterThan(0)
    } finally {
      deaf()
      await twin.close()
    }
  })

  it('is interrupted by a signal of its own, and ended by the second', async () => {
    const host = hostOf('e')
    const reasons: string[] = []
    const work = (signal: AbortSignal) =>
      new Promise<void>(() => signal.addEventListener('abort', () => reasons.push(String(signal.reason.message))))
    interruptible(host, work).catch(() => {})
    host.interrupt('SIGTERM')
    expect(reasons).to.deep.equal(['Interrupted by SIGTERM.'])
    host.interrupt('SIGINT')
    expect(await host.exited).to.equal(130)
    const unheard = hostOf('f')
    unheard.interrupt('SIGTERM')
    expect(await unheard.exited, 'as a shell tells of a process that a signal ended').to.equal(143)
  })
})
