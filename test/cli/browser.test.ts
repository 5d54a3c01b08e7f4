/** The opener of the platform, with a program of that name that writes down how it was called. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { isWebAddress, openInBrowser } from '../../src/cli/browser.js'
import { scratch } from '../scratch.js'

const PAGE = 'https://api.example.com/a?b=c&d'

describe('a page in the browser', () => {
  let dir: string
  const { PATH } = process.env
  beforeEach(async () => {
    dir = await mkdtemp(join(scratch(), 'seller-browser-'))
  })
  afterEach(async () => {
    process.env.PATH = PATH
    await rm(dir, { recursive: true, force: true })
  })

  /** Arguments of the opener, and whether it leads a process group of its own: Ctrl-C must not end the browser. */
  const opened = async (name: string, platform: NodeJS.Platform, address = PAGE) => {
    const out = join(dir, 'called')
    writeFileSync(
      join(dir, name),
      `#!/bin/sh\nread -r _ _ _ _ group _ < /proc/$$/stat\n{ echo "$([ "$group" = "$$" ] && echo own)"; printf '%s\\n' "$@"; } > '${out}.part'\nmv '${out}.part' '${out}'\n`,
    )
    chmodSync(join(dir, name), 0o755)
    process.env.PATH = `${dir}:${PATH}`
    const accepted = await openInBrowser(address, platform)
    for (let turn = 0; accepted && !existsSync(out) && turn < 1000; turn++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    return { accepted, called: existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [] }
  }

  it('is opened by the opener of each platform, in a process group of its own', async () => {
    expect(await opened('xdg-open', 'linux')).to.deep.equal({ accepted: true, called: ['own', PAGE] })
    await rm(join(dir, 'called'))
    expect(await opened('open', 'darwin')).to.deep.equal({ accepted: true, called: ['own', PAGE] })
    await rm(join(dir, 'called'))
    expect((await opened('rundll32', 'win32')).called).to.deep.equal(['own', 'url.dll,FileProtocolHandler', PAGE])
  })

  it('is not opened where there is no opener', async () => {
    process.env.PATH = dir
    expect(await openInBrowser(PAGE, 'linux')).to.equal(false)
  })

  it('is not opened where the opener finds no browser, and is by one that stays', async () => {
    const opener = join(dir, 'xdg-open')
    process.env.PATH = `${dir}:${PATH}`
    for (const [script, accepted] of [
      ['exit 3', false],
      ['sleep 2', true],
    ] as const) {
      writeFileSync(opener, `#!/bin/sh\n${script}\n`)
      chmodSync(opener, 0o755)
      expect(await openInBrowser(PAGE, 'linux'), script).to.equal(accepted)
    }
  })

  it('is an address of the web: a reply must start nothing else on this machine', async () => {
    expect(await opened('xdg-open', 'linux', 'file:///etc/passwd')).to.deep.equal({ accepted: false, called: [] })
    for (const text of ['http://a.example', 'https://a.example']) expect(isWebAddress(text), text).to.equal(true)
    for (const text of ['', 'a.example', 'javascript:1', 'httpx://a', 'bankid:///?x'])
      expect(isWebAddress(text), text).to.equal(false)
  })
})
