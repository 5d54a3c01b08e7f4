#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node starts its loader of ES modules for an ES module only (4 ms).
const { enableCompileCache } = require('node:module')
const { dirname, join } = require('node:path')

// Compiled code is kept between runs: by Node where it can (22.1 and later), else by us.
const root = dirname(__dirname)
if (enableCompileCache) enableCompileCache()
else require('../dist/compiled.cjs').keepCompiled(join(root, 'dist'))
require('../dist/main.cjs').main({ root })
