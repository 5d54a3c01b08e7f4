/** Limits of calls: of one run, and of an application in 24 hours. */
import { countOf } from '../../contract/numbers.js'
import type { CallObserver } from '../../soap/client/index.js'
import type { Calls } from './calls.js'
import { BudgetError } from './errors.js'

export interface BudgetOptions {
  ledger: { readonly calls: Pick<Calls, 'beginTogether'> }
  appId: number
  profile: string
  /** The calls go to the sandbox inside this process and are counted separately. */
  sandbox?: boolean
  /** Calls allowed in this run. */
  maxCalls?: number
  /** Calls allowed to the application in any 24 hours, over all processes that share the ledger. */
  budgetPer24h?: number
}

/**
 * The observer for the SOAP client: it records each attempt before it is sent, and refuses one over a limit. Retries count too,
 * because the service counts them. `made` is how many attempts may have reached the service. `begin` fails with BudgetError.
 */
export function budgetObserver(options: BudgetOptions): CallObserver & { readonly made: number } {
  const { ledger, appId, profile, sandbox, maxCalls, budgetPer24h } = options
  let begun = 0
  let unreached = 0
  return {
    get made() {
      return begun - unreached
    },
    async begin({ operation, service, kind, attempt }) {
      // Attempts that did not reach the service are limited too; otherwise a run without a network would never end.
      if (maxCalls !== undefined && begun >= maxCalls) {
        throw new BudgetError(
          'max-calls',
          maxCalls,
          begun,
          `This run has made the ${countOf(maxCalls, 'call')} it was allowed. The call was not sent.`,
          'To continue, raise --max-calls. What was done is recorded.',
        )
      }
      // Counted at once: others may begin before this one is recorded.
      begun += 1
      const end = await ledger.calls
        .beginTogether({ appId, profile, sandbox, service, operation, kind, attempt }, budgetPer24h)
        .catch((error: unknown) => {
          begun -= 1
          throw error
        })
      return (ended) => {
        if (ended.outcome === 'unreachable') unreached += 1
        end(ended)
      }
    },
  }
}
