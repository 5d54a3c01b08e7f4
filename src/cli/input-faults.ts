/** Collects everything that is wrong with one input, so that a seller sees it all at once. */

import type { InputFault } from '../contract/index.js'
import { faultText, type SellerError, ValueError } from '../errors/index.js'
import { invalidInput } from './translate.js'

/**
 * Faults of one input. A fault of form (a flag that cannot be read) makes the error wrong usage; others make it a refused value.
 */
export class InputFaults {
  readonly #faults: InputFault[] = []
  #form = false

  get any(): boolean {
    return this.#faults.length > 0
  }

  get all(): readonly InputFault[] {
    return this.#faults
  }

  /** Adds values that were read but are not allowed: exit 3. */
  add(...faults: readonly InputFault[]): void {
    this.#faults.push(...faults)
  }

  /** Adds a text that cannot be read: exit 2. */
  addForm(fault: InputFault): void {
    this.#faults.push(fault)
    this.#form = true
  }

  /**
   * Reads a text with one of the strict readers (values.ts). A refusal becomes a fault of form.
   * @param name the field that the reader was given, e.g. `--days`
   * @returns undefined when it was refused
   */
  read<T>(name: string, text: unknown, reader: () => T): T | undefined {
    try {
      return reader()
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      this.refuse(name, text, error)
      return undefined
    }
  }

  /** Adds what a strict reader threw, as a fault of form. */
  refuse(name: string, text: unknown, { fault, hint }: Pick<ValueError, 'fault' | 'hint'>): void {
    // A part of the value may be what is wrong: its own words say which.
    const whole = fault.name === name && fault.value === (text === undefined ? undefined : String(text))
    const words = whole ? { message: fault.why } : { message: faultText(fault), ofPart: true }
    this.addForm({ field: name, value: text, ...words, ...(hint ? { hint } : {}) })
  }

  /** @throws {SellerError} naming every fault, when there is one */
  throwIfAny(): void {
    if (this.any) throw this.refusal()
  }

  /** The error that names every fault. */
  refusal(): SellerError {
    return invalidInput(this.#faults, this.#form ? 'invalid_values' : 'invalid_input')
  }
}
