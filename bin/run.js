#!/usr/bin/env node
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps compiled code between runs, where Node can (22.1 and later).
module.enableCompileCache?.()
const { main } = createRequire(import.meta.url)('../dist/main.cjs')
await main({ root: fileURLToPath(new URL('..', import.meta.url)) })
