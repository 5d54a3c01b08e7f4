#!/usr/bin/env node
// Runs the TypeScript in src as it stands, without a build. Commands and flags are those of oclif.manifest.json: `npm run build` writes it.
const { dirname } = require('node:path')

const root = dirname(__dirname)

async function load(id) {
  const { default: Class } = await import(`../src/commands/${id.replaceAll(':', '/')}.ts`)
  return Class
}

async function run() {
  const { register } = await import('tsx/esm/api')
  register()
  const { main } = await import('../src/cli/main.ts')
  await main({ root, load })
}

run()
