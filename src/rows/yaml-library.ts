/**
 * The YAML library in its own module, so that it can be loaded late: a bundled CommonJS package gives a dynamic import no names.
 */
export { isMap, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml'
