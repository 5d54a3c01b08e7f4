import { expect } from 'chai'
import { findAdditions } from '../../src/jobs/added.js'
import { type BulkRowState, createBulkJob } from '../../src/jobs/bulk/index.js'
import { ROW_STATES } from '../../src/jobs/bulk/types.js'
import type { RequestRowState } from '../../src/jobs/ledger/requests.js'
import { createListing } from '../../src/jobs/listing/listing.js'
import { FORM } from './bulk/support.js'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'
import { LAMP } from './service.js'

const SHOP = { profile: 'shop', userId: 7 }
const STARTS = '2026-12-01T10:00:00'

describe('items that this ledger has added', () => {
  afterEach(cleanUp)

  const make = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const find = (...references: string[]) => findAdditions(ledger, SHOP, new Set(references))
    const rows = (payloads: readonly unknown[], more = {}) =>
      createBulkJob(ledger, {
        ...{ kind: 'add-shop', ...SHOP, title: 'shop:add', form: FORM },
        rows: payloads.map((payload, at) => ({ line: at + 2, id: 0, payload })),
        ...more,
      }).JobId
    const states = (jobId: number, ...list: BulkRowState[]) => {
      const bytes = Buffer.from(list.map((state) => ROW_STATES.indexOf(state))).toString('hex')
      ledger.store.exec(`UPDATE bulk_states SET states = x'${bytes}' WHERE job_id = ${jobId}`)
    }
    const request = (
      state: RequestRowState,
      reference: string | null,
      more: { profile?: string; userId?: number | null; jobId?: number } = {},
    ) => {
      const adds = reference === null ? { ActivateDate: STARTS } : { OwnReferences: [reference], ActivateDate: STARTS }
      const { Row } = ledger.requests.begin({ operation: 'AddShopItem', subject: 'x', ...SHOP, adds, ...more })
      ledger.store.run('UPDATE requests SET state = ?, request_id = 900, item_id = 77 WHERE row = ?', state, Row)
    }
    return { clock, ledger, find, rows, states, request, now: () => new Date(clock.time).toISOString() }
  }

  it('are found by the references of rows, with what became of each', () => {
    const { find, rows, states } = make()
    const names: readonly BulkRowState[] = [
      'unsent',
      'sending',
      'queued',
      'ok',
      'unknown',
      'failed',
      'retryable',
      'held',
      'skipped',
    ]
    const job = rows(names.map((name) => ({ Title: 'x', OwnReferences: [` ${name} `], ActivateDate: STARTS })))
    states(job, ...names)
    const found = find(...names, 'nowhere')
    expect([...found].map(([reference, { state }]) => [reference, state])).to.deep.equal([
      ['unsent', 'unsent'],
      ['sending', 'sent'],
      ['queued', 'sent'],
      ['ok', 'added'],
      ['unknown', 'sent'],
    ])
    expect(found.get('ok')).to.include({ jobId: job, starts: STARTS })
    expect([...find('nowhere')]).to.deep.equal([])
  })

  it('are not rows of a dropped job that were never sent, nor rows without references', () => {
    const { ledger, find, rows, states } = make()
    const job = rows([{ OwnReferences: ['A'] }, { OwnReferences: ['B'] }, { Title: 'x' }, { OwnReferences: null }])
    states(job, 'unsent', 'queued', 'ok', 'ok')
    ledger.store.run("UPDATE jobs SET state = 'cancelled' WHERE id = ?", job)
    expect([...find('A', 'B', 'undefined', '')].map(([reference]) => reference)).to.deep.equal(['B'])
    expect(find('B').get('B')).to.include({ starts: null })
  })

  it('are looked for in jobs of this profile and user, or of no user', () => {
    const { find, rows, request } = make()
    rows([{ OwnReferences: ['A'] }])
    rows([{ OwnReferences: ['B'] }], { userId: 8 })
    rows([{ OwnReferences: ['C'] }], { profile: 'other' })
    rows([{ OwnReferences: ['D'] }], { userId: undefined })
    rows([{ OwnReferences: ['E'] }], { kind: 'add-item' })
    request('ok', 'F')
    request('ok', 'G', { userId: 8 })
    request('ok', 'H', { profile: 'other' })
    request('ok', 'I', { userId: null })
    expect([...find(...'ABCDEFGHI').keys()].sort()).to.deep.equal(['A', 'D', 'E', 'F', 'I'])
  })

  it('are the newest of each reference; at the same time the one that was looked at last', () => {
    const { clock, find, rows, request } = make()
    rows([{ OwnReferences: ['A'] }])
    clock.time += 1000
    const newer = rows([{ OwnReferences: ['A'] }])
    expect(find('A').get('A')?.jobId).to.equal(newer)
    request('queued', 'A')
    expect(find('A').get('A')).to.include({ jobId: null, state: 'sent' })
    clock.time += 1000
    const newest = rows([{ OwnReferences: ['A'] }])
    expect(find('A').get('A')?.jobId).to.equal(newest)
  })

  it('are single calls that were taken, or whose outcome is unknown', () => {
    const { find, request, now, rows } = make()
    const all: readonly RequestRowState[] = ['sending', 'queued', 'ok', 'unknown', 'retryable', 'failed', 'refused']
    for (const state of all) request(state, state)
    request('ok', null)
    request('ok', 'of a job', { jobId: rows([]) })
    const found = find(...all, 'of a job', 'Stryker was here')
    const common = { jobId: null, requestId: 900, itemId: 77, at: now(), starts: STARTS }
    expect(Object.fromEntries(found)).to.deep.equal({
      sending: { ...common, state: 'sent' },
      queued: { ...common, state: 'sent' },
      ok: { ...common, state: 'added' },
      unknown: { ...common, state: 'sent' },
    })
  })

  it('are listings that are on sale, or may be', () => {
    const { ledger, find, now } = make()
    const list = (reference: string, state: string, sent = false): number => {
      const { JobId } = createListing({ ledger, ...SHOP, itemRequest: { ...LAMP, OwnReferences: [reference] }, images: [] })
      if (sent) {
        const { Row } = ledger.requests.begin({ operation: 'AddItem', subject: 'x', ...SHOP, jobId: JobId })
        ledger.store.run("UPDATE requests SET state = 'ok', request_id = 900, item_id = 77 WHERE row = ?", Row)
      }
      ledger.store.run('UPDATE jobs SET state = ? WHERE id = ?', state, JobId)
      return JobId
    }
    const open = list('open', 'open')
    const waiting = list('waiting', 'waiting', true)
    const ok = list('ok', 'ok', true)
    const unknown = list('unknown', 'unknown', true)
    list('failed', 'failed', true)
    list('cancelled', 'cancelled', true)
    createListing({ ledger, ...SHOP, requestId: 5, images: [], commit: true })
    const nothing = { at: now(), starts: null, requestId: null, itemId: null }
    const sent = { ...nothing, requestId: 900, itemId: 77 }
    expect(Object.fromEntries(find('open', 'waiting', 'ok', 'unknown', 'failed', 'cancelled'))).to.deep.equal({
      open: { ...nothing, jobId: open, state: 'unsent' },
      waiting: { ...sent, jobId: waiting, state: 'sent' },
      ok: { ...sent, jobId: ok, state: 'added' },
      unknown: { ...sent, jobId: unknown, state: 'sent' },
    })
  })
})
