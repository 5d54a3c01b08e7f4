import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { MAX_IMAGE_BYTES } from '../../src/contract/index.js'
import { JobsError } from '../../src/jobs/ledger/errors.js'
import { inspectImages, readImage } from '../../src/jobs/listing/images.js'
import { cleanUp, GIF, JPEG, PNG, temporaryDirectory, thrown } from './harness.js'

describe('image files', () => {
  afterEach(cleanUp)

  const file = (name: string, bytes: Uint8Array | string) => {
    const path = join(temporaryDirectory(), name)
    writeFileSync(path, bytes)
    return path
  }

  it('are told apart by their content, never by their name', async () => {
    const paths = [file('a.txt', GIF), file('b.gif', JPEG), file('c', PNG)]
    const { images, faults } = await inspectImages(paths.map((path, index) => ({ path, mega: index === 1 })))
    expect(faults).to.deep.equal([])
    expect(images).to.deep.equal([
      { path: paths[0], bytes: GIF.length, sha256: sha256(GIF), removed: [], format: 'Gif', mega: false },
      { path: paths[1], bytes: JPEG.length, sha256: sha256(JPEG), removed: [], format: 'Jpeg', mega: true },
      { path: paths[2], bytes: PNG.length, sha256: sha256(PNG), removed: [], format: 'Png', mega: false },
    ])
  })

  it('may be 4 MB, and not a byte more', async () => {
    const end = PNG.length - 12
    const ofSize = (bytes: number) => {
      const pixels = Buffer.alloc(bytes - PNG.length)
      pixels.writeUInt32BE(pixels.length - 12)
      pixels.write('IDAT', 4)
      return Buffer.concat([PNG.subarray(0, end), pixels, PNG.subarray(end)])
    }
    const most = file('most.png', ofSize(MAX_IMAGE_BYTES))
    const over = file('over.png', ofSize(MAX_IMAGE_BYTES + 1))
    const film = file('film.png', Buffer.concat([ofSize(MAX_IMAGE_BYTES), Buffer.from('a film')]))
    const huge = file('huge.png', '')
    writeFileSync(huge, Buffer.alloc(9 * MAX_IMAGE_BYTES))
    const { images, faults } = await inspectImages([{ path: most }, { path: film }, { path: over }, { path: huge }])
    expect(images.map(({ path }) => path)).to.deep.equal([most, film])
    expect(faults.map(({ value }) => value)).to.deep.equal([over, huge])
    expect(faults[0]?.message).to.contain('4194305 bytes').and.to.contain('4194304')
    expect(faults[0]?.hint).to.equal('Save it smaller, or as a Jpeg, which --fit makes fit.')
    expect(faults[1]?.message).to.contain(`is ${9 * MAX_IMAGE_BYTES} bytes; the service takes at most`)
  })

  it('are refused all at once, each with its reason', async () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'folder'))
    const webp = Buffer.from('52494646240000005745425056503820180000003001009d012a01000100020034', 'hex')
    const paths = [
      join(directory, 'none.png'),
      join(directory, 'folder'),
      file('empty.png', ''),
      file('text.png', 'not an image at all'),
      file('new.jpg', webp),
    ]
    const { images, faults } = await inspectImages(paths.map((path, index) => ({ path, mega: index === 4 })))
    expect(images).to.deep.equal([])
    expect(faults.map(({ field, message }) => [field, message])).to.deep.equal([
      ['image', 'does not exist'],
      ['image', 'is a directory'],
      ['image', 'is an empty file'],
      ['image', 'does not contain an image; the service takes Gif, Jpeg and Png'],
      ['mega-image', 'is image/webp by its content; the service takes Gif, Jpeg and Png'],
    ])
    const convert = 'Convert it to Jpeg or Png; renaming does not help.'
    expect(faults.map(({ hint }) => hint)).to.deep.equal([undefined, undefined, undefined, convert, convert])
    for (const fault of faults.slice(0, 3)) expect(fault).to.not.have.property('hint')
  })

  // The superuser may read anything.
  if (process.getuid?.() !== 0) {
    it('that may not be read are refused', async () => {
      const path = file('a.png', PNG)
      chmodSync(path, 0)
      expect((await inspectImages([{ path }])).faults[0]?.message).to.contain('permission denied')
    })
  }

  it('must be the same when they are read again', async () => {
    const path = file('a.png', PNG)
    const image = { path, sha256: sha256(PNG) }
    expect((await readImage(image)).equals(PNG)).to.equal(true)
    writeFileSync(path, GIF)
    const changed = await thrown(() => readImage(image))
    expect(changed).to.be.instanceOf(JobsError).and.to.include({ code: 'image_changed' })
    expect((changed as JobsError).details).to.deep.equal({ path })
    expect((changed as JobsError).message)
      .to.contain(path)
      .and.to.contain('content is different')
    writeFileSync(path, Buffer.alloc(8 * MAX_IMAGE_BYTES + 1))
    expect(((await thrown(() => readImage(image))) as JobsError).message).to.contain(`it is ${8 * MAX_IMAGE_BYTES + 1} bytes`)
    writeFileSync(path, Buffer.alloc(8 * MAX_IMAGE_BYTES))
    expect(((await thrown(() => readImage(image))) as JobsError).message, 'still read').to.contain('content is different')
    rmSync(path)
    expect(((await thrown(() => readImage(image))) as JobsError).message).to.contain('does not exist')
  })
})

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
