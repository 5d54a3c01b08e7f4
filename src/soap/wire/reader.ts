/**
 * Elements in, values out: the part of the decoder that knows the contract and nothing of SOAP or XML syntax. Driven by
 * events, with no tree between; an entry of a list is complete the moment its end tag has come.
 */
import { LIST, LOOSE, looseSlot, OTHER, SKIP, type Slot, STRING, STRUCT, type StructPlan, skipSlot, WORD } from './plan.js'

/** What differs between reading replies and reading requests. */
export interface ReadingHabits {
  /** Elements and attributes the contract does not know: kept (replies) or read over (requests, as .NET does). */
  readonly keepUnknown: boolean
  /** The value of a simple slot; throws in the caller's own way, told where. */
  value(slot: Slot, text: string, path: () => string): unknown
  /** Whether xsi:nil is heeded on a slot. */
  heedsNil(slot: Slot): boolean
  /** Called when a struct is complete, to fill in what did not come. */
  complete?(plan: StructPlan, value: Bag): void
  /** An element inside a simple value. */
  refuseChild(slot: Slot, child: string, path: () => string): Error
}

export type Bag = Record<string, unknown>

const NO_NIL = -1

export class ValueReader {
  /** Elements open inside the root. */
  depth = -1
  /** Whether the root has ended. */
  done = false
  #text = ''
  #nilDepth = NO_NIL
  readonly #slots: Slot[] = []
  readonly #plans: (StructPlan | undefined)[] = []
  readonly #values: unknown[] = []
  /** Per open struct: how many of its lists have been seen or filled. */
  readonly #cursors: number[] = []
  /** Per open loose element: its text before the child that is open. */
  readonly #looseTexts: string[] = []
  readonly #names: string[] = []
  #result: unknown

  readonly #root: Slot
  readonly #habits: ReadingHabits

  constructor(root: Slot, habits: ReadingHabits) {
    this.#root = root
    this.#habits = habits
  }

  /** The value of the root element: undefined until it has ended; a list is there, and growing, from its start tag on. */
  get value(): unknown {
    return this.#result
  }

  /** The array of a list that is a direct child of the root struct, whether it is still being read or not. */
  openListUnderRoot(name: string): unknown[] | undefined {
    if (this.depth < 0) return undefined
    const list = (this.#values[0] as Bag | undefined)?.[name]
    return Array.isArray(list) ? list : undefined
  }

  /** Dotted names of the open elements. */
  readonly path = (): string => this.#names.slice(0, this.depth + 1).join('.')

  /** A start tag, by its local name. */
  open(name: string): void {
    const slot = this.depth < 0 ? this.#root : this.#childSlot(name)
    const depth = ++this.depth
    this.#slots[depth] = slot
    this.#names[depth] = name
    this.#text = ''
    switch (slot.code) {
      case STRUCT:
        this.#plans[depth] = slot.plan?.()
        this.#values[depth] = {}
        this.#cursors[depth] = 0
        return
      case LIST:
        this.#values[depth] = this.#listAt(depth - 1, slot)
        return
      case LOOSE:
        this.#values[depth] = undefined
        this.#looseTexts[depth] = ''
    }
  }

  #childSlot(name: string): Slot {
    const { depth } = this
    const parent = this.#slots[depth] ?? skipSlot
    switch (parent.code) {
      case STRUCT: {
        const plan = this.#plans[depth]
        const slot = plan?.slots.get(name)
        if (plan === undefined || slot === undefined) return this.#habits.keepUnknown ? looseSlot(name) : skipSlot
        const cursor = this.#cursors[depth] ?? 0
        const list = plan.lists[cursor]
        if (list !== undefined && list.index <= slot.index) this.#fillLists(depth, plan, cursor, slot.index)
        return slot
      }
      case LIST:
        if (name === parent.itemName && parent.item !== undefined) return parent.item
        return this.#habits.keepUnknown ? looseSlot(name) : skipSlot
      case LOOSE:
        this.#looseTexts[depth] += this.#text
        this.#values[depth] ??= {}
        return looseSlot(name)
      case SKIP:
        return skipSlot
      default:
        throw this.#habits.refuseChild(parent, name, this.path)
    }
  }

