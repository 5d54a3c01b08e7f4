import { expect } from 'chai'
import { type Operation, operations, operationsOf } from '../../src/contract/index.js'
import {
  type DecodeOptions,
  decodeRequest,
  decodeUrlParams,
  EnvelopeRefused,
  MalformedXml,
  UnreadableParameter,
  UnreadableRequest,
  UnrecognizedAction,
  writeFault,
  writePlainResult,
  writeReply,
} from '../../src/soap/server/index.js'
import { NS } from './service.js'

const ENVELOPE = { '1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope' } as const
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

const options: DecodeOptions = {
  operationOf: (element, namespace) => (namespace === NS ? operationsOf('RestrictedService')[element] : undefined),
}

function soap(body: string, header = '', version: '1.1' | '1.2' = '1.2'): string {
  return `<s:Envelope xmlns:s="${ENVELOPE[version]}" ${XSI}><s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`
}

const decode = (body: string, header = '', more: Partial<DecodeOptions> = {}) =>
  decodeRequest(soap(body, header), { ...options, ...more })
const params = (body: string) => decode(body).params

describe('reading a request as the service does', () => {
  it('tells the version by the namespace of the envelope, and refuses any other', () => {
    for (const version of ['1.1', '1.2'] as const) {
      const decoded = decodeRequest(soap(`<GetItem xmlns="${NS}"><itemId>7</itemId></GetItem>`, '', version), options)
      expect(decoded).to.deep.include({ version, params: { itemId: 7 } })
      expect(decoded.operation).to.equal(operations.GetItem)
    }
    const other = soap(`<GetItem xmlns="${NS}"/>`).replace(ENVELOPE['1.2'], 'http://other')
    expect(() => decodeRequest(other, options)).to.throw(EnvelopeRefused, 'Possible SOAP version mismatch')
    expect(() => decodeRequest('<a/>', options)).to.throw(EnvelopeRefused, 'Missing required soap:Envelope element')
  })

  it('takes bytes of UTF-8, with a mark and of UTF-16', () => {
    const xml = soap(`<LeaveFeedback xmlns="${NS}"><comment>å€😀</comment></LeaveFeedback>`)
    for (const bytes of [Buffer.from(xml), Buffer.from(`\uFEFF${xml}`), Buffer.from(`\uFEFF${xml}`, 'utf16le')]) {
      expect(decodeRequest(bytes, options).params).to.include({ comment: 'å€😀' })
    }
    expect(() => decodeRequest(Buffer.from(xml, 'latin1'), options)).to.throw(MalformedXml)
  })

  it('reads the headers in any order, and takes those of the address where one is missing', () => {
    const header = `<ConfigurationHeader xmlns="${NS}"><MaxResultAge>60</MaxResultAge></ConfigurationHeader><Other xmlns="x"><AppId>9</AppId></Other>
      <n:AuthenticationHeader xmlns:n="${NS}"><n:AppKey>k</n:AppKey><n:AppId>1</n:AppId></n:AuthenticationHeader>`
    const defaultHeaders = { AuthenticationHeader: { AppId: 5 }, AuthorizationHeader: { UserId: 6, Token: 't' } }
    expect(decode(`<GetUserInfo xmlns="${NS}"/>`, header, { defaultHeaders }).headers).to.deep.equal({
      AuthenticationHeader: { AppId: 1, AppKey: 'k' },
      AuthorizationHeader: { UserId: 6, Token: 't' },
      ConfigurationHeader: { Sandbox: 0, MaxResultAge: 60 },
    })
    expect(() =>
      decode(`<GetUserInfo xmlns="${NS}"/>`, `<AuthenticationHeader xmlns="${NS}"><AppId>x</AppId></AuthenticationHeader>`),
    ).to.throw(UnreadableRequest)
  })

  it('reads over unknown, mis-cased and foreign elements, and takes any order', () => {
    const body = `<GetItem xmlns="${NS}"><Unknown><itemId>1</itemId></Unknown><ItemId>2</ItemId><itemId xmlns="">3</itemId></GetItem>`
    expect(params(body)).to.deep.equal({ itemId: 0 })
    const sellerItems = `<GetSellerItems xmlns="${NS}"><filterItemType>ShopItem</filterItemType><categoryId>5</categoryId></GetSellerItems>`
    expect(params(sellerItems)).to.deep.equal({
      categoryId: 5,
      filterActive: 'All',
      minEndDate: null,
      maxEndDate: null,
      filterItemType: 'ShopItem',
      maxStartDate: null,
    })
  })

  it("gives what is absent .NET's default", () => {
    expect(params(`<AddItemImage xmlns="${NS}"/>`)).to.deep.equal({ requestId: 0, imageFormat: 'Gif', hasMega: false })
    expect(params(`<AddItem xmlns="${NS}"/>`)).to.deep.equal({})
    expect(params(`<AddItem xmlns="${NS}"><itemRequest/></AddItem>`).itemRequest).to.deep.equal({
      OwnReferences: [],
      CategoryId: 0,
      Duration: 0,
      Restarts: 0,
      StartPrice: 0,
      ReservePrice: 0,
      BuyItNowPrice: 0,
      PaymentOptionIds: [],
      ShippingOptions: [],
      AcceptedBidderId: 0,
      ExpoItemIds: [],
      CustomEndDate: null,
      ItemAttributes: [],
      ItemType: 0,
      AutoCommit: false,
      VAT: null,
      RestartedFromItemId: null,
    })
    expect(params(`<GetRequestResults xmlns="${NS}"/>`)).to.deep.equal({ requestIds: [] })
  })

  it('heeds nil only where it may be', () => {
    const nil = (name: string) => `<AddItem xmlns="${NS}"><itemRequest><${name} xsi:nil="true"/></itemRequest></AddItem>`
    expect(params(nil('VAT')).itemRequest).to.include({ VAT: null })
    expect(params(nil('OwnReferences')).itemRequest).to.deep.include({ OwnReferences: [] })
    expect(params(nil('Title')).itemRequest).to.include({ Title: '' })
    const valued = (attribute: string) =>
      params(`<AddItem xmlns="${NS}"><itemRequest><VAT ${attribute}>5</VAT></itemRequest></AddItem>`)
    expect(valued('xmlns:x="urn:x" x:nil="true"').itemRequest, 'of another namespace').to.include({ VAT: 5 })
    expect(valued('xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"').itemRequest).to.include({ VAT: null })
    expect(() => params(nil('CategoryId'))).to.throw(UnreadableRequest, 'Input string was not in a correct format.')
  })

  it('refuses a text that is not of its type in the words of the service, with its place', () => {
    const place = 'Server was unable to read request. ---> There is an error in XML document ('
    for (const [body, words] of [
      ['<GetItem xmlns="NS"><itemId></itemId></GetItem>', 'Input string was not in a correct format.'],
      ['<GetItem xmlns="NS"><itemId>abc</itemId></GetItem>', 'Input string was not in a correct format.'],
      ['<GetItem xmlns="NS"><itemId>3000000000</itemId></GetItem>', 'Value was either too large or too small for an Int32.'],
      ['<AddItemImage xmlns="NS"><hasMega/></AddItemImage>', "The string '' is not a valid Boolean value."],
      [
        '<AddItemImage xmlns="NS"><imageFormat>png</imageFormat></AddItemImage>',
        "Instance validation error: 'png' is not a valid value for ImageFormat.",
      ],
      ['<AddItemImage xmlns="NS"><imageData>*</imageData></AddItemImage>', 'Base-64'],
      [
        '<GetSellerItems xmlns="NS"><minEndDate>soon</minEndDate></GetSellerItems>',
        "The string 'soon' is not a valid AllXsd value.",
      ],
      [
        '<GetSellerTransactions xmlns="NS"><request><Filter>Active</Filter></request></GetSellerTransactions>',
        "Instance validation error: 'Active' is not a valid value for TransactionFilter.",
      ],
      ['<GetItem xmlns="NS"><itemId><b/></itemId></GetItem>', 'inside a simple value'],
    ] as const) {
      const attempt = () => params(body.replace('NS', NS))
      expect(attempt, body).to.throw(UnreadableRequest, words)
      expect(attempt, body).to.throw(UnreadableRequest, place)
    }
    const odd = `<?xml version="1.0"?>\n${soap(`<GetItem xmlns="${NS}">\n<itemId>x</itemId></GetItem>`)}`
    expect(() => decodeRequest(odd, options))
      .to.throw(UnreadableRequest)
      .that.includes({ line: 3, column: 19 })
  })

  it('reads a date without a time as its midnight', () => {
    expect(params(`<GetSellerItems xmlns="${NS}"><minEndDate>2026-11-21</minEndDate></GetSellerItems>`)).to.include({
      minEndDate: '2026-11-21T00:00:00',
    })
  })

  it('understands the other form of the prices', () => {
    const body = `<SetPricesOnNonShopItems xmlns="${NS}"><request><NonShopItem><Id>7</Id><OpeningPrice>100</OpeningPrice><BinPrice><Price>900</Price></BinPrice></NonShopItem></request></SetPricesOnNonShopItems>`
    expect(params(body)).to.deep.include({ request: { NonShopItem: { Id: 7, OpeningPrice: 100, BinPrice: { Price: 900 } } } })
  })

  it('is told the operation by the action, or by the body', () => {
    const body = `<GetItem xmlns="${NS}"><itemId>7</itemId></GetItem>`
    for (const action of [undefined, '', '""', `${NS}/GetItem`, `"${NS}/GetItem"`, encodeURIComponent(`${NS}/GetItem`)]) {
      expect(decode(body, '', { action }).params).to.deep.equal({ itemId: 7 })
    }
    expect(() => decode(body, '', { action: `"${NS}/GetItm"` })).to.throw(
      UnrecognizedAction,
      `Server did not recognize the value of HTTP Header SOAPAction: ${NS}/GetItm.`,
    )
    expect(() => decode(body, '', { action: `${NS}/GetUserInfo` })).to.throw(
      UnreadableRequest,
      `<GetItem xmlns='${NS}'> was not expected.`,
    )
    expect(() => decode('<GetItem><itemId>7</itemId></GetItem>')).to.throw(UnrecognizedAction, 'valid action parameter')
    expect(() => decodeRequest(soap('<Other/>', '', '1.1'), options)).to.throw(UnrecognizedAction, 'SOAPAction: .')
    expect(() => decode('')).to.throw(UnrecognizedAction)
  })

  it('calls malformed what is no XML, has a DTD, or nests without end', () => {
    for (const xml of [
      '',
      'x',
      '<a',
      soap(`<GetItem xmlns="${NS}"></b>`),
      soap('&nbsp;'),
      soap('<n:GetItem/>'),
      `<!DOCTYPE a>${soap('')}`,
      soap(`<GetItem xmlns="${NS}">`),
      soap(`<GetItem xmlns="${NS}">${'<a>'.repeat(200)}${'</a>'.repeat(200)}</GetItem>`),
    ]) {
      expect(() => decodeRequest(xml, options), xml).to.throw(MalformedXml)
    }
  })
})

