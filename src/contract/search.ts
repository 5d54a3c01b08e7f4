/** The search for words in titles: `--search` of every command that lists or chooses items. */

/** Marks are dropped but for those of å, ä and ö, which are letters of their own. */
const folded = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^åäö]/gu, (sign) => sign.normalize('NFD').replace(/\p{M}/gu, ''))

/** The words of a search text, as they are compared: in any case, and é as e. Empty for a text without words. */
export function searchWords(text: string): string[] {
  return folded(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** A test that is true if each word stands somewhere in one of the texts. A part of a word is enough: "vas" is in "Golvvas". */
export function wordSearch(text: string): (...texts: readonly string[]) => boolean {
  const words = searchWords(text)
  return (...texts) => {
    const places = texts.map(folded)
    return words.every((word) => places.some((place) => place.includes(word)))
  }
}
