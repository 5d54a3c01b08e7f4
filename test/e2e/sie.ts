/**
 * A reader of SIE 4 files for tests, by the grammar of the standard (SIE-gruppen, "SIE filformat", edition 4B). It shares no code with the
 * product. The registry has one parser of such files (sie-parser 1.0.0): it calls itself unfinished, and it reads quoted quotes wrongly.
 */
import { expect } from 'chai'

export interface Voucher {
  readonly series: string
  readonly number: string
  readonly date: string
  readonly text: string
  /** Debit is positive. */
  readonly lines: { readonly account: string; readonly ore: number }[]
}

export interface SieFile {
  readonly head: Map<string, string[]>
  readonly accounts: Map<string, string>
  readonly vouchers: Voucher[]
}

/** Code page 437 from 0x80 on, as far as letters go. */
const PC8 = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ'
const REQUIRED = ['#FLAGGA', '#PROGRAM', '#FORMAT', '#GEN', '#SIETYP', '#FNAMN']

/** Fields of a line: separated by blanks, in quotes where they hold any, `\"` for a quote; an object list in braces. */
function fieldsOf(line: string): string[] {
  const fields: string[] = []
  let rest = line
  while (rest !== '') {
    const match = /^(?:"((?:\\["\\]|[^"\\])*)"|(\{[^{}]*\})|([^\s"{}]+))(?:[ \t]+|$)/.exec(rest)
    if (match === null) throw new Error(`not a field: ${rest}`)
    fields.push(match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return fields
}

/** @throws what breaks the grammar, an account that is not named, and a voucher that does not balance */
export function readSie(bytes: Uint8Array): SieFile {
  const text = [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : (PC8[byte - 0x80] ?? '\ufffd'))).join('')
  expect(text.endsWith('\r\n') && !/[^\r]\n|[\ufffd\t\0]/.test(text), 'lines').to.equal(true)
  const head = new Map<string, string[]>()
  const accounts = new Map<string, string>()
  const vouchers: Voucher[] = []
  let open = false
  for (const line of text.split('\r\n').slice(0, -1)) {
    if (line === '{' || line === '}') {
      expect(open, line).to.equal(line === '}')
      open = line === '{'
      continue
    }
    const [label = '', ...values] = fieldsOf(line.trimStart())
    const [first = '', second = '', third = '', fourth = ''] = values
    expect(label === '#TRANS', line).to.equal(open)
    if (label === '#KONTO') {
      expect(first).to.match(/^\d{4,}$/)
      accounts.set(first, second)
    } else if (label === '#VER') {
      expect(third).to.match(/^20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)
      vouchers.push({ series: first, number: second, date: third, text: fourth, lines: [] })
    } else if (label === '#TRANS') {
      expect(accounts.has(first), `account ${first}`).to.equal(true)
      expect([second, third]).to.satisfy(([objects, amount]: string[]) => objects === '{}' && /^-?\d+\.\d\d$/.test(amount ?? ''))
      vouchers.at(-1)?.lines.push({ account: first, ore: Math.round(Number(third) * 100) })
    } else {
      expect(label, line).to.match(/^#[A-ZÅÄÖ]+$/)
      expect(vouchers, 'the head comes first').to.have.length(0)
      head.set(label, values)
    }
  }
  expect(open).to.equal(false)
  for (const name of REQUIRED) expect(head.has(name), name).to.equal(true)
  for (const { date, lines } of vouchers) {
    expect(
      lines.reduce((total, { ore }) => total + ore, 0),
      date,
    ).to.equal(0)
  }
  return { head, accounts, vouchers }
}
