/** Why a text is not a description that can be read. */

export type DescriptionFault =
  /** Not well-formed XML, a DTD, or bytes that are not of their charset. */
  | 'not-xml'
  /** A web page: an address of something else, or a page that asks for a login. */
  | 'web-page'
  /** XML, but not WSDL 1.1. */
  | 'not-wsdl'
  /** Larger, deeper or with more elements than is read. */
  | 'too-large'
  /** WSDL without an operation that could be called. */
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
