/** SKILL.md: what an assistant needs to work with seller, from `help agents` and the manifest. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AGENT_RULES, AGENT_TASKS } from '../src/cli/agents.js'
import { render } from '../src/cli/command-text.js'
import type { ManifestCommand } from '../src/cli/manifest.js'
import { EXIT_MEANINGS } from '../src/errors/index.js'
import { wrap } from '../src/format/output/width.js'
import { DOCUMENT_WIDTH, table } from './docs.js'

const ABOUT =
  'Runs an auction-and-shop marketplace shop with the command seller: items, prices, stock, orders, discounts, reports. Use it when somebody asks about their shop or wants to change it.'

export async function writeSkill(root: string, commands: readonly ManifestCommand[]): Promise<void> {
  await writeFile(join(root, 'SKILL.md'), skillOf(commands))
}

/** @returns the text of SKILL.md */
export function skillOf(commands: readonly ManifestCommand[]): string {
  const visible = commands.filter(({ hidden }) => hidden !== true)
  return [
    `---\nname: seller\ndescription: >-\n${wrap(ABOUT, 100).join('\n').replace(/^/gm, '  ')}\n---`,
    '# Working with seller',
    'This file is made by `npm run build`, of `seller help agents` and the list of commands.',
    '## Rules',
    AGENT_RULES.map(([rule, how]) => wrap(`- **${rule}.** ${how}`, DOCUMENT_WIDTH - 2).join('\n  ')).join('\n'),
    '## Tasks',
    table(
      ['task', 'command'],
      AGENT_TASKS.map(([task, ...commands]) => [task, commands.map((command) => `\`${command}\``).join(', then ')]),
    ),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    ),
    '## Commands',
    table(
      ['command', 'what it does'],
      visible.map((command) => [`\`${command.id}\``, render(command.summary ?? '', command)]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
