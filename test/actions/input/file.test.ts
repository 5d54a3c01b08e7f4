/** What --file names: a file, or stdin. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { type Files, openInputFile, readInputFile } from '../../../src/actions/input/file.js'
import { SellerError } from '../../../src/cli/errors.js'

describe('the file of --file', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'seller-file-'))
    await mkdir(join(home, 'folder'))
    await writeFile(join(home, 'empty'), '')
    await writeFile(join(home, 'full'), 'Röd')
  })
  after(() => rm(home, { recursive: true }))

  const files = (pieces: (string | Buffer)[] = [], isTTY = false): Files => ({
    stdin: Object.assign(Readable.from(pieces), { isTTY }) as never,
    path: (given) => join(home, given),
  })
  const refusal = async (work: Promise<unknown>): Promise<SellerError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(SellerError)
    return error as SellerError
  }
  const all = async (pieces: AsyncIterable<Uint8Array | string>): Promise<string> => {
    let text = ''
    for await (const piece of pieces) text += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')
    return text
  }

  it('is read whole, or as it comes; - is stdin', async () => {
    expect((await readInputFile(files(), 'full')).toString()).to.equal('Röd')
    expect(await all(await openInputFile(files(), 'full'))).to.equal('Röd')
    expect((await readInputFile(files(['Rö', Buffer.from('d')]), '-')).toString()).to.equal('Röd')
    expect(await all(await openInputFile(files(['Rö', 'd']), '-'))).to.equal('Röd')
    expect(await all(await openInputFile(files(), 'empty'))).to.equal('')
  })

  for (const [name, message, hint] of [
    ['none', 'The file "none" cannot be read: ', 'Check the path. Use - to read stdin.'],
    ['folder', 'The file "folder" cannot be read: ', 'Name a file in that directory.'],
  ] as const) {
    it(`is refused where it is ${name}, before the first byte`, async () => {
      for (const work of [readInputFile(files(), name), openInputFile(files(), name)]) {
        const error = await refusal(work)
        expect(error).to.include({ code: 'unreadable_file', exitCode: 2, hint })
        expect(error.message).to.include(message)
      }
    })
  }

  it('is refused where it is empty', async () => {
    expect((await refusal(readInputFile(files(), 'empty'))).message).to.equal('The file "empty" is empty.')
    expect((await refusal(readInputFile(files(), '-'))).message).to.equal('Stdin is empty.')
  })

  it('is never awaited from a terminal', async () => {
    for (const work of [readInputFile(files([], true), '-'), openInputFile(files([], true), '-')]) {
      expect(await refusal(work)).to.include({ code: 'stdin_is_terminal', exitCode: 2 })
    }
  })

  it('may be 512 MB of stdin, and no more', async () => {
    const piece = Buffer.alloc(256 * 1024 * 1024)
    const error = await refusal(readInputFile(files([piece, piece, Buffer.from('x')]), '-'))
    expect(error.message).to.equal('Stdin is larger than 512 MB.')
    expect(error.hint).to.equal('Split it.')
  })

  it('throws on what is not of the file', async () => {
    const mistake = new TypeError('a mistake of this program')
    const broken = {
      ...files(),
      path: () => {
        throw mistake
      },
    } as Files
    for (const read of [readInputFile, openInputFile] as readonly ((ctx: Files, path: string) => Promise<unknown>)[]) {
      const error = await read(broken, 'full').catch((reason: unknown) => reason)
      expect(error).to.equal(mistake)
    }
  })
})
