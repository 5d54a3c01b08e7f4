/** Which pairs of names are proposed for a service that has names of its own, and which are not. */
import { expect } from 'chai'
import {
  headers as contractHeaders,
  type NameMap,
  type Operation,
  operationsOf,
  Renamer,
  readNameMap,
  renaming,
  type ServiceName,
} from '../../../src/contract/index.js'
import { int, optional, required, struct } from '../../../src/contract/vocabulary.js'
import { type Description, proposeNames } from '../../../src/soap/description/index.js'
import { NS } from './support.js'

type Change = (operations: Operation[]) => Operation[]

/** The description of a service that uses these names, without the way over its text. */
function described(service: ServiceName, names: NameMap | string, change: Change = (operations) => operations): Description {
  const map = typeof names === 'string' ? readNameMap(names) : names
  const renamer = new Renamer(renaming(map), 'whole')
  const operations = change(Object.values(operationsOf(service)).map((operation) => renamer.operation(operation)))
  const headers = Object.keys(contractHeaders)
  return {
    service,
    ours: true,
    serviceName: service,
    namespace: NS,
    addresses: [],
    operations: new Map(operations.map((operation) => [operation.name, { operation, headers, bindings: ['soap12'] }])),
    headers: new Map(Object.entries(contractHeaders)),
    unread: [],
  }
}
const SERVICES = ['RestrictedService', 'PublicService'] as const
const both = (names: string, change?: Change) => SERVICES.map((service) => described(service, names, change))
const proposed = (descriptions: readonly Description[], names = '') =>
  proposeNames(descriptions, readNameMap(names)).map((pair) => pair.join('='))
const renamed =
  (from: string, to: string): Change =>
  (operations) =>
    operations.map((operation) => (operation.name === from ? { ...operation, name: to } : operation))

describe('pairs of names', () => {
  it('come in the order of their names, whatever they explain', () => {
    expect(proposed(both('Eid=Zed,Campaign=Drive'))).to.deep.equal(['CampaignCode=DriveCode', 'Eid=Zed'])
  })

  for (const [from, to, pair] of [
    ['GetUserInfo', 'GetPersonInfo', ['UserInfo=PersonInfo', 'GetUser=GetPerson', 'GetUserInfo=GetPersonInfo']],
    ['GetUserInfo', 'FetchUserInfo', ['GetUserInfo=FetchUserInfo', 'GetUser=FetchUser']],
    ['GetUserInfo', 'GetUserFacts', ['Info=Facts', 'UserInfo=UserFacts', 'GetUserInfo=GetUserFacts']],
    ['LeaveFeedback', 'LeaveRating', ['LeaveFeedback=LeaveRating', 'Feedback=Rating']],
  ] as const) {
    it(`change no word that the service uses elsewhere: ${from} as ${to}`, () => {
      const found = proposed([described('RestrictedService', '', renamed(from, to))])
      expect(found).to.have.lengthOf(1)
      expect(pair).to.include(found[0])
    })
  }

  it('are none for an operation with other parameters, unless those have new names too', () => {
    const odd: Change = (operations) =>
      renamed(
        'GetUserInfo',
        'GetPersonInfo',
      )(operations).map((operation) =>
        operation.name === 'GetPersonInfo' ? { ...operation, params: { secret: required(int) } } : operation,
      )
    expect(proposed([described('RestrictedService', '', odd)])).to.deep.equal([])
  })

  it('are none for operations that have no word in common', () => {
    expect(proposed([described('RestrictedService', '', renamed('GetUserInfo', 'Xyz'))])).to.deep.equal([])
    expect(
      proposed([described('RestrictedService', '', (operations) => operations.filter(({ name }) => name !== 'GetUserInfo'))]),
    ).to.deep.equal([])
  })

  it('are of names that begin with a capital letter', () => {
    expect(proposed([described('RestrictedService', '', renamed('GetUserInfo', 'GetuserInfo'))]).join()).not.to.match(
      /=[a-z]|^[a-z]/,
    )
    for (const name of ['getUserInfo', 'get_UserInfo']) {
      expect(proposed([described('RestrictedService', '', renamed('GetUserInfo', name))]), name).to.deep.equal([])
    }
  })

  it('are of the service that lacks the name', () => {
    const here = described('RestrictedService', '', renamed('GetUserInfo', 'GetPersonInfo'))
    const there = described('PublicService', '', (operations) => [
      ...operations,
      { ...(operationsOf('RestrictedService').GetUserInfo as Operation), name: 'GetPersonInfos', service: 'PublicService' },
    ])
    const found = proposed([here, there])
    expect(found).to.have.lengthOf(1)
    expect(found[0]).to.match(/=(Get)?Person(Info)?$/)
  })

  it('do not hide a name that the service has already', () => {
    const box = struct('UserInfo', { PersonInfo: optional(int) })
    const taken: Change = (operations) =>
      renamed(
        'GetUserInfo',
        'GetPersonInfo',
      )(operations).map((operation) =>
        operation.name === 'GetPersonInfo'
          ? { ...operation, result: optional(struct('Both', { UserInfo: optional(box) })) }
          : operation,
      )
    const found = proposed([described('RestrictedService', '', taken)])
    expect(found.filter((pair) => pair === 'UserInfo=PersonInfo')).to.deep.equal([])
  })
})
