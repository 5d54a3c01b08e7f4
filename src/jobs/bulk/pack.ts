/** Columns of a batch as blobs. The ledger stays on the machine that wrote it, so they use that machine's byte order. */

/** Ints as bytes, 4 each. */
export function packInts(ints: Int32Array | readonly number[]): Uint8Array {
  const packed = ints instanceof Int32Array ? ints : Int32Array.from(ints)
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength)
}

/** The driver returns blobs as ArrayBuffer. Other drivers return views, which need not be aligned. */
export function unpackInts(blob: ArrayBuffer | Uint8Array): Int32Array {
  return new Int32Array(unpackBytes(blob).slice().buffer)
}

export function unpackBytes(blob: ArrayBuffer | Uint8Array): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob)
}
