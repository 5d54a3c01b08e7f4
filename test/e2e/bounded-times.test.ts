/** Times that nothing of the service can have are refused where they are read, by every flag that takes one. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { closing, opened } from '../opened.js'
import { openHome, root } from './harness.js'

const BEYOND = ['99999999d', '-99999999d', '+99999999d', `${'9'.repeat(400)}d`, '1899-12-31', '3000-01-01', '0001-01-01T00:00Z']
const DAYS = 'is not between 1900-01-01 and 2999-12-31'
/** By the word that stands for the value in the help of a flag: code and words of the refusal. */
const LIMITS: Readonly<Record<string, { values: readonly string[]; code: string; words: string }>> = {
  DATE: { values: BEYOND, code: 'invalid_date', words: DAYS },
  TIME: { values: BEYOND, code: 'invalid_date', words: DAYS },
  AGE: { values: [...BEYOND.slice(3, 4), '365001d'], code: 'invalid_duration', words: 'is not between 1d and 365000d' },
  DURATION: { values: [...BEYOND.slice(3, 4), '25d'], code: 'invalid_duration', words: 'is too long; the longest is 24d' },
}

/** Settings have a test below. */
const OTHERS: ReadonlySet<string> = new Set(['auth:login'])

describe('a time out of bounds', () => {
  const home = opened(() => openHome({ sandbox: { extended: true } }))

  for (const [kind, { values, code, words }] of Object.entries(LIMITS)) {
    it(`is refused with the value and the limit by every flag of the kind ${kind}`, async () => {
      const flags = readManifest(root).flatMap(({ id, flags: own }) =>
        Object.values(own)
          .filter((flag) => (flag as { helpValue?: string }).helpValue === kind && !OTHERS.has(id))
          .map(({ name }) => ({ id, name })),
      )
      expect(flags).to.not.deep.equal([])
      for (const { id, name } of flags) {
        // A range of pauses has limits of its own, below these.
        const own = /interval|exec-timeout/.test(name)
        for (const value of values) {
          const of = id === 'shop:update' ? ['1'] : []
          const run = await home.seller(id, ...of, `--${name}=${value}`, '--json')
          expect(run.code, `${id} --${name}=${value}\n${run.stdout}`).to.equal(2)
          const { error } = run.json()
          // items:add names all faults of an item at once.
          expect(error.code, `${id} --${name}=${value}`).to.be.oneOf([code, 'invalid_values'])
          // A long value is shortened in the middle of the message.
          if (!own && value.length < 40) expect(error.message).to.include(`"${value}" ${words}`)
        }
      }
    })
  }

  it('is not one on the first and the last day', async () => {
    for (const day of ['1900-01-01', '2999-12-31', '2999-12-31T23:59:59']) {
      expect((await home.seller('requests:list', '--since', day)).code, day).to.equal(0)
      await home.done('orders:list', '--day', day)
    }
    await home.done('sales:report', '--since', '1900-01-01', '--until', '2999-12-31', '--by', 'buyer', '--json')
  })

  it('is refused in a setting, and in a file of settings', async () => {
    for (const setting of ['description_max_age', 'keep_personal']) {
      const run = await home.seller('auth:login', '-p', 'other', '--no-verify', '--setting', `${setting}=99999999d`, '--json')
      expect([run.code, run.json().error.code], run.stdout).to.deep.equal([2, 'invalid_setting'])
      expect(run.json().error.message).to.include('"99999999d" is longer than 365000d')
    }
    const config = join(home.dir, 'settings')
    await mkdir(config)
    await writeFile(join(config, 'profiles.json'), '{"profiles":{"shop":{"keep_personal":"99999999999999999d"}}}')
    const run = await home.run(['orders:list', '-p', 'shop', '--json'], { env: { SELLER_CONFIG_DIR: config } })
    expect([run.code, run.json().error.code]).to.deep.equal([2, 'settings_damaged'])
    expect(run.json().error.message).to.include('365000d')
  })

  it('is refused in a file of items', async () => {
    const item = { Title: 'Vas', CategoryId: 344481, Price: 50 }
    for (const ActivateDate of ['0000-01-01T00:00:00', '+099999-01-01T00:00:00Z', '99999-01-01']) {
      const file = await home.file('item.json', JSON.stringify({ ...item, ActivateDate }))
      const run = await home.seller('shop:add', '--file', file, '--json')
      expect([run.code, run.json().error.code], ActivateDate).to.deep.equal([3, 'invalid_input'])
      expect(run.json().error.message).to.include(ActivateDate)
    }
  })

  it('in a damaged ledger ends no list', async () => {
    await using own = closing(await openHome({ sandbox: true }))
    const priced = await own.seller('shop:price', '--all', '--add', '1kr', '--yes', '--wait')
    expect(priced.code, priced.stderr).to.be.oneOf([0, 6])
    const store = openStore(join(own.dataDir, 'ledger.db'), 'power')
    for (const at of [8.64e15, -8.64e15, 1e18, -1e18]) {
      store.exec(`UPDATE jobs SET created_at = ${at}; UPDATE requests SET sent_at = ${at}; UPDATE calls SET at = ${at}`)
      for (const command of [
        'jobs:list',
        'requests:list',
        'jobs:show 1',
        'calls:show',
        'prices:history',
        'today',
        'ledger:check',
      ]) {
        const run = await own.seller(...command.split(' '), '--json')
        expect(run.stdout + run.stderr, `${command} ${at}`).to.not.match(/internal error|"unexpected"/i)
      }
    }
    store.close()
  })
})
