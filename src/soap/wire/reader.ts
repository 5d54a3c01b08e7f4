/**
 * Elements in, values out: the part of the decoder that knows the contract and nothing of SOAP or XML syntax. It is driven by
 * events, without a tree; an entry of a list is complete as soon as its end tag has come. Elements that follow the contract may
 * skip the events: see `put`.
 */
import { noteUnread } from '../../contract/index.js'
import { LIST, LOOSE, looseSlot, OTHER, SKIP, type Slot, STRING, STRUCT, type StructPlan, skipSlot, WORD } from './plan.js'

/** Differences between reading replies and reading requests. */
export interface ReadingHabits {
  /** True if elements and attributes that the contract does not know are kept (replies) or skipped (requests, as .NET does). */
  readonly keepUnknown: boolean
  /** The value of a simple slot, or LeftOut. It throws the caller's own error, which gets the path and the record around it. */
  value(slot: Slot, text: string, reader: Pick<ValueReader, 'path' | 'record'>): unknown
  /** True if xsi:nil counts on a slot. */
  heedsNil(slot: Slot): boolean
  /** Called when a struct is complete, to add or to check what did not come. A nil value is null. */
  complete?(plan: StructPlan, value: Bag, path: () => string): void
  /**
   * Called when an element of the contract occurs again where only one may (the last one counts), comes after one that follows it
   * in the contract, or is in another namespace than its parent (it does not count, and is kept under its name with its
   * namespace). May throw.
   */
  oddity?(what: 'repeated' | 'disordered' | 'foreign', slot: Slot, path: () => string): void
  /**
   * Called with each text before it is returned, also with those of elements that the contract does not know. Without it, texts
   * stay as they came.
   */
  text?(text: string, slot: Slot): string
  /** The error for an element inside a simple value, or for one among the entries of a list that has another name than they. */
  refuseChild(slot: Slot, child: string, path: () => string): Error
}

export type Bag = Record<string, unknown>

/** In place of a value that cannot be read and is left out. */
export class LeftOut {
  /** @param path dotted names of the element, from the root on */
  constructor(
    readonly path: string,
    readonly text: string,
    readonly why: string,
  ) {}
}

/** A value that could not be read and was left out. */
export interface UnreadValue extends Pick<LeftOut, 'text' | 'why'> {
  /** The field, as dotted names from its record on; from the root on where there is none. */
  readonly field: string
  /** The record that has it: its type and its id; undefined for none that has an id. */
  readonly record: Replaced['first']
}

const NO_SLOTS: readonly Slot[] = []
const unnamedSlot = looseSlot('')

/** Name of the field that has the id of a record. */
function idOf({ order }: StructPlan): string | undefined {
  return order.find(({ field }) => field?.relied === 'id')?.name
}

/** An open element. The objects are reused: one for each depth. */
class Frame {
  slot: Slot = skipSlot
  name = ''
  value: unknown
  plan: StructPlan | undefined
  /** The slots that can be read without events; empty if events are needed. */
  slots: readonly Slot[] = NO_SLOTS
  /** Where in `slots` the next element most likely is. */
  next = 0
  /** The last place in the sequence that was read. */
  reached = -1
  /** Number of lists of a struct that are arrays already. */
  cursor = 0
  /** For a loose element: its text before the child that is open. */
  looseText = ''
  nil = false
}

/** Characters that XML forbids and that were read as U+FFFD. */
export interface Replaced {
  /** Number of characters. */
  readonly characters: number
  /** The first record that has one, and has an id: its type and its id. */
  readonly first: { readonly type: string; readonly id: number } | undefined
}

export class ValueReader {
  /** Number of open elements inside the root. */
  depth = -1
  /** True if the root has ended. */
  done = false
  /** The innermost open element. */
  top = new Frame()
  #text = ''
  #replacedCharacters = 0
  /** Depth of the innermost record that has the last replaced character; -1 once it was named. */
  #replacedAt = -1
  #replacedIn: Replaced['first']
  /** Values that were left out, with their depth, until a record around them has ended. */
  #pending: { readonly depth: number; readonly value: LeftOut }[] = []
  readonly #unread: UnreadValue[] = []
  readonly #frames: Frame[] = []
  #result: unknown

