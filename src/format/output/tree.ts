/** Trees: drawn with branches, cut by depth or by search, and flattened for the forms that have rows. */
import type { FlatNode, Paint, TreeView } from './types.js'

/** The lines of a tree: roots at the margin, branches below. */
export function* drawTree<T>(view: TreeView<T>, roots: readonly T[], paint: Paint): Generator<string> {
  for (const root of roots) {
    yield view.label(root, paint)
    yield* drawBranches(view, root, '', paint)
  }
}

function* drawBranches<T>(view: TreeView<T>, node: T, margin: string, paint: Paint): Generator<string> {
  const children = view.children(node)
  for (const [index, child] of children.entries()) {
    const last = index === children.length - 1
    yield paint.dim(margin + (last ? '└── ' : '├── ')) + view.label(child, paint)
    yield* drawBranches(view, child, margin + (last ? '    ' : '│   '), paint)
  }
}

/** Every node of a tree with its place in it, parents before children. */
export function* flatten<T>(children: (node: T) => readonly T[], roots: readonly T[]): Generator<FlatNode<T>> {
  yield* flattenBelow(children, roots, [])
}

function* flattenBelow<T>(children: (node: T) => readonly T[], nodes: readonly T[], above: readonly T[]): Generator<FlatNode<T>> {
  for (const node of nodes) {
    const path = [...above, node]
    yield { node, parent: above.at(-1), depth: path.length, path }
    yield* flattenBelow(children, children(node), path)
  }
}

export interface PruneOptions<T> {
  readonly children: (node: T) => readonly T[]
  /** The node with other children. */
  readonly withChildren: (node: T, children: T[]) => T
  /** Levels to keep, 1 for only the roots; all by default. */
  readonly depth?: number | undefined
  /** Keeps the nodes that match, with everything above and below them. */
  readonly matches?: ((node: T) => boolean) | undefined
}

/**
 * The requested part of a tree; the tree itself is not changed. The search goes through all levels, and the depth cuts
 * afterwards.
 */
export function pruneTree<T>(roots: readonly T[], options: PruneOptions<T>): T[] {
  const matchingRoots = options.matches === undefined ? [...roots] : searched(roots, options, options.matches)
  return options.depth === undefined ? matchingRoots : cut(matchingRoots, options, options.depth)
}

function searched<T>(nodes: readonly T[], options: PruneOptions<T>, matches: (node: T) => boolean): T[] {
  return nodes.flatMap((node) => {
    if (matches(node)) return [node]
    const children = searched(options.children(node), options, matches)
    return children.length === 0 ? [] : [options.withChildren(node, children)]
  })
}

function cut<T>(nodes: readonly T[], options: PruneOptions<T>, depth: number): T[] {
  if (depth < 1) return []
  return nodes.map((node) => options.withChildren(node, cut(options.children(node), options, depth - 1)))
}
