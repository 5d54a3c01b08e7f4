/** Shapes of failures: docs/service.md, Failures. */
import { expect } from 'chai'
import { type Got, SOAP_TYPES } from './support.js'
import { faultOf } from './tree.js'

export function expectEmpty(got: Got, status: number): void {
  expect(got.status).to.equal(status)
  expect(got.text).to.equal('')
}

type Code = 'Client' | 'Server' | 'VersionMismatch' | 'MustUnderstand'

export function expectFault(got: Got, code: Code, text: string | RegExp, version: '1.1' | '1.2' = '1.1'): void {
  expect(got.status).to.equal(500)
  expect(got.headers['content-type']).to.equal(SOAP_TYPES[version])
  const fault = faultOf(got.text)
  const names: Record<string, string> = version === '1.1' ? {} : { Client: 'Sender', Server: 'Receiver' }
  expect(fault?.code).to.equal(`soap:${names[code] ?? code}`)
  if (typeof text === 'string') expect(fault?.text).to.equal(text)
  else expect(fault?.text).to.match(text)
}

export function expectPlain(got: Got, text: string | RegExp): void {
  expect(got.status).to.equal(500)
  expect(got.headers['content-type']).to.equal('text/plain; charset=utf-8')
  expect(got.text.endsWith('\r\n')).to.equal(true)
  if (typeof text === 'string') expect(got.text).to.equal(`${text}\r\n`)
  else expect(got.text).to.match(text)
}

/** A refusal by HTTP status, with a page and no SOAP. */
export function expectPage(got: Got, status: number): void {
  expect(got.status).to.equal(status)
  expect(got.headers['content-type']).to.equal('text/html; charset=utf-8')
  expect(got.text).to.not.include('Envelope')
}
