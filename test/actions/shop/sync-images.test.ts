/** Images of a catalogue beside those that were sent: a list need not say whether an item has pictures. */
import { expect } from 'chai'
import { SentImages } from '../../../src/actions/shop/sync/images.js'
import type { StoredImage } from '../../../src/jobs/bulk/index.js'

const image = (Sha256: string): StoredImage => ({ Name: `${Sha256}.jpg`, Format: 'Jpeg', HasMega: false, Bytes: 1, Sha256 })
const [OLD, NEW] = [image('aa'), image('bb')]

describe('images of a catalogue', () => {
  const compared = (wanted: readonly StoredImage[], links: readonly object[] | undefined, { all = false, id = 1 } = {}) => {
    const images = new SentImages(new Map([[1, [OLD]]]), all)
    const row = { line: 2, references: ['A'], given: { ItemImages: wanted } } as never
    const item = { Id: id, ...(links === undefined ? {} : { ImageLinks: links }) } as never
    return { differences: images.differences(row, item), unknown: images.notCompared.map(({ Id }) => Id) }
  }
  const sends = (live: readonly StoredImage[] | null) => [{ field: 'ItemImages', live, wanted: [NEW] }]

  it('go by what was sent, where the list leaves out the pictures too', () => {
    for (const links of [[{}], undefined]) {
      expect(compared([OLD], links)).to.deep.equal({ differences: [], unknown: [] })
      expect(compared([NEW], links)).to.deep.equal({ differences: sends([OLD]), unknown: [] })
    }
  })

  it('are all sent to an item without a picture, whatever was sent before', () => {
    expect(compared([NEW], [])).to.deep.equal({ differences: sends([]), unknown: [] })
  })

  it('are not compared where none was sent from here, but sent where all are asked for', () => {
    expect(compared([NEW], [{}], { id: 5 })).to.deep.equal({ differences: [], unknown: [5] })
    expect(compared([NEW], [{}], { id: 5, all: true })).to.deep.equal({ differences: sends(null), unknown: [] })
  })
})
