/** Defaults of the profile for new items, without flags and file: how they are sent and paid, their condition, their VAT. */
import type { Context } from '../../cli/context.js'
import { type FlagField, type FlagTexts, valueFrom } from './flag-fields.js'
import { withIds } from './ids.js'

/** The setting of each flag. */
const SETTING_OF = {
  shipping: 'default_shipping',
  payment: 'default_payment',
  condition: 'default_condition',
  vat: 'default_vat',
} as const

/** The defaults of the profile by their flags, with ids in place of names. @throws as withIds */
export async function profileDefaults(ctx: Context): Promise<FlagTexts> {
  const { settings } = ctx.profile
  const [shipping, payment] = [listIn(settings.default_shipping), listIn(settings.default_payment)]
  const [condition, vat] = [settings.default_condition || undefined, settings.default_vat || undefined]
  return withIds(ctx, { shipping, payment, condition, vat }, settingOf)
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
