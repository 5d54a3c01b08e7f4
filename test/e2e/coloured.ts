/**
 * The product as a process on a colour terminal has it. Packages look at FORCE_COLOR when they are loaded, and the bundle of this
 * checkout is loaded once for all tests of a process: this is a copy of it, loaded with colour.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { scratch } from '../scratch.js'
import { ensureBuilt, root } from './product.js'

/** Added to the environment of a command. */
export const COLOUR = { FORCE_COLOR: '1', NO_COLOR: undefined } as const

export interface ColouredProduct {
  /** The directory of the copy. */
  readonly from: string
  close(): Promise<void>
}

/** Opens a copy; until it is closed, this process has FORCE_COLOR too. */
export async function openColoured(): Promise<ColouredProduct> {
  ensureBuilt()
  const from = await mkdtemp(join(scratch(), 'seller-coloured-'))
  for (const name of ['dist', 'package.json', 'oclif.manifest.json'])
    await cp(join(root, name), join(from, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(from, 'node_modules'))
  const { FORCE_COLOR: before } = process.env
  process.env.FORCE_COLOR = COLOUR.FORCE_COLOR
  return {
    from,
    async close() {
      if (before === undefined) delete process.env.FORCE_COLOR
      else process.env.FORCE_COLOR = before
      await rm(from, { recursive: true })
    },
  }
}
