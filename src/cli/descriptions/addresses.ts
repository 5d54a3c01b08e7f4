/** Turns the address of a service, as a person gives it, into the addresses of its descriptions. */

import { ALL_SERVICES, type ServiceName } from '../../contract/index.js'
import { descriptionAddress } from '../../soap/client/index.js'
import { baseAddress, readServiceAddress } from '../address.js'

export interface DescriptionAddress {
  readonly url: string
  /** The service it belongs to; undefined if the address does not say. */
  readonly service?: ServiceName | undefined
  /** Not every host has the service; a sentence about one without it. */
  readonly missing?: string
}

/** The services that every host has. */
export const SERVICES: readonly ServiceName[] = ['RestrictedService', 'PublicService']

/** The services that commands use where the host has them, each with a sentence about a host without it. */
const EXTRA_SERVICES: ReadonlyMap<ServiceName, string> = new Map([
  ['OrderService', 'This service has no OrderService, so the commands of orders do not work here. All others do.'],
  ['ListingService', 'This service has no ListingService, so items:relist does not see what was restarted elsewhere.'],
])

/**
 * Accepts a base address, one that ends in `/v3`, that of a service (`….asmx`) and that of a description (`?WSDL`).
 * @returns one address, or those of the services below a base address that commands use
 * @throws {SellerError} usage: not an address, or neither https nor this machine
 */
export function descriptionAddresses(text: string, from: string): DescriptionAddress[] {
  const [whole = '', query = ''] = text.trim().replace(/#.*$/, '').split('?')
  const isExact = /^(?:single)?wsdl\b/i.test(query)
  // The rules for base addresses apply here too, so that what is saved came over a connection that cannot be tampered with.
  const address = readServiceAddress(isExact ? whole : text.trim().replace(/#.*$/, ''), from)
  const url = `${address.origin}${address.pathname}`.replace(/\/+$/, '')
  const service = ALL_SERVICES.find((name) => url.toLowerCase().endsWith(`/${name.toLowerCase()}.asmx`))
  if (isExact || /\.asmx$/i.test(url)) return [{ url: `${url}?${isExact ? query : 'WSDL'}`, service }]
  return descriptionsUsed(baseAddress(address))
}

/** Where the calls of a profile to a service are sent (`….asmx`); undefined where its address is not set. */
export function serviceAddress(baseUrl: string | undefined, service: ServiceName): string | undefined {
  return baseUrl === undefined ? undefined : descriptionAddress(baseUrl, service).replace(/\?.*$/, '')
}

/** The descriptions of all services that commands use. */
export function descriptionsUsed(baseUrl: string): DescriptionAddress[] {
  return [...descriptionsBelow(baseUrl), ...extraDescriptions(baseUrl)]
}

/** The descriptions of the services that not every host has. */
export function extraDescriptions(baseUrl: string): DescriptionAddress[] {
  return [...EXTRA_SERVICES].flatMap(([service, missing]) =>
    descriptionsBelow(baseUrl, [service]).map((address) => ({ ...address, missing })),
  )
}

/** The descriptions of the services of a base address; by default of those that every host has. */
export function descriptionsBelow(baseUrl: string, services = SERVICES): DescriptionAddress[] {
  return services.map((service) => ({ url: descriptionAddress(baseUrl, service), service }))
}
