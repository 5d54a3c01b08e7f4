/**
 * The end-to-end tests of every command once more, unchanged, against a service with another namespace, other names and nested
 * parameters.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../e2e/product.js'

/**
 * Files about a service's form itself: each of their tests sets one of its own, begins with nothing saved, or holds every word
 * that is printed, of which one is about the form.
 */
const ABOUT_THE_FORM = [
  'login',
  'names',
  'operation-changed',
  'operations',
  'service',
  'setup',
  'call-described',
  'personal-fields',
  'questions',
  'sessions',
]

/** Single tests for which the same holds, by their whole titles. */
const SINGLE = [
  'call reads the description for an operation the contract does not know, and calls on the service told',
  'eid order reference names an older session with --order-ref',
  'eid order reference is sent with every look and the cancellation where the saved description has a place for it',
  'eid order reference is refused where the saved description has no place for it',
  'eid order reference goes under the name that the service has for it',
  'a share of the call budget stops a job resumable, and is what the estimate before it says',
  'completion knows profiles, jobs and requests, and makes no ledger where there is none',
  'the keys of --json are those that scripts were told',
]

/** Tests of these files that pass; fewer would mean that most were not run. */
const LEAST = 400

describe('the end-to-end tests against a service of another make', function () {
  // Hundreds of tests: half an hour on a busy machine is no fault of theirs.
  this.timeout(1_800_000)

  it('pass unchanged', () => {
    const folder = join(root, 'test', 'e2e')
    const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && !ABOUT_THE_FORM.includes(name.slice(0, -8)))
    // A home without a sandbox talks to none of its own, or to one that the test writes by hand.
    const files = names.filter((name) => /sandbox: (?:true|\{)|openObserved/.test(readFileSync(join(folder, name), 'utf8')))
    const titles = SINGLE.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    const args = [
      join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      ...['--parallel', '--jobs', '2', '--reporter', 'json'],
      ...['--grep', `^(?:${titles})$`, '--invert'],
      ...files.map((name) => join(folder, name)),
    ]
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, SELLER_TEST_SERVICE: 'another' },
      maxBuffer: 64 * 1024 * 1024,
    })
    // Output of tests comes before the report.
    const report = JSON.parse(/^\{\n {2}"stats"[\s\S]*/m.exec(stdout)?.[0] ?? '{}')
    const failed = (report.failures ?? []).map(
      ({ fullTitle, err }: { fullTitle: string; err: { message: string } }) => `${fullTitle}: ${err.message}`,
    )
    expect(failed, stderr).to.deep.equal([])
    expect(report.stats?.passes, stderr).to.be.at.least(LEAST)
  })
})
