/** Types of the public reference service. docs/service.md, Reference data. */
import type { OutputFields } from './inferred.js'
import {
  attribute,
  int,
  optional,
  optionalAttribute,
  type Recursive,
  recursive,
  repeated,
  required,
  string,
  struct,
} from './vocabulary.js'

export const IdDescriptionPair = struct('IdDescriptionPair', {
  Id: required(int),
  Description: optional(string),
  Value: optional(string),
})

const categoryAttributes = { Id: attribute(int), Name: optionalAttribute(string) }

/** A category and its children, under the service's own element name. */
export interface CategoryValue extends OutputFields<typeof categoryAttributes> {
  Category: CategoryValue[]
}

export const Category: Recursive<CategoryValue> = recursive<CategoryValue>('Category', () => CategoryStruct)
const CategoryStruct = struct('Category', { ...categoryAttributes, Category: repeated(Category) })
