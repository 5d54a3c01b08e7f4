/**
 * Real processes of each kind of job, killed -9 at random moments, and gone on with as their sellers would. What a crash may
 * leave is tried by months in virtual time (test/simulation); here a kernel ends the process, and its disk is a disk.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import { createClientAsync } from 'soap'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { sequence } from '../../src/system/random.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import { pricesOf, setFaults, stock } from '../e2e/shop.js'
import { chunk } from '../images/photos.js'
import { closing, openedForEach } from '../opened.js'

const KILLS = 4
/** Runs that may follow one another until a job is done. */
const MOST_RUNS = 100
const LOSSES = { latency: '5ms..40ms', 'drop-before': '4%', 'drop-after': '4%' }
const NONE = { latency: '0ms..0ms', 'drop-before': '0%', 'drop-after': '0%' }

interface LiveItem {
  readonly id: number
  readonly reference: string
  readonly price: number
  readonly remaining: number
}

describe('a command killed -9 at random moments, and gone on with', function () {
  this.timeout(900_000)
  const home = openedForEach(() => openHome({ sandbox: { faults: { queueDelayMs: 0, seed: 5 }, extended: true } }))

  it('shop:stock ends with the numbers of an undisturbed run', async () => {
    const killer = new Killer(home, 3)
    const ids = await stock(
      home,
      Array.from({ length: 400 }, () => 100),
    )
    await killer.rounds(async (round) => {
      const number = (at: number): number => 1 + ((at * 7 + round * 13) % 50)
      const file = await home.file('stock.csv', `Id,Quantity\n${ids.map((id, at) => `${id},${number(at)}`).join('\n')}\n`)
      await killer.toEnd(['shop:stock', '--file', file, '--yes', '--json'])
      const live = new Map(liveItems(home).map(({ id, remaining }) => [id, remaining]))
      expect(ids.map((id) => live.get(id))).to.deep.equal(ids.map((_, at) => number(at)))
    })
  })

  it('shop:add adds each row once', async () => {
    const killer = new Killer(home, 4)
    await killer.rounds(async (round) => {
      const names = Array.from({ length: 25 }, (_, at) => `K${round}-${at}`)
      const file = await home.file('new.csv', catalogue(names.map((name) => ({ reference: name, price: 200, remaining: 3 }))))
      await killer.toEnd(['shop:add', '--file', file, '--allow', 'max_added', '--yes', '--wait', '--json'])
      const live = liveItems(home).filter(({ reference }) => reference.startsWith(`K${round}-`))
      expect(live.map(({ reference }) => reference).sort()).to.deep.equal(names.sort())
    })
  })

  it('shop:sync ends with a shop like the catalogue', async () => {
    const killer = new Killer(home, 6)
    emptyShop(home)
    await home.seller('service:check', '--save')
    await killer.rounds(async (round) => {
      // Each round has other prices and numbers, five new rows, and five fewer.
      const rows = Array.from({ length: 60 }, (_, at) => ({
        ...{ reference: `S${round * 5 + at}`, price: 200 + ((at + round) % 40), remaining: 1 + ((at + round) % 9) },
      }))
      const file = await home.file('catalogue.csv', catalogue(rows))
      const line = ['shop:sync', '--file', file, '--remove-missing', '--allow', 'max_removed', '--yes', '--wait', '--json']
      await killer.toEnd(line)
      await home.done(...line)
      const live = liveItems(home).map(({ reference, price, remaining }) => `${reference}: ${price}, ${remaining}`)
      expect(live.sort()).to.deep.equal(
        rows.map(({ reference, price, remaining }) => `${reference}: ${price}, ${remaining}`).sort(),
      )
    })
  })

  it('shop:sync changes every field, and shop:restore brings back those of a date', async () => {
    const killer = new Killer(home, 9)
    emptyShop(home)
    await home.seller('service:check', '--save')
    const guards = [
      '--allow',
      'max_titles',
      '--allow',
      'max_added',
      '--allow',
      'max_removed',
      '--allow',
      'max_same_stock',
      '--allow',
      'stock_shifted',
      '--remove-missing',
    ]
    const sync = async (round: number) => {
      const file = await home.file(`fields-${round}.json`, JSON.stringify(editedShop(round)))
      return ['shop:sync', '--file', file, ...guards, '--yes', '--wait', '--json']
    }
    await home.done(...(await sync(0)))
    await killer.rounds(async (round) => {
      const before = itemsByReference(home)
      const date = new Date().toISOString()
      const line = await sync(round + 1)
      await killer.toEnd(line)
      const again = await home.done(...line)
      expect(again.json(), again.stderr).to.include({ JobId: null, Missing: 0 })
      const edited = itemsByReference(home)
      const shown = (Title: unknown) => editedShop(round + 1).find((row) => row.Title === Title)
      for (const { title, text, category } of edited.values())
        expect(shown(title)).to.include({ Title: title, Description: text, CategoryId: category })
      await killer.toEnd(['shop:restore', '--at', date, '--yes', '--wait', '--json'])
      const restored = itemsByReference(home)
      // Items that were removed or added cannot be taken back.
      const both = [...before.keys()].filter((reference) => restored.has(reference))
      expect(both).to.have.length(SHOP_SIZE - 2)
      for (const reference of both) expect(restored.get(reference), reference).to.deep.equal(before.get(reference))
    })
  })

  it('shop:sync --per-day changes a shop of 1,000 items over many days, and shop:restore brings it back', async () => {
    const killer = new Killer(home, 21, 60)
    emptyShop(home)
    await home.seller('service:check', '--save')
    const numbers = Array.from({ length: WHOLE_SHOP }, (_, at) => at)
    await stock(
      home,
      numbers.map((at) => 200 + (at % 90)),
      { reference: (at) => `W${at}`, quantity: 5 },
    )
    fillShop(home)
    await writePictures(join(home.dir, 'old'), 0)
    const pictures = numbers.slice(0, PICTURED).map((at) => `W${at},old/${at}.png\n`)
    const pictured = await home.file('pictures.csv', `OwnReferences,Bild\n${pictures.join('')}`)
    await home.done('shop:update', '--file', pictured, '--yes', '--wait', '--json')
    // Its calls are those of another day.
    ageByADay(home)
    const before = await itemsOfStranger(home)
    const exported = join(home.dir, 'whole.xlsx')
    await home.done('shop:export', '--out', exported)
    const edited = await editedInOffice(home, exported)
    const guards = [
      '--max-titles',
      'off',
      '--max-added',
      'off',
      '--max-removed',
      'off',
      '--max-same-stock',
      'off',
      '--no-other-branch',
    ]
    const line = ['shop:sync', '--file', edited.file, ...guards, '--remove-missing', '--yes', '--wait', '--json']
    const dry = await home.done(
      'shop:sync',
      '--file',
      edited.file,
      ...guards,
      '--remove-missing',
      '--per-day',
      '90',
      '--dry-run',
      '--json',
    )
    expect(dry.json().Summary, dry.stderr).to.include({ Add: 20, Remove: 10, Reprice: 100, Restock: 100, Update: 990, Held: 0 })
    expect(dry.stderr).to.include('With 90 calls a day it takes 12 days')

    await setFaults(home, { ...LOSSES, quota: '100/24h' })
    await killer.days([...line, '--per-day', '90'])
    expect(killer.killed, 'killed').to.equal(60)
    const again = await home.done(...line)
    expect(again.json(), again.stderr).to.include({ JobId: null, Pending: 0 })
    expect(await differences(home, edited.items)).to.deep.equal([])

    const job = (await home.done('jobs:list', '--json'))
      .json()
      .find(({ Title }: { Title: string }) => Title.startsWith('shop:sync'))
    const date = new Date(Date.parse(job.CreatedAt) - 1000).toISOString()
    await home.done('shop:restore', '--at', date, '--yes', '--wait', '--json')
    const restored = await itemsOfStranger(home)
    const kept = [...before.keys()].filter((reference) => restored.has(reference))
    expect(kept).to.have.length(WHOLE_SHOP - 10)
    const wrong = kept.filter((reference) => JSON.stringify(restored.get(reference)) !== JSON.stringify(before.get(reference)))
    expect(wrong.map((reference) => [before.get(reference), restored.get(reference)])).to.deep.equal([])
  })

  it('jobs:due and discounts:end set the prices of a discount, and set them back', async () => {
    const killer = new Killer(home, 8)
    const normal = Array.from({ length: 120 }, (_, at) => 500 + at * 10)
    const ids = await stock(home, normal, { reference: (at) => `D-${at}` })
    await killer.rounds(async (round) => {
      const made = ['shop:discount', `Round ${round}`, '--reference', 'D-*', '--add', '-10%', '--from', 'now', '--until', '+5d']
      const { DiscountId } = (await home.done(...made, '--yes', '--json')).json()
      for (const [line, share] of [
        [['jobs:due', '--wait'], 0.9],
        [['discounts:end', String(DiscountId), '--yes', '--wait'], 1],
      ] as const) {
        for (let runs = 0; (await killer.run(line)).signal !== null; runs++) expect(runs).to.be.below(MOST_RUNS)
        // A start that was killed is gone on with by the next.
        await home.seller('jobs:due', '--wait')
        expect(await pricesOf(home, ids)).to.deep.equal(normal.map((price) => Math.round(price * share)))
      }
    })
  })
})

