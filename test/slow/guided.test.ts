/**
 * From the first run to the first sale by prompts, in a real terminal of two widths: three mistakes, one Ctrl-C, and the draft.
 */
import { mkdir } from 'node:fs/promises'
import { expect } from 'chai'
import { openHome } from '../e2e/harness.js'
import { PIXEL } from '../e2e/observed.js'
import { hasTmux, type Terminal } from '../e2e/terminal.js'
import { opened } from '../opened.js'

describe('a first sale in a real terminal', function () {
  this.timeout(600_000)
  for (const width of [80, 60]) {
    describe(`of ${width} columns`, () => {
      const home = opened(openHome)
      before(async () => {
        await mkdir(`${home.dir}/photos`)
        await home.file('photos/front.png', PIXEL.png)
        await home.file('photos/broken.jpg', 'not an image')
      })

      /** No line is wider than the terminal, but for a path, which stays whole. */
      const fits = (screen: string): void => {
        for (const line of screen.split('\n')) if (!line.includes(home.dir)) expect(line.length, line).to.be.at.most(width)
      }
      const choose = async (terminal: Terminal, question: string, typed: string, choice: string) => {
        await terminal.shows(question)
        if (typed !== '') await terminal.type(typed)
        await terminal.shows(`❯ ${choice}`)
        await terminal.type('\n')
        await terminal.shows(new RegExp(`✔ ${question.replace(/[()]/g, '\\$&')}`))
      }

      it('goes by prompts, with three mistakes and a Ctrl-C', async function () {
        if (!hasTmux) this.skip()
        const welcome = await home.seller()
        expect(welcome.stdout).to.include('seller items:add -p sandbox')
        const first = await home.terminal(['items:add', '-p', 'sandbox', '--wait'], { width, height: 50 })
        await first.shows(/Your\s+answers\s+are\s+kept\s+in/)
        await first.shows('? Title')
        await first.type(`${'Vas '.repeat(20)}!\n`)
        await first.shows('at most 80 characters, it has 81')
        await first.press('C-u')
        await first.type('Höganäs vas\n')
        await choose(first, 'Category', 'keramik', 'Antikt & design > Design > Keramik')
        await choose(first, 'Kind of sale', '', 'Auction')
        await first.shows('Opening price')
        await first.type('99,50\n')
        await first.shows('Prices are whole kronor')
        await first.press('C-u')
        await first.type('100\n')
        await first.shows('✔ Opening price')
        await first.type('50\n')
        await first.shows(/Must be greater than the\s+opening\s+price/)
        fits(await first.screen())
        await first.press('C-u')
        await first.type('\n')
        await first.shows('? Buy-now price')
        await first.press('C-c')
        const stopped = await first.done()
        expect(stopped.code).to.equal(130)
        expect(stopped.screen.replace(/\s+/g, ' '))
          .to.include('Nothing was sent, and your answers are kept.')
          .and.include('The draft is')

        const second = await home.terminal(['items:add', '-p', 'sandbox', '--wait'], { width, height: 60 })
        await choose(second, 'There is a draft of "Höganäs vas"', '', 'Go on with it')
        await second.shows('? Buy-now price')
        await second.type('\n')
        await second.shows('? Days on sale')
        await second.type('\n')
        await choose(second, 'Condition', '', 'Used')
        await choose(second, 'Märke', 'h', 'Höganäs')
        await second.shows('? More to say')
        await second.type('\n')
        await second.shows('? Description')
        await second.type('Hel och ren.\n')
        await second.shows('? Payment')
        for (const key of ['Down', 'Down', 'Down', 'Down', 'Space']) await second.press(key)
        await second.shows(/❯◉ Swish/)
        await second.type('\n')
        await choose(second, 'Shipping', '', 'Pickup')
        await choose(second, 'Another way of shipping', '', 'No more')
        await second.shows('? Image')
        await second.type('photos/')
        await second.shows('- photos/broken.jpg (is not a Gif, Jpeg or Png)')
        await second.shows('❯ photos/front.png')
        await second.type('\n')
        await choose(second, 'Image 2', '', 'No more')
        await second.shows('? Put on sale? (y/N)')
        fits(await second.screen())
        await second.type('y\n')
        const { code, screen } = await second.done()
        expect(code, screen).to.equal(0)
        expect(screen)
          .to.include('Antikt & design > Design > Keramik (120503)')
          .and.to.match(/Result\s+Ok|Ok/)
        const listed = await home.seller('requests:list', '-p', 'sandbox', '--json')
        expect(listed.json()[0]).to.include({ Operation: 'AddItem', Subject: 'Höganäs vas', State: 'ok' })
        const none = await home.seller('items:add', '--draft', '-p', 'sandbox', '--json')
        expect(none.json().error.code).to.equal('no_draft')
      })
    })
  }
})
