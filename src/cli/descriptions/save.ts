/** Writes saved descriptions, with what they say of the contract's operations. */
import { dirname } from 'node:path'
import { type NameMap, writeNameMap } from '../../contract/index.js'
import type { Clock } from '../../system/clock.js'
import { isoOf } from '../../system/time.js'
import { writeWholeFile } from '../../system/whole-file.js'
import { makeDirectory } from '../directories.js'
import {
  DESCRIPTION_VERSION,
  type DescriptionPlace,
  descriptionPath,
  hashDescription,
  readDescriptionFile,
  serviceNames,
} from '../saved-description.js'
import { fitOf, isAccepted, offeredIn } from './breaks.js'
import type { DescriptionFile } from './file.js'
import type { Source } from './read.js'

/** Where descriptions are written. */
export interface WritingPlace extends DescriptionPlace {
  readonly clock: Pick<Clock, 'now'>
}

export interface Writing {
  /**
   * Operations that are sent although the description breaks them. What was accepted before stays so while it breaks by the same.
   */
  readonly accepted?: readonly string[]
  /** The service's own names that the profile uses; those of its settings by default. */
  readonly names?: NameMap | undefined
  /** The base address for which it was read without being asked for. */
  readonly learned?: string
}

/**
 * Saves a description, and replaces an existing one.
 * @returns the path
 */
export async function writeSaved(
  ctx: WritingPlace,
  { description, text, from, at, parts }: Source,
  { accepted = [], names = serviceNames(ctx.profile), learned }: Writing = {},
): Promise<string> {
  const { service } = description
  const path = descriptionPath(ctx, service)
  makeDirectory(dirname(path), 'SELLER_DATA_DIR')
  const several = parts === undefined ? {} : { At: at, Parts: Object.fromEntries(parts) }
  const { breaks, lacks } = fitOf(names, description)
  const existing = await readDescriptionFile(ctx, service).catch(() => undefined)
  const acceptedOperations = [...new Set(breaks.map(({ Operation }) => Operation))].filter(
    (operation) =>
      accepted.includes(operation) ||
      breaks.every((each) => each.Operation !== operation || (existing !== undefined && isAccepted(existing, each))),
  )
  const file: DescriptionFile = {
    From: from,
    SavedAt: isoOf(ctx.clock.now()),
    Sha256: hashDescription(text, several.Parts),
    Operations: offeredIn(description),
    Breaks: breaks,
    Accepted: acceptedOperations,
    Lacks: lacks(acceptedOperations),
    Names: writeNameMap(names),
    ...(learned === undefined ? {} : { Base: learned }),
    Text: text,
    ...several,
  }
  const data = { Version: DESCRIPTION_VERSION, Profile: ctx.profile.name, Service: service, ...file }
  await writeWholeFile(path, `${JSON.stringify(data)}\n`, { force: true, mode: 0o600, follow: true })
  return path
}
