import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SellerError } from '../../src/cli/errors.js'
import { readSetting } from '../../src/cli/settings.js'
import { changeStored, readStored, settingsPath } from '../../src/cli/settings-file.js'

describe('the settings file', () => {
  let configDir: string
  let slept: number
  const now = Date.parse('2026-11-21T12:00:00Z')
  const clock = {
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept += ms
    },
  }
  beforeEach(() => {
    configDir = mkdtempSync(join(tmpdir(), 'seller-settings-'))
    slept = 0
  })
  afterEach(() => rmSync(configDir, { recursive: true, force: true }))
  const lock = (ageMs: number): string => {
    const path = join(configDir, 'profiles.lock')
    writeFileSync(path, '')
    utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000)
    return path
  }
  const change = () =>
    changeStored({ configDir, clock }, (stored) => {
      stored.profiles.shop = { app_id: 7 }
    })

  it('is written for its user only, and its lock is removed', async () => {
    await change()
    expect(readStored(configDir)).to.deep.include({ profiles: { shop: { app_id: 7 } }, warnings: [] })
    expect(statSync(settingsPath(configDir)).mode & 0o777).to.equal(0o600)
    expect([existsSync(join(configDir, 'profiles.lock')), slept]).to.deep.equal([false, 0])
  })

  it('is not changed beside another process: it waits, and says which file to look at', async () => {
    const path = lock(29_000)
    const refused = await change().then(
      () => undefined,
      (error: SellerError) => error,
    )
    expect(refused).to.be.instanceOf(SellerError)
    expect(refused).to.include({ code: 'settings_locked', exitCode: 1 })
    expect(refused?.message).to.include(path)
    expect(slept).to.equal(10_000)
    expect([existsSync(path), existsSync(settingsPath(configDir))]).to.deep.equal([true, false])
  })

  it('is changed in spite of a lock that a killed process left half a minute ago', async () => {
    lock(31_000)
    await change()
    expect(readStored(configDir).profiles).to.have.property('shop')
    expect(slept).to.equal(0)
  })

  it('warns of a mode that lets others read, once, and mends it', async () => {
    await change()
    chmodSync(settingsPath(configDir), 0o644)
    expect(readStored(configDir).warnings).to.have.lengthOf(1)
    expect(readStored(configDir).warnings).to.deep.equal([])
    for (const mode of [0o600, 0o400]) {
      chmodSync(settingsPath(configDir), mode)
      expect(readStored(configDir).warnings, mode.toString(8)).to.deep.equal([])
    }
  })

  describe('takes no secret that is', () => {
    for (const [what, text] of [
      ['empty', ''],
      ['blank', '  '],
      ['of two lines', 'a\nb'],
      ['with a control character', 'a\u0007b'],
    ] as const) {
      it(what, () => {
        for (const name of ['app_key', 'token'] as const)
          expect(() => readSetting(name, text, 'SELLER_X'))
            .to.throw(SellerError)
            .that.includes({ code: 'invalid_setting' })
      })
    }
    it('and keeps one as it is', () => expect(readSetting('token', 'ab c', 'SELLER_TOKEN')).to.equal('ab c'))
  })
})