describe('parameters of the HTTP forms', () => {
  const read = (operation: Operation, query: string) => decodeUrlParams(operation, new URLSearchParams(query))

  it('are read by name in any case, others read over', () => {
    expect(read(operations.GetItem, 'ITEMID=7&appId=1')).to.deep.equal({ itemId: 7 })
    expect(read(operations.GetRequestResults, 'requestIds=1&requestids=2')).to.deep.equal({ requestIds: [1, 2] })
    expect(read(operations.GetRequestResults, '')).to.deep.equal({ requestIds: [] })
    expect(read(operations.AddItemImage, 'requestId=1&imageData=YWJj&imageFormat=Png&hasMega=True')).to.deep.equal({
      requestId: 1,
      imageData: Buffer.from('abc'),
      imageFormat: 'Png',
      hasMega: true,
    })
    expect(
      read(operations['PublicService.GetSellerItems'], 'userId=1&categoryId=0&filterActive=All&filterItemType=All&minEndDate='),
    ).to.deep.equal({
      userId: 1,
      categoryId: 0,
      filterActive: 'All',
      filterItemType: 'All',
      minEndDate: null,
      maxEndDate: null,
    })
  })

  it('are refused in the words of the service', () => {
    for (const [operation, query, words] of [
      [operations.GetItem, '', 'Missing parameter: itemId.'],
      [operations.LeaveFeedback, 'transactionId=1&type=Positive', 'Missing parameter: comment.'],
      [
        operations.GetItem,
        'itemId=x',
        'Cannot convert x to System.Int32.\r\nParameter name: type ---> Input string was not in a correct format.',
      ],
      [operations.GetItem, 'itemId=', 'Cannot convert  to System.Int32.'],
      [operations.GetItem, 'itemId=1&itemId=2', 'Cannot convert 1,2 to System.Int32.'],
      [operations.GetItem, 'itemId=3000000000', 'too large or too small for an Int32.'],
      [operations.LeaveFeedback, 'transactionId=1&comment=x&type=positive', "Requested value 'positive' was not found."],
      [operations.AddItem, 'itemRequest=x', 'Use SOAP.'],
    ] as const) {
      expect(() => read(operation, query), query).to.throw(UnreadableParameter, words)
    }
  })
})

