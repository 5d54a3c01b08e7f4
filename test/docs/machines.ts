/** The examples of docs/machines.md, read as the programs read them that they are for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { root } from '../e2e/product.js'

const examples = join(root, 'examples')

/** Fields that the tests read of a resource of Kubernetes. */
export interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: what the file says, unchecked.
  readonly [key: string]: any
}

/** Every resource in a file. @throws {Error} if the file is not YAML, or a key is there twice */
export function readResources(file: string): Resource[] {
  return parseAllDocuments(readFileSync(join(examples, 'kubernetes', file), 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Resource
  })
}

export const kubernetesFiles = (): string[] =>
  readdirSync(join(examples, 'kubernetes'))
    .filter((name) => name.endsWith('.yaml'))
    .sort()

/** The instructions of the Containerfile: each with its text, lines joined. */
export function containerfile(): { instruction: string; text: string }[] {
  const text = readFileSync(join(examples, 'kubernetes', 'Containerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
  return text.split('\n').flatMap((line) => {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (instruction === '' && line !== '') throw new Error(`Containerfile: ${line}`)
    return instruction === '' ? [] : [{ instruction, text: rest.replaceAll(/\s+/g, ' ') }]
  })
}
export const systemdFiles = (): string[] => readdirSync(join(examples, 'systemd')).sort()

/** A unit of systemd: its entries in their order. @throws {Error} for a line that is none (systemd.syntax(7)) */
export function readUnit(file: string): { section: string; key: string; value: string }[] {
  let section = ''
  return readFileSync(join(examples, 'systemd', file), 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (line === '' || line.startsWith('#')) return []
      const head = /^\[(\w+)\]$/.exec(line)?.[1]
      if (head !== undefined) {
        section = head
        return []
      }
      const [, key, value] = /^([A-Z]\w*)=(.+)$/.exec(line) ?? []
      if (key === undefined || value === undefined || section === '') throw new Error(`${file}, line ${at + 1}: ${line}`)
      return [{ section, key, value }]
    })
}
