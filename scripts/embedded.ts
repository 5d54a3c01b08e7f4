/**
 * A plugin for esbuild: files of packages in the place of the modules of src that read them from the package. So the bundle, the
 * single program and every package find them in their own code.
 */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'esbuild'

/** Modules, and their contents in the bundle. */
const MODULES: readonly (readonly [path: RegExp, contents: string])[] = [
  [
    /[\\/]format[\\/]html[\\/]plot-library\.ts$/,
    `export { default as PLOT_SCRIPT } from 'uplot/dist/uPlot.iife.min.js'
    export { default as PLOT_STYLE } from 'uplot/dist/uPlot.min.css'`,
  ],
  [
    /[\\/]images[\\/]codec-programs\.ts$/,
    `import { brotliDecompressSync } from 'node:zlib'
    import decoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
    import encoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
    const unpacked = (text) => brotliDecompressSync(Buffer.from(text, 'base64'))
    export const readDecoder = async () => unpacked(decoder)
    export const readEncoder = async () => unpacked(encoder)`,
  ],
]

export const embeddedFiles: Plugin = {
  name: 'embedded-files',
  setup({ onLoad }) {
    for (const [filter, contents] of MODULES) {
      onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }))
    }
    // Within node_modules, so that the package counts as bundled: its licence goes with it.
    onLoad({ filter: /[\\/]uplot[\\/]dist[\\/]uPlot\.(?:iife\.min\.js|min\.css)$/ }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }))
    // Text, since the files of the single program are texts. The npm package compresses it to about the size of the brotli data.
    onLoad({ filter: /[\\/]@jsquash[\\/].*\.wasm$/ }, async ({ path }) => ({
      contents: brotliCompressSync(await readFile(path)).toString('base64'),
      loader: 'text',
    }))
  },
}
