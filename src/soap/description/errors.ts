/** Why a text cannot be read as a description. */

export type DescriptionFault =
  /** Not well-formed XML, a DTD, or bytes that do not fit their charset. */
  | 'not-xml'
  /** A web page: the address leads elsewhere, or to a login. */
  | 'web-page'
  /** XML, but not WSDL 1.1. */
  | 'not-wsdl'
  /** Larger or deeper than we read, or with more elements. */
  | 'too-large'
  /** WSDL without an operation that can be called. */
  | 'no-operations'

/** Nothing of the text can be used. The message is a clause about "the description", without a full stop. */
export class DescriptionError extends Error {
  override name = 'DescriptionError'

  constructor(
    readonly fault: DescriptionFault,
    message: string,
  ) {
    super(message)
  }
}
