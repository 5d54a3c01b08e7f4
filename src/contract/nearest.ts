/**
 * The known name nearest to a mistyped one: same letters in another case first, else the least edits (insert, delete,
 * replace, swap of neighbours), at most a third of the word. Undefined when nothing is near.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = edits(lower, candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/**
 * The known names a mistyped one may stand for: the nearest where there is one, else those of which it is the beginning
 * or the end, near enough (`Prise` for StartPrice and ReservePrice, `Shipping` for ShippingOptions). None when nothing is near.
 */
export function similar(word: string, known: readonly string[]): string[] {
  const whole = nearest(word, known)
  if (whole !== undefined) return [whole]
  const lower = word.toLowerCase()
  // Of three letters any word is near some other: those must be the same.
  let least = lower.length < 4 ? 0 : Math.floor(lower.length / 3)
  let found: string[] = []
  for (const name of known) {
    const distance = Math.min(...ends(name).map((end) => edits(lower, end)))
    if (distance > least) continue
    if (distance < least) found = []
    least = distance
    found.push(name)
  }
  return found
}

/** What a name of several words begins and ends with: BuyItNowPrice -> buy, price, buyit, nowprice, … */
function ends(name: string): string[] {
  const words = name.match(/[A-Z]*[^A-Z]+|[A-Z]+/g) ?? []
  const counts = Array.from({ length: Math.max(0, words.length - 1) }, (_, index) => index + 1)
  return counts.flatMap((count) => [words.slice(0, count), words.slice(-count)]).map((run) => run.join('').toLowerCase())
}

/** Optimal string alignment distance. */
function edits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
