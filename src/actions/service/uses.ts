/** Which commands use which operation of the service, as each command declares it (`static operations`). */
import { type Operation, operations, operationsOf, type ServiceName } from '../../contract/index.js'

export interface Uses {
  /** Ids of the commands that use an operation, by its element name. */
  of(service: ServiceName, operation: string): string[]
  /** Ids of the commands that use any operation of a service. */
  ofService(service: ServiceName): string[]
}

/** @param commands those of oclif's configuration, which has the static members of their classes */
export function commandUses(commands: readonly { readonly id: string; readonly hidden?: boolean }[]): Uses {
  const byKey = new Map<string, string[]>()
  for (const command of commands) {
    const { operations: used = [] } = command as { readonly operations?: readonly string[] }
    if (command.hidden !== true) for (const key of used) byKey.set(key, [...(byKey.get(key) ?? []), command.id].sort())
  }
  return {
    of: (service, operation) => byKey.get(contractName(service, operation) ?? '') ?? [],
    ofService: (service) => {
      const keys = Object.keys(operationsOf(service, 'all')).flatMap((name) => contractName(service, name) ?? [])
      return [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].sort()
    },
  }
}

/** The contract's name for an operation of a service (`PublicService.GetItem`); undefined if it does not have it. */
export function contractName(service: ServiceName, operation: string): string | undefined {
  const entry = Object.entries<Operation>(operations).find(([, each]) => each.service === service && each.name === operation)
  return entry?.[0]
}
