/**
 * The plotting library (uPlot) as text, to be written into a page. Here it is read from the package, for tests and bin/dev.js;
 * scripts/build.ts puts the texts themselves in the place of this file, so that the product needs no package.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const directory = dirname(createRequire(import.meta.url).resolve('uplot'))

export const PLOT_SCRIPT = readFileSync(join(directory, 'uPlot.iife.min.js'), 'utf8')
export const PLOT_STYLE = readFileSync(join(directory, 'uPlot.min.css'), 'utf8')
