#!/usr/bin/env node
// CommonJS, as bin/package.json says: for an ES module, Node starts its loader of ES modules (4 ms). This file must also run on an old Node,
// which it refuses.
const OLDEST = '20.19'
const [major, minor] = process.versions.node.split('.').map(Number)
const [oldestMajor, oldestMinor] = OLDEST.split('.').map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(`seller needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}.\n`)
  process.exit(2)
}
// biome-ignore lint/style/useNodejsImportProtocol: Node 12 knows no other name.
const { dirname, join } = require('path')

// Compiled code is kept between runs. Not for --version, which compiles one small file in less time than the kept code takes to open.
const root = dirname(__dirname)
const dist = join(root, 'dist')
const load = process.argv[2] === '--version' ? require : require('../dist/compiled.cjs').requireKept(dist)
load(join(dist, 'main.cjs')).main({ root })
