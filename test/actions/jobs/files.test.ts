import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { expect } from 'chai'
import { refuseOverwriting, writeHere } from '../../../src/actions/jobs/files.js'

const form = { kind: 'csv', delimiter: ',', newline: '\n', bom: false, columns: ['Id'] } as const

describe('files of a job', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seller-files-'))
    await mkdir(join(dir, 'here'))
    await mkdir(join(dir, 'data'))
  })
  afterEach(async () => {
    await chmod(join(dir, 'here'), 0o700)
    await rm(dir, { recursive: true, force: true })
  })
  const path = (given: string) => (isAbsolute(given) ? given : join(dir, 'here', given))
  const write = () => writeHere({ dataDir: join(dir, 'data'), path }, { stem: 'held-7', form }, () => ['Id\n', '1\n'])

  it('never take the place of another', async () => {
    expect(await write()).to.equal('held-7.csv')
    expect(await write()).to.equal('held-7-2.csv')
    expect(await readFile(path('held-7.csv'), 'utf8')).to.equal('Id\n1\n')
  })

  it('go beside the ledger where this directory cannot be written', async () => {
    // Root writes anywhere.
    if (process.getuid?.() === 0) await rm(join(dir, 'here'), { recursive: true })
    else await chmod(join(dir, 'here'), 0o500)
    try {
      expect(await write()).to.equal(join(dir, 'data', 'held-7.csv'))
    } finally {
      if (process.getuid?.() === 0) await mkdir(join(dir, 'here'))
    }
  })

  it('may not be the input, or each other', () => {
    expect(() => refuseOverwriting({ path }, 'a.csv', { '--failed-file': './a.csv' })).to.throw(
      '--failed-file: "./a.csv" is also the input',
    )
    expect(() => refuseOverwriting({ path }, 'a.csv', { '--held-file': 'b', '--failed-file': 'b' })).to.throw(
      'is also the file of --held-file',
    )
    expect(() => refuseOverwriting({ path }, '-', { '--held-file': 'b', '--failed-file': undefined })).to.not.throw()
  })
})
