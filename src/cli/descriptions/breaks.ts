/** The contract's operations by a description: what breaks them, and which fields the service does not have. */
import {
  isGivenBySellers,
  isNewerField,
  isOnlyAsked,
  type NameMap,
  type OfferedOperations,
  parameterPaths,
  type ServiceName,
} from '../../contract/index.js'
import { compareContract, type Description, type Difference, readDescription } from '../../soap/description/index.js'
import type { Break, DescriptionFile } from './file.js'

/** The contract's operations in a description. */
interface Fit {
  /** Breaks of them. A form that is not the document's is no break: it is sent once it is saved. */
  readonly breaks: readonly Break[]
  /**
   * The fields that came with a newer edition and that the description does not have, as `Type.Field` or `Operation.parameter`.
   * @param accepted operations that are sent although the description breaks them: they are sent with what the seller gives
   */
  lacks(accepted: readonly string[]): string[]
}

/** The bindings that do not carry every operation. */
const FORMS = ['get', 'post'] as const

/** Compares the contract's operations with a description. */
export function fitOf(names: NameMap, description: Description): Fit {
  const differences = compareContract(description, names, { bindings: FORMS })
  const breaks = differences.flatMap((difference): Break[] => {
    const { effect, kind, operation, direction, subject, relied = false, message } = difference
    const inRequest = direction === 'request'
    const [owner, name] = ownerAndName(subject)
    const isIgnored = kind === 'field_missing' && inRequest && isGivenBySellers(owner, name)
    if ((effect !== 'breaks' && !isIgnored) || kind === 'form' || operation === undefined) return []
    // A field that is only missed by the service matters to those who give it.
    const field = kind === 'field_required' || !inRequest ? null : (subject?.split('.').at(-1) ?? null)
    const stops = inRequest || relied || kind === 'binding'
    return [{ Operation: operation, Stops: stops, Field: field, Message: message, ...factsOf(difference) }]
  })
  const lacks = (accepted: readonly string[]): string[] => {
    const missing = differences.flatMap(({ kind, direction, operation = '', subject = '' }) => {
      const [owner, name] = ownerAndName(subject)
      const isWanted = accepted.includes(operation) && isOnlyAsked(owner, name)
      return kind === 'field_missing' && direction === 'request' && isNewerField(owner, name) && !isWanted ? [subject] : []
    })
    return [...new Set(missing)]
  }
  // A break in any binding is told first.
  return { breaks: [undefined, ...FORMS].flatMap((form) => breaks.filter(({ Binding }) => Binding === form)), lacks }
}

type BreakFacts = Pick<Break, 'Kind' | 'Direction' | 'Subject' | 'Found' | 'Binding'>
type BreakKey = Pick<Break, 'Operation' | 'Message'> & BreakFacts

/** The facts by which a break is known again when the service is compared another time. */
export function factsOf({
  kind,
  direction,
  subject,
  expected,
  found,
}: Omit<Difference, 'effect' | 'service' | 'message'>): BreakFacts {
  const facts = { Kind: kind, Direction: direction ?? null, Subject: subject ?? null, Found: found ?? null }
  return kind === 'binding' && expected !== undefined ? { ...facts, Binding: expected } : facts
}

/**
 * True if the seller accepted what breaks an operation: the file has the same break, whatever the words for it are now.
 * @param found its `Message` serves only for files of version 0.3, which have no facts
 */
export function isAccepted({ Breaks = [], Accepted = [] }: DescriptionFile, key: BreakKey): boolean {
  return Accepted.includes(key.Operation) && Breaks.some((other) => isSameBreak(other, key))
}

function isSameBreak(one: BreakKey, other: BreakKey): boolean {
  if (one.Operation !== other.Operation) return false
  if (one.Kind === undefined) return one.Message === other.Message
  return (['Kind', 'Direction', 'Subject', 'Found', 'Binding'] as const).every((fact) => one[fact] === other[fact])
}

/**
 * A file of version 0.3 with what it does not have yet: the fields of newer editions that its service does not have, and the
 * breaks by which they are refused where they are given.
 * @param names those of the profile
 * @throws {DescriptionError} if the text is not a description
 */
export function upgraded(service: ServiceName, file: DescriptionFile, names: NameMap): DescriptionFile {
  const { Breaks = [], Accepted = [] } = file
  const { breaks, lacks } = fitOf(names, describedIn(service, file))
  const isNew = ({ Operation, Field, Subject }: Break) =>
    isNewerField(...ownerAndName(Subject)) && !Breaks.some((each) => each.Operation === Operation && each.Field === Field)
  return {
    ...file,
    Breaks: [...Breaks, ...breaks.filter(isNew)],
    Lacks: lacks(Accepted),
  }
}

/** The description in a file, with its parts. @throws {DescriptionError} if the text is not one */
export function describedIn(service: ServiceName, { Text, At: at, Parts = {} }: DescriptionFile): Description {
  return readDescription(Text, { service, at, parts: new Map(Object.entries(Parts)) })
}

/** The two parts of `Type.Field` or `Operation.parameter`. */
function ownerAndName(subject: string | null | undefined): [owner: string, name: string] {
  const [owner = '', name = ''] = subject?.split('.') ?? []
  return [owner, name]
}

/** The operations of a description with the names of their parameters. */
export function offeredIn({ operations }: Description): OfferedOperations {
  return Object.fromEntries([...operations].map(([name, { operation }]) => [name, parameterPaths(operation.params)]))
}
