/**
 * The JSON Schemas of all results, for `seller schema`: made by the compiler itself of the types in schemas/results.ts, and of
 * those of the lists that commands name in `static columns`.
 */
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import {
  API,
  type Checker,
  type Project,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
  type TypeReference,
} from 'typescript/unstable/sync'
import type { Schema, Schemas } from '../src/cli/schemas.js'
import type { Failure, Results, Success } from './schemas/results.js'

/** Keys of documents under which other forms have the rows (`within` of a view). */
const ROWS = ['Rows', 'Steps', 'Look', '@graph']

/** @param root the directory of tsconfig.json @returns the text of dist/schemas.json */
export function schemasText(root: string): string {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()
    const file = project?.program.getSourceFile(join(root, 'scripts', 'schemas', 'results.ts'))
    if (project === undefined || file === undefined) throw new Error('The compiler does not open scripts/schemas/results.ts.')
    const { checker } = project
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as TsSymbol)
    const fieldsOf = (name: keyof Named): readonly TsSymbol[] =>
      checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported.find((one) => one.name === name) as TsSymbol))
    const writer = new Writer(checker)
    const ending = Object.fromEntries(fieldsOf('Success').map((field) => [field.name, writer.field(field)]))
    const results = new Map(fieldsOf('Results').map((field) => [field.name, writer.field(field)]))
    for (const [command, path] of commandFiles(root)) {
      const records = results.has(command) ? undefined : recordsIn(project, path)
      if (records !== undefined) results.set(command, { type: 'array', items: writer.field(records) })
    }
    const sorted = [...results].sort(([one], [other]) => (one < other ? -1 : 1))
    const commands = Object.fromEntries(sorted.map(([name, schema]) => [name, resultOf(withEnding(schema, ending))]))
    const [error] = fieldsOf('Failure').map((field) => writer.field(field))
    return JSON.stringify({
      commands,
      error: { type: 'object', properties: { error }, required: ['error'] },
      shared: writer.shared,
    } as Schemas)
  } finally {
    api.close()
  }
}

/** Commands with the files of their classes. */
function commandFiles(root: string): [command: string, path: string][] {
  const folder = join(root, 'src', 'commands')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  return paths.map((path) => [path.slice(0, -3).replaceAll(sep, ':'), join(folder, path)])
}

/** The type of the records of a command that lists one view: `static columns` knows it. */
function recordsIn({ program, checker }: Project, path: string): TsSymbol | undefined {
  const file = program.getSourceFile(path)
  const module = file && checker.getSymbolAtLocation(file)
  const made = module && checker.getExportsOfModule(module).find(({ name }) => name === 'default')
  const property = (of: TsSymbol | undefined, name: string): TsSymbol | undefined => {
    const type = of && checker.getTypeOfSymbol(of)
    return type && checker.getPropertiesOfType(type).find((one) => one.name === name)
  }
  return property(property(made, 'columns'), 'recordType')
}

interface Named {
  readonly Results: Results
  readonly Success: Success
  readonly Failure: Failure
}

/** Records may end with what the run says, but for JSON-LD, whose keys are those of its specification. */
function withEnding(schema: Schema, ending: Readonly<Record<string, Schema>>): Schema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: schema.anyOf.map((one) => withEnding(one, ending)) }
  const { properties } = schema
  if (schema.type !== 'object' || properties === undefined || '@graph' in properties) return schema
  return { ...schema, properties: { ...properties, ...ending } }
}

/**
 * The whole document, and what NDJSON has on each line: the elements of a list, the rows of a document that has some, or the
 * record.
 */
