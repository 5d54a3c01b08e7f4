/** The files of rows that were not carried out: which rows, in which form, and when there is none. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { formOf, writeFailedRows, writeHeldRows } from '../../../src/actions/jobs/refused-rows.js'
import { type BulkJob, createBulkJob, type NewBulkJob } from '../../../src/jobs/bulk/index.js'
import type { InputForm } from '../../../src/rows/index.js'
import { Parts } from '../../../src/workbook/zip.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { rowsOf } from '../../workbook/support.js'
import { FakeContext } from '../support.js'

describe('files of rows that were not carried out', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(3))
  })
  afterEach(() => fake.close())
  const make = (rows: NewBulkJob['rows'], form: InputForm = FORM): BulkJob =>
    createBulkJob(fake.bench.ledger, { kind: 'price', profile: 'shop', userId: 7, title: 't', form, rows })
  const held = (id: number) => ({ line: id, id, price: 150, held: `too far, ${id}` })
  const gone = (id: number) => ({ line: id, id, price: 150, skipped: `not live, ${id}` })
  const sent = (id: number) => ({ line: id, id, price: 150 })
  const text = (path: string) => readFile(join(fake.directory, path), 'utf8')
  const files = async () => (await readdir(fake.directory)).filter((name) => !name.startsWith('ledger'))

  it('hold the held rows alone, under the name of the job', async () => {
    const job = make([sent(1), held(2), gone(3)])
    expect(await writeHeldRows(fake.ctx, job, undefined, undefined)).to.equal(`held-${job.JobId}.csv`)
    expect(await text(`held-${job.JobId}.csv`)).to.equal('Id,Price,_Reason\n2,150,"too far, 2"\n')
  })

  it('are where the seller wants them, also where a file for failed rows was named', async () => {
    const job = make([held(2)])
    expect(await writeHeldRows(fake.ctx, job, 'mine.csv', 'failed.csv')).to.equal('mine.csv')
    expect(await text('mine.csv')).to.equal('Id,Price,_Reason\n2,150,"too far, 2"\n')
    expect(await files()).to.deep.equal(['mine.csv'])
  })

  it('are not written where no row is held, or where held rows go to the file of failed ones', async () => {
    expect(await writeHeldRows(fake.ctx, make([sent(1), gone(2)]), 'mine.csv', undefined)).to.equal(null)
    expect(await writeHeldRows(fake.ctx, make([held(1)]), undefined, 'failed.csv')).to.equal(null)
    expect(await files()).to.deep.equal([])
  })

  it('hold everything that was not carried out where a file was named for it', async () => {
    const job = make([sent(1), held(2), gone(3)])
    expect(await writeFailedRows(fake.ctx, job, 'failed.csv')).to.equal('failed.csv')
    expect((await text('failed.csv')).trimEnd().split('\n').slice(1).sort()).to.deep.equal([
      '2,150,"too far, 2"',
      '3,150,"not live, 3"',
    ])
  })

  for (const state of ['failed', 'retryable', 'held', 'skipped'] as const) {
    it(`are written where a row alone is ${state}`, async () => {
      const job = make([sent(1)])
      const Counts = { ...job.Counts, unsent: 0, [state]: 1 }
      expect(await writeFailedRows(fake.ctx, { JobId: job.JobId, Counts }, 'failed.csv')).to.equal('failed.csv')
    })
  }

  it('are not written where there is no such row, or nobody asked', async () => {
    expect(await writeFailedRows(fake.ctx, make([sent(1)]), 'failed.csv')).to.equal(null)
    expect(await writeFailedRows(fake.ctx, make([held(1)]), undefined)).to.equal(null)
    expect(await files()).to.deep.equal([])
  })

  it('take the place of an older one that the seller named', async () => {
    await writeFailedRows(fake.ctx, make([held(1), held(2)]), 'failed.csv')
    await writeFailedRows(fake.ctx, make([held(3)]), 'failed.csv')
    expect(await text('failed.csv')).to.equal('Id,Price,_Reason\n3,150,"too far, 3"\n')
  })

  it('have the rows of the jobs that were named, in the form of the whole', async () => {
    const [one, other] = [make([held(1)]), make([held(2)])]
    const whole = { JobId: one.JobId, Counts: { ...one.Counts, held: 2 } }
    const parts = [other.JobId, one.JobId]
    expect(await writeHeldRows(fake.ctx, whole, undefined, undefined, parts)).to.equal(`held-${one.JobId}.csv`)
    expect((await text(`held-${one.JobId}.csv`)).trimEnd().split('\n').slice(1)).to.deep.equal([
      '2,150,"too far, 2"',
      '1,150,"too far, 1"',
    ])
    await writeFailedRows(fake.ctx, whole, 'failed.csv', parts)
    expect(await text('failed.csv')).to.equal(await text(`held-${one.JobId}.csv`))
    expect(formOf(fake.bench.ledger, one.JobId)).to.deep.equal(FORM)
  })

  describe('as a workbook', () => {
    const isWorkbook = async (path: string) => (await readFile(join(fake.directory, path))).subarray(0, 2).toString() === 'PK'

    it('where the input was one, or the seller’s name for it ends so', async () => {
      const own = make([held(2)], { ...FORM, kind: 'xlsx' } as unknown as InputForm)
      expect(await writeHeldRows(fake.ctx, own, undefined, undefined)).to.equal(`held-${own.JobId}.xlsx`)
      const job = make([held(2)])
      for (const [name, is] of [
        ['failed.XLSX', true],
        ['failed.xlsx', true],
        ['failed.xlsx.csv', false],
        ['failedxlsx', false],
      ] as const) {
        await writeFailedRows(fake.ctx, job, name)
        expect(await isWorkbook(name), name).to.equal(is)
      }
      await writeFailedRows(fake.ctx, own, 'rows.csv')
      expect(await isWorkbook('rows.csv')).to.equal(false)
      expect(await isWorkbook(`held-${own.JobId}.xlsx`)).to.equal(true)
      expect(await rowsOf(await readFile(join(fake.directory, 'failed.xlsx')))).to.deep.equal([
        [1, { 0: 'Id', 1: 'Price', 2: '_Reason' }],
        [2, { 0: '2', 1: '150', 2: 'too far, 2' }],
      ])
    })

    it('with ids as texts, prices in kronor, and everything else as it was given', async () => {
      const columns = [
        'Id',
        'OwnReference',
        'Number',
        'Price',
        'NewPrice',
        'Opening bid',
        'Prices',
        'Idea',
        '_Note',
        '_List',
        '_Deep',
        '_Yes',
      ]
      const form = {
        ...FORM,
        kind: 'json',
        columns,
        fields: columns.map((name) => (name === 'NewPrice' ? 'Price' : name)),
      } as never
      const extra = [null, ['a', 'b'], { a: 1 }, true]
      const job = make([{ ...held(2), ownReference: 'A-1', extra } as never], form)
      await writeFailedRows(fake.ctx, job, 'failed.xlsx')
      const bytes = await readFile(join(fake.directory, 'failed.xlsx'))
      const [, [, cells] = [0, {}]] = await rowsOf(bytes)
      expect(Object.values(cells as Record<number, string>)).to.include.members(['2', 'a|b', '{"a":1}', 'too far, 2'])
      const sheet = (await (await Parts.open(bytes)).whole('xl/worksheets/sheet1.xml', 1e9)) ?? ''
      const style = (at: string) => new RegExp(`<c r="${at}"( s="(\\d)")?`).exec(sheet)?.[2]
      expect([style('A2'), style('C2')], 'texts').to.deep.equal(['2', '2'])
      expect([style('D2'), style('E2')], 'kronor').to.deep.equal(['3', '3'])
    })
  })
})