  readonly #root: Slot
  readonly habits: ReadingHabits

  constructor(root: Slot, habits: ReadingHabits) {
    this.#root = root
    this.habits = habits
  }

  /** The value of the root element: undefined until it has ended. A list exists, and grows, from its start tag on. */
  get value(): unknown {
    return this.#result
  }

  /** The array of a list that is a direct child of the root struct, also while it is being read. */
  openListUnderRoot(name: string): unknown[] | undefined {
    if (this.depth < 0) return undefined
    const list = (this.#frames[0]?.value as Bag | undefined)?.[name]
    return Array.isArray(list) ? list : undefined
  }

  /** Dotted names of the open elements. */
  readonly path = (): string => {
    const open = this.#frames.slice(0, this.depth + 1)
    return open.map((frame) => frame.name || frame.slot.name).join('.')
  }

  /** The innermost open record whose id has been read; undefined where there is none. */
  readonly record = (): Replaced['first'] => {
    for (let at = this.depth; at >= 0; at--) {
      const { plan, value } = this.#frames[at] ?? new Frame()
      const id = plan && (value as Bag | undefined)?.[idOf(plan) ?? '']
      if (plan !== undefined && typeof id === 'number') return { type: plan.name, id }
    }
    return undefined
  }

  /**
   * A start tag, by its local name.
   * @param foreign its namespace, if that differs from its parent's
   */
  open(name: string, foreign?: string): void {
    const slot = this.depth < 0 ? this.#root : foreign === undefined ? this.#childSlot(name) : this.#foreignSlot(name, foreign)
    this.enter(slot)
    this.top.name = name
  }

  /** A start tag of a known slot. */
  enter(slot: Slot): void {
    const parent = this.top
    const depth = ++this.depth
    let frame = this.#frames[depth]
    if (frame === undefined) {
      frame = new Frame()
      this.#frames[depth] = frame
    }
    frame.slot = slot
    frame.name = ''
    frame.slots = NO_SLOTS
    frame.next = 0
    frame.nil = false
    this.top = frame
    this.#text = ''
    switch (slot.code) {
      case STRUCT:
        frame.plan = slot.plan?.()
        frame.slots = frame.plan?.order ?? NO_SLOTS
        frame.value = {}
        frame.cursor = 0
        frame.reached = -1
        return
      case LIST:
        frame.slots = slot.inside?.() ?? NO_SLOTS
        frame.value = this.#listAt(depth === 0 ? undefined : parent, slot)
        return
      case SKIP:
        frame.value = undefined
        frame.slots = slot.inside?.() ?? NO_SLOTS
        return
      case LOOSE:
        frame.value = undefined
        frame.looseText = ''
    }
  }

  #childSlot(name: string): Slot {
    const frame = this.top
    const { slot } = frame
    switch (slot.code) {
      case STRUCT: {
        const { plan } = frame
        const child = plan?.slots.get(name)
        if (plan === undefined || child === undefined) return this.#unknownSlot(name, plan)
        this.expect(child)
        return child
      }
      case LIST:
        if (name === slot.itemName && slot.item !== undefined) return slot.item
        // An entry of another name would count as one of the list: fields of an object as ids.
        if (this.habits.keepUnknown) throw this.habits.refuseChild(slot, name, this.path)
        return skipSlot
      case LOOSE:
        frame.looseText += this.#text
        frame.value ??= {}
        return looseSlot(name)
      case SKIP:
        return skipSlot
      default:
        throw this.habits.refuseChild(slot, name, this.path)
    }
  }

