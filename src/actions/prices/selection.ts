/** Which items a rule is for, as flags say it. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { Selection } from '../../pricing/index.js'
import { categoryId } from '../input/ids.js'

/** The values of selectFlags. */
export interface SelectFlags {
  readonly all?: boolean
  /** An id, or words for one. */
  readonly category?: number | string
  readonly reference?: string
}

/** A selection whose category may still be words. */
export type Chosen = Selection | { readonly category: number | string }

export function selectionOf({ all, category, reference }: SelectFlags): Chosen | undefined {
  if (all === true) return { all }
  if (category !== undefined) return { category }
  return reference === undefined ? undefined : { reference }
}

/** The flag of a choice, for titles of jobs. */
export function selectionWords(chosen: Chosen): string {
  return Object.entries(chosen)
    .map(([flag, value]) => (value === true ? `--${flag}` : `--${flag} ${value}`))
    .join('')
}

/** The choice with the id of its category. @throws {SellerError} unknown_name, ambiguous_name; what a call throws */
export async function selected(ctx: Context, chosen: Chosen): Promise<Selection> {
  return 'category' in chosen ? { category: await categoryId(ctx, chosen.category) } : chosen
}

/** Refuses a choice without items: a mistyped one would change nothing and look like work that is done. @throws {SellerError} guard (6) */
export function refuseNothingChosen(select: Selection): never {
  const [words, hint] =
    'reference' in select
      ? [`No live shop item has an own reference like "${select.reference}".`, '--type shop --columns Id,OwnReferences']
      : 'category' in select
        ? [`No live shop item is in category ${select.category} or below it.`, '--type shop --columns Id,CategoryId,CategoryPath']
        : ['The shop has no live items.', '--type shop']
  throw new SellerError('nothing_chosen', words, `Nothing was sent. See what there is with: seller items:list ${hint}`)
}
