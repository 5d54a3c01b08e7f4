/** The part of xml2js that writes. Its index would load the parser too, 50 kB that a start reads for nothing. */
declare module 'xml2js/lib/builder.js' {
  import type { Builder } from 'xml2js'

  const builder: { readonly Builder: typeof Builder }
  export default builder
}
