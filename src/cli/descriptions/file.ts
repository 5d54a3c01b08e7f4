/** The form of a saved description. */
import type { OfferedOperations } from '../../contract/index.js'
import type { Difference } from '../../soap/description/index.js'

/** The content of the file. */
export interface DescriptionFile {
  /** The address or path that it came from. */
  readonly From: string
  /** ISO 8601, UTC. */
  readonly SavedAt: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly Sha256: string
  /** The operations with the paths of their parameters, in the service's own names. */
  readonly Operations: OfferedOperations
  /** Breaks of the contract's operations when the description was saved; undefined in files of version 0.2. */
  readonly Breaks?: readonly Break[]
  /** Operations whose breaks the seller accepted by name. */
  readonly Accepted?: readonly string[]
  /** Fields of newer editions that its requests do not have, in the contract's names; undefined in files of version 0.3. */
  readonly Lacks?: readonly string[]
  /** The service's own names that it was read with. They hold unless the settings of the profile have others. */
  readonly Names?: string
  /** The base address for which it was read without being asked for; it says nothing of another. */
  readonly Base?: string
  readonly Text: string
  /** The whole address of a description in several files, and the texts of the others by theirs. */
  readonly At?: string | undefined
  readonly Parts?: Readonly<Record<string, string>>
}

/** A difference that breaks an operation. */
export interface Break {
  readonly Operation: string
  /** True if the operation is not sent because of it: it is in the request, or in what decisions rest on in the reply. */
  readonly Stops: boolean
  /** The field that is sent in vain; null where it stops whatever is sent. */
  readonly Field: string | null
  /** A sentence for a seller. */
  readonly Message: string
  /** The facts by which a break is known again; absent in files of version 0.3, whose breaks are known by their sentence. */
  readonly Kind?: Difference['kind']
  readonly Direction?: Difference['direction'] | null
  readonly Subject?: string | null
  /** Element in the description. */
  readonly Found?: string | null
  /** The binding for which it holds; absent where it holds for all. */
  readonly Binding?: string
}
