import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect } from 'chai'
import { DOCUMENT_WIDTH } from '../../scripts/docs.js'

const root = join(import.meta.dirname, '../..')

/** Every file below a folder of the project whose name ends so, as a path from the root. */
async function filesOf(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
  return files.map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

async function documents(): Promise<string[]> {
  const top = (await readdir(root)).filter((name) => name.endsWith('.md'))
  return [...top, ...(await filesOf('docs', '.md'))]
}

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** Headings of a document, without what is inside code blocks. */
function headingsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading!.trim())
}

/** Places that can be cited: headings, and the entries of docs/decisions.md, which begin with their name in bold. */
function citable(text: string): string[] {
  const entries = [...text.matchAll(/^\*\*(.+?)\.?\*\*/gm)].map(([, name]) => `"${name}"`)
  return [...headingsOf(text), ...entries]
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
  return words.replaceAll(' ', '-')
}

/** Comments break anywhere: their marks and line breaks become one space. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
}

/** Text that follows each mention of a document with a comma and a capital or a quote, up to a length that holds any heading. */
function citationsIn(text: string): { document: string; rest: string }[] {
  const found = oneLine(text).matchAll(/\bdocs\/([a-z]+\.md), (["\p{Lu}].{0,79})/gu)
  return [...found].map(([, document, rest]) => ({ document: document!, rest: rest! }))
}

/** True if a citation begins with a heading, and not with the beginning of a longer word. */
function namesOne(rest: string, headings: readonly string[]): boolean {
  return headings.some((heading) => rest.startsWith(heading) && !/^[\p{L}\p{N}]/u.test(rest.slice(heading.length)))
}

describe('documents', () => {
  let code: string[]
  let docs: string[]
  before(async () => {
    code = (await Promise.all(['src', 'test', 'bench', 'scripts', 'bin'].map((folder) => filesOf(folder, '.ts')))).flat()
    docs = await documents()
  })

  it('are cited by the headings they have', async () => {
    let cited = 0
    for (const path of [...code, ...docs]) {
      for (const { document, rest } of citationsIn(await read(path))) {
        cited += 1
        const known = citable(await read(join('docs', document)))
        expect(namesOne(rest, known), `${path} cites docs/${document}, "${rest}"`).to.equal(true)
      }
    }
    expect(cited, 'citations found').to.be.greaterThan(100)
  })

  it('are in the repository when they are cited', async () => {
    const names = docs.map((path) => path.split('/').at(-1)!)
    for (const path of code) {
      for (const [, folder, name] of (await read(path)).matchAll(/([\w-]+\/)*\b([\w-]+\.md)\b/g)) {
        expect(names, `${path} names ${folder ?? ''}${name}`).to.include(name)
        // A document of docs is named with its folder, so that a reader finds it.
        const bare = folder === undefined && docs.includes(`docs/${name}`) && !(await read(path)).includes(`'docs', '${name}'`)
        expect(bare, `${path} names ${name} without its folder`).to.equal(false)
      }
    }
  })

  it('name files and folders of the source that exist', async () => {
    const modules = await readdir(join(root, 'src'))
    for (const name of modules) expect(await read('docs/architecture.md'), name).to.include(`\`${name}`)
    let named = 0
    for (const path of docs.filter((name) => name !== 'docs/commands.md' && name !== 'CHANGELOG.md')) {
      const prose = (await read(path)).replace(/^```[\s\S]*?^```/gm, '')
      for (const [, name] of prose.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)) {
        const top = name!.split('/')[0]!
        const inSource = modules.includes(top) ? join('src', name!) : name!
        if (!/^(src|test|scripts|bench|bin|docs|\.ci)\//.test(inSource)) continue
        named += 1
        const found = await Promise.any(
          [inSource, `${inSource}.ts`].map((file) => access(join(root, file)).then(() => true)),
        ).catch(() => false)
        expect(found, `${path} names ${name}`).to.equal(true)
      }
    }
    expect(named, 'paths found').to.be.greaterThan(20)
  })

  it('are written in plain English', async () => {
    for (const path of docs) {
      // Generated from help, which has its own tests.
      if (path === 'docs/commands.md') continue
      const prose = (await read(path)).replace(/^```[\s\S]*?^```/gm, '')
      const foreign = /unless (?:told|asked)\b|as it stands|at will\b|\brooms?\b|\bfates?\b|[«»]/i.exec(prose)
      expect(foreign?.[0], path).to.equal(undefined)
    }
  })

  it('are at most 120 columns wide, but for tables, what cannot be broken, and generated examples', async () => {
    const wide: string[] = []
    for (const path of docs) {
      const text = (await read(path)).replace(path === 'docs/commands.md' ? /^```[\s\S]*?^```/gm : /$^/, '')
      for (const line of text.split('\n'))
        if (
          [...line].length > DOCUMENT_WIDTH &&
          !line.startsWith('|') &&
          /\S\s+\S/.test(line.replace(/^\s*(?:[-*]|\d+\.)\s/, ''))
        )
          wide.push(`${path}: ${line}`)
    }
    expect(wide.join('\n')).to.equal('')
  })

  it('name functions and tables of the source that exist', async () => {
    const sources = (await Promise.all(code.filter((path) => /^(src|test|bench)\//.test(path)).map(read))).join('\n')
    const words = new Set(sources.match(/[A-Za-z_]\w*/g))
    const prose = (await read('CONTRIBUTING.md')).replace(/^```[\s\S]*?^```/gm, '')
    const spans = [...prose.matchAll(/`([^`]+)`/g)]
      .map(([, span]) => span!)
      .filter((span) => !/[/ ]|\.(?:ts|md|json)$/.test(span))
    const named = spans.flatMap((span) => span.match(/\b(?:[a-z]+(?:[A-Z]\w*)|[A-Z][a-z]+\w*|[A-Z]+_[A-Z_]+)\b/g) ?? [])
    expect(named.length, 'names found').to.be.greaterThan(10)
    expect(named.filter((name) => !words.has(name))).to.deep.equal([])
  })

  it('have links that lead somewhere', async () => {
    for (const path of docs) {
      const text = (await read(path)).replace(/^```[\s\S]*?^```/gm, '')
      for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue
        const [file, anchor] = target!.split('#')
        const linked = file === '' ? path : join(dirname(path), file!)
        await access(join(root, linked)).catch(() => expect.fail(`${path} links to ${target}, which is not there`))
        if (anchor === undefined) continue
        const anchors = headingsOf(await read(linked)).map(anchorOf)
        expect(anchors, `${path} links to ${target}`).to.include(anchor)
      }
    }
  })
})
