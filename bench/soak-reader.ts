/**
 * The reader of replies compared with saxes and libxml2, for as long as you like; the tests do a few thousand documents of each
 * kind.
 */
import { Chance, documentOf, judge } from '../test/soap/xml/fuzzing.js'
import { changed, judgeReply, replies } from '../test/soap/xml/replies.js'

/**
 * @param minutes how long
 * @throws with the document, as soon as our reader accepts what one of the others refuses, reads another value, or depends on
 * where the document was cut
 */
export function soakReader(seed: number, minutes: number, say: (text: string) => void): void {
  const chance = new Chance(seed)
  const documents = { documents: 0, accepted: 0 }
  const values = { documents: 0, accepted: 0 }
  const started = performance.now()
  let said = started
  while (performance.now() - started < minutes * 60_000) {
    const { text, expected } = chance.of(replies)
    const fault = judge(documentOf(chance), chance, documents) ?? judgeReply(changed(text, chance), expected, chance, values)
    if (fault !== undefined) throw new Error(`seed ${seed}: ${fault}`)
    if (performance.now() - said < 30_000) continue
    said = performance.now()
    say(`${documents.documents} documents, ${values.documents} replies`)
  }
  say(
    `${documents.documents} documents, of which ${documents.accepted} are XML, and ${values.documents} replies, of which ${values.accepted} are accepted.`,
  )
}
