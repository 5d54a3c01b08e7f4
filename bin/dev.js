#!/usr/bin/env node
// Runs the TypeScript in src as it is, without a build (scripts/dev-product.ts).
const { dirname } = require('node:path')

async function run() {
  const { register } = await import('tsx/esm/api')
  register()
  const { devProduct } = await import('../scripts/dev-product.ts')
  const { main } = await import('../src/cli/main.ts')
  await main(await devProduct(dirname(__dirname)))
}

run()
