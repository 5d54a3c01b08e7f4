import { expect } from 'chai'
import { keepForOwner } from '../../src/system/owner-only.js'

describe('a file for its owner alone on Windows', () => {
  const calls: string[][] = []
  const on = (platform: NodeJS.Platform, env: Readonly<Record<string, string>>, ends: readonly boolean[] = [true]) => {
    calls.splice(0)
    const run = async (program: string, args: readonly string[]) =>
      calls.push([program, ...args]) <= ends.length && ends[calls.length - 1] === true
    return keepForOwner('D:\\pick up\\labels.pdf', { platform, env, run })
  }
  const icacls = (root: string, who: string) => [
    `${root}\\System32\\icacls.exe`,
    'D:\\pick up\\labels.pdf',
    '/inheritance:r',
    '/grant:r',
    `${who}:F`,
    '*S-1-5-18:F',
    '*S-1-5-32-544:F',
    '/q',
  ]
  const EVA = { SystemRoot: 'C:\\Win', USERDOMAIN: 'SHOP', USERNAME: 'eva' }

  it('inherits no rights, and is granted to the person, the system and administrators', async () => {
    await on('win32', EVA)
    expect(calls).to.deep.equal([icacls('C:\\Win', 'SHOP\\eva')])
  })

  it('is granted to its owner where no account is called so, and stays as it is where the disk keeps no rights', async () => {
    await on('win32', EVA, [false, true])
    const both = [icacls('C:\\Win', 'SHOP\\eva'), icacls('C:\\Win', '*S-1-3-4')]
    expect(calls).to.deep.equal(both)
    await on('win32', EVA, [false, false])
    expect(calls).to.deep.equal(both)
    await on('win32', {})
    expect(calls).to.deep.equal([icacls('C:\\Windows', '*S-1-3-4')])
  })

  it('has its mode on other systems', async () => {
    for (const platform of ['linux', 'darwin'] as const) {
      await on(platform, EVA)
      expect(calls).to.deep.equal([])
    }
  })
})