describe('writing replies and faults', () => {
  const written = (operation: Operation, result: unknown) => [...writeReply('1.1', NS, operation, result)].join('')
  const body = (xml: string) => /<soap:Body>(.*)<\/soap:Body>/s.exec(xml)?.[1]

  it('has the envelope of the service', () => {
    expect(written(operations.LeaveFeedback, true)).to.equal(
      `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${ENVELOPE['1.1']}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><LeaveFeedbackResponse xmlns="${NS}"><LeaveFeedbackResult>true</LeaveFeedbackResult></LeaveFeedbackResponse></soap:Body></soap:Envelope>`,
    )
  })

  it('leaves out null results, empties empty lists, and answers nothing with an empty element', () => {
    expect(body(written(operations.GetItem, null))).to.equal(`<GetItemResponse xmlns="${NS}" />`)
    expect(body(written(operations.AddItemCommit, undefined))).to.equal(`<AddItemCommitResponse xmlns="${NS}" />`)
    expect(body(written(operations.GetCounties, []))).to.equal(
      `<GetCountiesResponse xmlns="${NS}"><GetCountiesResult /></GetCountiesResponse>`,
    )
  })

  it('leaves out attributes that are unset, and refuses to leave out one that must be there', () => {
    const category = (value: object) => written(operations.GetCategories, [{ ...value, Category: [] }])
    for (const Name of [null, undefined]) expect(category({ Id: 1, Name })).to.include('<Category Id="1" />')
    for (const Id of [null, undefined]) expect(() => category({ Id, Name: 'x' })).to.throw(TypeError, 'Id')
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

  it('refuses a value that is not of its type, by its place', () => {
    expect(() => written(operations.AddShopItem, { RequestId: 1 })).to.throw(TypeError, 'ItemId')
    expect(() => written(operations.AddShopItem, { RequestId: 'x', ItemId: 1 })).to.throw(TypeError, '"x" is not of type int')
    expect(() => written(operations.LeaveFeedback, undefined)).to.throw(TypeError, 'LeaveFeedbackResult')
    expect(() => written(operations.GetCounties, 7)).to.throw(TypeError, 'list')
    for (const entry of [null, undefined, 7, 'x', true]) {
      const said = `GetCounties.IdDescriptionPair cannot be written: "${entry}" is not of type IdDescriptionPair`
      expect(() => written(operations.GetCounties, [{ Id: 1 }, entry])).to.throw(TypeError, said)
    }
    expect(() => written(operations.GetCounties, [{ Id: null }])).to.throw(TypeError, 'Id cannot be written: "null"')
    expect(() => written(operations.GetCounties, [{ Id: 1, Description: {} }])).to.throw(TypeError, 'is not of type string')
    expect(() => written(operations.GetCategories, [{ Name: 'x', Category: [] }])).to.throw(TypeError, 'Id')
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
