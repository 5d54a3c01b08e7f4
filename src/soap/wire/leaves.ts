/**
 * The fast path for replies that follow the contract: names are compared in place with the next slots in wire order, and an
 * element that holds only text is read from its start tag to its end tag in one step. It stops at anything else (a prefix, an
 * attribute, a comment, an element that is cut off), which takes the slow path. Measured on a reply of 10,000 items: the slow
 * path spends most of its time on a string for each name, two events for each element and a look-up for each of them.
 */
import { Buffer } from 'node:buffer'
import { CR, GREATER, LESS, LF, NAME, SLASH, SPACE, TAB, TEXT, WIDE } from './characters.js'
import { type Run, scanText } from './content.js'
import type { Elements } from './elements.js'
import { readLeaf } from './leaf.js'
import { SKIP, type Slot } from './plan.js'
import type { ValueReader } from './reader.js'

/** Attribute that .NET writes for an element without a value, after its name. */
const NIL = Buffer.from(' xsi:nil="true"')

/** Bytes between `at` and `end`, followed by a "<" that is not part of them. */
export interface Window {
  bytes: Buffer
  at: number
  end: number
}

/**
 * Reads on from `at`, and leaves `at` at the first thing that needs the slow path. Call it only while `elements.inherits` is
 * true.
 */
export function readLeaves(window: Window, elements: Elements, values: ValueReader, run: Run): void {
  const { bytes, end } = window
  let { at } = window
  for (;;) {
    let byte = bytes[at]
    while (byte === SPACE || byte === LF || byte === TAB || byte === CR) byte = bytes[++at]
    if (byte !== LESS || at >= end) break

    if (bytes[at + 1] === SLASH) {
      // The slow path closes the payload, because its end is an event.
      if (values.depth === 0) break
      const after = endTag(bytes, at, elements.name)
      if (after === 0) break
      at = after
      elements.pop()
      values.close()
      if (values.top.slots.length === 0 || !elements.inherits) break
      continue
    }

    const slot = expected(bytes, at + 1, values)
    if (slot === undefined) break
    let after = at + 1 + slot.bytes.length
    byte = bytes[after]
    if (byte !== GREATER) {
      const nil = byte === SPACE && elements.hasXsi && isNil(bytes, after)
      if (nil) after += NIL.length
      if (bytes[after] === SPACE) after++
      if (bytes[after] !== SLASH || bytes[after + 1] !== GREATER) break
      at = after + 2
      values.expect(slot)
      if (slot.leaf && !nil) {
        if (slot.code !== SKIP) values.put(slot, readLeaf(slot, bytes, at, at, false, values))
      } else {
        values.enter(slot)
        if (nil) values.attribute('xsi', 'nil', 'true')
        values.close()
      }
      continue
    }

    values.expect(slot)
    const from = after + 1
    if (!slot.leaf) {
      elements.pushChild(slot.bytes)
      values.enter(slot)
      at = from
      if (values.top.slots.length === 0) break
      continue
    }
    // The simplest texts are read without a call: measured, a fifth less time in total.
    let to = from
    let wide = 0
    let kind = TEXT[bytes[to] as number] as number
    while (kind <= WIDE) {
      wide |= kind
      to++
      kind = TEXT[bytes[to] as number] as number
    }
    at = to
    if (bytes[at] !== LESS) {
      scanText(bytes, from, end, run)
      ;({ at, to } = run)
      if (run.replaced > 0) values.noteReplaced(run.replaced)
      wide = run.wide ? 1 : 0
    }
    after = at < end ? endTag(bytes, at, slot.bytes) : 0
    if (after === 0) {
      // Cut off, or not plain: the text read so far becomes an event, and the slow path continues after it.
      elements.pushChild(slot.bytes)
      values.enter(slot)
      if (to > from) values.characters(bytes.toString(wide === 0 ? 'latin1' : 'utf8', from, to))
      break
    }
    if (slot.code !== SKIP) values.put(slot, readLeaf(slot, bytes, from, to, wide !== 0, values))
    at = after
  }
  window.at = at
}

/** The slot whose name is at `at`: the next one in wire order, or any other. */
function expected(bytes: Buffer, at: number, values: ValueReader): Slot | undefined {
  const { slots, next } = values.top
  const first = bytes[at]
  const count = slots.length
  for (let tries = count, index = next; tries > 0; tries--, index++) {
    if (index >= count) index = 0
    const slot = slots[index] as Slot
    const name = slot.bytes
    if (name[0] !== first) continue
    const { length } = name
    let same = 1
    while (same < length && name[same] === bytes[at + same]) same++
    if (same === length && NAME[bytes[at + length] as number] === 0) return slot
  }
  return undefined
}

/** Where the end tag of that name at `at` ends; 0 if there is none. The "<" at the end of the bytes is not followed by "/". */
function endTag(bytes: Buffer, at: number, name: Buffer): number {
  if (bytes[at + 1] !== SLASH) return 0
  const from = at + 2
  const { length } = name
  for (let i = 0; i < length; i++) if (bytes[from + i] !== name[i]) return 0
  return bytes[from + length] === GREATER ? from + length + 1 : 0
}

function isNil(bytes: Buffer, at: number): boolean {
  for (let i = 0; i < NIL.length; i++) if (bytes[at + i] !== NIL[i]) return false
  return true
}
