#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node starts its loader of ES modules for an ES module only (4 ms).
const { enableCompileCache } = require('node:module')
const { dirname } = require('node:path')

// Keeps compiled code between runs, where Node can (22.1 and later).
enableCompileCache?.()
require('../dist/main.cjs').main({ root: dirname(__dirname) })
