/** Words of other tools for what this one does: what "did you mean" suggests where no name has nearly the same letters. */

/** Commands, for a word or a topic and a verb that no command has. */
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  add: ['items:add', 'shop:add'],
  backup: ['ledger:backup'],
  create: ['items:add', 'shop:add'],
  delete: ['shop:remove', 'items:end'],
  edit: ['shop:update', 'items:price'],
  export: ['shop:export'],
  import: ['shop:sync'],
  list: ['items:list'],
  login: ['auth:login'],
  logout: ['auth:logout'],
  orders: ['orders:list'],
  price: ['shop:price', 'items:price'],
  prices: ['shop:price', 'prices:history'],
  remove: ['shop:remove', 'items:end'],
  report: ['sales:report'],
  resume: ['jobs:resume'],
  search: ['items:list --search'],
  setup: ['auth:login'],
  show: ['items:show'],
  sold: ['orders:list', 'transactions:list'],
  status: ['auth:status', 'jobs:list'],
  stock: ['shop:stock'],
  sync: ['shop:sync'],
  undo: ['jobs:undo'],
  update: ['shop:update'],
  upload: ['images:upload'],
  watch: ['orders:watch', 'transactions:watch'],
  whoami: ['account:show'],
}

/** Flags, for a name that no flag of the command has. */
export const FLAGS: Readonly<Record<string, readonly string[]>> = {
  account: ['profile'],
  confirm: ['yes'],
  debug: ['trace'],
  format: ['output'],
  max: ['limit'],
  name: ['search', 'title'],
  number: ['quantity', 'set'],
  query: ['search'],
  shop: ['profile'],
  sku: ['reference'],
  status: ['state'],
  title: ['search'],
  verbose: ['trace'],
}

/**
 * @param spelt an unknown command, e.g. `items:edit`, `undo`
 * @param known ids of commands
 */
export function commandsMeaning(spelt: string, known: readonly string[]): readonly string[] {
  const [topic = '', verb] = spelt.split(':')
  const own = (id: string): number => Number(!id.startsWith(`${topic}:`))
  const meant = [...meaningOf(COMMANDS, verb ?? topic)].sort((one, other) => own(one) - own(other))
  return meant.filter((id) => known.includes(id.split(' ')[0] ?? ''))
}

/** @param name an unknown flag without its hyphens @param known the flags of the command */
export function flagMeaning(name: string, known: readonly string[]): string | undefined {
  return meaningOf(FLAGS, name).find((flag) => known.includes(flag))
}

/** A typed word may be `constructor`. */
function meaningOf(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return (Object.hasOwn(table, word) ? table[word] : undefined) ?? []
}
