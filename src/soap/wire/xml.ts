/** Promises of the XML reader to its listener: events, errors and bounds. */

/** Deeper than any tree of categories. A reply that nests further is an attack or a mistake. */
export const MAX_DEPTH = 100

/** Bytes of one text, tag, comment or name: more than a 4 MB image has in base64 (5.6 million). */
export const MAX_TEXT_LENGTH = 8 * 1024 * 1024

/** Text that is not XML, or exceeds what is read. */
export class XmlError extends Error {
  override name = 'XmlError'
}

/** The text ended inside the document, or before it began. */
export class XmlCutShort extends XmlError {
  override name = 'XmlCutShort'
}

/**
 * A fault in the XML at a place in the bytes at hand. The caller, who knows how many bytes came before, turns it into an
 * XmlError.
 */
export class Broken extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

export interface XmlEvents {
  /**
   * A start tag by its local name. Its attributes follow.
   * @param foreign its namespace, if that differs from its parent's
   */
  open(local: string, foreign: string | undefined): void
  /** An attribute that does not declare a namespace; `prefix` is empty if the name has none. */
  attribute(prefix: string, local: string, value: string): void
  text(text: string): void
  close(): void
}
