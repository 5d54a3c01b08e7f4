#!/usr/bin/env node
// Runs the TypeScript in src as it stands, without a build.
const { readFileSync } = require('node:fs')
const { dirname } = require('node:path')

const root = dirname(__dirname)

async function config() {
  const { Config, Plugin } = await import('@oclif/core/config')
  const pjson = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  pjson.oclif.commands = './src/commands'
  const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true, name: pjson.name })
  await plugin.load()
  return Config.load({ root, plugins: new Map([[plugin.name, plugin]]) })
}

async function run() {
  const { register } = await import('tsx/esm/api')
  register()
  const { main } = await import('../src/cli/main.ts')
  await main({ root, config })
}

run()
