/** What wants doing today. */
import type { View } from '../output/types.js'

export interface TodayShown {
  readonly Kind: string
  readonly Count: number
  readonly Words: string
  /** The command that does it. */
  readonly Command: string
}

export const todayView: View<TodayShown> = {
  keys: ['Kind', 'Count'],
  empty: 'Nothing wants doing.',
  columns: [
    { key: 'Words', header: 'Today', maxWidth: 60 },
    { key: 'Command', header: 'With' },
  ],
}
