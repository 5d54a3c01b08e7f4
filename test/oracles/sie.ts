/**
 * A reader and validator of SIE 4 files of type 4I, written from the text of the standard (SIE-gruppen, "SIE filformat", edition
 * 4B of 2008-09-30) and from what accounting programs refuse. It knows nothing of the product. Of the readers in the registry,
 * sie-parser 1.0.0 calls itself unfinished, and reads quoted quotes wrongly; Debian has none.
 */

export interface Row {
  readonly account: string
  /** Debit is positive. */
  readonly ore: number
  readonly text: string
}

export interface Voucher {
  readonly series: string
  readonly number: string
  /** `20261008` */
  readonly date: string
  readonly text: string
  readonly lines: Row[]
}

export interface SieFile {
  readonly head: Map<string, string[]>
  readonly accounts: Map<string, string>
  readonly vouchers: Voucher[]
  /** Breaks of the standard, and records that programs refuse. */
  readonly faults: string[]
}

/** Code page 437 from 0x80 to 0xA7: the letters; what stands above them has no place in these files. */
const PC8 = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº'

/** Items of the standard (section 11), with how many fields each must have and may have. */
const ITEMS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '#FLAGGA': [1, 1],
  '#PROGRAM': [2, 2],
  '#FORMAT': [1, 1],
  '#GEN': [1, 2],
  '#SIETYP': [1, 1],
  '#PROSA': [1, 1],
  '#FTYP': [1, 1],
  '#FNR': [1, 1],
  '#ORGNR': [1, 3],
  '#ADRESS': [4, 4],
  '#FNAMN': [1, 1],
  '#RAR': [3, 3],
  '#TAXAR': [1, 1],
  '#KPTYP': [1, 1],
  '#VALUTA': [1, 1],
  '#KONTO': [2, 2],
  '#KTYP': [2, 2],
  '#ENHET': [2, 2],
  '#SRU': [2, 2],
  '#DIM': [2, 2],
  '#UNDERDIM': [3, 3],
  '#OBJEKT': [3, 3],
  '#VER': [3, 6],
  '#TRANS': [3, 7],
  '#RTRANS': [3, 7],
  '#BTRANS': [3, 7],
  '#KSUMMA': [0, 1],
}
/** Items of files of other types (section 11: not in 4I). */
const NOT_IN_4I = new Set(['#BKOD', '#OMFATTN', '#IB', '#UB', '#OIB', '#OUB', '#RES', '#PSALDO', '#PBUDGET'])
const COMPULSORY = ['#FLAGGA', '#PROGRAM', '#FORMAT', '#GEN', '#SIETYP', '#FNAMN']
/** Groups in their order (section 5.12): flag, identification, chart of accounts, vouchers. */
const GROUP: Readonly<Record<string, number>> = {
  ...{ '#FLAGGA': 0, '#KONTO': 2, '#KTYP': 2, '#ENHET': 2, '#SRU': 2, '#DIM': 2, '#UNDERDIM': 2, '#OBJEKT': 2 },
  ...{ '#VER': 3, '#TRANS': 3, '#RTRANS': 3, '#BTRANS': 3 },
}
const LONGEST_TEXT = 50
/** Values of these must not stand in quotes: programs fail to read them. */
const BARE = ['#FLAGGA', '#FORMAT', '#SIETYP', '#ORGNR', '#GEN', '#RAR']

interface Field {
  readonly value: string
  readonly quoted: boolean
}

/**
 * Fields of a line (section 5.7): parted by blanks, in quotes where they hold any, `\"` for a quote; an object list in braces.
 */
