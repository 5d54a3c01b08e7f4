/** Values of any type of the contract, and a request as it would be sent. */
import { structIn, type Type } from '../../contract/index.js'
import { kindOf } from '../output/columns.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** A request as data. */
export interface RequestShape {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export const describedView: View<RequestShape> = {
  card: true,
  columns: [
    ...columnsOf('method', 'url'),
    {
      key: 'headers',
      shown: ({ headers }) =>
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
    },
    { key: 'body' },
  ],
}

/** A view made from a type: its fields in their order. Without a type, it takes the names in the value. */
export function valueView(type: Type | undefined, value: unknown): View<unknown> {
  const struct = type === undefined ? undefined : structIn(type)
  if (struct !== undefined) {
    return {
      type: struct,
      card: true,
      empty: 'Nothing.',
      columns: Object.entries(struct.fields).map(([key, field]) => ({ key, kind: kindOf(field) })),
    }
  }
  const [row] = Array.isArray(value) ? value : [value]
  const keys = typeof row === 'object' && row !== null ? Object.keys(row) : []
  return { card: true, empty: 'Nothing.', keys, columns: keys.map((key) => ({ key })) }
}