/** Ends the seeded items of the seller, which would be in every comparison. */
function emptyShop(home: Home): void {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  store.exec('UPDATE items SET ends = starts')
}

const WHOLE_SHOP = 1000

/** Items of the whole shop that have a picture, and get another one. */
const PICTURED = 100

/** A PNG of one pixel. No two that differ in a colour are alike. */
function pixel(red: number, blue: number): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const head = chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex'))
  return Buffer.concat([
    signature,
    head,
    chunk('IDAT', deflateSync(Buffer.from([0, red, 0, blue]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function writePictures(folder: string, blue: number): Promise<void> {
  await mkdir(folder)
  for (let at = 0; at < PICTURED; at++) await writeFile(join(folder, `${at}.png`), pixel(at, blue))
}

/** Gives the items of a shop what a CSV of the control plane does not: a text, a way of shipping and its words. */
function fillShop(home: Home): void {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  const ways = JSON.stringify([{ ShippingProviderId: 2, Cost: 59, ShippingWeight: 1, ShippingProductId: 21 }])
  store.run(
    `UPDATE items SET details = json_set(details, '$.item.LongDescription', '<p>Hel och ren, nummer ' || id || ', från ett rökfritt hem.</p>',
       '$.item.ShippingCondition', 'Skickas inom tre dagar.', '$.item.ShippingOptions', json(?)) WHERE ends > starts`,
    ways,
  )
}

/** Fields of an item that the sheet changes, as another program reads them by the wire. */
interface Compared {
  readonly title: string
  readonly text: string
  readonly category: number
  readonly price: number
  readonly remaining: number
  readonly cost: number
  /** The bytes of its pictures. */
  readonly pictures: readonly string[]
}

/**
 * The live items by own reference, whole and with the bytes of their pictures, as node-soap reads them by our description: it
 * shares nothing with our decoder.
 */
async function itemsOfStranger(home: Home): Promise<Map<string, Record<string, unknown>>> {
  await setFaults(home, { ...NONE, quota: 'none' })
  const client = await createClientAsync(`${home.sandbox.url}/v3/PublicService.asmx?WSDL`)
  const { appId, appKey, userId } = SANDBOX_PROFILE
  client.addSoapHeader({ AuthenticationHeader: { AppId: appId, AppKey: appKey } }, '', 'tns', home.sandbox.namespace)
  const query = {
    categoryId: 0,
    filterActive: 'Active',
    minEndDate: null,
    maxEndDate: null,
    filterItemType: 'ShopItem',
    maxStartDate: null,
  }
  const [reply] = (await client.GetSellerItemsAsync({ userId, ...query })) as [
    { GetSellerItemsResult: { Item: Record<string, unknown>[] } },
  ]
  const items = reply.GetSellerItemsResult.Item.map(async (item) => {
    const { ImageLinks: links, ...rest } = item as { readonly ImageLinks?: { readonly string?: string | readonly string[] } }
    const pictures: string[] = []
    for (const link of [links?.string ?? []].flat())
      pictures.push(Buffer.from(await (await fetch(link)).arrayBuffer()).toString('hex'))
    // An address names the upload, and its bytes are compared.
    const known = Object.entries(rest).filter(([name]) => !/Image|Thumbnail/.test(name))
    const reference = (item.OwnReferences as { string: string[] }).string[0] ?? ''
    return [reference, { ...Object.fromEntries(known), pictures }] as const
  })
  return new Map(await Promise.all(items))
}

/** Fields that are not as the sheet has them, of every item and of both sides. */
async function differences(home: Home, wanted: ReadonlyMap<string, Compared>): Promise<string[]> {
  const live = await itemsOfStranger(home)
  const read = (item: Record<string, unknown> | undefined): Compared | undefined =>
    item && {
      title: String(item.ShortDescription),
      text: String(item.LongDescription),
      category: Number(item.CategoryId),
      price: Number(item.BuyItNowPrice),
      remaining: Number(item.RemainingQuantity),
      cost: Number(([item.ShippingOptions].flat() as { Cost: number }[])[0]?.Cost),
      pictures: item.pictures as readonly string[],
    }
  return [...new Set([...live.keys(), ...wanted.keys()])].flatMap((reference) => {
    const [is, should] = [JSON.stringify(read(live.get(reference))), JSON.stringify(wanted.get(reference))]
    return is === should ? [] : [`${reference}: ${is}, not ${should}`]
  })
}

const OFFICES = [process.env.SELLER_TEST_OFFICE ?? '', '/usr/bin/soffice', '/usr/lib/libreoffice/program/soffice']

/**
 * A workbook as LibreOffice reads it and saves it again, with edits of all kinds in between. Where it is not installed the sheet
 * is a CSV of ours.
 * @returns the file, and what the shop should be after it
 */
async function editedInOffice(home: Home, workbook: string): Promise<{ file: string; items: Map<string, Compared> }> {
  const office = OFFICES.find((path) => path !== '' && existsSync(path))
  const out = join(home.dir, 'edited')
  await mkdir(out)
  await writePictures(join(out, 'new'), 1)
  const convert = async (form: string, file: string, ...more: string[]): Promise<void> => {
    const user = `-env:UserInstallation=file://${join(home.dir, 'office')}`
    const line = ['--headless', user, ...more, '--convert-to', form, '--outdir', out, file]
    await promisify(execFile)(office ?? '', line, { env: { ...process.env, HOME: home.dir } })
  }
  const csv = join(out, 'whole.csv')
  if (office === undefined) await home.done('shop:export', '--out', csv)
  else await convert('csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false', workbook)
  const [head = [], ...rows] = parse(await readFile(csv, 'utf8'), { bom: true }) as string[][]
  const at = (name: string): number => head.indexOf(name)
  const [reference, title, text, category] = [at('OwnReferences'), at('Title'), at('Description'), at('CategoryId')]
  const [price, quantity, shipping] = [at('Price'), at('AbsoluteQuantity'), at('ShippingOptions')]
  const picture = head.push('Bild') - 1
  const kronor = (cell = ''): number => Number.parseInt(cell, 10)
  rows.sort((one, other) => Number(one[reference]?.slice(1)) - Number(other[reference]?.slice(1)))
  const kept = rows.slice(0, WHOLE_SHOP - 10)
  for (const [number, row] of kept.entries()) {
    if (number % 5 === 0 && number < 1000) row[title] = `${row[title]}, ny utgåva`
    if (number % 3 === 0 && number < 900) row[text] = `<p>Ny text om vara ${number}: blå, "hel", 100 % bomull; inget annat.</p>`
    if (number % 20 === 1) row[category] = '161213'
    if (number < 100) row[price] = `${kronor(row[price]) + 10} kr`
    if (number >= 100 && number < 200) row[quantity] = String(6 + (number % 4))
    row[shipping] = (row[shipping] ?? '').replace('59', '69')
    row[picture] = number < PICTURED ? `new/${number}.png` : ''
  }
  for (let number = 0; number < 20; number++) {
    const row = [...(kept[0] ?? [])]
    Object.assign(row, { [reference]: `NY${number}`, [title]: `Nyhet ${number}`, [price]: String(300 + number), [picture]: '' })
    kept.push(row)
  }
  const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  await writeFile(csv, `${[head, ...kept].map((row) => row.map(quoted).join(',')).join('\n')}\n`)
  const items = kept.map((row): [string, Compared] => [
    row[reference] ?? '',
    {
      title: row[title] ?? '',
      text: row[text] ?? '',
      category: Number(row[category]),
      price: kronor(row[price]),
      remaining: Number(row[quantity]),
      cost: 69,
      pictures:
        row[picture] === '' ? [] : [pixel(Number.parseInt(row[picture]?.slice('new/'.length) ?? '', 10), 1).toString('hex')],
    },
  ])
  if (office !== undefined) await convert('xlsx', csv, '--infilter=Text - txt - csv (StarCalc):44,34,76,1')
  return { file: office === undefined ? csv : join(out, 'whole.xlsx'), items: new Map(items) }
}

const catalogue = (rows: readonly Omit<LiveItem, 'id'>[]): string =>
  `SKU,Titel,Kategori,Pris,Antal,Frakt,Betalning,Moms\n${rows
    .map(({ reference, price, remaining }) => `${reference},Vara ${reference},${CATEGORY},${price},${remaining},pickup,4096,25`)
    .join('\n')}\n`

const SHOP_SIZE = 40

/** A shop whose rows have other fields in each round: two fewer, two new, and most of the others edited. */
function editedShop(round: number): Readonly<Record<string, unknown>>[] {
  return Array.from({ length: SHOP_SIZE }, (_, at) => {
    const number = round * 2 + at
    const edit = (share: number) => (number % share === 0 ? round : 0)
    return {
      OwnReferences: [`F${number}`],
      Title: `Vara ${number}, utgåva ${edit(2)}`,
      Description: `<p>Vara nummer ${number} i utgåva ${edit(3)}, hel och ren, från ett rökfritt hem.</p>`,
      CategoryId: Number(CATEGORY),
      Price: 200 + ((number + edit(2)) % 40),
      AbsoluteQuantity: 3 + (number % 7) + edit(4),
      VAT: edit(5) % 2 === 0 ? 25 : 12,
      ShippingCondition: `Skickas inom ${1 + round} dagar.`,
      PaymentCondition: 'Swish inom tre dagar.',
      ShippingOptions: [{ ShippingProviderId: 2, Cost: 59 + round, ShippingWeight: 1, ShippingProductId: 21 }],
      PaymentOptionIds: [4096],
    }
  })
}

interface StoredItem {
  readonly price: number
  readonly remaining: number
  readonly category: number
  readonly title: string
  readonly text: string
  readonly rest: unknown
}

/** The seller's live items as the sandbox keeps them, whole, by own reference. */
function itemsByReference(home: Home): Map<string, StoredItem> {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  const sql = 'SELECT price, remaining, category_id, details FROM items WHERE type = 4 AND starts <= ?1 AND ends > ?1'
  const rows = store.all<{ price: number; remaining: number; category_id: number; details: string }>(sql, Date.now())
  return new Map(
    rows.map(({ price, remaining, category_id: category, details }) => {
      const { item } = JSON.parse(details) as { item: Readonly<Record<string, unknown>> }
      const { ShortDescription: title, LongDescription: text, ...rest } = item
      return [ownReference(details), { price, remaining, category, title: String(title), text: String(text), rest }]
    }),
  )
}

/** The seller's items that can be bought now, from the sandbox's file. */
function liveItems(home: Home): LiveItem[] {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  const sql = 'SELECT id, price, remaining, details FROM items WHERE type = 4 AND starts <= ?1 AND ends > ?1 AND remaining > 0'
  return store
    .all<LiveItem & { details: string }>(sql, Date.now())
    .map(({ details, ...item }) => ({ ...item, reference: ownReference(details) }))
}

/** The first own reference in what the sandbox keeps of an item. */
const ownReference = (details: string): string =>
  (JSON.parse(details) as { item?: { OwnReferences?: string[] } }).item?.OwnReferences?.[0] ?? ''

/** Time that a run of a day takes, ms: it is killed within. */
const DAY_RUN_MS = 1000
const MOST_DAYS = 60
const DAY_MS = 25 * 60 * 60 * 1000

/** Makes what the ledger and the service have a day older, as if both had waited. */
function ageByADay(home: Home): void {
  using ledger = closing(openStore(join(home.dataDir, 'ledger.db'), 'power'))
  ledger.exec(`UPDATE jobs SET created_at = created_at - ${DAY_MS}, finished_at = finished_at - ${DAY_MS};
    UPDATE bulk_states SET sent_at = sent_at - ${DAY_MS};
    UPDATE paced_jobs SET last_at = last_at - ${DAY_MS}, not_before = not_before - ${DAY_MS};
    UPDATE calls SET at = at - ${DAY_MS}`)
  using server = closing(openStore(join(home.dir, 'server.db'), 'process'))
  server.exec(`UPDATE calls SET at = at - ${DAY_MS}`)
}

class Killer {
  readonly #home: Home
  readonly #random: () => number
  readonly #kills: number
  #killed = 0
  /** The longest that a process lives before it is killed: that of a whole run, ms. */
  #lifeMs = 0

  constructor(home: Home, seed: number, kills = KILLS) {
    this.#home = home
    this.#random = sequence(seed)
    this.#kills = kills
  }

  get killed(): number {
    return this.#killed
  }

  /** Lives rounds until enough processes were killed; the first of them undisturbed, for the time that it takes. */
  async rounds(live: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; this.#killed < this.#kills; round++) {
      expect(round, 'rounds').to.be.below(MOST_RUNS)
      if (round > 0) await setFaults(this.#home, LOSSES)
      await live(round)
    }
  }

  /** Runs a line, which is killed while kills are left, and not in the first round. */
  async run(line: readonly string[]): Promise<Run> {
    const began = performance.now()
    const running = this.#home.spawn(line)
    const isKilled = this.#lifeMs > 0 && this.#killed < this.#kills
    const killing = isKilled ? setTimeout(() => running.kill('SIGKILL'), this.#lifeMs * this.#random()) : undefined
    const run = await running.done
    clearTimeout(killing)
    if (run.signal === 'SIGKILL') this.#killed++
    else this.#lifeMs = performance.now() - began
    return run
  }

  /** Gives a line until its job is done: goes on with the job that it has made, and decides about rows whose reply was lost. */
  async toEnd(line: readonly string[]): Promise<void> {
    const before = (await this.#newest())?.JobId ?? 0
    let [next, last] = [line, '']
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      const run = await this.run(next)
      const job = await this.#newest()
      last = `${next.join(' ')}: ${run.code} ${run.stdout}${run.stderr}`
      const isMade = job !== undefined && job.JobId > before
      if (run.code === 0 && (!isMade || job.State === 'ok')) {
        await setFaults(this.#home, NONE)
        return
      }
      if (isMade && job.State === 'unknown') await this.#decide(String(job.JobId))
      next = isMade ? ['jobs:resume', String(job.JobId), '--wait', '--json'] : line
    }
    throw new Error(`${line.join(' ')} did not end in ${MOST_RUNS} runs: ${last}`)
  }

  /**
   * Gives a line that makes a job which is sent by the day, and lives days until that is done: each with some runs of jobs:due.
   */
  async days(line: readonly string[]): Promise<void> {
    this.#lifeMs = DAY_RUN_MS
    const before = await this.#newest()
    let job = before
    for (let runs = 0; job === undefined || job.JobId === before?.JobId; runs++) {
      expect(runs, 'runs').to.be.below(MOST_RUNS)
      await this.run(line)
      job = await this.#newest()
    }
    for (let day = 0; job.State !== 'ok'; day++) {
      expect(day, `days: ${JSON.stringify(job)}`).to.be.below(MOST_DAYS)
      const most = Math.ceil(this.#kills / 6)
      let last: Run | undefined
      for (let runs = 0; runs <= most; runs++) {
        this.#lifeMs = DAY_RUN_MS
        last = await this.run(['jobs:due', '--wait', '--json'])
        if (last.signal === null && last.stdout === '[]\n') break
      }
      job = (await this.#newest()) ?? job
      if (job.State === 'unknown') {
        await this.#decide(String(job.JobId))
        job = (await this.#newest()) ?? job
      }
      ageByADay(this.#home)
    }
  }

  async #newest(): Promise<{ JobId: number; State: string } | undefined> {
    return (await this.#home.seller('jobs:list', '--limit', '1', '--json')).json()[0]
  }

  /** Looks for each row whose reply was lost, as the tool advises, and says whether it arrived. */
  async #decide(id: string): Promise<void> {
    await setFaults(this.#home, NONE)
    const shown = await this.#home.seller('jobs:resume', id, '--wait', '--json')
    for (const { Row, Candidates } of (shown.json().Unknown ?? []) as { Row: number; Candidates: number[] }[]) {
      const choice = Candidates.length > 0 ? 'sent' : 'again'
      await this.#home.seller('jobs:resume', id, '--unknown', choice, '--row', String(Row), '--wait', '--json')
    }
  }
}
