/** Named values of a flag, kept in its `description`: the only text of a flag that oclif's manifest has and help does not use. */

/**
 * The values of a flag that takes one of several names, for its `description`: what each looks like, and its meaning. Help,
 * documents and completion read them from the manifest (`choicesOf`).
 */
export function choiceTable(rows: readonly (readonly [usage: string, meaning: string])[]): string {
  return rows.map((row) => row.join('\t')).join('\n')
}

/** The named values of a flag (`choiceTable`): what each looks like, e.g. `max_change[=PERCENT]`, and its meaning. */
export function choicesOf({
  description = '',
}: {
  readonly description?: string | undefined
}): (readonly [usage: string, meaning: string])[] {
  return description.split('\n').flatMap((line) => {
    const [usage = '', meaning] = line.split('\t')
    return meaning === undefined ? [] : [[usage, meaning] as const]
  })
}
