/**
 * The published types (published-types.txt) as tables, and as XML Schema for an outside validator. Knows nothing of the product:
 * what it makes is the judge of what the product sends.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PublishedOperation {
  readonly params: readonly string[]
  readonly result: string
  /** Parameters in the other form, which is that of the published descriptions. */
  readonly other?: readonly string[]
  /** Only in the types of 2026. */
  readonly newer: boolean
}

export interface Published {
  /** By `Service.Name`. */
  readonly operations: ReadonlyMap<string, PublishedOperation>
  /** The fields of each type, in wire order. */
  readonly types: ReadonlyMap<string, readonly string[]>
  /** `enum A B` or `flags A B`, by the name of the enumeration. */
  readonly words: ReadonlyMap<string, string>
  /** The headers of each service. */
  readonly headed: ReadonlyMap<string, readonly string[]>
}

export function published(): Published {
  const operations = new Map<string, PublishedOperation>()
  const types = new Map<string, string[]>()
  const words = new Map<string, string>()
  const headed = new Map<string, readonly string[]>()
  let fields: string[] = []
  let last = ''
  const lines = readFileSync(join(import.meta.dirname, 'published-types.txt'), 'utf8').split('\n')
  for (const line of lines.filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [first = '', name = '', ...rest] = line.split(' ')
    const called = /^(\w+\.\w+) \((.*)\) -> (.+?)( newer)?$/.exec(line)
    if (line.startsWith('  or (')) {
      operations.set(last, { ...(operations.get(last) as PublishedOperation), other: listOf(line.slice(6, -1)) })
    } else if (line.startsWith('  ')) fields.push(line.trim())
    else if (called !== null) {
      last = called[1] ?? ''
      operations.set(last, { params: listOf(called[2] ?? ''), result: called[3] ?? '', newer: called[4] !== undefined })
    } else if (first === 'type') {
      fields = []
      types.set(name, fields)
    } else if (first === 'headers') headed.set(name, rest)
    else words.set(name, `${first} ${rest.join(' ')}`)
  }
  return { operations, types, words, headed }
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(', ')
}

const SCALARS = new Set(['int', 'long', 'decimal', 'string', 'boolean', 'dateTime', 'base64Binary'])

/**
 * The schema of the requests of a service in one edition: the element of each operation, the three headers, and all types.
 * @param edition the year of the published description
 */
export function requestSchema(service: string, edition: '2022' | '2026', namespace: string): string {
  const { operations, types, words } = published()
  const here = (field: string) => edition !== '2022' || !field.endsWith(' newer')
  const sequence = (fields: readonly string[]) => {
    const present = fields.filter(here).map((field) => field.replace(/ newer$/, ''))
    const elements = present
      .filter((field) => !field.startsWith('@') && field !== 'open')
      .map((field) => elementOf(field, edition))
    const open = present.includes('open')
      ? ['<any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax" />']
      : []
    const attributes = present
      .filter((field) => field.startsWith('@'))
      .map((field) => {
        const [name = '', type = ''] = field.slice(1).split(' ')
        return `<attribute name="${name}" type="${typeOf(type)}" />`
      })
    return `<sequence>${[...elements, ...open].join('')}</sequence>${attributes.join('')}`
  }
  const requests = [...operations].flatMap(([name, { params, other, newer }]) => {
    const [of, operation] = name.split('.')
    if (of !== service || (newer && edition === '2022')) return []
    return [`<element name="${operation}"><complexType>${sequence(other ?? params)}</complexType></element>`]
  })
  const structs = [...types].map(([name, fields]) => {
    const isHeader = name.endsWith('Header')
    const element = isHeader ? `<element name="${name}" type="t:${name}" />` : ''
    return `${element}<complexType name="${name}">${sequence(fields)}${isHeader ? '<anyAttribute />' : ''}</complexType>`
  })
  const simple = [...words].map(([name, text]) => {
    const [kind, ...values] = text.split(' ')
    const some = `<restriction base="string">${values.map((value) => `<enumeration value="${value}" />`).join('')}</restriction>`
    const content = kind === 'flags' ? `<list><simpleType>${some}</simpleType></list>` : some
    return `<simpleType name="${name}">${content}</simpleType>`
  })
  return [
    `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">`,
    ...requests,
    ...structs,
    ...simple,
    '</schema>',
  ].join('\n')
}

/** `Name type occurs`, as the data have it. */
function elementOf(field: string, edition: '2022' | '2026'): string {
  const parts = /^(\w+) (\[.+\]|\w+) ([1?*])( nil-newer| nil)?$/.exec(field)
  if (parts === null) throw new Error(`not a field: ${field}`)
  const [, name = '', type = '', occurs = '', nil = ''] = parts
  const nillable = nil === ' nil' || (nil === ' nil-newer' && edition === '2026') ? ' nillable="true"' : ''
  const start = `<element name="${name}" minOccurs="${occurs === '1' ? 1 : 0}" maxOccurs="${occurs === '*' ? 'unbounded' : 1}"${nillable}`
  if (!type.startsWith('[')) return `${start} type="${typeOf(type)}" />`
  const [item = '', entryNil] = type.slice(1, -1).split(' ')
  const entry = `<element name="${item}" minOccurs="0" maxOccurs="unbounded"${entryNil === undefined ? '' : ' nillable="true"'} type="${typeOf(item)}" />`
  return `${start}><complexType><sequence>${entry}</sequence></complexType></element>`
}

function typeOf(name: string): string {
  if (name === 'guid') return 'string'
  return SCALARS.has(name) ? name : `t:${name}`
}
