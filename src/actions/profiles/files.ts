/** Files under --profiles: `{profile}` in a path stands for the name of the profile. */

import { SellerError } from '../../errors/index.js'

const NAME = '{profile}'

/**
 * Refuses flags that cannot be meant for several shops, before anything is read.
 * @param own flags whose file is of one shop; without `{profile}` the shops would overwrite each other's
 * @param notShared flags that are about the data of one shop
 * @throws {SellerError} usage
 */
export function refuseOfOne<F extends object>(
  flags: F,
  { own, notShared }: { own: readonly (keyof F & string)[]; notShared: readonly (keyof F & string)[] },
): void {
  const stray = notShared.filter((name) => flags[name] !== undefined)
  if (stray.length > 0) {
    const names = stray.map((name) => `--${name}`).join(', ')
    const [is, it, them] = stray.length === 1 ? ['is', 'it', 'it'] : ['are', 'they', 'them']
    throw new SellerError(
      'stray_flag',
      `${names} ${is} about the data of one shop, so ${it} cannot be given with --profiles.`,
      `Leave ${them} out, or give one shop with --profile.`,
    )
  }
  const shared = own.filter((name) => typeof flags[name] === 'string' && !flags[name].includes(NAME))
  const [first] = shared
  if (first === undefined) return
  const names = shared.map((name) => `--${name}`).join(', ')
  throw new SellerError(
    'wrong_usage',
    `${names}: with --profiles every shop needs its own file.`,
    `Put ${NAME} into the name, e.g. --${first} '${first}-${NAME}.${first === 'html' ? 'html' : first.endsWith('plan') ? 'json' : 'csv'}'.`,
  )
}

/** The flags of one shop: `{profile}` in the files among them is its name. */
export function profileFlags<F extends object>(flags: F, names: readonly (keyof F & string)[], profile: string): F {
  // A name that was written into the settings by hand may be a path.
  const name = profile.replaceAll(/[/\\]/g, '_')
  const namedFlags = names.flatMap((flag) => {
    const value: unknown = flags[flag]
    return typeof value === 'string' ? [[flag, value.replaceAll(NAME, name)]] : []
  })
  return { ...flags, ...Object.fromEntries(namedFlags) }
}
