#!/usr/bin/env node
// CommonJS, as bin/package.json says: for an ES module, Node starts its loader of ES modules (4 ms). This file must also run on an old Node,
// which it refuses.
const OLDEST = '20.19'
// Others call themselves a Node of some version, and have neither its way of loading compiled code nor its database drivers.
const other = [
  ['bun', 'Bun'],
  ['deno', 'Deno'],
].filter(([name]) => process.versions[name] !== undefined)[0]
if (other !== undefined) {
  process.stderr.write(
    `seller runs on Node ${OLDEST} or newer, and this is ${other[1]} ${process.versions[other[0]]}. Start it with node.\n`,
  )
  process.exit(2)
}
const [major, minor] = process.versions.node.split('.').map(Number)
const [oldestMajor, oldestMinor] = OLDEST.split('.').map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(`seller needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}.\n`)
  process.exit(2)
}
// biome-ignore-start lint/style/useNodejsImportProtocol: Node 12 knows no other names.
const { existsSync } = require('fs')
const { dirname, join } = require('path')
// biome-ignore-end lint/style/useNodejsImportProtocol: see above

// Compiled code is kept between runs. Not for --version, which compiles one small file in less time than the kept code takes to open.
const root = dirname(__dirname)
const dist = join(root, 'dist')
let main
try {
  const load = process.argv[2] === '--version' ? require : require('../dist/compiled.cjs').requireKept(dist)
  main = load(join(dist, 'main.cjs')).main
} catch (error) {
  if (existsSync(join(dist, 'main.cjs'))) throw error
  process.stderr.write(`seller is not built yet. Run this in ${root}: npm ci && npm run build\n`)
  process.exit(1)
}
main({ root })
