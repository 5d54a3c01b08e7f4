/** A description in several files: what it imports and includes, as far as those files are at hand. */
import { XSD } from './schema/builtin.js'
import { childrenOf, readTree, type XmlNode } from './tree.js'

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/'

/** The most files of one description, and the most characters of all of them. */
const MAX_PARTS = 50
const MAX_TEXT = 16 * 1024 * 1024

/** A schema and the namespace of its definitions: an included schema without one takes that of the schema around it. */
export interface SchemaPart {
  readonly node: XmlNode
  readonly namespace: string
}

/** A reference to a file that is not at hand. */
export interface Missing {
  readonly what: 'description' | 'schema'
  /** As it is written: an address, or the namespace where there is none. */
  readonly location: string
  /** Its whole address; undefined if it has none, or the place of the description is not known. */
  readonly url: string | undefined
}

export interface Documents {
  /** The root elements of WSDL, that of the description first. */
  readonly definitions: readonly XmlNode[]
  readonly schemas: readonly SchemaPart[]
  readonly missing: readonly Missing[]
}

/** Texts of other files by their whole addresses. */
export type Parts = ReadonlyMap<string, string>

/** Where a description stands, and the other files that are at hand. */
export interface Place {
  /** Its whole address (file: or http:); without one, nothing relative to it is found. */
  readonly at?: string | undefined
  readonly parts?: Parts
}

/**
 * Puts the files of a description together.
 * @throws {DescriptionError} if one of them is not well-formed
 */
export function collectDocuments(root: XmlNode, { at, parts = new Map() }: Place): Documents {
  const definitions: XmlNode[] = []
  const schemas: SchemaPart[] = []
  const missing: (Missing & { readonly namespace?: string })[] = []
  const seenUrls = new Set<string>(at === undefined ? [] : [at])
  const follow = (what: Missing['what'], node: XmlNode, base: string | undefined, within?: string): void => {
    const namespace = node.attributes.get('namespace')
    const location = node.attributes.get('location') ?? node.attributes.get('schemaLocation')
    const url = location === undefined ? undefined : resolve(location, base)
    if (url !== undefined && seenUrls.has(url)) return
    const text = url === undefined ? undefined : parts.get(url)
    if (url === undefined || text === undefined) {
      const namespaceKnown = node.local === 'import' && namespace !== undefined ? { namespace } : {}
      missing.push({
        what,
        location: location ?? namespace ?? 'another namespace',
        url,
        ...(what === 'schema' ? namespaceKnown : {}),
      })
      return
    }
    seenUrls.add(url)
    const other = readTree(text)
    if (other.uri === WSDL && other.local === 'definitions') addDefinitions(other, url)
    else addSchema(other, url, within)
  }
  const addDefinitions = (node: XmlNode, base: string | undefined): void => {
    definitions.push(node)
    for (const types of childrenOf(node, WSDL, 'types'))
      for (const schema of childrenOf(types, XSD, 'schema')) addSchema(schema, base)
    for (const other of childrenOf(node, WSDL, 'import')) follow('description', other, base)
  }
  const addSchema = (node: XmlNode, base: string | undefined, within = ''): void => {
    const namespace = node.attributes.get('targetNamespace') ?? within
    schemas.push({ node, namespace })
    for (const child of childrenOf(node, XSD, 'import', 'include', 'redefine'))
      follow('schema', child, base, child.local === 'import' ? undefined : namespace)
  }
  addDefinitions(root, at)
  // .NET imports namespaces whose schemas are in the same description.
  const there = new Set(schemas.map(({ namespace }) => namespace))
  return { definitions, schemas, missing: missing.filter(({ namespace }) => namespace === undefined || !there.has(namespace)) }
}

function resolve(location: string, base: string | undefined): string | undefined {
  return URL.canParse(location, base) ? new URL(location, base).href.replace(/#.*$/, '') : undefined
}

/** Pattern of a text that may refer to other files, without reading all of it. */
const REFERS = /<(?:[\w.-]+:)?(?:import|include|redefine)\b[^>]*[lL]ocation\s*=/

/**
 * Reads the other files of a description, as far as `load` gives them.
 * @param load undefined for a file that is not to be had, or not to be read
 * @throws {DescriptionError} if a file is not well-formed
 */
export async function gatherParts(
  text: string,
  at: string | undefined,
  load: (url: string) => Promise<string | undefined>,
): Promise<Parts> {
  const parts = new Map<string, string>()
  if (at === undefined || !REFERS.test(text)) return parts
  const root = readTree(text)
  const refusedUrls = new Set<string>()
  let size = text.length
  for (;;) {
    const wantedUrls = collectDocuments(root, { at, parts }).missing.flatMap(({ url }) => url ?? [])
    const next = [...new Set(wantedUrls)].filter((url) => !refusedUrls.has(url))
    if (next.length === 0) return parts
    for (const url of next) {
      const part = parts.size < MAX_PARTS ? await load(url) : undefined
      size += part?.length ?? 0
      if (part === undefined || size > MAX_TEXT) refusedUrls.add(url)
      else parts.set(url, part)
    }
  }
}
