/** Defaults of the profile for new items, without flags and file: how they are sent and paid, their condition, their VAT. */
import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { type FlagField, type FlagTexts, readField, valueFrom } from './flag-fields.js'
import { isNamed, withIds } from './ids.js'
import { isName } from './named.js'

/** The setting of each flag. */
const SETTING_OF = {
  shipping: 'default_shipping',
  payment: 'default_payment',
  condition: 'default_condition',
  vat: 'default_vat',
} as const

/**
 * Refuses defaults that cannot be read, all of them and with the flags that cannot: names are not looked up, so that no call is
 * made.
 * @param flags those that are given, in place of which no default is used
 * @throws {SellerError} usage
 */
export function refuseDefaults(ctx: Context, fields: readonly FlagField[], flags: FlagTexts = {}): void {
  const faults = new InputFaults()
  const defaults = writtenDefaults(ctx)
  const read = (each: FlagField, given: unknown, name?: string): void => {
    const texts = [given ?? []].flat().filter((text) => !holdsName(each.flag, String(text)))
    if (texts.length > 0) readField(each, texts, ctx, faults, name)
  }
  for (const each of fields) if (flags[each.flag] === undefined) read(each, defaults[each.flag], settingOf(each.flag))
  if (!faults.any) return
  for (const each of fields) read(each, flags[each.flag])
  faults.throwIfAny()
}

/** True if a text of a flag holds a name, which is looked up. */
function holdsName(flag: string, text: string): boolean {
  return flag === 'shipping' ? isNamed(text) : (flag === 'payment' || flag === 'category') && isName(text)
}

/** The defaults of the profile by their flags, with ids in place of names. @throws as withIds */
export async function profileDefaults(ctx: Context): Promise<FlagTexts> {
  return withIds(ctx, writtenDefaults(ctx), settingOf)
}

/** The same as they are written. */
function writtenDefaults({ profile: { settings } }: Context): FlagTexts {
  const [shipping, payment] = [listIn(settings.default_shipping), listIn(settings.default_payment)]
  const [condition, vat] = [settings.default_condition || undefined, settings.default_vat || undefined]
  return { shipping, payment, condition, vat }
}

/** Name of a default in messages: its setting. */
export function settingOf(flag: string): string {
  return SETTING_OF[flag as keyof typeof SETTING_OF]
}

/**
 * The fields of rows that give none themselves: those of flags, else those of the profile, which is said.
 * @throws {SellerError} usage; as withIds
 */
export async function readFlagFields(
  ctx: Context,
  fields: readonly FlagField[],
  flags: FlagTexts,
): Promise<Record<string, unknown>> {
  const defaults = await profileDefaults(ctx)
  const fieldsWithFlag = fields.filter(({ flag }) => flags[flag] !== undefined)
  const defaultFields = fields.filter(({ flag }) => flags[flag] === undefined && defaults[flag] !== undefined)
  const flagsUsed = defaultFields.map(({ flag }) => flag)
  for (const note of defaultNotes(defaults, flagsUsed, ', where a row gives none')) ctx.output.note(note)
  return Object.fromEntries([
    ...fieldsWithFlag.map((field) => [field.field, valueFrom(field, flags[field.flag], `--${field.flag}`, ctx)]),
    ...defaultFields.map((field) => [field.field, valueFrom(field, defaults[field.flag], settingOf(field.flag), ctx)]),
  ])
}

/** Note on defaults that are used; empty if none is. @param where they are used, after "From the profile" */
export function defaultNotes(defaults: FlagTexts, usedFlags: readonly string[], where = ''): string[] {
  const words = usedFlags.map((flag) => `${flag === 'vat' ? 'VAT' : flag} ${[defaults[flag]].flat().join(' and ')}`)
  return words.length === 0 ? [] : [`From the profile${where}: ${words.join('; ')}.`]
}

/** An empty text is none. */
function listIn(text: string | undefined): string[] | undefined {
  return text ? text.split('|').map((part) => part.trim()) : undefined
}
