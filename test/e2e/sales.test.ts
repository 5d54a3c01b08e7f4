import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Home, openHome } from './harness.js'
import { hasTmux } from './terminal.js'

interface Sale {
  Id: number
  Date: string
  LastUpdatedDate: string
  Amount: number
}

describe('sales', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: true })
  })
  after(() => home.close())

  describe('transactions:list', () => {
    let all: Sale[]
    before(async () => {
      all = (await home.seller('transactions:list', '--json')).json()
    })
    const instant = (text: string): number => new Date(text).getTime()
    const ids = async (...flags: string[]): Promise<number[]> => {
      const run = await home.seller('transactions:list', '--json', ...flags)
      expect(run.code, run.stderr).to.equal(0)
      return run.json().map(({ Id }: Sale) => Id)
    }

    it('lists what was sold, with buyer and item', () => {
      expect(all.length).to.be.greaterThan(5)
      for (const sale of all) expect(sale).to.include.keys('Id', 'Date', 'Amount', 'Buyer', 'Item', 'IsFeedbackLeftBySeller')
    })

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
        all.filter(({ Date: sold }) => instant(sold) <= instant(until)).map(({ Id }) => Id),
      )
      expect(await ids('--since', until, '--until', until)).to.deep.equal([changed?.Id])
    })

    it('writes tab-separated rows, and jq adds the amounts', async () => {
      const run = await home.shell(
        "seller transactions:list | awk -F '\\t' '{ sum += $4 } END { print sum }'; seller transactions:list --json | jq '[.[].Amount] | add'",
      )
      const sum = all.reduce((total, { Amount }) => total + Amount, 0)
      expect(run.lines()).to.deep.equal([String(sum), String(sum)])
    })

    it('is searched by title, own reference and buyer, in any case', async () => {
      const [{ Buyer, Item }] = (await home.seller('transactions:list', '--json')).json()
      for (const [word, found] of [
        [Buyer.Alias.toUpperCase(), true],
        [Buyer.LastName ?? Buyer.Alias, true],
        [Item.Title.split(' ')[0].toLowerCase(), true],
        ['no such word', false],
      ] as const) {
        expect((await ids('--search', word)).length > 0, word).to.equal(found)
      }
    })

    it('shows sales in the order that was asked for, each once, and then names those that are not there', async () => {
      const [one, two] = all.map(({ Id }) => String(Id))
      const run = await home.seller('transactions:show', two ?? '', one ?? '', two ?? '', '--json')
      expect(run.json().map(({ Id }: Sale) => String(Id))).to.deep.equal([two, one])
      const some = await home.seller('transactions:show', '7', one ?? '', '8', '--since', '2020-01-01', '-o', 'ndjson')
      expect([some.code, some.lines().length]).to.deep.equal([1, 1])
      expect(some.stderr).to.include('Transactions 7, 8 are not among your sales.').and.include('--since may leave it out. ')
      const none = await home.seller('transactions:show', '7')
      expect(none.stderr).to.include('Transaction 7 is not among your sales.').and.not.include('--since')
    })

    for (const [what, flags, said] of [
      ['a period turned round', ['--since', '2026-02-02', '--until', '2026-02-01'], /is not before --until/],
      ['an invalid date', ['--since', 'someday'], /--since: "someday" is not a date/],
      ['an unknown filter', ['--filter', 'New'], /new, new-and-updated/],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const run = await home.seller('transactions:list', ...flags)
        expect([run.code, run.stdout]).to.deep.equal([2, ''])
        expect(run.stderr).to.match(said)
      })
    }
  })

  describe('members:payments', () => {
    it('lists what a member takes', async () => {
      const run = await home.seller('members:payments', '1002', '--json')
      expect(run.code, run.stderr).to.equal(0)
      expect(run.json().length).to.be.greaterThan(0)
      for (const option of run.json()) expect(option).to.have.all.keys('Name', 'DisplayName', 'Description')
    })

    it('passes on that there is no such member', async () => {
      const run = await home.seller('members:payments', '99999999', '--json')
      expect(run.code).to.equal(3)
      expect(run.json().error.message).to.include('Member with id 99999999 does not exist')
      expect((await home.seller('members:payments', 'ann')).code).to.equal(2)
    })
  })

  describe('shop:settings', () => {
    it('shows the settings', async () => {
      const run = await home.seller('shop:settings', '--json')
      expect(run.code, run.stderr).to.equal(0)
      expect(run.json()).to.include.keys('MaxActiveItems', 'MaxInventoryItems', 'LogoInformation')
      const piped = await home.seller('shop:settings')
      expect(piped.lines()).to.include(`MaxActiveItems\t${run.json().MaxActiveItems}`)
    })

    it('saves the logo, whole', async () => {
      const run = await home.seller('shop:settings', '--logo', 'logo.jpg', '--json')
      expect(run.code, run.stderr).to.equal(0)
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
      const forced = await home.seller('shop:settings', '--logo', path, '--force')
      expect(forced.code, forced.stderr).to.equal(0)
      expect(await readFile(path, 'utf8')).not.to.equal('mine')
      expect(forced.stderr).to.include('would better end in .jpg')
    })

    it('refuses a directory, a directory that is not there, and --force alone', async () => {
      for (const [flags, said] of [
        [['--logo', '.'], 'is a directory'],
        [['--logo', 'nowhere/logo.jpg'], 'its directory does not exist'],
        [['--force'], '--logo'],
      ] as const) {
        const run = await home.seller('shop:settings', ...flags)
        expect(run.code, run.stderr).to.equal(2)
        expect(run.stderr).to.include(said)
      }
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
