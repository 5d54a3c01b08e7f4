/**
 * node:zlib under runs: its thread pool would decide an order. A stream gathers what it gets, and packs or unpacks it whole, as
 * one event.
 */
import { createRequire } from 'node:module'
import { Transform } from 'node:stream'
import type { World } from './world.js'

const require = createRequire(import.meta.url)
const zlib: Record<string, unknown> = require('node:zlib')

const KINDS = ['Deflate', 'DeflateRaw', 'Gzip', 'Inflate', 'InflateRaw', 'Gunzip', 'Unzip', 'BrotliCompress', 'BrotliDecompress']
/** Duration, ms. */
const [LEAST_MS, MOST_MS] = [0.1, 2]

type Pack = (bytes: Buffer, options?: object) => Buffer
type Made = new (options?: object) => Transform

export function installZip(world: World): void {
  const set = (name: string, value: unknown): void => {
    Object.defineProperty(zlib, name, { value, configurable: true, enumerable: true, writable: true })
  }
  for (const kind of KINDS) {
    const callback = `${kind[0]!.toLowerCase()}${kind.slice(1)}`
    const pack = zlib[`${callback}Sync`] as Pack
    const Real = zlib[kind] as Made
    /** Packs in an event of the run that asks. */
    const later = (bytes: Buffer, options: object | undefined, done: (error: Error | null, packed?: Buffer) => void): void => {
      world.later(world.current!.chance.between(LEAST_MS, MOST_MS), () => {
        let packed: Buffer
        try {
          packed = pack(bytes, options)
        } catch (error) {
          done(error as Error)
          return
        }
        done(null, packed)
      })
    }
    const whole = (options?: object): Transform => {
      const pieces: Buffer[] = []
      return new Transform({
        transform(piece: Buffer, _encoding, done) {
          pieces.push(Buffer.from(piece))
          done()
        },
        flush: (done) => later(Buffer.concat(pieces), options, done),
      })
    }
    // Called with `new`: an object that is returned takes the place of the new one.
    function Stream(options?: object): Transform {
      return world.current === undefined ? new Real(options) : whole(options)
    }
    Stream.prototype = Real.prototype
    set(kind, Stream)
    set(`create${kind}`, Stream)
    const real = zlib[callback] as (...given: unknown[]) => void
    set(callback, (bytes: Buffer, ...given: unknown[]) => {
      if (world.current === undefined) return real(bytes, ...given)
      later(Buffer.from(bytes), given.length > 1 ? (given[0] as object) : undefined, given.at(-1) as never)
      return undefined
    })
  }
}
