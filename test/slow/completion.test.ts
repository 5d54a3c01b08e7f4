import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { bin, type Home, openHome } from '../e2e/harness.js'
import { hasTmux, openTerminal, type Terminal } from '../e2e/terminal.js'

/** Start of each shell, with the completion of seller loaded. */
const SHELLS: Readonly<Record<string, { command: string[]; setup: string }>> = {
  bash: { command: ['bash', '--norc', '-i'], setup: 'source <(seller completion bash)\n' },
  zsh: { command: ['zsh', '-f', '-i'], setup: 'autoload -U compinit && compinit -u && source <(seller completion zsh)\n' },
  fish: { command: ['fish', '--no-config'], setup: 'seller completion fish | source\n' },
}

describe('completion by real Tabs', () => {
  for (const [shell, { command, setup }] of Object.entries(SHELLS)) {
    const there = hasTmux && spawnSync(shell, ['--version']).status === 0
    const when = there ? it : it.skip.bind(it)
    describe(shell, () => {
      let home: Home
      let terminal: Terminal
      before(async () => {
        home = await openHome()
        await home.spawn(['--version']).done
        const path = join(home.dir, 'bin')
        await mkdir(path)
        await writeFile(join(path, 'seller'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
        await chmod(join(path, 'seller'), 0o755)
        if (!there) return
        const env = { ...home.env, PATH: `${path}:${home.env.PATH}`, PS1: 'ready> ' }
        terminal = await openTerminal(command, { env, cwd: home.dir })
        await terminal.type(setup)
        await terminal.type('echo set-up\n')
        await terminal.shows(/^set-up/m)
      })
      after(async () => {
        terminal?.close()
        await home.close()
      })
      /** Types a line with a Tab at its end, and waits for what it becomes. */
      const tab = async (line: string, becomes: string | RegExp): Promise<void> => {
        await terminal.type(line)
        await terminal.press('Tab')
        await terminal.shows(becomes)
        await terminal.press('C-c')
        await terminal.type('\n')
      }

      when('completes a command with a colon', async () => {
        await tab('seller items:li', 'seller items:list')
      })

      when('completes a command with a space, a flag and its value', async () => {
        await tab('seller items li', 'seller items list')
        await tab('seller items list --outp', 'seller items list --output')
        await tab('seller items list --output ndj', '--output ndjson')
      })

      when('completes the name of a file', async () => {
        await home.file('prices-of-today.csv', 'Id,Price\n')
        await tab('seller shop:price --file prices-of', '--file prices-of-today.csv')
      })

      when('lists what is possible', async () => {
        await terminal.type('seller sandbox:eid ')
        await terminal.press('Tab')
        await terminal.press('Tab')
        expect(await terminal.shows(/approve[\s\S]*fail/)).to.include('cancel')
        await terminal.press('C-c')
      })
    })
  }
})
