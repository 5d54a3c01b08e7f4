import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { createPaint } from '../../src/format/output/colour.js'
import { colourLevel, qrCode } from '../../src/format/output/index.js'

describe('colour', () => {
  for (const [what, env, isTTY, level] of [
    ['a terminal', { TERM: 'xterm' }, true, 1],
    ['a terminal that says nothing of itself', {}, true, 1],
    ['256 colours', { TERM: 'xterm-256color' }, true, 2],
    ['true colour', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true, 3],
    ['a dumb terminal', { TERM: 'dumb' }, true, 0],
    ['a pipe', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, false, 0],
    ['NO_COLOR', { NO_COLOR: '1', TERM: 'xterm' }, true, 0],
    ['an empty NO_COLOR, which says nothing', { NO_COLOR: '', TERM: 'xterm' }, true, 1],
    ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '3' }, true, 0],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, 1],
    ['FORCE_COLOR=2', { FORCE_COLOR: '2' }, false, 2],
    ['FORCE_COLOR=3', { FORCE_COLOR: '3' }, false, 3],
    ['FORCE_COLOR=0 on a terminal', { FORCE_COLOR: '0', TERM: 'xterm' }, true, 0],
    ['FORCE_COLOR=false', { FORCE_COLOR: 'false' }, true, 0],
    ['FORCE_COLOR without a value', { FORCE_COLOR: '' }, false, 1],
  ] as const) {
    it(`${what}: level ${level}`, () => {
      expect(colourLevel(env, { isTTY })).to.equal(level)
    })
  }

  it('paints at its level and not at level 0', async () => {
    expect((await createPaint(1)).red('x')).to.equal('\u001b[31mx\u001b[39m')
    expect((await createPaint(0)).red('x')).to.equal('x')
  })

  it('draws the margin of a QR code light: as it is on a dark terminal, and white where there is colour', async () => {
    const [plain, painted] = [await qrCode('x', await createPaint(0)), await qrCode('x', await createPaint(1))]
    expect(plain.split('\n')).to.have.lengthOf(painted.split('\n').length)
    expect(plain.split('\n')[0]).to.match(/^█+$/)
    const [first = ''] = painted.split('\n')
    expect([stripVTControlCharacters(first).trim(), first.includes('[107m')]).to.deep.equal(['', true])
  })
})
