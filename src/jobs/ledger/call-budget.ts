/** Limits of calls: of one run, and of an application in 24 hours. */
import { countOf } from '../../contract/numbers.js'
import type { CallObserver } from '../../soap/client/index.js'
import { BudgetError } from './errors.js'
import type { Quota, Taker } from './quota.js'

export interface BudgetOptions extends Taker {
  readonly quota: Pick<Quota, 'take'>
  /** Calls allowed in this run. */
  readonly maxCalls?: number | undefined
}

/**
 * The observer for the SOAP client: it records each attempt before it is sent, and refuses one over a limit. Retries count too,
 * because the service counts them. `made` is how many attempts may have reached the service. `begin` fails with BudgetError.
 */
export function budgetObserver(options: BudgetOptions): CallObserver & { readonly made: number } {
  const { quota, appId, profile, sandbox, maxCalls = Number.POSITIVE_INFINITY } = options
  let begunCalls = 0
  let unreachedCalls = 0
  return {
    get made() {
      return begunCalls - unreachedCalls
    },
    async begin({ operation, service, kind, attempt }) {
      // Attempts that did not reach the service are limited too; otherwise a run without a network would never end.
      if (begunCalls >= maxCalls) {
        throw new BudgetError(
          'max-calls',
          maxCalls,
          begunCalls,
          `This run has made the ${countOf(maxCalls, 'call')} it was allowed. The call was not sent.`,
          'To continue, raise --max-calls. What was done is recorded.',
        )
      }
      // Counted at once: others may begin before this one is recorded.
      begunCalls += 1
      const [end] = await quota.take([{ appId, profile, sandbox, service, operation, kind, attempt }]).catch((error: unknown) => {
        begunCalls -= 1
        throw error
      })
      return (callEnd) => {
        if (callEnd.outcome === 'unreachable') unreachedCalls += 1
        end?.(callEnd)
      }
    },
  }
}
