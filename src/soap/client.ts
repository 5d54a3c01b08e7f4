import type { ClientOptions, SoapClient } from './options.js'

export type * from './options.js'

export declare function createClient(options: ClientOptions): SoapClient
