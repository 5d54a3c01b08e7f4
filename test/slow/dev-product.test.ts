/** bin/dev.js in a project of its own, with the modules of this one and one command. */
import { copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { root } from '../e2e/harness.js'
import { startProcess } from '../e2e/runs.js'
import { scratch } from '../scratch.js'

/** A command as someone begins one. */
const greet = (summary: string, flag: string): string => `
import { Flags } from '@oclif/core'
import { SellerCommand } from '../cli/base.js'

export default class Greet extends SellerCommand<typeof Greet> {
  static override summary = '${summary}'
  static override flags = { ${flag}: Flags.boolean({ summary: 'In capitals.' }) }

  async work(): Promise<void> {
    this.ctx.output.text(this.flags.${flag} ? 'HEJ\\n' : 'hej\\n')
  }
}
`

describe('bin/dev.js', function () {
  this.timeout(180_000)
  let project: string
  let later = Date.now() / 1000

  /** Writes a source, later than every manifest that was made before it. */
  const write = (path: string, text: string): void => {
    writeFileSync(join(project, path), text)
    later += 60
    utimesSync(join(project, path), later, later)
  }
  const dev = (...args: string[]) =>
    startProcess(process.execPath, [join(project, 'bin', 'dev.js'), ...args], {
      cwd: project,
      env: { PATH: process.env.PATH ?? '', HOME: project, NO_COLOR: '1' },
    }).done

  before(async () => {
    project = await mkdtemp(join(scratch(), 'dev-'))
    for (const file of ['package.json', 'bin/dev.js', 'bin/package.json', 'scripts/dev-product.ts']) {
      mkdirSync(dirname(join(project, file)), { recursive: true })
      copyFileSync(join(root, file), join(project, file))
    }
    for (const directory of ['src/commands', 'node_modules']) mkdirSync(join(project, directory), { recursive: true })
    for (const linked of ['src/cli', 'node_modules/tsx', 'node_modules/@oclif']) {
      symlinkSync(join(root, linked), join(project, linked))
    }
  })
  after(() => rmSync(project, { recursive: true, force: true }))

  it('knows a command, its flags and its summary as they are in its source, without a build', async () => {
    write('src/commands/greet.ts', greet('Say hello.', 'loud'))
    const loud = await dev('greet', '--loud')
    expect([loud.code, loud.stdout], loud.stderr).to.deep.equal([0, 'HEJ\n'])

    write('src/commands/greet.ts', greet('Say hello to everyone.', 'capitals'))
    const help = await dev('greet', '--help')
    expect(help.stdout).to.include('Say hello to everyone.').and.include('--capitals').and.not.include('--loud')

    rmSync(join(project, 'src/commands/greet.ts'))
    write('src/commands/wave.ts', greet('Wave.', 'loud'))
    const gone = await dev('greet')
    expect([gone.code, gone.stderr]).to.deep.equal([2, 'Error: Unknown command "greet".\nSee seller --help.\n'])
  })
})
