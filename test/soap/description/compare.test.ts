/** Changed descriptions: each change is found, with its effect. */
import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Field,
  type Fields,
  type Operation,
  operationsOf,
  type ServiceName,
  type Struct,
  type Type,
} from '../../../src/contract/index.js'
import { int, nillable, optional, required, string, struct } from '../../../src/contract/vocabulary.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { compareService, knownDescription, knownService } from '../../../src/soap/description/compare/compare.js'
import { type Difference, readDescription } from '../../../src/soap/description/index.js'
import { changed, differencesOf, entries, NS, operationsIn, SERVICES, withValues } from './support.js'

interface Place {
  readonly service: ServiceName
  /** Operation or type. */
  readonly owner: string
  readonly field: string
  /** The operations whose requests it travels in, then those whose replies. */
  readonly requests: readonly string[]
  readonly replies: readonly string[]
}

/** Every field of every request and reply, once for each type. */
function placesIn(service: ServiceName): Place[] {
  const places = new Map<string, { owner: string; field: string; requests: Set<string>; replies: Set<string> }>()
  const walk = (
    owner: string,
    fields: Fields,
    operation: string,
    way: 'requests' | 'replies',
    inside: readonly string[],
  ): void => {
    for (const [field, { type }] of Object.entries(fields)) {
      const key = `${owner}.${field}`
      const place = places.get(key) ?? { owner, field, requests: new Set(), replies: new Set() }
      place[way].add(operation)
      places.set(key, place)
      intoType(type, operation, way, inside)
    }
  }
  const intoType = (type: Type, operation: string, way: 'requests' | 'replies', inside: readonly string[]): void => {
    if (type.kind === 'list') intoType(type.item, operation, way, inside)
    if (type.kind === 'struct' && !inside.includes(type.name))
      walk(type.name, type.fields, operation, way, [...inside, type.name])
  }
  for (const operation of operationsIn(service)) {
    walk(operation.name, operation.params, operation.name, 'requests', [])
    if (operation.result !== undefined) intoType(operation.result.type, operation.name, 'replies', [])
  }
  return [...places.values()].map(({ requests, replies, ...rest }) => ({
    ...rest,
    service,
    requests: [...requests],
    replies: [...replies],
  }))
}

const all = SERVICES.flatMap(placesIn)
const inRequests = all.filter(({ requests }) => requests.length > 0)
const aPlace = (places: readonly Place[]) => fc.constantFrom(...places)

/** The breaking differences of a description in which the fields of a type or operation are changed. */
function breaksOf({ service, owner }: Pick<Place, 'service' | 'owner'>, change: (fields: Fields) => Fields): Difference[] {
  return differencesOf(service, changed(operationsIn(service), owner, change)).filter(({ effect }) => effect === 'breaks')
}

const operationsWith = (differences: readonly Difference[]): string[] =>
  [...new Set(differences.map(({ operation }) => operation ?? ''))].sort()

describe('the address that a description names', () => {
  const describedAt = (address: string) =>
    readDescription(buildWsdl('PublicService', NS, address, operationsIn('PublicService')), { service: 'PublicService' })
  const found = (address: string, sentTo: string) =>
    compareService(
      knownService('PublicService', operationsOf('PublicService'), { namespace: NS, address: sentTo }),
      describedAt(address),
    )

  it('is another place where host, port or path is another, and breaks nothing', () => {
    for (const other of [
      'https://test.example.com/v3/PublicService.asmx',
      'https://api.example.com:8443/v3/PublicService.asmx',
      'https://api.example.com/old/v3/PublicService.asmx',
    ]) {
      const sentTo = 'https://api.example.com/v3/PublicService.asmx'
      expect(found(other, sentTo), other).to.deep.equal([
        {
          effect: 'differs',
          kind: 'address',
          service: 'PublicService',
          expected: sentTo,
          found: other,
          message: `The description names the address ${other}; calls are sent to ${sentTo}.`,
        },
      ])
    }
  })

  it('is the same place in other letters, and by http where calls go by https', () => {
    expect(found('http://API.example.com/V3/publicservice.asmx', 'https://api.example.com/v3/PublicService.asmx')).to.deep.equal(
      [],
    )
  })

  it('is not looked at where a description names none that can be read, or none is known', () => {
    expect(
      compareService(knownService('PublicService', operationsOf('PublicService'), { namespace: NS }), describedAt('https://x/y')),
    ).to.deep.equal([])
    const { addresses: _, ...rest } = describedAt('https://x/y')
    const known = knownService('PublicService', operationsOf('PublicService'), { namespace: NS, address: 'https://z/y' })
    expect(compareService(known, { ...rest, addresses: [] })).to.deep.equal([])
    const odd = { ...rest, addresses: [{ binding: 'soap12' as const, url: 'no address' }] }
    expect(compareService(known, odd).map(({ kind }) => kind)).to.deep.equal(['address'])
  })
})

