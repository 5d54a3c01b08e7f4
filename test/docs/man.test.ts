import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { manPages } from '../../scripts/man.js'
import { readManifest } from '../../src/cli/manifest.js'
import { root } from '../e2e/product.js'

describe('the man pages', () => {
  const commands = readManifest(root)
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const pages = manPages(pjson, commands)
  const pageOf = (file: string) => pages.find((page) => page.file === file)?.text ?? ''

  it('are one for the program and one for each topic, all named in package.json', () => {
    const topics = Object.keys(pjson.oclif.topics).map((topic) => `seller-${topic}.1`)
    expect(pages.map(({ file }) => file)).to.deep.equal(['seller.1', ...topics])
    expect(pjson.man, 'npm links these').to.deep.equal(pages.map(({ file }) => `./dist/man/${file}`))
  })

  it('describe every command that is listed', () => {
    for (const { id, hidden } of commands) {
      if (hidden === true) continue
      const [topic = '', verb] = id.split(':')
      const page = pageOf(verb === undefined ? 'seller.1' : `seller-${topic}.1`)
      expect(page, id).to.match(new RegExp(`^\\.SS "seller ${id.replaceAll('-', '\\\\-')}[ "]`, 'm'))
    }
    expect(pageOf('seller-shop.1'))
      .to.include('\\fB\\-\\-failed\\-file')
      .and.include('\\fB\\-\\-profile')
      .and.include('\\fB130\\fR')
  })

  it('are ASCII, and no text of theirs is read as a command of roff', () => {
    const macros = /^\.(?:TH|SH|SS|TP|PP|B|I|BR|nf|fi|RS|RE)(?: |$)/
    for (const { file, text } of pages) {
      expect(text, file).to.match(/^[ -~\n]*$/)
      for (const line of text.split('\n')) {
        if (/^[.']/.test(line)) expect(line, file).to.match(macros)
        expect(line, file).not.to.match(/(?<!\\)-/)
      }
    }
  })
})
