#!/usr/bin/env node
// Runs the TypeScript in src as it stands, without a build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Config, Plugin } from '@oclif/core/config'
import { register } from 'tsx/esm/api'

register()
const root = fileURLToPath(new URL('..', import.meta.url))
const { main } = await import('../src/cli/main.ts')

async function config() {
  const pjson = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  pjson.oclif.commands = './src/commands'
  const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true, name: pjson.name })
  await plugin.load()
  return Config.load({ root, plugins: new Map([[plugin.name, plugin]]) })
}

await main({ root, config })
