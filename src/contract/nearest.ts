/**
 * The known name nearest to a mistyped one: the same letters in another case first, else the one with the fewest edits (insert,
 * delete, replace, swap of neighbours), at most a third of the word. Undefined if none is near.
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
 * The known names that a mistyped one may mean: the nearest if there is one, else those that begin or end with something near it
 * (`Prise` for StartPrice and ReservePrice, `Shipping` for ShippingOptions). None if nothing is near.
 */
export function similar(word: string, known: readonly string[]): string[] {
  const whole = nearest(word, known)
  if (whole !== undefined) return [whole]
  const lower = word.toLowerCase()
  // A word of three letters is near some other word almost always, so these must be equal.
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

/** The beginnings and ends of a name of several words: BuyItNowPrice -> buy, price, buyit, nowprice, … */
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
