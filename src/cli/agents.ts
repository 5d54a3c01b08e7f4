/**
 * What a program that acts for a seller (an assistant, a script that a model writes) should know: `seller help agents`, and SKILL.md in
 * the package, which scripts/skill.ts makes of it and of the manifest. Imports nothing, as help is on the way of every start.
 */

/** Rules, the weightiest first. */
export const AGENT_RULES: ReadonlyArray<readonly [rule: string, how: string]> = [
  [
    'Read JSON and the exit code',
    'Add --json: stdout is one document, for errors too. An error has code, message, hint, and next: the commands to go on with. Decide by the exit code (seller help exit-codes), never by the words.',
  ],
  [
    'Do not guess',
    'seller COMMAND --help has the flags of a command, seller schema COMMAND the keys of its JSON, seller commands --json all commands. An unknown flag fails before anything is sent.',
  ],
  [
    'Ask for little',
    'Lists may have thousands of rows. Use --limit, the filters of the command, and --columns A,B; -o ndjson prints a row on each line.',
  ],
  [
    'Plan, show, then send',
    'Commands that change items, prices or orders take --dry-run. Show the person its Summary, the largest changes and the held rows. Send with --yes only after they said yes to this plan. seller shop:price --save-plan FILE keeps a plan, and --plan FILE sends that one. Where SELLER_APPROVE=plan is set, only a person can send it.',
  ],
  [
    'Leave the guards alone',
    'A held row (exit 6) has a reason. Show it. Do not raise a limit, and use no --force, --again or _Allow, unless the person says that this very row is right.',
  ],
  [
    'Never send twice',
    'After exit 9, or a lost connection, look first: seller jobs:list --unfinished, seller requests:list. Go on with seller jobs:resume; it sends nothing again that may have arrived.',
  ],
  ['Save calls', 'The service allows about 100 calls a day. See what is left with seller calls:show --json. Exit 7 means wait.'],
  [
    'Ask the person',
    'Which items are meant, all amounts of money, fees, the words of a listing or of feedback, and anything that ends or removes. A removal and an added item cannot be undone.',
  ],
  [
    'Stay in one shop',
    'Name the profile: -p NAME. --profiles changes many shops at once. Try things out with -p sandbox, where nothing is real.',
  ],
  [
    'Leave secrets to the person',
    'seller auth:login asks for them on a terminal. Do not ask for keys or tokens, and do not print settings files.',
  ],
]

/** What to call for which task. Words in capitals stand for values. */
export const AGENT_TASKS: ReadonlyArray<readonly [task: string, command: string]> = [
  ['What wants doing now', 'seller today --json'],
  ['Find items', 'seller items:list --type shop --limit 20 --columns Id,ShortDescription,BuyItNowPrice --json'],
  ['All about one item', 'seller items:show ID --json'],
  ['Plan new prices by a rule', 'seller shop:price --all --add -10% --floor 20 --dry-run --json'],
  ['Plan prices row by row', 'seller shop:price ID=PRICE ID=PRICE --dry-run --json'],
  [
    'Keep a plan, and send it after a yes',
    'seller shop:price --file FILE --save-plan PLAN, then seller shop:price --plan PLAN --yes --wait --json',
  ],
  ['Numbers in stock', 'seller shop:stock ID=QUANTITY --dry-run --json'],
  ['A discount that begins and ends', 'seller shop:discount --from TIME --until TIME --category ID --add -20% --dry-run --json'],
  ['The fields of a new item', 'seller shop:add --skeleton'],
  ['Add an item after a yes', 'seller shop:add --file ITEM --yes --wait --json'],
  ['Take back what a job has set', 'seller jobs:undo JOB --dry-run --json'],
  ['Work that was broken off', 'seller jobs:list --unfinished --json, then seller jobs:resume JOB --wait --json'],
  ['Why rows were not sent', 'seller jobs:show JOB --failed --json'],
  ['Orders to send', 'seller orders:list --to-send --json'],
  ['Mark orders as sent', 'seller orders:mark ORDER --sent --yes --json'],
  ['Sales of a period', 'seller sales:report --since DATE --by day --json'],
  ['Buyers to rate', 'seller feedback:pending --json'],
  ['Whether the setup works', 'seller doctor --json'],
]
