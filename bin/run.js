#!/usr/bin/env node
// CommonJS, as bin/package.json says: for an ES module, Node starts its loader of ES modules (4 ms).
const { dirname, join } = require('node:path')

// Compiled code is kept between runs. Not for --version, which compiles one small file in less time than the kept code takes to open.
const root = dirname(__dirname)
const dist = join(root, 'dist')
const load = process.argv[2] === '--version' ? require : require('../dist/compiled.cjs').requireKept(dist)
load(join(dist, 'main.cjs')).main({ root })
