/** The first of several names, and how many more there are: `a, b, c and 4 more`. @param most that are named */
export function someOf(names: readonly (string | number)[], most: number): string {
  const named = names.slice(0, most).join(', ')
  return names.length > most ? `${named} and ${names.length - most} more` : named
}
