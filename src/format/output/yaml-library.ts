/**
 * The YAML library in its own module, so that it can be loaded late: a bundled CommonJS package gives a dynamic import no names.
 */
export { Scalar, stringify } from 'yaml'
