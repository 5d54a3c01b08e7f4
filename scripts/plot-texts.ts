/** A plugin for esbuild: the plotting library's texts in the place of src/format/html/plot-library.ts, which reads them from the package. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

export const plotTexts: Plugin = {
  name: 'plot-texts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]format[\\/]html[\\/]plot-library\.ts$/ }, ({ path }) => ({
      contents: `
        export { default as PLOT_SCRIPT } from 'uplot/dist/uPlot.iife.min.js'
        export { default as PLOT_STYLE } from 'uplot/dist/uPlot.min.css'`,
      resolveDir: dirname(path),
    }))
    // Within node_modules, so that the package counts as bundled: its licence goes with it.
    onLoad({ filter: /[\\/]uplot[\\/]dist[\\/]uPlot\.(?:iife\.min\.js|min\.css)$/ }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }))
  },
}
