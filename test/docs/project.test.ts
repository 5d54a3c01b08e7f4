import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

describe('the project', () => {
  it('has one version in all its places', async () => {
    const { version } = JSON.parse(await read('package.json'))
    const lock = JSON.parse(await read('package-lock.json'))
    expect([lock.version, lock.packages[''].version]).to.deep.equal([version, version])
    expect(JSON.parse(await read('oclif.manifest.json')).version).to.equal(version)
    expect(/^## (?!Unreleased$)(\S+)/m.exec(await read('CHANGELOG.md'))?.[1]).to.equal(version)
    expect(await read('SECURITY.md')).to.include(`Today that is ${version.replace(/\.\d+$/, '')}.`)
    for (const document of ['README.md', 'docs/install.md', 'docs/sandbox.md']) {
      const named = [...(await read(document)).matchAll(/seller[-_](\d+\.\d+\.\d+)/g)].map(([, found]) => found)
      expect(named, document).to.have.length.greaterThan(0)
      expect([...new Set(named)], document).to.deep.equal([version])
    }
  })

  it('begins its README with the two commands that .ci/run tries', async () => {
    const [, before, block] = /^(.*?)```sh\n(.*?)```/s.exec(await read('README.md')) ?? []
    expect(before?.split('\n').length, 'lines before them').to.be.below(7)
    const lines = block?.trim().split('\n') ?? []
    expect(lines.map((line) => line.replace(/ *#.*/, ''))).to.deep.equal(['npm ci && npm run demo', 'npm ci && npm test'])
  })

  it('is checked by .ci/run on each version of Node it promises', async () => {
    const { jobs } = parse(await read('.github/workflows/ci.yml'))
    const [job] = Object.values<{ strategy: { matrix: { node: number[] } }; steps: { run?: string }[] }>(jobs)
    expect(job!.steps.map(({ run }) => run)).to.include('.ci/run')
    await access(join(root, '.ci/run'))
    const { engines } = JSON.parse(await read('package.json'))
    const oldest = Number(/^>=(\d+)/.exec(engines.node)?.[1])
    expect(job!.strategy.matrix.node[0], 'the oldest version').to.equal(oldest)
    expect(job!.strategy.matrix.node).to.deep.equal([20, 22, 24, 26])
  })

  it('has issue templates that ask for something', async () => {
    const folder = '.github/ISSUE_TEMPLATE'
    const forms = (await readdir(join(root, folder))).filter((name) => name !== 'config.yml')
    expect(forms).to.have.length.greaterThan(0)
    for (const name of forms) {
      const form = parse(await read(`${folder}/${name}`))
      expect(form, name).to.include.keys('name', 'description', 'body')
      const fields = (form.body as { type: string; id?: string }[]).filter(({ type }) => type !== 'markdown')
      const ids = fields.map(({ id }) => id)
      expect(new Set(ids).size, name).to.equal(ids.length)
      expect(fields.length, name).to.be.greaterThan(0)
    }
  })
})
