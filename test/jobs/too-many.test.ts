import { expect } from 'chai'
import { judgeTooMany } from '../../src/jobs/too-many.js'
import { SoapError } from '../../src/soap/client/index.js'

type Details = ConstructorParameters<typeof SoapError>[2]

function failure(kind: SoapError['kind'], details: Partial<Details> = {}): SoapError {
  return new SoapError(kind, 'failed', { operation: 'GetRequestResults', sent: true, ...details })
}

describe('too many entries in a call', () => {
  const says = (faultString: string) => failure('fault', { faultString })

  it('is sure where the service speaks of a number or a size', () => {
    for (const text of ['Too many shop items', 'at most 500', 'The maximum is 500', 'exceeds the limit', 'request too large']) {
      expect(judgeTooMany(says(text), 2), text).to.equal('sure')
    }
    expect(judgeTooMany(failure('too-large'), 2)).to.equal('sure')
    expect(judgeTooMany(failure('refused', { httpStatus: 413 }), 2)).to.equal('sure')
  })

  it('may be behind a fault that does not say, above fifty and above what was taken before', () => {
    expect(judgeTooMany(says('Request data is not valid'), 50)).to.equal('no')
    expect(judgeTooMany(says('Request data is not valid'), 51)).to.equal('maybe')
    expect(judgeTooMany(says('Request data is not valid'), 51, 51)).to.equal('no')
    expect(judgeTooMany(says('Request data is not valid'), 52, 51)).to.equal('maybe')
  })

  it('is not what one entry, another failure or an error of the program is about', () => {
    expect(judgeTooMany(says('Too many shop items'), 1)).to.equal('no')
    expect(judgeTooMany(failure('interrupted'), 500)).to.equal('no')
    expect(judgeTooMany(new Error('too many'), 500)).to.equal('no')
  })
})
