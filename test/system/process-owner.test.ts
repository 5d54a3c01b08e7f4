import { expect } from 'chai'
import { isAtWork, isRunning, readOwner, thisProcess } from '../../src/system/process-owner.js'

const own = JSON.parse(thisProcess())
const text = (more: object): string => JSON.stringify({ ...own, ...more })
const GONE = 999_999_999

describe('the process that holds something', () => {
  for (const [what, owner, silent, patient] of [
    ['this one', thisProcess(), true, true],
    ['one that has ended', text({ pid: GONE }), false, false],
    ['one whose id is used again', text({ started: `${own.started}0` }), false, false],
    ['one of an older version, which has ended', JSON.stringify({ host: own.host, pid: GONE, started: '' }), false, false],
    ['one of another host', text({ host: 'another' }), false, true],
    ['one of another container with this host name', text({ pid: GONE, space: 'pid:[1]' }), false, true],
    ['one whose id is in use, on a system without start times', text({ started: '' }), false, true],
    ['no process', 'what is this?', false, false],
  ] as const) {
    it(`is at work, or believed to be for a time, or gone: ${what}`, () => {
      const belief = (silentMs: number) => ({ silentMs, patienceMs: 1000 })
      expect([isAtWork(owner, belief(1000)), isAtWork(owner, belief(999))]).to.deep.equal([silent, patient])
    })
  }

  it('may be this one twice, which only silence tells', () => {
    expect(isAtWork(thisProcess(), { silentMs: 1000, patienceMs: 1000, own: 'unknowable' })).to.equal(false)
    expect(isAtWork(thisProcess(), { silentMs: 999, patienceMs: 1000, own: 'unknowable' })).to.equal(true)
  })

  it('runs where its id is used, also by a process of another user, which cannot be signalled', () => {
    expect(isRunning(process.pid)).to.equal(true)
    const kill = process.kill
    const failing = (code: string) => {
      process.kill = () => {
        throw Object.assign(new Error(code), { code })
      }
      try {
        return isRunning(1)
      } finally {
        process.kill = kill
      }
    }
    expect([failing('EPERM'), failing('ESRCH')]).to.deep.equal([true, false])
  })

  it('is read back, and nothing else is', () => {
    expect(readOwner(thisProcess())).to.include({ pid: process.pid })
    for (const wrong of [{ pid: '7' }, { host: 7 }, { started: 7 }]) expect(readOwner(text(wrong))).to.equal(undefined)
  })
})
