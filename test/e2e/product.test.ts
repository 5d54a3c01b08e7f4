import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import { expect } from 'chai'
import { docsOf } from '../../scripts/docs.js'
import { type Manifest, manifestOf } from '../../scripts/manifest.js'
import { skillOf } from '../../scripts/skill.js'
import { globalFlags } from '../../src/cli/flags.js'
import { buildIndex, readManifest } from '../../src/cli/manifest.js'
import { operations, operationsOf } from '../../src/contract/index.js'
import { scratch } from '../scratch.js'
import { openHome, root } from './harness.js'

const ACCEPT = 'Run `npm run build` and commit oclif.manifest.json, docs/commands.md and SKILL.md.'

type Cached = Command.Cached & { readonly operations?: readonly string[] }

describe('the product', () => {
  let manifest: Manifest
  let text: string
  before(async () => {
    // A home builds what is not built yet.
    await (await openHome()).close()
    ;({ manifest, text } = await manifestOf(root))
  })

  it('has a manifest that is not stale', async () => {
    expect(await readFile(join(root, 'oclif.manifest.json'), 'utf8'), ACCEPT).to.equal(text)
  })

  it('has an index of its commands beside the bundle', async () => {
    const { path, text: index } = buildIndex(readManifest(root))
    expect(await readFile(join(root, path), 'utf8')).to.equal(index)
  })

  it('refuses a Node that is too old, and takes the oldest that it names', () => {
    const start = join(root, 'bin', 'run.js')
    const on = (version: string) => {
      const code = `process.argv = ['', '', '--version']
        Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
        require(${JSON.stringify(start)})`
      const { status, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' })
      return [status, stderr]
    }
    for (const old of ['18.20.0', '20.18.9'])
      expect(on(old)).to.deep.equal([2, `seller needs Node 20.19 or newer, and this is Node ${old}.\n`])
    for (const known of ['20.19.0', '21.0.0']) expect(on(known)).to.deep.equal([0, ''])
  })

  it('says in one sentence how to build it, where that was not done', async () => {
    const clone = await mkdtemp(join(scratch(), 'seller-clone-'))
    await cp(join(root, 'bin'), join(clone, 'bin'), { recursive: true })
    for (const args of [[], ['--version'], ['items:list', '--json']]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, 'bin', 'run.js'), ...args], {
        encoding: 'utf8',
      })
      expect([status, stdout, stderr]).to.deep.equal([
        1,
        '',
        `seller is not built yet. Run this in ${clone}: npm ci && npm run build\n`,
      ])
    }
  })

  it('has a SKILL.md that is not stale', async () => {
    expect(skillOf(readManifest(root)), ACCEPT).to.equal(await readFile(join(root, 'SKILL.md'), 'utf8'))
  })

  it('has a command reference that is not stale', async () => {
    expect(await readFile(join(root, 'docs', 'commands.md'), 'utf8'), ACCEPT).to.equal(docsOf(manifest))
  })

  it('has nothing but commands in src/commands, and each of them in the manifest', async () => {
    const files = (await readdir(join(root, 'src', 'commands'), { recursive: true })).filter((file) => file.endsWith('.ts'))
    const ids = files.map((file) => file.slice(0, -3).replaceAll('/', ':'))
    expect(Object.keys(manifest.commands)).to.have.members(ids)
  })

  it('explains every command, flag and argument, with examples', () => {
    for (const command of Object.values(manifest.commands) as Cached[]) {
      expect(command.summary, command.id).to.match(/[.!?]$/)
      expect(command.examples, command.id).to.have.length.greaterThan(0)
      for (const flag of Object.values(command.flags)) expect(flag.summary, `${command.id} --${flag.name}`).to.match(/[.!?)]$/)
      for (const arg of Object.values(command.args)) expect(arg.description, `${command.id} ${arg.name}`).to.match(/[.!?]$/)
    }
  })

  it('means the same by a flag everywhere', () => {
    const shared: Record<string, string> = { wait: 'w', 'dry-run': 'n', yes: 'y', file: 'f' }
    for (const [name, flag] of Object.entries(globalFlags)) if (flag.char !== undefined) shared[name] = flag.char
    for (const command of Object.values(manifest.commands) as Cached[]) {
      for (const { name, char } of Object.values(command.flags)) {
        if (name in shared) expect([undefined, shared[name]], `${command.id} --${name}`).to.include(char)
        else expect(Object.values(shared), `${command.id} --${name}`).not.to.include(char)
      }
      expect(Object.keys(command.flags), command.id).to.include.members(Object.keys(globalFlags))
    }
  })

  it('takes no secret as the value of a flag', () => {
    for (const command of Object.values(manifest.commands) as Cached[]) {
      for (const { name, type } of Object.values(command.flags)) {
        // The name of a command that prints a secret is not a secret.
        if (type === 'option' && !name.endsWith('-command')) expect(name, command.id).not.to.match(/key|token|secret|password/)
      }
    }
  })

  it('names operations that the contract has, and has a command for each', () => {
    const named = (Object.values(manifest.commands) as Cached[]).flatMap((command) => command.operations ?? [])
    const known = (['RestrictedService', 'PublicService'] as const).flatMap((service) =>
      Object.keys(operationsOf(service, 'all')),
    )
    expect([...known, ...Object.keys(operations)]).to.include.members(named)
    expect(named).to.include.members(Object.keys(operations))
  })

  it('locks its dependencies without addresses, and needs no install script', async () => {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    for (const [path, entry] of Object.entries<Record<string, unknown>>(lock.packages)) {
      expect(entry, path).not.to.have.property('resolved')
      if (!entry.dev && !entry.devOptional) expect(entry, path).not.to.have.property('hasInstallScript')
    }
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(Object.keys(dependencies), 'everything else is bundled').to.deep.equal(['libsql'])
  })
})
