/** Starts the service on loopback for a measurement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { build } from 'esbuild'
import { node, plainEnvironment } from './measure.js'

/** A program of this directory with what it imports, as the product is bundled. @returns its path */
export async function bundled(name: string): Promise<string> {
  const outfile = new URL(`../node_modules/.cache/seller-bench/${name}.mjs`, import.meta.url).pathname
  await build({
    entryPoints: [new URL(`${name}.ts`, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Bundled code of CommonJS packages asks for `require`, as in the product.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    external: ['soap', 'libsql'],
    logLevel: 'error',
  })
  return outfile
}

/** Runs the service on loopback while `work` goes on. */
export async function withService<T>(program: string, args: readonly number[], work: (url: string) => Promise<T>): Promise<T> {
  const service: ChildProcess = spawn(node, [program, ...args.map(String)], {
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = (await once(service.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    return await work(`http://127.0.0.1:${String(port).trim()}`)
  } finally {
    service.kill()
  }
}
