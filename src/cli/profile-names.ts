/** The profiles that `--profiles` names, by patterns. */

import { globPattern, isGlob, unquoted } from '../contract/glob.js'
import { SellerError } from '../errors/index.js'
import { blank, run, say } from '../messages/index.js'
import type { Environment } from './host.js'
import { SANDBOX } from './profiles.js'
import { SETTINGS } from './settings.js'
import { readStored } from './settings-file.js'

/** The settings that say whose shop it is. */
const OF_ONE_SELLER = ['user_id', 'token'] as const

/**
 * Finds the profiles whose names match, in the order of the patterns, and of one pattern in that of the alphabet. The sandbox is
 * one only where it is named.
 * @param patterns separated by commas; `*` is any text, `?` any one character
 * @throws {SellerError} usage: no pattern, one that matches nothing, a damaged settings file, the environment says whose shop it
 * is
 */
export function matchingProfiles(patterns: string, { env, configDir }: { env: Environment; configDir: string }): string[] {
  const names = unquoted(patterns)
    .split(',')
    .map((pattern) => pattern.trim())
  if (names.some((pattern) => pattern === '')) {
    const what = patterns.trim() === '' ? '--profiles is empty.' : `--profiles: "${patterns}" has an empty pattern.`
    throw new SellerError('wrong_usage', what, "Give patterns of names with commas between them, e.g. 'shop-*'.")
  }
  refuseOneSeller(env)
  const storedNames = Object.keys(readStored(configDir).profiles)
  const ownNames = storedNames.filter((name) => name !== SANDBOX).sort()
  const matches = names.map((pattern) => {
    if (!isGlob(pattern)) return [...ownNames, SANDBOX].filter((name) => name === pattern)
    const expression = globPattern(pattern)
    return ownNames.filter((name) => expression.test(name))
  })
  const idle = names.filter((_, at) => matches[at]?.length === 0)
  if (idle.length > 0) throw noMatch(idle, ownNames)
  return [...new Set(matches.flat())]
}

/** A user id or a token of the environment wins over every profile, so that each of them would be the same shop. */
function refuseOneSeller(env: Environment): void {
  const set = OF_ONE_SELLER.flatMap((name) => SETTINGS[name].env ?? []).filter((name) => (env[name] ?? '') !== '')
  if (set.length === 0) return
  const are = set.length === 1 ? 'is' : 'are'
  throw new SellerError(
    'wrong_usage',
    `${set.join(' and ')} ${are} set, which would be used for every profile of --profiles.`,
    `Run it without: env ${set.map((name) => `-u ${name}`).join(' ')} seller … Each profile has its own.`,
  )
}

function noMatch(idle: readonly string[], knownNames: readonly string[]): SellerError {
  const patterns = idle.map((pattern) => `"${pattern}"`).join(' and ')
  return new SellerError(
    'no_such_profile',
    `No profile matches ${patterns} (--profiles).`,
    knownNames.length === 0
      ? say`There are no profiles yet. Create one with: ${run('auth:login', { '--profile': blank('NAME') })}`
      : `Profiles: ${knownNames.map((name) => `"${name}"`).join(', ')}. Quote a pattern with *, so that the shell does not read it.`,
  )
}