  #unknownSlot(name: string, plan: StructPlan | undefined): Slot {
    return this.habits.keepUnknown && plan?.partial !== true ? looseSlot(name) : skipSlot
  }

  /** The slot of an element in another namespace than its parent. It is not the contract's, even if it has the same name. */
  #foreignSlot(name: string, namespace: string): Slot {
    const { slot, plan } = this.top
    if (slot.code !== STRUCT && slot.code !== LIST) return this.#childSlot(name)
    const twin = slot.code === STRUCT ? plan?.slots.get(name) : name === slot.itemName ? slot.item : undefined
    if (twin === undefined) return this.#unknownSlot(name, plan)
    this.habits.oddity?.('foreign', twin, this.path)
    return slot.code === LIST ? skipSlot : this.#unknownSlot(`{${namespace}}${name}`, plan)
  }

  /** Notes that a child comes. The lists of a struct up to its place become arrays here, so that keys come in wire order. */
  expect(child: Slot): void {
    const frame = this.top
    const { plan } = frame
    if (frame.slot.code !== STRUCT || plan === undefined) {
      frame.next = frame.slot.code === LIST ? 0 : child.index + 1
      return
    }
    frame.next = child.repeated ? child.index : child.index + 1
    if (child.index <= frame.reached) {
      // A list is there before its element comes; one with elements of its own came if nothing after it did.
      const again = child.array
        ? child.code === LIST && !child.repeated && child.index === frame.reached
        : Object.hasOwn(frame.value as Bag, child.name)
      if (again) this.habits.oddity?.('repeated', child, this.path)
      else if (child.index < frame.reached) this.habits.oddity?.('disordered', child, this.path)
      return
    }
    frame.reached = child.index
    const list = plan.lists[frame.cursor]
    if (list !== undefined && list.index <= child.index) this.#fillLists(frame, plan, child.index)
  }

  #fillLists(frame: Frame, plan: StructPlan, upTo: number): void {
    const value = frame.value as Bag
    let { cursor } = frame
    for (let list = plan.lists[cursor]; list !== undefined && list.index <= upTo; list = plan.lists[++cursor]) {
      // A list that something is concluded from is there only if its element came.
      const counts = list.index === upTo || list.field?.relied !== 'whole'
      if (counts && value[list.name] === undefined) value[list.name] = []
    }
    frame.cursor = cursor
  }

  #listAt(parent: Frame | undefined, slot: Slot): unknown {
    if (parent?.slot.code === STRUCT) {
      const knownList = (parent.value as Bag)[slot.name]
      if (Array.isArray(knownList)) return knownList
    }
    const list: unknown[] = []
    if (parent === undefined) this.#result = list
    return list
  }

  /** An attribute of the element just opened; `prefix` is empty if the name has none. */
  attribute(prefix: string, local: string, value: string): void {
    if (prefix === 'xmlns' || local === 'xmlns') return
    const frame = this.top
    const { slot, plan } = frame
    if (prefix !== '') {
      if (local === 'nil' && (value === 'true' || value === '1') && this.habits.heedsNil(slot)) frame.nil = true
      return
    }
    if (slot.code === STRUCT) {
      const knownSlot = plan?.attributes.get(local)
      if (knownSlot !== undefined) {
        const path = () => `${this.path()}@${local}`
        ;(frame.value as Bag)[knownSlot.name] = this.habits.value(knownSlot, value, { path, record: this.record })
      } else if (this.habits.keepUnknown && plan?.partial !== true) addLoose(frame.value as Bag, local, this.#looseText(value))
    } else if (slot.code === LOOSE) {
      frame.value ??= {}
      addLoose(frame.value as Bag, local, this.#looseText(value))
    }
  }

  #looseText(text: string): string {
    return this.habits.text?.(text, unnamedSlot) ?? text
  }

  characters(text: string): void {
    const { code } = this.top.slot
    if (code < LOOSE || code === SKIP) return
    this.#text = this.#text === '' ? text : this.#text + text
  }

  /** An end tag. */
  close(): void {
    const { depth } = this
    const frame = this.top
    const { slot, nil } = frame
    const { code } = slot
    let value: unknown
    if (code >= STRING) value = nil ? null : this.habits.value(slot, this.#text, this)
    else if (code === STRUCT) value = nil ? null : this.#closeStruct(frame)
    else if (code === LIST) value = nil && slot.field?.relied === 'whole' ? null : frame.value
    else if (code === LOOSE) value = nil && frame.value === undefined ? null : this.#closeLoose(frame)
    this.#text = ''
    frame.value = undefined
    this.depth = depth - 1
    if (depth === 0) {
      this.#result = value
      this.done = true
      return
    }
    this.top = this.#frames[depth - 1] as Frame
    if (code !== SKIP) this.#place(this.top, slot, value)
  }

  /** Called for each text in which characters were replaced, before the text itself. */
  noteReplaced(characters: number): void {
    this.#replacedCharacters += characters
    this.#replacedAt = this.top.plan === undefined ? this.depth - 1 : this.depth
  }

  get replaced(): Replaced | undefined {
    return this.#replacedCharacters === 0 ? undefined : { characters: this.#replacedCharacters, first: this.#replacedIn }
  }

  /** Values that could not be read and were left out. */
  get unread(): readonly UnreadValue[] {
    const loose = this.#pending.map(({ value: { path, text, why } }) => ({ field: path, text, why, record: undefined }))
    return [...this.#unread, ...loose]
  }

  /** Notes on a record that has ended which of its values were left out. */
  #noteUnread(value: Bag, plan: StructPlan): void {
    const id = idOf(plan)
    const number = id === undefined ? undefined : value[id]
    if (typeof number !== 'number') return
    const { depth } = this
    const own = this.#pending.filter((each) => each.depth >= depth)
    this.#pending = this.#pending.filter((each) => each.depth < depth)
    const fields = own.map(({ value: { path } }) =>
      path
        .split('.')
        .slice(depth + 1)
        .join('.'),
    )
    noteUnread(value, fields)
    const record = { type: plan.name, id: number }
    for (const [at, { value: left }] of own.entries())
      this.#unread.push({ field: fields[at] ?? '', text: left.text, why: left.why, record })
  }

  #closeStruct(frame: Frame): Bag {
    const value = frame.value as Bag
    const { plan } = frame
    if (this.#pending.length > 0 && plan !== undefined) this.#noteUnread(value, plan)
    if (this.depth <= this.#replacedAt) {
      const { Id: id } = value
      if (typeof id === 'number') this.#replacedIn ??= { type: plan?.name ?? '', id }
      // A record without an id is named by the one around it.
      this.#replacedAt = typeof id === 'number' ? -1 : this.depth - 1
    }
    if (plan !== undefined) {
      if (frame.cursor < plan.lists.length) this.#fillLists(frame, plan, Number.MAX_SAFE_INTEGER)
      this.habits.complete?.(plan, value, this.path)
    }
    return value
  }

  #closeLoose(frame: Frame): unknown {
    const text = this.#looseText(frame.looseText + this.#text)
    const { value } = frame
    if (value === undefined) return text
    if (text.trim() !== '') addLoose(value as Bag, '#text', text)
    return value
  }

  /** Adds the value of a child that was read in one step, as its close would. */
  put(slot: Slot, value: unknown): void {
    this.#place(this.top, slot, value)
  }

  #place(parent: Frame, slot: Slot, value: unknown): void {
    if (value instanceof LeftOut) {
      this.#pending.push({ depth: this.depth, value })
      return
    }
    if (parent.slot.code === LIST) {
      // A nil entry carries nothing (contract, List.nillableItems).
      if (value !== null) (parent.value as unknown[]).push(value)
    } else if (slot.code === LOOSE) addLoose(parent.value as Bag, slot.name, value)
    else if (slot.repeated) {
      if (value !== null) ((parent.value as Bag)[slot.name] as unknown[]).push(value)
    } else (parent.value as Bag)[slot.name] = value
  }
}

/** Adds a value under a name that came from outside. A second value makes an array, and no name can reach a prototype. */
function addLoose(bag: Bag, name: string, value: unknown): void {
  if (!Object.hasOwn(bag, name)) {
    Object.defineProperty(bag, name, { value, writable: true, enumerable: true, configurable: true })
    return
  }
  const knownValue = bag[name]
  if (Array.isArray(knownValue)) knownValue.push(value)
  else bag[name] = [knownValue, value]
}

/** True if a text outside its enumeration may be a value that is newer than this tool. */
export function isOpenWord(slot: Slot): boolean {
  return slot.code === WORD || (slot.code === OTHER && slot.simple?.kind === 'flags')
}
