/** Jobs, their rows, and plans of prices. */
import type { View } from '../types.js'
import { kronor, thousands } from '../values.js'
import { stateTone } from './requests.js'

/** What a view needs of a job. */
export interface JobShown {
  readonly JobId: number
  readonly Kind: string
  readonly Profile: string
  readonly UserId: number | null
  readonly Title: string
  readonly State: string
  readonly Message: string | null
  readonly Counts: Readonly<Record<string, number>>
  readonly UndoOf: number | null
  readonly CreatedAt: string
  readonly FinishedAt: string | null
  readonly Running: boolean
}

const JOB_KEYS = [
  'JobId',
  'Kind',
  'Profile',
  'UserId',
  'Title',
  'State',
  'Message',
  'Counts',
  'UndoOf',
  'CreatedAt',
  'FinishedAt',
  'Running',
] as const

/** `4 812 ok, 12 failed`, without what is none. */
export function countWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${thousands(count)} ${name}`)
    .join(', ')
}

export const jobsView: View<JobShown> = {
  keys: JOB_KEYS,
  empty: 'No jobs.',
  columns: [
    { key: 'JobId', header: 'Job', kind: 'int' },
    {
      key: 'State',
      shown: (job) => (job.Running ? 'running' : job.State),
      style: (job, paint) => stateTone(job.State, paint),
    },
    { key: 'Kind' },
    { key: 'Title', maxWidth: 50 },
    { key: 'Counts', header: 'Rows', shown: (job) => countWords(job.Counts), maxWidth: 40 },
    { key: 'CreatedAt', header: 'Begun', kind: 'date' },
  ],
}

export const jobView: View<JobShown> = {
  keys: JOB_KEYS,
  card: true,
  columns: [
    { key: 'JobId', header: 'Job', kind: 'int' },
    { key: 'Title' },
    {
      key: 'State',
      shown: (job) => (job.Running ? `${job.State}, at work now` : job.State),
      style: (job, paint) => stateTone(job.State, paint),
    },
    { key: 'Message' },
    { key: 'Kind' },
    { key: 'Counts', header: 'Rows', shown: (job) => countWords(job.Counts) },
    { key: 'CreatedAt', header: 'Begun', kind: 'date' },
    { key: 'FinishedAt', header: 'Finished', kind: 'date' },
    { key: 'UndoOf', header: 'Takes back job', kind: 'int' },
    { key: 'Profile' },
    { key: 'UserId', header: 'Seller', kind: 'int' },
  ],
}

/** What a view needs of a row of a bulk job. */
export interface JobRowShown {
  readonly Row: number
  readonly Line: number
  readonly Id: number | null
  readonly OwnReference: string | null
  readonly OldPrice: number | null
  readonly Price: number | null
  readonly State: string
  readonly RequestId: number | null
  readonly Reason: string | null
}

export const jobRowsView: View<JobRowShown> = {
  keys: ['Row', 'Line', 'Id', 'OwnReference', 'OldPrice', 'Price', 'Payload', 'State', 'RequestId', 'Reason', 'Extra'],
  empty: 'No rows.',
  footer: (rows) => `${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}`,
  columns: [
    { key: 'Row', kind: 'int' },
    { key: 'Line', kind: 'int' },
    { key: 'Id', kind: 'int' },
    { key: 'OldPrice', header: 'Old', kind: 'kronor' },
    { key: 'Price', kind: 'kronor' },
    { key: 'State', style: (row, paint) => stateTone(row.State, paint) },
    { key: 'RequestId', header: 'Request', kind: 'int' },
    { key: 'Reason', maxWidth: 60 },
  ],
}

/** What a view needs of a row of a plan. Prices in kronor. */
export interface PlanRowShown {
  readonly Line: number
  readonly Id: number
  readonly OwnReference: string | null
  readonly OldPrice: number | null
  readonly NewPrice: number
  readonly Change: number | null
  readonly ChangePercent: number | null
  readonly Outcome: string
  readonly Limit: string | null
  readonly Reason: string | null
}

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text)

export const planView: View<PlanRowShown> = {
  keys: ['Line', 'Id', 'OwnReference', 'OldPrice', 'NewPrice', 'Change', 'ChangePercent', 'Outcome', 'Limit', 'Reason'],
  empty: 'Nothing to change.',
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'OldPrice', header: 'Old', kind: 'kronor' },
    { key: 'NewPrice', header: 'New', kind: 'kronor' },
    {
      key: 'Change',
      kind: 'kronor',
      shown: ({ Change: change }) => (change === null ? '' : signed(change, kronor(change))),
    },
    {
      key: 'ChangePercent',
      header: '%',
      kind: 'decimal',
      shown: ({ ChangePercent: percent }) => (percent === null ? '' : signed(percent, thousands(percent))),
      style: ({ ChangePercent: percent }, paint) => {
        if (percent === null || percent === 0) return undefined
        return percent < 0 ? paint.red : paint.green
      },
    },
    { key: 'Outcome', style: (row, paint) => (row.Outcome === 'held' ? paint.yellow : undefined) },
    { key: 'Reason', maxWidth: 60 },
  ],
}
