import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { changeStored, readStored, settingsPath } from '../../src/cli/settings-file.js'
import { SellerError } from '../../src/errors/index.js'
import { thisProcess } from '../../src/system/process-owner.js'

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

  it('is not changed beside a process that runs, however old its lock is; one of a dead process is no lock', async () => {
    const path = lock(90_000)
    writeFileSync(path, thisProcess())
    utimesSync(path, 1, 1)
    expect(await change().catch((error: SellerError) => error.code)).to.equal('settings_locked')
    writeFileSync(path, JSON.stringify({ ...JSON.parse(thisProcess()), pid: 2 ** 22 + 1 }))
    await change()
    expect(readStored(configDir).profiles).to.have.property('shop')
  })

  it('is not changed while another process removes the lock that a killed one left', async () => {
    const path = lock(31_000)
    writeFileSync(`${path}.removing`, '')
    expect(await change().catch((error: SellerError) => error.code)).to.equal('settings_locked')
    expect([existsSync(path), existsSync(settingsPath(configDir))]).to.deep.equal([true, false])
  })

  it('is not written by a process that was stopped until another took its lock, whose lock stays', async () => {
    const path = join(configDir, 'profiles.lock')
    const late = changeStored({ configDir, clock }, () => writeFileSync(path, '{"of":"another"}'))
    expect(await late.catch((error: SellerError) => error.code)).to.equal('settings_locked')
    expect([existsSync(path), existsSync(settingsPath(configDir))]).to.deep.equal([true, false])
  })

  it('is not changed by what fails, and the error is that of the change, also if the lock cannot be removed', async () => {
    const path = join(configDir, 'profiles.lock')
    const failing = changeStored({ configDir, clock }, () => {
      rmSync(path)
      mkdirSync(path)
      throw new Error('of the change')
    })
    expect(await failing.catch((error: Error) => error.message)).to.equal('of the change')
  })

  it('is not changed where the age of the lock is just half a minute, or cannot be known', async () => {
    const path = lock(30_000)
    expect(await change().catch((error: SellerError) => error.code)).to.equal('settings_locked')
    rmSync(path)
    symlinkSync('nowhere', path)
    slept = 0
    expect(await change().catch((error: SellerError) => error.code)).to.equal('settings_locked')
    expect(slept).to.equal(10_000)
  })

  it('says why no lock can be made', async () => {
    // The directory may have this name, and a file in it may not.
    const long = join(configDir, ...Array.from({ length: 30 }, () => 'd'.repeat(250))).slice(0, 4090)
    const refused = await changeStored({ configDir: long, clock }, () => {}).catch((error: unknown) => error)
    expect(refused).to.include({
      code: 'settings_unreadable',
      message: `${long}/profiles.lock cannot be read or written: the name is too long.`,
    })
    expect(slept).to.equal(0)
  })

  it('is changed also if someone removes the lock meanwhile', async () => {
    await changeStored({ configDir, clock }, (stored) => {
      stored.profiles.shop = { app_id: 7 }
      rmSync(join(configDir, 'profiles.lock'))
    })
    expect(readStored(configDir).profiles).to.deep.equal({ shop: { app_id: 7 } })
  })

  it('passes on what is no error of the system', () => {
    expect(() => readStored('a\0b'))
      .to.throw(TypeError)
      .that.includes({ code: 'ERR_INVALID_ARG_VALUE' })
  })

  it('keeps the chosen profile, and names with dots, through a change', async () => {
    const profiles = { 'shop.one': { app_id: 1 }, two: { token: 'abc', vat: 25 } }
    writeFileSync(settingsPath(configDir), JSON.stringify({ current: 'two', profiles }), { mode: 0o600 })
    await change()
    const shop = { app_id: 7 }
    expect(readStored(configDir)).to.deep.equal({ current: 'two', profiles: { ...profiles, shop }, warnings: [] })
    await changeStored({ configDir, clock }, (stored) => {
      stored.current = undefined
      stored.profiles['a.b'] = { app_id: 9 }
    })
    expect(JSON.parse(readFileSync(settingsPath(configDir), 'utf8'))).to.deep.equal({
      profiles: { ...profiles, shop, 'a.b': { app_id: 9 } },
    })
  })

  it('is as good as empty where there is none', () => {
    expect(readStored(configDir)).to.deep.equal({ profiles: {}, warnings: [] })
  })

  it('cannot be a directory, which is no damage', () => {
    mkdirSync(settingsPath(configDir))
    expect(() => readStored(configDir))
      .to.throw(SellerError, `${settingsPath(configDir)} cannot be read or written: it is a directory.`)
      .that.includes({ code: 'settings_unreadable' })
  })

  describe('holds', () => {
    const read = (content: unknown) => {
      writeFileSync(settingsPath(configDir), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
      return readStored(configDir)
    }
    const why = (content: unknown): string => {
      try {
        read(content)
      } catch (error) {
        expect(error).to.be.instanceOf(SellerError).that.includes({ code: 'settings_damaged' })
        const [, said = ''] = /^The settings file \S+ cannot be used: (.*)\.$/s.exec((error as SellerError).message) ?? []
        return said
      }
      return 'nothing wrong'
    }

    for (const [content, expected] of [
      ['', 'it is empty'],
      [' \n', 'it is empty'],
      ['{"token": "abc', 'it is not JSON'],
      [[], 'it does not hold an object'],
      ['null', 'it does not hold an object'],
      ['"x"', 'it does not hold an object'],
      [{ profiles: [] }, '"profiles" is not an object'],
      [{ profiles: 'x' }, '"profiles" is not an object'],
      [{ current: 7 }, '"current" is not a text'],
      [{ current: null }, '"current" is not a text'],
      [{ profiles: { shop: [] } }, 'the profile "shop" is not an object'],
      [{ profiles: { shop: null } }, 'the profile "shop" is not an object'],
      [{ profiles: { shop: { token: true } } }, '"token" of the profile "shop" is not a text or a number'],
      [{ profiles: { shop: { token: ['a'] } } }, '"token" of the profile "shop" is not a text or a number'],
      [
        { profiles: { shop: { token_command: [] } } },
        'token_command of the profile "shop": Its JSON array does not hold a program and its arguments as texts',
      ],
      [{ profiles: { shop: { token: '' } } }, 'token of the profile "shop": It is empty'],
      [{ profiles: { 'my.shop': { token: '' } } }, 'token of the profile "my.shop": It is empty'],
      [
        { profiles: { shop: { app_id: 1.5 } } },
        'app_id of the profile "shop": the value (3 characters, not shown) is not a whole number',
      ],
      [
        { profiles: { shop: { app_id: 'x.y' } } },
        'app_id of the profile "shop": the value (3 characters, not shown) is not a whole number',
      ],
    ] as const) {
      it(`${JSON.stringify(content)}: ${expected}`, () => expect(why(content)).to.equal(expected))
    }

    it('settings as texts or numbers, a command as an array too, and null for none', () => {
      const shop = {
        app_id: '7',
        user_id: 8,
        token: null,
        token_command: ['pass', 'show', 'shop token'],
        app_key_command: 'pass show key',
        call_timeout: 90_000,
        vat: '25%',
        call_share: 12.5,
        unknown: { of: 'a later version' },
      }
      expect(read({ current: 'shop', profiles: { shop, empty: {} } })).to.deep.equal({
        current: 'shop',
        profiles: {
          shop: {
            app_id: 7,
            user_id: 8,
            token_command: '["pass","show","shop token"]',
            app_key_command: 'pass show key',
            call_timeout: 90_000,
            vat: 25,
            call_share: 12.5,
          },
          empty: {},
        },
        warnings: [],
      })
    })

    it('no profiles', () => expect(read({ profiles: null }).profiles).to.deep.equal({}))
  })

  it('says which mode it had when others could read it', async () => {
    await change()
    chmodSync(settingsPath(configDir), 0o640)
    const path = settingsPath(configDir)
    expect(readStored(configDir).warnings).to.deep.equal([`${path} was readable by others (mode 640). Its mode is 600 now.`])
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    for (const mode of [0o600, 0o400]) {
      chmodSync(path, mode)
      expect(readStored(configDir).warnings, mode.toString(8)).to.deep.equal([])
    }
  })
})
