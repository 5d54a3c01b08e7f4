import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { hasTmux } from './terminal.js'

interface Sale {
  Id: number
  Date: string
  LastUpdatedDate: string
  Amount: number
}

describe('sales', () => {
  const home = opened(() => openHome({ sandbox: true }))

  describe('transactions:list', () => {
    let all: Sale[]
    before(async () => {
      all = (await home.seller('transactions:list', '--json')).json()
    })
    const instant = (text: string): number => new Date(text).getTime()
    const ids = async (...flags: string[]): Promise<number[]> => {
      const run = await home.done('transactions:list', '--json', ...flags)
      return run.json().map(({ Id }: Sale) => Id)
    }

    it('takes a period, by the sale or by its last change too', async () => {
      // A sale that was changed on a later day than it was made.
      const changed = all.find((sale) => instant(sale.LastUpdatedDate) - instant(sale.Date) > 3_600_000)
      const after = new Date(instant(changed?.Date ?? '') + 60_000).toISOString()
      expect(await ids('--since', after)).to.deep.equal(
        all.filter(({ Date: sold }) => instant(sold) >= instant(after)).map(({ Id }) => Id),
      )
      expect(await ids('--since', after)).not.to.include(changed?.Id)
      expect(await ids('--since', after, '--filter', 'new-and-updated')).to.include(changed?.Id)
      const until = changed?.Date ?? ''
      expect(await ids('--until', until)).to.deep.equal(
        all.filter(({ Date: sold }) => instant(sold) < instant(until)).map(({ Id }) => Id),
      )
      const after1ms = new Date(instant(until) + 1).toISOString()
      expect(await ids('--since', until, '--until', after1ms), 'the end is not included').to.deep.equal([changed?.Id])
      const empty = await home.seller('transactions:list', '--since', until, '--until', until, '--json')
      expect([empty.code, empty.json().error.code]).to.deep.equal([2, 'empty_period'])
    })

    it('writes tab-separated rows, and jq adds the amounts', async () => {
      const run = await home.shell(
        "seller transactions:list | awk -F '\\t' '{ sum += $4 } END { print sum }'; seller transactions:list --json | jq '[.[].Amount] | add'",
      )
      const sum = all.reduce((total, { Amount }) => total + Amount, 0)
      expect(run.lines()).to.deep.equal([String(sum), String(sum)])
    })
  })

  describe('shop:settings', () => {
    it('saves the logo, whole', async () => {
      const run = await home.done('shop:settings', '--logo', 'logo.jpg', '--json')
      const { ImageData, ImageFormat } = run.json().LogoInformation
      const saved = await readFile(join(home.dir, 'logo.jpg'))
      expect(saved.equals(Buffer.from(ImageData, 'base64'))).to.equal(true)
      expect(ImageFormat).to.equal('Jpeg')
      expect(saved.subarray(0, 2).toString('hex')).to.equal('ffd8')
      expect(run.stderr).to.equal(`Saved the logo (Jpeg, ${saved.length} bytes) as logo.jpg.\n`)
    })

    it('replaces no file unless forced, and then makes no call before it knows', async () => {
      const path = join(home.dir, 'mine.png')
      await writeFile(path, 'mine')
      const refused = await home.run(['shop:settings', '--logo', path, '--json'], {
        env: { SELLER_BASE_URL: 'http://127.0.0.1:1' },
      })
      expect(refused.code).to.equal(2)
      expect(refused.json().error).to.include({ code: 'unwritable_file' })
      expect(await readFile(path, 'utf8')).to.equal('mine')
      const forced = await home.done('shop:settings', '--logo', path, '--force')
      expect(await readFile(path, 'utf8')).not.to.equal('mine')
      expect(forced.stderr).to.include('would better end in .jpg')
    })

    it('says so when there is no shop', async () => {
      const run = await home.run(['shop:settings', '--json'], {
        env: { SELLER_USER_ID: '1003', SELLER_TOKEN: 'sandbox-token-of-member-1003' },
      })
      expect(run.code).to.equal(3)
      expect(run.json().error.message).to.include('does not have an active shop')
    })

    it('is a card on a terminal, and the logo no blob on it', async function () {
      if (!hasTmux) this.skip()
      const terminal = await home.terminal(['shop:settings'])
      const { code, screen } = await terminal.done()
      expect(code).to.equal(0)
      expect(screen).to.match(/^Shop settings\n/)
      expect(screen).to.match(/^Logo file +Jpeg, \d+ bytes \(--logo FILE saves it\)$/m)
    })
  })
})