function resultOf(document: Schema): Schemas['commands'][string] {
  const lines = (document.anyOf ?? [document]).map((one) => {
    const rows = ROWS.map((key) => one.properties?.[key]).find((found) => found !== undefined)
    return (rows ?? one).items ?? one
  })
  const different = [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
  return { document, line: different.length === 1 ? (different[0] as Schema) : { anyOf: different } }
}

/** Writes types as schemas. A type that holds itself gets a name. */
class Writer {
  readonly shared: Record<string, Schema> = {}
  readonly #checker: Checker
  /** The types that are being written, with the names of those that hold themselves. */
  readonly #open = new Map<number, string | undefined>()
  readonly #written = new Map<number, Schema>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  field(field: TsSymbol): Schema {
    const schema = this.#schemaOf(this.#checker.getTypeOfSymbol(field) as Type)
    const description = this.#checker.getDocumentationCommentOfSymbol(field).replaceAll(/\s+/g, ' ').trim()
    return description === '' ? schema : { ...schema, description }
  }

  #schemaOf(type: Type): Schema {
    if (type.isLiteralType()) return { enum: [type.value as string] }
    if (type.isIntrinsicType()) return this.#intrinsic(type.intrinsicName)
    if (type.getSymbol()?.name === 'Uint8Array') return { type: 'string', contentEncoding: 'base64' }
    if (!type.isUnionType() && this.#checker.isArrayLikeType(type)) return this.#array(type)
    const written = this.#written.get(type.id)
    if (written !== undefined) return written
    if (this.#open.has(type.id)) {
      const name = type.getAliasSymbol()?.name ?? type.getSymbol()?.name ?? ''
      // Scripts and generators of code see this name. The compiler calls an object without one `__type`.
      if (name === '' || name.startsWith('__'))
        throw new Error(`Give the type a name that holds itself: ${this.#checker.typeToString(type)}`)
      this.#open.set(type.id, name)
      return { $ref: `#/$defs/${name}` }
    }
    this.#open.set(type.id, undefined)
    const whole = type.isUnionType() ? this.#union(type.getTypes()) : this.#object(type)
    const name = this.#open.get(type.id)
    this.#open.delete(type.id)
    if (name !== undefined) this.shared[name] = whole
    const schema = name === undefined ? whole : { $ref: `#/$defs/${name}` }
    this.#written.set(type.id, schema)
    return schema
  }

  #array(type: Type): Schema {
    const items = this.#checker.getTypeArguments(type as TypeReference).map((one) => this.#schemaOf(one))
    return { type: 'array', items: items[0] !== undefined && items.length === 1 ? items[0] : { anyOf: items } }
  }

  #intrinsic(name: string): Schema {
    if (name === 'unknown' || name === 'any') return {}
    if (!['string', 'number', 'boolean', 'null', 'object'].includes(name)) throw new Error(`JSON has no ${name}.`)
    return { type: name }
  }

  #union(types: readonly Type[]): Schema {
    const parts = types.filter((type) => !(type.isIntrinsicType() && type.intrinsicName === 'undefined'))
    const values = parts.flatMap((type) => (type.isStringLiteralType() || type.isNumberLiteralType() ? [type.value] : []))
    const others = parts
      .filter((type) => !(type.isStringLiteralType() || type.isNumberLiteralType()))
      .map((type) => (type.isBooleanLiteralType() ? { type: 'boolean' } : this.#schemaOf(type)))
    const named = [
      ...new Set(others.flatMap((one) => (typeof one.type === 'string' && Object.keys(one).length === 1 ? [one.type] : []))),
    ]
    const whole = others.filter((one) => !(typeof one.type === 'string' && Object.keys(one).length === 1))
    const alone = named.length === 1 && named[0] === 'null' && values.length > 0
    const schemas: Schema[] = [
      ...whole,
      ...(values.length > 0 ? [{ enum: alone ? [...values, null] : values }] : []),
      ...(named.length > 0 && !alone ? [{ type: named[0] !== undefined && named.length === 1 ? named[0] : named }] : []),
    ]
    return schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas }
  }

  #object(type: Type): Schema {
    const checker = this.#checker
    const fields = checker.getPropertiesOfType(type)
    const [index] = checker.getIndexInfosOfType(type)
    const required = fields.filter(({ flags }) => (flags & SymbolFlags.Optional) === 0).map(({ name }) => name)
    return {
      type: 'object',
      ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields.map((field) => [field.name, this.field(field)])) }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : { additionalProperties: this.#schemaOf(index.valueType) }),
    }
  }
}
