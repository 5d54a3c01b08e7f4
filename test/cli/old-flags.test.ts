/** Flags of earlier versions: every one is still read, as what it is now. */
import type * as Interfaces from '@oclif/core/interfaces'
import { parse } from '@oclif/core/parser'
import { expect } from 'chai'
import { currentFlags, unknownFlags } from '../../src/cli/argv.js'
import { globalFlags } from '../../src/cli/flags.js'
import { readManifest } from '../../src/cli/manifest.js'
import { OLD_FLAGS, withNewFlags } from '../../src/cli/old-flags.js'
import { parseWhole } from '../../src/cli/readable.js'
import AuthLogin from '../../src/commands/auth/login.js'
import Call from '../../src/commands/call.js'
import ItemsAdd from '../../src/commands/items/add.js'
import ItemsPrice from '../../src/commands/items/price.js'
import ItemsRelist from '../../src/commands/items/relist.js'
import JobsResume from '../../src/commands/jobs/resume.js'
import LedgerBackup from '../../src/commands/ledger/backup.js'
import LedgerCheck from '../../src/commands/ledger/check.js'
import LedgerRestore from '../../src/commands/ledger/restore.js'
import OrdersExport from '../../src/commands/orders/export.js'
import OrdersList from '../../src/commands/orders/list.js'
import OrdersNote from '../../src/commands/orders/note.js'
import ReferenceCategories from '../../src/commands/reference/categories.js'
import RequestsWait from '../../src/commands/requests/wait.js'
import SalesReport from '../../src/commands/sales/report.js'
import SandboxStart from '../../src/commands/sandbox/start.js'
import ShopAdd from '../../src/commands/shop/add.js'
import ShopPrice from '../../src/commands/shop/price.js'
import ShopRemove from '../../src/commands/shop/remove.js'
import ShopSync from '../../src/commands/shop/sync.js'
import ShopUpdate from '../../src/commands/shop/update.js'
import { root } from '../e2e/harness.js'

/** A command that takes every old spelling of a new flag. */
const COMMANDS = {
  allow: ShopSync,
  setting: AuthLogin,
  fault: SandboxStart,
  variant: SandboxStart,
  period: OrdersList,
  compare: SalesReport,
  reserve: ItemsRelist,
  kind: Call,
  unknown: JobsResume,
  state: OrdersList,
  set: OrdersNote,
}
type New = keyof typeof COMMANDS | 'with' | 'accept'

/** A command for each old flag of one whose words differ by command. */
const OWN_COMMANDS: Readonly<Record<string, unknown>> = {
  payouts: OrdersExport,
  fees: OrdersExport,
  purchases: OrdersExport,
  'margin-vat': OrdersExport,
  personal: LedgerBackup,
  'include-scheduled': ShopRemove,
  'all-images': ShopSync,
  pictures: ShopPrice,
  'unknown-too': RequestsWait,
  'accept-fees': ItemsPrice,
  'accept-faults': LedgerRestore,
  'accept-loss': LedgerCheck,
}
/** Flags that a command needs next to the flag. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'all-images': ['--file', 'rows.csv'],
  pictures: ['--html', 'plan.html', '--dry-run'],
}

/** A value of each old flag, where another than this would be refused. */
const VALUES: Readonly<Record<string, string>> = {
  sandbox: '1',
  binding: 'soap12',
  'insecure-address': 'yes',
  'quota-url': 'redis://quota.example',
  'quota-away': 'local',
  'quota-patience': '30s',
  'description-max-age': '30d',
  'keep-personal': '90d',
  accounts: 'fee=6570',
  books: 'method=cash',
  countries: 'Norge=export',
  'vat-abroad': 'Finland=25:25.5',
  'org-number': '556000-4615',
  fee: '10%+3kr max 400kr',
  names: 'Eid=Zed',
  'call-timeout': '30s',
  'missed-start': 'late',
  'default-shipping': 'pickup',
  'default-condition': 'new',
  'image-metadata': 'keep',
  'update-url': 'https://updates.example/release.json',
}
const exampleOf = (flag: New, name: string): string => {
  if (flag === 'period') return { month: '2026-10', quarter: '2026-Q3' }[name] ?? '2026'
  if (flag === 'fault' || flag === 'variant') return 'a=b'
  if (name === 'accept-fees') return '120'
  if (flag === 'with' || flag === 'set') return '2026-10=1'
  if (flag === 'allow') return name === 'min-price' ? '20' : '30%'
  const toggle = /^(?:factor-ten|whole-ratio|shifted|stock-(?!$).*|emptied-text|other-branch|titles-moved)$/.test(name)
  return VALUES[name] ?? (toggle ? 'off' : /^(?:max-result-age|call-budget|default-vat|min-price)$/.test(name) ? '25' : '25%')
}

