/**
 * The built `seller shop:price`, killed -9 at random moments from its start on, with a sandbox that drops connections. Then it
 * does what a seller would do: look at jobs:list, and resume the job, or give the command again if none was created. Shared by
 * the test with few moments and by `npm run soak` with all of them.
 */
import { sequence } from '../../src/system/random.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'
import { pricesOf, setFaults, stock } from '../e2e/shop.js'
import { closing } from '../opened.js'

export interface KilledRuns {
  readonly rows: number
  readonly kills: number
  readonly seed: number
  /** Longest time a process may live before it is killed, ms. */
  readonly longestLifeMs: number
}

const FAULTS = { latency: '5ms..60ms', 'drop-before': '5%', 'drop-after': '5%', 'queue-delay': '20ms' }
const NO_FAULTS = { latency: '0ms..0ms', 'drop-before': '0%', 'drop-after': '0%' }
/** Runs that may follow one another until a repricing is done. */
const MOST_RUNS = 200

/** @returns how many repricings it took to use up the kills; throws what is wrong */
export async function killRuns({ rows, kills, seed, longestLifeMs }: KilledRuns): Promise<{ repricings: number; kills: number }> {
  const random = sequence(seed)
  await using home = closing(await openHome({ sandbox: { faults: { seed } } }))
  const ids = await stock(
    home,
    Array.from({ length: rows }, (_, at) => 200 + (at % 90)),
  )
  let [killed, repricings, lastJob] = [0, 0, 0]
  while (killed < kills) {
    repricings++
    const prices = ids.map((_, at) => 200 + ((at * 7 + repricings * 13) % 90))
    const file = await home.file('prices.csv', `Id,Price\n${ids.map((id, at) => `${id},${prices[at]}`).join('\n')}\n`)
    const sending = ['shop:price', '--file', file, '--yes', '--wait', '--json']
    await setFaults(home, FAULTS)
    let args = sending
    for (let runs = 0; ; runs++) {
      if (runs === MOST_RUNS) throw new Error(`repricing ${repricings} did not end in ${MOST_RUNS} runs`)
      const killAfterMs = killed < kills ? random() * longestLifeMs : undefined
      const running = home.spawn(args)
      const killing = killAfterMs === undefined ? undefined : setTimeout(() => running.kill('SIGKILL'), killAfterMs)
      const run: Run = await running.done
      clearTimeout(killing)
      if (run.signal === 'SIGKILL') killed++
      const job = await newestJob(home)
      const made = job !== undefined && job.JobId > lastJob
      if (made && job.State === 'ok') break
      if (run.code === 0) throw new Error(`exit 0, but the job is ${JSON.stringify(job)}`)
      args = made ? ['jobs:resume', String(job.JobId), '--wait', '--json'] : sending
    }
    lastJob = (await newestJob(home))?.JobId ?? 0
    await setFaults(home, NO_FAULTS)
    const live = await pricesOf(home, ids)
    const wrong = ids.filter((_, at) => live[at] !== prices[at])
    if (wrong.length > 0) throw new Error(`${wrong.length} prices are not those of an undisturbed run: ${wrong.slice(0, 5)}`)
  }
  return { repricings, kills: killed }
}

async function newestJob(home: Home): Promise<{ JobId: number; State: string } | undefined> {
  return (await home.seller('jobs:list', '--limit', '1', '--json')).json()[0]
}