  /** Lists up to a place in the sequence are arrays from here on, so that keys come in wire order. */
  #fillLists(depth: number, plan: StructPlan, from: number, upTo: number): void {
    const value = this.#values[depth] as Bag
    let cursor = from
    for (let list = plan.lists[cursor]; list !== undefined && list.index <= upTo; list = plan.lists[++cursor]) {
      if (value[list.name] === undefined) value[list.name] = []
    }
    this.#cursors[depth] = cursor
  }

  #listAt(parentDepth: number, slot: Slot): unknown {
    const parent = parentDepth < 0 ? undefined : this.#slots[parentDepth]
    if (parent?.code === STRUCT) {
      const value = this.#values[parentDepth] as Bag
      const known = value[slot.name]
      if (Array.isArray(known)) return known
    }
    const list: unknown[] = []
    if (parent === undefined) this.#result = list
    return list
  }

  /** An attribute of the element just opened; `prefix` is empty where the name has none. */
  attribute(prefix: string, local: string, value: string): void {
    if (prefix === 'xmlns' || local === 'xmlns') return
    const { depth } = this
    const slot = this.#slots[depth] ?? skipSlot
    if (prefix !== '') {
      if (local === 'nil' && (value === 'true' || value === '1') && this.#habits.heedsNil(slot)) this.#nilDepth = depth
      return
    }
    if (slot.code === STRUCT) {
      const known = this.#plans[depth]?.attributes.get(local)
      if (known !== undefined) {
        const path = () => `${this.path()}@${local}`
        ;(this.#values[depth] as Bag)[local] = this.#habits.value(known, value, path)
      } else if (this.#habits.keepUnknown) addLoose(this.#values[depth] as Bag, local, value)
    } else if (slot.code === LOOSE) {
      this.#values[depth] ??= {}
      addLoose(this.#values[depth] as Bag, local, value)
    }
  }

  characters(text: string): void {
    this.#text = this.#text === '' ? text : this.#text + text
  }

  /** An end tag. */
  close(): void {
    const { depth } = this
    const slot = this.#slots[depth] ?? skipSlot
    const nil = this.#nilDepth === depth
    if (nil) this.#nilDepth = NO_NIL
    const { code } = slot
    let value: unknown
    if (code >= STRING) value = nil ? null : this.#habits.value(slot, this.#text, this.path)
    else if (code === STRUCT) value = nil ? null : this.#closeStruct(depth)
    else if (code === LIST) value = this.#values[depth]
    else if (code === LOOSE) value = nil && this.#values[depth] === undefined ? null : this.#closeLoose(depth)
    this.#text = ''
    this.depth = depth - 1
    if (depth === 0) {
      this.#result = value
      this.done = true
    } else if (code !== SKIP) this.#place(depth - 1, slot, value)
    this.#values[depth] = undefined
  }

  #closeStruct(depth: number): Bag {
    const value = this.#values[depth] as Bag
    const plan = this.#plans[depth]
    if (plan !== undefined) {
      const cursor = this.#cursors[depth] ?? 0
      if (cursor < plan.lists.length) this.#fillLists(depth, plan, cursor, Number.MAX_SAFE_INTEGER)
      this.#habits.complete?.(plan, value)
    }
    return value
  }

  #closeLoose(depth: number): unknown {
    const text = this.#looseTexts[depth] + this.#text
    const value = this.#values[depth]
    if (value === undefined) return text
    if (text.trim() !== '') addLoose(value as Bag, '#text', text)
    return value
  }

  #place(parentDepth: number, slot: Slot, value: unknown): void {
    const parent = this.#values[parentDepth]
    const parentCode = this.#slots[parentDepth]?.code
    if (parentCode === LIST) {
      // A nil entry carries nothing (contract, List.nillableItems).
      if (value !== null) (parent as unknown[]).push(value)
    } else if (slot.code === LOOSE) addLoose(parent as Bag, slot.name, value)
    else if (slot.repeated) {
      if (value !== null) ((parent as Bag)[slot.name] as unknown[]).push(value)
    } else (parent as Bag)[slot.name] = value
  }
}

/** Adds a value under a name that came from outside: a second one makes an array, and no name reaches a prototype. */
function addLoose(bag: Bag, name: string, value: unknown): void {
  if (!Object.hasOwn(bag, name)) {
    Object.defineProperty(bag, name, { value, writable: true, enumerable: true, configurable: true })
    return
  }
  const known = bag[name]
  if (Array.isArray(known)) known.push(value)
  else bag[name] = [known, value]
}

/** Whether text that is no value of its enumeration may stand for one that is newer than this tool. */
export function isOpenWord(slot: Slot): boolean {
  return slot.code === WORD || (slot.code === OTHER && slot.simple?.kind === 'flags')
}
