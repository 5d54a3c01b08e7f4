/**
 * Jobs whose process is killed -9 at random moments, over a sandbox that drops connections before and after answering. Shared by the test with
 * few moments and by `npm run soak` with all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type BulkJob, bulkJob, bulkRows, createBulkJob, type NewBulkRow } from '../../src/jobs/bulk/index.js'
import { type Ledger, openLedger } from '../../src/jobs/index.js'
import { SANDBOX_PROFILE, type SandboxServer, seedSandbox, startSandbox } from '../../src/sandbox/index.js'
import { createClient, systemClock } from '../../src/soap/client/index.js'
import { sequence } from '../../src/system/random.js'
import { FORM } from '../jobs/bulk/support.js'

export interface Killing {
  readonly rows: number
  /** How many times a process is killed. */
  readonly kills: number
  readonly seed: number
  /** Longest time a process may live before it is killed, ms. */
  readonly longestLifeMs: number
  readonly say?: (text: string) => void
}

/** Calls take a while, so that kills hit them; one in ten loses its connection. */
const FAULTS = { latency: { minMs: 10, maxMs: 80 }, dropBefore: 0.05, dropAfter: 0.05, queueDelayMs: 20 }
/** Runs that may follow the last kill until a job is done: a dropped connection can end one. */
const LAST_RUNS = 50

/** An item of the live list. */
interface Live {
  readonly Id: number
  readonly BuyItNowPrice?: number | null
  readonly RemainingQuantity: number
  readonly OwnReferences?: readonly string[]
}

/** A sandbox, a ledger, and the program that runs a job in a separate process. */
class Ground {
  readonly directory = mkdtempSync(join(tmpdir(), 'seller-kill-'))
  readonly path = join(this.directory, 'ledger.db')
  readonly random: () => number
  kills = 0
  private sandbox: SandboxServer | undefined
  private child = ''
  private readonly killing: Killing

  constructor(killing: Killing) {
    this.killing = killing
    this.random = sequence(killing.seed)
  }

  /** @returns the ids of the seeded shop items */
  async open(csv: string | undefined): Promise<readonly number[]> {
    // Next to the packages it needs, which are not bundled.
    this.child = fileURLToPath(new URL('../../node_modules/.cache/seller-test/kill-child.mjs', import.meta.url))
    const require =
      "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
    await build({
      entryPoints: [fileURLToPath(new URL('kill-child.ts', import.meta.url))],
      outfile: this.child,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      banner: { js: require },
      logLevel: 'error',
    })
    const path = join(this.directory, 'sandbox.db')
    const ids = csv === undefined ? [] : (await seedSandbox(path, csv)).ids
    this.sandbox = await startSandbox({ path, faults: { ...FAULTS, seed: this.killing.seed }, extended: true })
    return ids
  }

  async close(): Promise<void> {
    await this.sandbox?.close()
    rmSync(this.directory, { recursive: true, force: true })
  }

  /** The live list, read as often as it takes for no connection to be dropped. */
  async live(): Promise<readonly Live[]> {
    const { namespace, ...credentials } = SANDBOX_PROFILE
    const client = createClient({ baseUrl: this.sandbox?.url ?? '', namespace, credentials })
    try {
      for (;;) {
        try {
          const params = { categoryId: 0, filterActive: 'Active', filterItemType: 'ShopItem' } as const
          return (await client.call('GetSellerItems', params)) ?? []
        } catch {
          // An injected fault.
        }
      }
    } finally {
      client.close()
    }
  }

  withLedger<T>(work: (ledger: Ledger) => T): T {
    const ledger = openLedger(this.path, systemClock)
    try {
      return work(ledger)
    } finally {
      ledger.close()
    }
  }

  /** Runs a job until it is done, and kills its processes at random moments while kills are left. @returns the job at its end */
  async run(jobId: number): Promise<BulkJob> {
    for (let last = 0; last < LAST_RUNS; ) {
      const child = this.start(jobId)
      const ended = once(child, 'exit')
      if (this.kills < this.killing.kills) {
        const killed = await this.killSoon(child, ended)
        if (killed) this.kills++
      } else {
        last++
        await ended
      }
      const job = this.withLedger((ledger) => bulkJob(ledger, jobId))
      const { unsent, sending, queued } = job.Counts
      this.killing.say?.(
        `job ${jobId}, kill ${this.kills}: unsent ${unsent}, sending ${sending}, queued ${queued}, ok ${job.Counts.ok}`,
      )
      if (job.State !== 'open' && job.State !== 'waiting') return job
    }
    throw new Error(`job ${jobId} did not end in ${LAST_RUNS} runs`)
  }

