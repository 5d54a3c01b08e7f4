import { expect } from 'chai'
import { namingProfile, nextIn } from '../../src/cli/next.js'

/** `command | why`, for each. */
const listed = (hint: string, help?: string): string[] => nextIn(hint, help).map(({ command, why }) => `${command} | ${why}`)

describe('what to do next', () => {
  for (const [hint, ...expected] of [
    ['See your items with: seller items:list', 'seller items:list | See your items'],
    [
      'Nothing answers on this machine. Start a sandbox with: seller sandbox:start. See the address with: seller auth:status',
      'seller sandbox:start | Start a sandbox',
      'seller auth:status | See the address',
    ],
    [
      'It is not sent again automatically. Check first: seller items:list, seller requests:list.',
      'seller items:list | Check first',
      'seller requests:list | Check first',
    ],
    [
      'Send them again with: seller jobs:resume 17 --retry-failed --profile shop-1',
      'seller jobs:resume 17 --retry-failed --profile shop-1 | Send them again',
    ],
    [
      'Continue with: seller jobs:resume 3. Or drop it with: seller jobs:drop 3',
      'seller jobs:resume 3 | Continue',
      'seller jobs:drop 3 | drop it',
    ],
    [
      'Finish that job, or give it up with seller jobs:drop; then set the price.',
      'seller jobs:drop | Finish that job, or give it up',
    ],
    ['Nothing is lost. Run seller jobs:due again.', 'seller jobs:due | Run'],
    [
      'See what is known with: seller reference:categories --search TEXT',
      'seller reference:categories --search TEXT | See what is known',
    ],
    ['See seller jobs:due --profile Shop, then go on.', 'seller jobs:due --profile Shop | See'],
    ["Go on with: seller jobs:resume --profiles 'shop-*,x'", "seller jobs:resume --profiles 'shop-*,x' | Go on"],
    ['Set its price with: seller shop:price 17=PRICE', 'seller shop:price 17=PRICE | Set its price'],
    ['Wait for it first (seller jobs:resume 17 --wait).', 'seller jobs:resume 17 --wait | Wait for it first'],
    [
      'seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron',
      'seller jobs:due | seller jobs:due sends the starts and ends',
      'seller schedule:show cron | Let the system run it every minute',
    ],
    ['The seller has to allow the application first.'],
    ['Nothing was sent. Correct the values and run the command again.'],
  ] as const) {
    it(hint, () => expect(listed(hint)).to.deep.equal(expected))
  }

  it('is the help of the command, where the hint means that', () => {
    expect(listed('Give it after the command. See --help.', 'items:show')).to.deep.equal([
      'seller items:show --help | See how it works',
    ])
    expect(listed('See --help.')).to.deep.equal([])
  })

  for (const [words, named] of [
    ['See all jobs with: seller jobs:list', 'See all jobs with: seller jobs:list -p x'],
    [
      'The plan is in /tmp/P.json. Send it with: seller shop:price --plan /tmp/P.json',
      'seller shop:price --plan /tmp/P.json -p x',
    ],
    [
      'seller jobs:due sends them. Let it run: seller schedule:show cron',
      'seller jobs:due -p x sends them. Let it run: seller schedule:show cron -p x',
    ],
    [
      'All of them: seller jobs:show 17 --failed. Or: seller jobs:drop 17',
      'seller jobs:show 17 --failed -p x. Or: seller jobs:drop 17 -p x',
    ],
    ['They went (seller jobs:show 5).', '(seller jobs:show 5 -p x).'],
    ['To deliver them again: seller orders:watch --again 5 --again 6 --name paid', '--again 6 --name paid -p x'],
    ['For rows that arrived: seller jobs:resume 5 --assume-sent --row N (without --row: all).', '--row N -p x (without'],
    ['accept it with seller shop:diff --since today --max-shrink off, once.', '--max-shrink off -p x, once.'],
    ['Go on with: seller images:upload 17 [FILE…] --commit', 'seller images:upload 17 [FILE…] --commit -p x'],
    ['Try: seller jobs:undo 3 --profile shop', 'Try: seller jobs:undo 3 --profile shop'],
    ['Start one with: seller sandbox:start', 'Start one with: seller sandbox:start'],
    ['The seller has to allow it first.', 'The seller has to allow it first.'],
  ] as const) {
    it(`of another profile names it: ${words}`, () => {
      expect(namingProfile(words, ' -p x')).to.include(named)
      expect(namingProfile(words, '')).to.equal(words)
    })
  }
})
