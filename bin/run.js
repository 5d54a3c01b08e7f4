#!/usr/bin/env node
// Keeps compiled code between runs, where Node can (22.1 and later).
import module from 'node:module'

module.enableCompileCache?.()
const { main } = await import('../dist/main.js')
await main({ root: new URL('..', import.meta.url) })