  private start(jobId: number): ChildProcess {
    const args = [this.child, this.path, this.sandbox?.url ?? '', String(jobId)]
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  /** Kills a process some time after it began to work. @returns false when it had ended by itself */
  private async killSoon(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
    const began = once(child.stdout as NodeJS.ReadableStream, 'data')
    await Promise.race([began, ended])
    let timer: NodeJS.Timeout | undefined
    const moment = new Promise((resolve) => {
      timer = setTimeout(resolve, this.random() * this.killing.longestLifeMs)
    })
    await Promise.race([moment, ended])
    clearTimeout(timer)
    const killed = child.kill('SIGKILL')
    await ended
    return killed && child.signalCode === 'SIGKILL'
  }
}

/** What jobs of a kind set of shop items: the row that sets it, and where the live list has it. */
interface Set {
  readonly kind: 'price' | 'stock'
  readonly row: (value: number) => Pick<NewBulkRow, 'price' | 'oldPrice' | 'payload' | 'oldPayload'>
  readonly live: (item: Live) => number | null | undefined
}

const PRICES: Set = {
  kind: 'price',
  row: (price) => ({ price, oldPrice: null }),
  live: ({ BuyItNowPrice }) => BuyItNowPrice,
}

const STOCK: Set = {
  kind: 'stock',
  row: (Quantity) => ({ payload: { Quantity }, oldPayload: null }),
  live: ({ RemainingQuantity }) => RemainingQuantity,
}

/** Sets one number of every item of a shop, job after job, until the kills are used up. */
async function killSetJobs(killing: Killing, { kind, row, live }: Set): Promise<{ jobs: number; kills: number }> {
  const ground = new Ground(killing)
  try {
    const lines = Array.from({ length: killing.rows }, (_, at) => `Vara ${at},ShopItem,${100 + (at % 50)}`)
    const ids = await ground.open(`Title,Type,Price\n${lines.join('\n')}\n`)
    let jobs = 0
    do {
      jobs++
      const value = (at: number) => 100 + ((at * 7 + jobs * 13) % 50)
      const rows = ids.map((id, at): NewBulkRow => ({ line: at + 2, id, ...row(value(at)) }))
      const { JobId } = ground.withLedger((ledger) =>
        createBulkJob(ledger, { kind, profile: 'sandbox', userId: SANDBOX_PROFILE.userId, title: 'kill', form: FORM, rows }),
      )
      const job = await ground.run(JobId)
      if (job.State !== 'ok' || job.Counts.ok !== ids.length) throw new Error(`job ${JobId} ended as ${JSON.stringify(job)}`)
      const found = new Map((await ground.live()).map((item) => [item.Id, live(item)]))
      const wrong = ids.filter((id, at) => found.get(id) !== value(at))
      if (wrong.length > 0)
        throw new Error(`after job ${JobId} ${wrong.length} items are not those of an undisturbed run: ${wrong.slice(0, 5)}`)
    } while (ground.kills < killing.kills)
    return { jobs, kills: ground.kills }
  } finally {
    await ground.close()
  }
}

/**
 * Reprices a shop, job after job, until the kills are used up.
 * @returns jobs that ended and kills that hit; throws what is wrong
 */
export function killPriceJobs(killing: Killing): Promise<{ jobs: number; kills: number }> {
  return killSetJobs(killing, PRICES)
}

/** The same for the numbers in stock: calls of 500 items whose answers only count. */
export function killStockJobs(killing: Killing): Promise<{ jobs: number; kills: number }> {
  return killSetJobs(killing, STOCK)
}

/**
 * Adds items, job after job, until the kills are used up.
 * @returns also how many rows ended with an unknown outcome; throws what is wrong
 */
export async function killAddJobs(killing: Killing): Promise<{ jobs: number; kills: number; unknown: number }> {
  const ground = new Ground(killing)
  try {
    await ground.open(undefined)
    let [jobs, unknown] = [0, 0]
    do {
      jobs++
      const reference = (at: number) => `K${killing.seed}-${jobs}-${at}`
      const rows = Array.from({ length: killing.rows }, (_, at): NewBulkRow => {
        return {
          line: at + 2,
          id: 0,
          payload: {
            Title: `Vara ${jobs} ${at}`,
            CategoryId: 344481,
            Price: 50 + at,
            AbsoluteQuantity: 1,
            OwnReferences: [reference(at)],
          },
        }
      })
      const { JobId } = ground.withLedger((ledger) =>
        createBulkJob(ledger, {
          kind: 'add-shop',
          profile: 'sandbox',
          userId: SANDBOX_PROFILE.userId,
          title: 'kill',
          form: FORM,
          rows,
        }),
      )
      await ground.run(JobId)
      const found = new Map<string, number>()
      for (const { OwnReferences = [] } of await ground.live()) {
        for (const own of OwnReferences) found.set(own, (found.get(own) ?? 0) + 1)
      }
      const ended = ground.withLedger((ledger) => [...bulkRows(ledger, JobId)])
      for (const [at, row] of ended.entries()) {
        const there = found.get(reference(at)) ?? 0
        if (there > 1) throw new Error(`row ${row.Row} of job ${JobId} is there ${there} times`)
        if (row.State === 'ok' && there !== 1) throw new Error(`row ${row.Row} of job ${JobId} is ok and not there`)
        if (row.State !== 'ok' && row.State !== 'unknown')
          throw new Error(`row ${row.Row} of job ${JobId} is ${row.State}: ${row.Reason}`)
        if (row.State === 'unknown') unknown++
      }
    } while (ground.kills < killing.kills)
    return { jobs, kills: ground.kills, unknown }
  } finally {
    await ground.close()
  }
}
