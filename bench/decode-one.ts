/**
 * One decoder on one file, in a separate process: `decode-one.ts DECODER FILE [WSDL]`. Prints the CPU time of the decoding
 * (without loading the decoder) and the peak memory of the whole process.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { operations } from '../src/contract/index.js'
import { createHider } from '../src/soap/wire/mask.js'
import { expectedReply, soapReplyReader } from '../src/soap/wire/reply.js'

interface Counted {
  items: number
  /** Sum of the ids: all decoders must have read the same. */
  sum: number
}

const PLANNED = [
  'Id',
  'ItemType',
  'BuyItNowPrice',
  'OwnReferences',
  'CategoryId',
  'OpeningBid',
  'ReservePrice',
  'TotalBids',
  'ShortDescription',
]

async function readItems(file: string, fields?: readonly string[]): Promise<Counted> {
  // Texts pass the client's filter: secrets are searched for in each.
  const hide = createHider(['0123456789-application-key', '0123456789-token-of-a-user'])
  const reader = soapReplyReader({ ...expectedReply(operations.GetSellerItems), fields }, hide)
  const counted = { items: 0, sum: 0 }
  const count = (items: unknown) => {
    for (const item of items as { Id: number }[]) {
      counted.items++
      counted.sum += item.Id
    }
  }
  for await (const chunk of createReadStream(file)) {
    reader.write(chunk as Buffer)
    count(reader.take())
  }
  reader.end()
  count(reader.value)
  return counted
}

const decoders: Record<string, (file: string) => Promise<() => Promise<Counted>>> = {
  /** Typed values, item by item, as `client.stream` reads them from the network. */
  seller: async (file) => () => readItems(file),

  /** The same with the fields that a plan needs. */
  'seller, 9 fields': async (file) => () => readItems(file, PLANNED),

  /** A tree of texts. */
  xml2js: async (file) => {
    const { parseStringPromise, processors } = await import('xml2js')
    return async () => {
      const tree = await parseStringPromise(readFileSync(file, 'utf8'), { tagNameProcessors: [processors.stripPrefix] })
      const items = tree.Envelope.Body[0].GetSellerItemsResponse[0].GetSellerItemsResult[0].Item as { Id: string[] }[]
      return { items: items.length, sum: items.reduce((sum, item) => sum + Number(item.Id[0]), 0) }
    }
  },

  /** Values typed by our own WSDL. */
  'node-soap': async (file) => {
    const { WSDL } = await import('soap/lib/wsdl/index.js')
    const uri = process.argv[4] ?? ''
    const wsdl = new WSDL(readFileSync(uri, 'utf8'), uri, {})
    await new Promise<void>((resolve, reject) => wsdl.onReady((error) => (error ? reject(error) : resolve())))
    return async () => {
      const tree = wsdl.xmlToObject(readFileSync(file, 'utf8'))
      const items = tree.Body.GetSellerItemsResponse.GetSellerItemsResult.Item as { Id: number }[]
      return { items: items.length, sum: items.reduce((sum, item) => sum + item.Id, 0) }
    }
  },
}

const decode = await decoders[process.argv[2] ?? '']?.(process.argv[3] ?? '')
if (decode === undefined) throw new Error(`no decoder «${process.argv[2]}»; there are ${Object.keys(decoders).join(', ')}`)
const before = process.cpuUsage()
const counted = await decode()
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({ cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024, note: JSON.stringify(counted) }),
)
