#!/usr/bin/env node
// CommonJS, as bin/package.json says: for an ES module, Node starts its loader of ES modules (4 ms).
const { enableCompileCache } = require('node:module')
const { dirname, join } = require('node:path')

// Compiled code is kept between runs: by Node where it can (22.1 and later), else by us. Not for --version, which compiles one small
// file in less time than the kept code takes to open.
const root = dirname(__dirname)
const dist = join(root, 'dist')
if (enableCompileCache) enableCompileCache()
const plain = enableCompileCache || process.argv[2] === '--version'
const load = plain ? require : require('../dist/compiled.cjs').requireKept(dist)
load(join(dist, 'main.cjs')).main({ root })
