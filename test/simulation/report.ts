/** The report of a simulation, of a shop or of a night. */
import type { Outcome } from './shop-months.js'

/** Says how much was lived, what was done to it, and which states were reached. */
export function report(outcomes: readonly Outcome[], cpuSeconds: number): void {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const all = (of: (outcome: Outcome) => Readonly<Record<string, number>>): Record<string, number> => {
    const sums: Record<string, number> = {}
    for (const outcome of outcomes)
      for (const [name, count] of Object.entries(of(outcome))) sums[name] = (sums[name] ?? 0) + count
    return sums
  }
  const words = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const fates = all(({ fates }) => fates)
  const { ok = 0, ...faults } = fates
  const states = Object.entries(all(({ states }) => states))
  const failed = outcomes.filter(({ failure }) => failure !== undefined)
  const seeds = failed.map(({ seed }) => seed).join(', ')
  console.log(`
Shop-months  ${(sum(({ days }) => days) / 30).toFixed(1)} of ${outcomes.length} shops, ${failed.length} failed${failed.length > 0 ? `: seeds ${seeds}` : ''}
Commands     ${sum(({ commands }) => commands)}, ${sum(({ writes }) => writes)} writes
Crashes      ${sum(({ crashes }) => crashes)}, Ctrl-C ${sum(({ interrupts }) => interrupts)}
Exit codes   ${words(all(({ exits }) => exits))}
Requests     ${sum((outcome) => Object.values(outcome.fates).reduce((one, other) => one + other, 0))}, ${ok} undisturbed
Faults       ${words(faults)}
Replies      ${(faults.cut ?? 0) + (faults.damaged ?? 0) + (faults['false-list'] ?? 0)} damaged
Programs     ${words(all(({ programs }) => programs))}
Checked      ${words(all(({ checks }) => checks))}`)
  for (const table of [...new Set(states.map(([name]) => name.split('.')[0]!))].sort()) {
    const its = states.filter(([name]) => name.startsWith(`${table}.`))
    console.log(
      `  ${table.padEnd(15)} ${words(Object.fromEntries(its.map(([name, count]) => [name.slice(table.length + 1), count])))}`,
    )
  }
  console.log(`CPU          ${cpuSeconds.toFixed(1)} s`)
}
