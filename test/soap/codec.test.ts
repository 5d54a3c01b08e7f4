import { expect } from 'chai'
import { type Operation, operations } from '../../src/contract/index.js'
import { writeFault, writePlainResult, writeReply } from '../../src/soap/server/index.js'
import { NS } from './service.js'

const ENVELOPE_1_1 = 'http://schemas.xmlsoap.org/soap/envelope/'

describe('writing replies and faults', () => {
  const written = (operation: Operation, result: unknown) => [...writeReply('1.1', NS, operation, result)].join('')
  const body = (xml: string) => /<soap:Body>(.*)<\/soap:Body>/s.exec(xml)?.[1]

  it('has the envelope of the service', () => {
    expect(written(operations.LeaveFeedback, true)).to.equal(
      `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${ENVELOPE_1_1}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><LeaveFeedbackResponse xmlns="${NS}"><LeaveFeedbackResult>true</LeaveFeedbackResult></LeaveFeedbackResponse></soap:Body></soap:Envelope>`,
    )
  })

  it('takes entries from any iterable one by one, and hands on pieces as it goes', () => {
    let taken = 0
    function* pairs() {
      for (let Id = 1; Id <= 100_000; Id++) {
        taken++
        yield { Id, Description: 'Västra Götaland & Öland' }
      }
    }
    const pieces = writeReply('1.2', NS, operations.GetCounties, pairs())[Symbol.iterator]()
    expect(pieces.next().value).to.have.length.greaterThan(1000)
    expect(taken).to.be.lessThan(2000)
  })

  it('escapes what XML wants escaped, and replaces what it cannot carry', () => {
    const [pair] = [{ Id: 1, Description: '<&>"\r\n\u0001\ud800x😀' }]
    expect(body(written(operations.GetCounties, [pair]))).to.include(
      '<Description>&lt;&amp;&gt;"&#xD;\n\uFFFD\uFFFDx😀</Description>',
    )
    expect(written(operations.GetCategories, [{ Id: 1, Name: '"<\n', Category: [] }])).to.include(
      '<Category Id="1" Name="&quot;&lt;&#xA;" />',
    )
  })

  it('writes bare results under the name of their type', () => {
    const plain = (operation: Operation, result: unknown) => [...writePlainResult(NS, operation, result)].join('')
    const spaces = `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="${NS}"`
    const declaration = '<?xml version="1.0" encoding="utf-8"?>\r\n'
    expect(plain(operations.LeaveFeedback, true)).to.equal(`${declaration}<boolean ${spaces}>true</boolean>`)
    expect(plain(operations.GetCounties, [{ Id: 1 }])).to.equal(
      `${declaration}<ArrayOfIdDescriptionPair ${spaces}>\r\n  <IdDescriptionPair>\r\n    <Id>1</Id>\r\n  </IdDescriptionPair>\r\n</ArrayOfIdDescriptionPair>`,
    )
    expect(plain(operations.GetCounties, [])).to.equal(`${declaration}<ArrayOfIdDescriptionPair ${spaces} />`)
    expect(plain(operations.GetItem, null)).to.equal(`${declaration}<Item ${spaces} xsi:nil="true" />`)
    expect(plain(operations.BeginEidVerification, {})).to.equal(`${declaration}<BeginEidVerificationResult ${spaces} />`)
    expect(plain(operations.AddItemCommit, undefined)).to.equal('')
  })

  it('writes faults of both versions', () => {
    const fault = { code: 'Client', text: 'Invalid request ---> No & no' } as const
    expect(body(writeFault('1.1', fault))).to.equal(
      '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>Invalid request ---&gt; No &amp; no</faultstring><detail /></soap:Fault>',
    )
    expect(body(writeFault('1.2', { ...fault, code: 'Server' }))).to.equal(
      '<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">Invalid request ---&gt; No &amp; no</soap:Text></soap:Reason><soap:Detail /></soap:Fault>',
    )
  })
})