function fieldsOf(line: string): Field[] | undefined {
  const fields: Field[] = []
  let rest = line.trim()
  while (rest !== '') {
    const match = /^(?:"((?:\\"|[^"])*)"|(\{[^{}]*\})|([^\s"{}]+))(?:[ \t]+|$)/.exec(rest)
    if (match === null) return undefined
    fields.push({ value: match[1]?.replaceAll('\\"', '"') ?? match[2] ?? match[3] ?? '', quoted: match[1] !== undefined })
    rest = rest.slice(match[0].length)
  }
  return fields
}

function isDate(text: string): boolean {
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const time = /^\d{8}$/.test(text) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === iso
}

export function readSieFile(bytes: Uint8Array): SieFile {
  const faults: string[] = []
  const head = new Map<string, string[]>()
  const accounts = new Map<string, string>()
  const vouchers: Voucher[] = []
  for (const [at, byte] of bytes.entries()) {
    if (byte < 32 && byte !== 10 && byte !== 13) faults.push(`byte ${at}: control character ${byte}`)
    if (byte === 127 || byte >= 0x80 + PC8.length) faults.push(`byte ${at}: ${byte} is no letter of code page 437`)
  }
  const text = [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : (PC8[byte - 0x80] ?? '\ufffd'))).join('')
  if (!text.endsWith('\n')) faults.push('the last line does not end')
  if (/\r(?!\n)/.test(text)) faults.push('a carriage return without a line feed')
  let [open, group, first]: [Voucher | undefined, number, string | undefined] = [undefined, 0, undefined]
  const numbers = new Map<string, number>()
  const closed = (voucher: Voucher, line: number): void => {
    const sum = voucher.lines.reduce((total, { ore }) => total + ore, 0)
    if (sum !== 0) faults.push(`line ${line}: the voucher of ${voucher.date} does not balance: ${sum}`)
    if (voucher.lines.length === 0) faults.push(`line ${line}: a voucher without rows`)
  }
  let awaiting: Voucher | undefined
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim()
    const fault = (what: string): void => {
      faults.push(`line ${at + 1}: ${what}: ${line}`)
    }
    if (line === '') continue
    if (line === '{') {
      if (awaiting === undefined || open !== undefined) fault('a block without its voucher')
      ;[open, awaiting] = [awaiting, undefined]
      continue
    }
    if (line === '}') {
      if (open === undefined) fault('a block ends that did not begin')
      else closed(open, at + 1)
      open = undefined
      continue
    }
    if (awaiting !== undefined) fault('a voucher without its block')
    const fields = fieldsOf(line)
    if (fields === undefined || fields[0]?.quoted === true) {
      fault('not fields')
      continue
    }
    const label = fields[0]?.value ?? ''
    const values = fields.slice(1)
    const [one = '', two = '', three = '', four = ''] = values.map(({ value }) => value)
    first ??= label
    const limits = ITEMS[label]
    if (NOT_IN_4I.has(label)) fault('not in a file of type 4I')
    else if (limits === undefined) fault('no item of the standard')
    else if (values.length < limits[0] || values.length > limits[1]) fault('a wrong number of fields')
    if (BARE.includes(label) && values.some(({ quoted }) => quoted)) fault('quotes that programs do not read')
    if (values.some(({ value }) => value.includes('\\'))) fault('a backslash')
    const its = GROUP[label] ?? 1
    if (its < group) fault('out of its order')
    group = Math.max(group, its)
    if ((label === '#TRANS' || label === '#RTRANS' || label === '#BTRANS') !== (open !== undefined))
      fault('inside or outside of a voucher')
    switch (label) {
      case '#KONTO':
        if (!/^\d{4,}$/.test(one)) fault('no number of an account')
        if (accounts.has(one)) fault('an account twice')
        if (two.trim() === '') fault('an account without a name')
        accounts.set(one, two)
        break
      case '#VER': {
        if (!isDate(three)) fault('no date')
        if (four.length > LONGEST_TEXT) fault('a text that programs refuse')
        if (two !== '') {
          if (Number(two) <= (numbers.get(one) ?? 0)) fault('numbers that do not rise')
          numbers.set(one, Number(two))
        }
        awaiting = { series: one, number: two, date: three, text: four, lines: [] }
        vouchers.push(awaiting)
        break
      }
      case '#TRANS': {
        const rowText = values[4]?.value ?? ''
        if (!accounts.has(one)) fault('an account without #KONTO')
        if (!two.startsWith('{') || values[1]?.quoted === true) fault('no object list')
        if (!/^-?\d+(\.\d{1,2})?$/.test(three)) fault('no amount')
        if (Number(three) === 0) fault('an amount of 0')
        if (four !== '' && !isDate(four)) fault('no date')
        if (rowText.length > LONGEST_TEXT) fault('a text that programs refuse')
        if (rowText === '') fault('a row without a text')
        open?.lines.push({ account: one, ore: Math.round(Number(three) * 100), text: rowText })
        break
      }
      default:
        if (head.has(label)) fault('an item twice')
        head.set(
          label,
          values.map(({ value }) => value),
        )
    }
  }
  if (open !== undefined || awaiting !== undefined) faults.push('the last voucher does not end')
  if (first !== '#FLAGGA') faults.push(`the first item is ${first}`)
  for (const name of COMPULSORY) if (!head.has(name)) faults.push(`${name} is missing`)
  const value = (name: string, at = 0): string => head.get(name)?.[at] ?? ''
  if (!['0', '1'].includes(value('#FLAGGA'))) faults.push('#FLAGGA is 0 or 1')
  if (value('#FORMAT') !== 'PC8') faults.push('#FORMAT is PC8')
  if (value('#SIETYP') !== '4') faults.push('#SIETYP is 4')
  if (!isDate(value('#GEN'))) faults.push('#GEN has no date')
  if (value('#FNAMN').trim() === '') faults.push('#FNAMN is empty')
  if (head.has('#ORGNR') && !/^\d{6}-\d{4}$/.test(value('#ORGNR'))) faults.push('#ORGNR is nnnnnn-nnnn')
  if (!/^(?:BAS95|BAS96|EUBAS97|NE2007|BAS2\d{3})$/.test(value('#KPTYP')))
    faults.push('#KPTYP names no chart: readers take BAS 95')
  if (value('#VALUTA') !== 'SEK') faults.push('#VALUTA is not SEK')
  const [number, start, end] = head.get('#RAR') ?? []
  if (number !== '0' || !isDate(start ?? '') || !isDate(end ?? '') || (start ?? '') > (end ?? ''))
    faults.push('#RAR 0 START END is missing')
  for (const { date } of vouchers)
    if (date < (start ?? '') || date > (end ?? '')) faults.push(`the voucher of ${date} is outside the financial year`)
  return { head, accounts, vouchers, faults }
}

/** @throws what breaks the standard, or what programs refuse */
export function readSie(bytes: Uint8Array): SieFile {
  const file = readSieFile(bytes)
  if (file.faults.length > 0) throw new Error(file.faults.join('\n'))
  return file
}