describe('a changed description', () => {
  it('with a field renamed breaks every operation that has it', () => {
    fc.assert(
      fc.property(aPlace(all), fc.stringMatching(/^X[a-z]{6}Q$/), (place, name) => {
        const found = breaksOf(place, (fields) =>
          entries(fields, (list) => list.map(([each, field]) => [each === place.field ? name : each, field])),
        )
        expect(operationsWith(found)).to.deep.equal([...new Set([...place.requests, ...place.replies])].sort())
        for (const { kind, subject, found: other } of found) {
          expect(kind).to.equal('field_renamed')
          expect(subject).to.equal(`${place.owner}.${place.field}`)
          expect(other).to.equal(name)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('with a field moved breaks every request that has it', () => {
    const movable = inRequests.filter(
      ({ owner, service }) => inRequests.filter((other) => other.owner === owner && other.service === service).length > 1,
    )
    fc.assert(
      fc.property(aPlace(movable), (place) => {
        const found = breaksOf(place, (fields) =>
          entries(fields, (list) => {
            const at = list.findIndex(([name]) => name === place.field)
            const rest = list.filter((_, index) => index !== at)
            return at === list.length - 1 ? [list[at] as [string, Field], ...rest] : [...rest, list[at] as [string, Field]]
          }),
        )
        expect(operationsWith(found)).to.deep.equal([...place.requests].sort())
        for (const { kind, subject } of found) {
          expect(kind).to.equal('field_order')
          expect(subject?.split('.')[0]).to.equal(place.owner)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('with a field made required breaks every request that may leave it out', () => {
    const optionals = inRequests.filter(({ service, owner, field }) => {
      let free = false
      changed(operationsIn(service), owner, (fields) => {
        const found = fields[field]
        free ||= found !== undefined && !found.repeated && found.type.kind !== 'list' && (found.min === 0 || found.nillable)
        return fields
      })
      return free
    })
    fc.assert(
      fc.property(aPlace(optionals), (place) => {
        const found = breaksOf(place, (fields) =>
          entries(fields, (list) =>
            list.map(([name, field]) => [name, name === place.field ? { ...field, min: 1, nillable: false } : field]),
          ),
        )
        // A field that only newer editions let be nil was required in the older ones.
        if (`${place.owner}.${place.field}` === 'ItemShipping.ShippingOptionId') {
          expect(found).to.deep.equal([])
          return
        }
        expect(operationsWith(found)).to.deep.equal([...place.requests].sort())
        for (const { kind, subject } of found) {
          expect(kind).to.be.oneOf(['field_required', 'nil'])
          expect(subject).to.equal(`${place.owner}.${place.field}`)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('with a field of another type breaks every operation that has it', () => {
    const ints = all.filter(({ service, owner, field }) => {
      let is = false
      changed(operationsIn(service), owner, (fields) => {
        is ||= fields[field]?.type.kind === 'int'
        return fields
      })
      return is
    })
    fc.assert(
      fc.property(aPlace(ints), (place) => {
        const found = breaksOf(place, (fields) =>
          entries(fields, (list) =>
            list.map(([name, field]) => [name, name === place.field ? { ...field, type: { kind: 'boolean' } } : field]),
          ),
        )
        expect(operationsWith(found)).to.deep.equal([...new Set([...place.requests, ...place.replies])].sort())
        expect(found.map(({ kind, expected, found: other }) => [kind, expected, other])).to.deep.equal(
          found.map(() => ['type', 'int', 'boolean']),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('with the parameters nested in a request says where each is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SERVICES.flatMap(operationsIn).filter(({ params }) => Object.keys(params).length > 1)),
        ({ name, service }) => {
          const found = breaksOf({ service, owner: name }, (fields) => ({
            request: optional(struct('Wrapped', { Inner: optional(struct('WrappedInner', fields)) })),
          }))
          const names = Object.keys(operationsIn(service).find((each) => each.name === name)?.params ?? {})
          expect(found.map(({ kind, operation, subject, found: path }) => [kind, operation, subject, path])).to.deep.equal(
            names.map((field) => ['field_nested', name, `${name}.${field}`, `request.Inner.${field}`]),
          )
        },
      ),
      { numRuns: 20 },
    )
  })

  it('with the nested form of auction prices says that it is taken in that form, and nothing else', () => {
    const nested = {
      request: optional(
        struct('SetPricesOnNonShopItemRequest', {
          NonShopItem: optional(
            struct('NonShopItem', {
              Id: required(int),
              OpeningPrice: required(int),
              ReservedPrice: optional(struct('NonShopItemPrice', { Price: required(int) })),
              BinPrice: optional(struct('NonShopItemPrice', { Price: required(int) })),
            }),
          ),
        }),
      ),
    }
    const found = breaksOf({ service: 'RestrictedService', owner: 'SetPricesOnNonShopItems' }, () => nested)
    expect(found.map(({ kind, subject, found: form }) => [kind, subject, form])).to.deep.equal([
      ['form', 'SetPricesOnNonShopItems', 'request'],
    ])
  })

  it('with the nested form, but another name in it, says where that is', () => {
    const other = {
      request: optional(
        struct('SetPricesOnNonShopItemRequest', {
          NonShopItem: optional(struct('OtherItem', { Id: required(int), StartPrice: required(int) })),
        }),
      ),
    }
    const found = breaksOf({ service: 'RestrictedService', owner: 'SetPricesOnNonShopItems' }, () => other)
    expect(found.map(({ kind, subject }) => [kind, subject])).to.deep.include(['form', 'SetPricesOnNonShopItems'])
    expect(found.map(({ kind, subject }) => [kind, subject])).to.deep.include(['field_renamed', 'NonShopItem.OpeningPrice'])
  })

  it('with a request taken apart says so', () => {
    const found = breaksOf(
      { service: 'RestrictedService', owner: 'GetSellerTransactions' },
      ({ request }) => (request as Field<Struct>).type.fields,
    )
    expect(found.map(({ kind, subject, found: path }) => [kind, subject, path])).to.deep.equal([
      ['field_nested', 'GetSellerTransactions.request', 'MinTransactionDate, MaxTransactionDate, Filter'],
    ])
  })

  it('with a request field gone, or a required reply field gone, breaks; with an optional reply field gone it does not', () => {
    const without = (service: ServiceName, owner: string, name: string) =>
      differencesOf(
        service,
        changed(operationsIn(service), owner, (fields) => entries(fields, (list) => list.filter(([each]) => each !== name))),
      )
    const effects = (differences: Difference[]) => differences.map(({ effect, kind }) => [effect, kind])
    expect(effects(without('RestrictedService', 'ItemRequest', 'Title'))).to.deep.equal([['breaks', 'field_missing']])
    expect(effects(without('RestrictedService', 'QueuedRequestResponse', 'RequestId'))).to.deep.equal(
      Array(4).fill(['breaks', 'field_missing']),
    )
    expect(effects(without('RestrictedService', 'RequestResult', 'Message'))).to.deep.equal([['only_here', 'field_missing']])
  })

  it('with an operation gone breaks it, and names what may be it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SERVICES.flatMap(operationsIn)), ({ name, service }) => {
        const found = differencesOf(
          service,
          operationsIn(service).filter((operation) => operation.name !== name),
        )
        // The operations of newer editions, as docs/service.md lists them.
        const effect = ['BeginEidOnFileVerification', 'GetShippingOptions'].includes(name) ? 'differs' : 'breaks'
        expect(found.map(({ effect, kind, operation }) => [effect, kind, operation])).to.deep.equal([
          [effect, 'operation_missing', name],
        ])
      }),
      { numRuns: 31 },
    )
    const renamed = operationsIn('RestrictedService').map((operation) => ({
      ...operation,
      name: operation.name.replace('Eid', 'Vista'),
    }))
    const missing = differencesOf('RestrictedService', renamed).filter(({ kind }) => kind === 'operation_missing')
    expect(missing.map(({ operation, found }) => [operation, found])).to.deep.equal([
      ['BeginEidVerification', 'BeginVistaVerification'],
      ['GetEidVerificationProgress', 'GetVistaVerificationProgress'],
      ['CancelEidVerification', 'CancelVistaVerification'],
      ['BeginEidOnFileVerification', 'BeginVistaOnFileVerification'],
    ])
  })

  it('with a word of a request gone breaks, with a further word does not', () => {
    for (const [service, name, values, requests] of [
      ['RestrictedService', 'ImageFormat', ['Gif', 'Jpeg', 'Png'], ['AddItemImage', 'AddShopItem']],
      ['RestrictedService', 'FeedbackType', ['Positive', 'Negative'], ['LeaveFeedback', 'LeaveOrderFeedbackToBuyer']],
      ['PublicService', 'ItemTypeFilter', ['All', 'Auction', 'PureBuyItNow', 'ShopItem'], ['GetSellerItems']],
    ] as const) {
      const gone = differencesOf(service, withValues(operationsIn(service), name, values.slice(0, -1))).filter(
        ({ effect }) => effect === 'breaks',
      )
      expect(gone.map(({ kind, subject }) => `${kind} ${subject}`)).to.deep.equal(
        requests.map(() => `value_missing ${name}.${values.at(-1)}`),
      )
      expect(operationsWith(gone)).to.deep.equal([...requests].sort())
      const more = differencesOf(service, withValues(operationsIn(service), name, [...values, 'Webp']))
      expect(new Set(more.map(({ effect, kind }) => `${effect} ${kind}`))).to.deep.equal(new Set(['new value_new']))
    }
    const replies = differencesOf('RestrictedService', withValues(operationsIn('RestrictedService'), 'ResultCode', ['Ok']))
    expect(new Set(replies.map(({ effect }) => effect))).to.deep.equal(new Set(['only_here']))
  })

  it('of an older edition breaks nothing', () => {
    let older: Operation[] = operationsIn('RestrictedService')
    const without = (owner: string, ...names: string[]) => {
      older = changed(older, owner, (fields) => entries(fields, (list) => list.filter(([name]) => !names.includes(name))))
    }
    without('GetSellerItems', 'maxStartDate')
    without('ItemRequest', 'DescriptionLanguageCodeIso2', 'RestartedFromItemId')
    without('ShopItemData', 'DescriptionLanguageCodeIso2')
    without('Item', 'UserSelectedEndDate', 'Restarts', 'Duration', 'ReservePriceManuallySet')
    older = changed(older, 'ItemShipping', (fields) =>
      entries(fields, (list) =>
        list
          .filter(([name]) => name !== 'ShippingProviderId')
          .map(([name, field]) => [name, name === 'ShippingOptionId' ? required(int) : field]),
      ),
    )
    const found = differencesOf('RestrictedService', older)
    expect(found.length).to.be.greaterThan(8)
    expect(new Set(found.map(({ effect }) => effect))).to.deep.equal(new Set(['differs']))
  })

  it('with more than the contract has says what is new, and what must be sent', () => {
    const end: Operation = {
      ...(operationsIn('RestrictedService')[0] as Operation),
      name: 'EndItem',
      kind: 'single write',
      result: undefined,
    }
    const operations = changed([...operationsIn('RestrictedService'), end], 'AddItemCommit', (fields) => ({
      ...fields,
      reason: required(string),
      note: nillable(string),
    }))
    const found = differencesOf('RestrictedService', operations)
    expect(found.map(({ effect, kind, subject }) => `${effect} ${kind} ${subject}`)).to.deep.equal([
      'breaks field_required AddItemCommit.reason',
      'new field_new AddItemCommit.note',
      'new operation_new EndItem',
    ])
  })

  it('is compared with an earlier one as with the contract', () => {
    const text = (operations: readonly Operation[]) =>
      buildWsdl('PublicService', NS, 'http://127.0.0.1:1/v3/PublicService.asmx', operations)
    const before = readDescription(text(operationsIn('PublicService')))
    expect(compareService(knownDescription(before), before)).to.deep.equal([])
    const after = readDescription(text(operationsIn('PublicService').slice(1)))
    expect(compareService(knownDescription(before), after).map(({ kind, operation }) => [kind, operation])).to.deep.equal([
      ['operation_missing', 'GetOfficalTime'],
    ])
  })
})
