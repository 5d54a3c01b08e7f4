/**
 * The discovery document at `?disco` (docs/service.md, Odd requests): it lists the description, the pages and the bindings of a
 * service.
 */
import type { ServiceName } from '../../contract/index.js'
import { escaped } from '../markup.js'

const DISCOVERY = 'http://schemas.xmlsoap.org/disco/'

/** @param address of the service, e.g. `http://127.0.0.1:8080/v3/RestrictedService.asmx` */
export function buildDiscovery(service: ServiceName, namespace: string, address: string): string {
  const at = escaped(address)
  const soap = (binding: string): string =>
    `  <soap address="${at}" xmlns:q1="${escaped(namespace)}" binding="q1:${binding}" xmlns="${DISCOVERY}soap/" />`
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<discovery xmlns="${DISCOVERY}">`,
    `  <contractRef ref="${at}?wsdl" docRef="${at}" xmlns="${DISCOVERY}scl/" />`,
    soap(`${service}Soap`),
    soap(`${service}Soap12`),
    '</discovery>',
  ].join('\n')
}
