/** Words of packages about themselves, and what is left in them of others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect } from 'chai'
import { withoutSignature } from '../../scripts/package/single.js'
import { sbomOf } from '../../scripts/sbom.js'
import { root } from '../e2e/product.js'

/** Faults by the schema of CycloneDX 1.6, by the validator of its makers; null for nothing. */
const faultsOf = (bom: string) => new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bom)

describe('the bill of materials', () => {
  it('is valid by the schema of CycloneDX, which knows no type "module"', async () => {
    const bom = readFileSync(join(root, 'dist', 'bom.json'), 'utf8')
    expect(await faultsOf(bom)).to.equal(null)
    expect(JSON.stringify(await faultsOf(bom.replace('"type": "application"', '"type": "module"')))).to.include('allowedValues')
  })

  it('has each reference once, and Node by the names that scanners look for', async () => {
    const product = { name: 'seller', version: '1.0.0', license: 'MIT', type: 'module' }
    const node = {
      type: 'application',
      ...{ name: 'node', version: '24.21.0', license: 'MIT', purl: 'pkg:generic/node@24.21.0' },
      cpe: 'cpe:2.3:a:nodejs:node.js:24.21.0:*:*:*:*:*:*:*',
    } as const
    const text = sbomOf(product, [{ name: '@a/b', version: '2.0.0', license: 'ISC' } as never], [node])
    expect(await faultsOf(text)).to.equal(null)
    const bom = JSON.parse(text)
    const all = [bom.metadata.component, ...bom.components]
    expect(bom.metadata.component).to.include({ type: 'application', purl: 'pkg:npm/seller@1.0.0' })
    const refs = all.map((component) => component['bom-ref'])
    expect(new Set(refs).size).to.equal(refs.length)
    expect(bom.dependencies.map(({ ref }: { ref: string }) => ref)).to.have.members(refs)
    expect(bom.components.find(({ name }: { name: string }) => name === 'node')).to.include({ purl: node.purl, cpe: node.cpe })
  })
})

describe('the program for Windows', () => {
  it('has nothing left of the signature of another one, and a checksum of its own', () => {
    const program = Buffer.alloc(1024, 7)
    program.writeUInt32LE(64, 60)
    program.writeUInt16LE(0x20b, 64 + 24)
    const entry = 64 + 24 + 112 + 32
    program.writeUInt32LE(1000, entry)
    program.writeUInt32LE(24, entry + 4)
    const cut = withoutSignature(program)
    expect([cut.length, cut.readUInt32LE(entry), cut.readUInt32LE(entry + 4)]).to.deep.equal([1000, 0, 0])
    const checksum = 64 + 24 + 64
    let sum = 0
    for (let at = 0; at < cut.length; at += 2) {
      sum += at === checksum || at === checksum + 2 ? 0 : cut.readUInt16LE(at)
      sum = (sum & 0xffff) + (sum >> 16)
    }
    expect(cut.readUInt32LE(checksum)).to.equal(sum + 1000)
    expect(withoutSignature(cut).equals(cut), 'again').to.equal(true)
  })
})
