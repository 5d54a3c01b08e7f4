/** Attributes of a category's items besides title and description, and their possible values. */
import type { AttributeDefinition, Input, ItemAttributeValues, Output } from '../../../contract/index.js'
import { categoriesWithin } from './categories.js'

type Definition = Output<typeof AttributeDefinition>
type Given = Input<typeof ItemAttributeValues>

const attribute = (Id: number, Key: string, Name: string, more: Partial<Definition> = {}): Definition => ({
  ...{ Id, Key, Name, Description: `${Name} på varan`, MinNumberOfValues: 0, MaxNumberOfValues: 1, PossibleTermValues: [] },
  ...more,
})

const BRAND = attribute(101, 'brand', 'Märke', {
  MinNumberOfValues: 1,
  PossibleTermValues: ['Gustavsberg', 'Höganäs', 'Kosta', 'Rörstrand', 'Annat märke'],
})
const SIZE = attribute(102, 'size', 'Storlek', { MinNumberOfValues: 1, PossibleTermValues: ['S', 'M', 'L', 'XL'] })
const COLOUR = attribute(103, 'colour', 'Färg', { MaxNumberOfValues: 2, PossibleTermValues: ['Blå', 'Grön', 'Röd', 'Vit'] })
const MATERIAL = attribute(104, 'material', 'Material')
const LENGTH = attribute(201, 'length', 'Längd (cm)')
const WEIGHT = attribute(202, 'weight', 'Vikt (kg)')
const YEAR = attribute(203, 'year', 'Tillverkningsår')
const ALL = [BRAND, SIZE, COLOUR, MATERIAL, LENGTH, WEIGHT, YEAR]

/** By a category, for itself and everything below it: ceramics and porcelain, clothes. The other categories have none. */
const OF_CATEGORIES: readonly (readonly [category: number, definitions: readonly Definition[]])[] = [
  [120503, [BRAND, COLOUR, MATERIAL, YEAR]],
  [1202, [BRAND, YEAR]],
  [1602, [SIZE, COLOUR, LENGTH]],
]

/** GetAttributeDefinitions: none for a category that has none, or does not exist. */
export function attributesOf(categoryId: number): readonly Definition[] {
  return OF_CATEGORIES.find(([id]) => categoriesWithin(id).includes(categoryId))?.[1] ?? []
}

/** An attribute's name. Requests have only ids; an item may have one that its category does not list. */
export function attributeName(id: number): string {
  return ALL.find(({ Id }) => Id === id)?.Name ?? `Attribut ${id}`
}

/** The values given for an attribute. */
function valuesOf(attributes: Given | undefined, { Id: wanted }: Definition): (string | number)[] {
  return [...(attributes?.Terms ?? []), ...(attributes?.Numbers ?? [])].flatMap(({ Id, Values = [] }) =>
    Id === wanted ? [...Values] : [],
  )
}

/** Values that a category does not take, and too many of them. */
export function attributeFaults(attributes: Given | undefined, categoryId: number): string[] {
  return attributesOf(categoryId).flatMap((definition) => {
    const { Id, Name, PossibleTermValues: possible = [], MaxNumberOfValues: most } = definition
    const values = valuesOf(attributes, definition)
    const unknown = values.filter((value) => possible.length > 0 && !possible.includes(String(value)))
    return [
      ...unknown.map((value) => `Attribute ${Id} (${Name}): "${value}" is not one of ${possible.join(', ')}.`),
      ...(values.length > most ? [`Attribute ${Id} (${Name}): at most ${most} values.`] : []),
    ]
  })
}

/** Attributes that a category requires and an item lacks. */
export function missingAttributes(attributes: Given | undefined, categoryId: number): string[] {
  return attributesOf(categoryId)
    .filter((definition) => valuesOf(attributes, definition).length < definition.MinNumberOfValues)
    .map(({ Id, Name }) => `Attribute ${Id} (${Name}) is required in this category.`)
}
