/** The tree of categories, and look-ups in it. */
import type { CategoryValue } from '../../../contract/index.js'
import { CATEGORIES } from '../seed/categories.js'

const nodes = new Map<number, CategoryValue>()
const roots: CategoryValue[] = []
for (const { id, name, parent } of CATEGORIES) {
  const node: CategoryValue = { Id: id, Name: name, Category: [] }
  nodes.set(id, node)
  const above = parent === undefined ? roots : nodes.get(parent)?.Category
  above?.push(node)
}

/** The roots, with their children. */
export function getCategories(): CategoryValue[] {
  return roots
}

/** Ids of a category and of everything below it; none for an unknown category. */
export function categoriesWithin(id: number): number[] {
  const ids: number[] = []
  const collect = (node: CategoryValue) => {
    ids.push(node.Id)
    node.Category.forEach(collect)
  }
  const node = nodes.get(id)
  if (node !== undefined) collect(node)
  return ids
}

/**
 * Why a new item cannot be in a category; undefined if it can. Only a category without children accepts items (docs/service.md,
 * Item requests).
 */
export function categoryFault(id: number): string | undefined {
  const node = nodes.get(id)
  if (node === undefined) return `Category with id ${id} does not exist.`
  if (node.Category.length === 0) return undefined
  const children = node.Category.slice(0, 3).map((child) => `${child.Id} ${child.Name ?? ''}`)
  return `Category with id ${id} (${node.Name ?? ''}) has subcategories and takes no items; choose one of them, such as ${children.join(', ')}.`
}