async function parsed(flag: New, argv: readonly string[], old = ''): Promise<unknown> {
  const command = OWN_COMMANDS[old] ?? (COMMANDS as Readonly<Record<string, unknown>>)[flag]
  const { flags } = command as { readonly flags: Interfaces.FlagInput }
  const known = { ...globalFlags, ...flags }
  const beside = flag === 'allow' ? ['--file', 'rows.csv'] : (BESIDE[old] ?? [])
  const current = await currentFlags([...argv, ...beside], known)
  expect(unknownFlags(current, known)?.message).to.equal(undefined)
  const output = await parseWhole({ flags: known, args: {} }, (whole) => parse(current, whole))
  return output.flags
}

/** The new spelling, made here from the table's words alone. */
const spelt = (text: string, value = '') => text.replace('[={}]', '={}').replace('{}', value)

describe('a flag of an earlier version', () => {
  for (const [flag, names] of Object.entries(OLD_FLAGS) as [New, (typeof OLD_FLAGS)[string]][]) {
    for (const [name, to] of Object.entries(names)) {
      it(`--${name} is --${flag} ${String(to)}`, async () => {
        if (typeof to === 'string') {
          const value = exampleOf(flag, name)
          const now = await parsed(flag, [`--${flag}`, spelt(to, value)], name)
          expect(await parsed(flag, [`--${name}`, value], name)).to.deep.equal(now)
          expect(await parsed(flag, [`--${name}=${value}`, '--quiet'], name)).to.deep.equal(
            await parsed(flag, [`--${flag}`, spelt(to, value), '--quiet'], name),
          )
          if (to.includes('['))
            expect(await parsed(flag, [`--${name}`, '--quiet'], name)).to.deep.equal(
              await parsed(flag, [`--${flag}`, spelt(to.replace('[={}]', '')), '--quiet'], name),
            )
          return
        }
        for (const [at, text] of to.entries()) {
          const old = at === 0 ? `--${name}` : `--no-${name}`
          expect(await parsed(flag, [old], name)).to.deep.equal(
            await parsed(flag, text === undefined ? [] : [`--${flag}`, text], name),
          )
        }
      })
    }
  }

  // Flags with another name: aliases, which oclif reads.
  for (const [command, old, name, value] of [
    [ItemsAdd, 'start-price', 'opening', '100'],
    [ItemsAdd, 'ends', 'until', '2099-01-01'],
    [ShopAdd, 'activate', 'from', '2099-01-01'],
    [ShopUpdate, 'deactivate', 'until', '2099-01-01'],
    [ItemsRelist, 'stagger', 'interval', '10m'],
    [ReferenceCategories, 'under', 'category', '7'],
    [JobsResume, 'as-planned', 'blind'],
    [Call, 'print-request', 'dry-run'],
  ] as const) {
    it(`--${old} is --${name}`, async () => {
      const known: Interfaces.FlagInput = { ...globalFlags, ...command.flags }
      const read = async (flag: string) => {
        const argv = await currentFlags([`--${flag}`, ...(value === undefined ? [] : [value])], known)
        expect(unknownFlags(argv, known)?.message).to.equal(undefined)
        return (await parseWhole({ flags: known, args: {} }, (whole) => parse(argv, whole))).flags
      }
      expect(Object.keys(await read(name))).to.include(name)
      expect(await read(old)).to.deep.equal(await read(name))
    })
  }

  /** Flags with the name of an old one of another command, whose words `flag` does not have here. */
  const IN_OTHERS = new Set(['transactions:list sent'])

  it('is in no manifest, so in no help, completion or document', () => {
    for (const { id, flags } of readManifest(root))
      for (const [flag, names] of Object.entries(OLD_FLAGS))
        if (flag in flags)
          expect(
            Object.keys(flags).filter((name) => Object.hasOwn(names, name) && !IN_OTHERS.has(`${id} ${name}`)),
            id,
          ).to.deep.equal([])
  })

  const known = {
    allow: { type: 'option' },
    title: { type: 'option', char: 't' },
    quiet: { type: 'boolean', char: 'q' },
    colour: { type: 'boolean', allowNo: true },
  } as const
  for (const [given, written] of [
    [
      ['7=499', '--max-change', '30%', '-q'],
      ['7=499', '--allow=max_change=30%', '-q'],
    ],
    [['--max-change=30%'], ['--allow=max_change=30%']],
    [['--max-change='], ['--allow=max_change=']],
    [['--max-change', ''], ['--allow=max_change=']],
    [['--max-change', 'xq'], ['--allow=max_change=xq']],
    [['--max-change', '-5%'], ['--allow=max_change=-5%']],
    [['--max-change', '$&{}'], ['--allow=max_change=$&{}']],
    [
      ['--max-change', '--quiet'],
      ['--allow', '--quiet'],
    ],
    [
      ['--max-change', '--no-colour'],
      ['--allow', '--no-colour'],
    ],
    [
      ['--max-change', '-q'],
      ['--allow', '-q'],
    ],
    [['--max-change'], ['--allow']],
    [
      ['--max-change', '--max-drift', '5%'],
      ['--allow', '--allow=max_drift=5%'],
    ],
    [
      ['--max-change', '--', '5%'],
      ['--allow=max_change=--', '5%'],
    ],
    [['--max-same', '80%'], ['--allow=same_price=80%']],
    [
      ['--max-change', '1%', '--max-change', '2%'],
      ['--allow=max_change=1%', '--allow=max_change=2%'],
    ],
    [
      ['--factor-ten', '7=499'],
      ['--allow=factor_ten=none', '7=499'],
    ],
    [
      ['--no-factor-ten', '7=499'],
      ['--allow=factor_ten', '7=499'],
    ],
    [['--no-factor-ten=yes'], ['--allow=factor_ten', 'yes']],
    [['--no-max-change'], ['--no-max-change']],
    [
      ['--title', '--max-change', '5%'],
      ['--title', '--allow=max_change=5%'],
    ],
    [
      ['--title=--max-change', '5%'],
      ['--title=--max-change', '5%'],
    ],
    [
      ['--title', '--not-a-flag', '--shifted'],
      ['--title', '--not-a-flag', '--allow=shifted=none'],
    ],
    [
      ['-t', '--shifted'],
      ['-t', '--allow=shifted=none'],
    ],
    [
      ['--', '--max-change', '5%'],
      ['--', '--max-change', '5%'],
    ],
    [
      ['--call-budget', '5', '--constructor'],
      ['--call-budget', '5', '--constructor'],
    ],
  ] as const) {
    it(`${given.join(' ')} is ${written.join(' ')}`, async () => {
      expect(withNewFlags(given, known)).to.deep.equal(written)
      expect(await currentFlags(given, known)).to.deep.equal(written)
    })
  }

  it('is unknown to a command that does not have the new flag', () =>
    expect(withNewFlags(['--max-change', '5%'], { quiet: { type: 'boolean' } })).to.deep.equal(['--max-change', '5%']))

  it('is the guard of its command: another one is refused by its code', async () => {
    const { flags } = ItemsAdd
    const argv = await currentFlags(['--max-change', '5%'], flags)
    const read = parseWhole({ flags, args: {} }, (input) => parse(argv, input))
    expect(await read.catch((error: Error) => error.message)).to.equal('--allow: "max_change=5%" is not a guard of this command.')
  })
})
