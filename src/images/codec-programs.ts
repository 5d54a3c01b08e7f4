/**
 * The programs (WASM) that decode and encode JPEG. Here they are read from the package, for tests and bin/dev.js;
 * scripts/embedded.ts puts the programs themselves in the place of this file, so that the product needs no package.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const directory = join(dirname(createRequire(import.meta.url).resolve('@jsquash/jpeg')), 'codec')

export const readDecoder = (): Promise<Buffer> => readFile(join(directory, 'dec', 'mozjpeg_dec.wasm'))
export const readEncoder = (): Promise<Buffer> => readFile(join(directory, 'enc', 'mozjpeg_enc.wasm'))
