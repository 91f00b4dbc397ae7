import type { HomeBlock } from './homepage.schema.ts'

const isSameBlock = (one: HomeBlock | undefined, other: HomeBlock | undefined) => JSON.stringify(one) === JSON.stringify(other)
const indexById = (blocks: readonly HomeBlock[]) => new Map(blocks.map((block) => [block.id, block]))

export interface BlockDifference {
  id: string
  before: HomeBlock | undefined
  after: HomeBlock | undefined
  /** True if its position changed among the blocks that are on both sides. */
  moved: boolean
}

/** Differences between two versions, block by block, in the order of the later one; removed blocks come last. */
export function compareBlocks(before: readonly HomeBlock[], after: readonly HomeBlock[]): BlockDifference[] {
  const [old, fresh] = [indexById(before), indexById(after)]
  const oldOrder = before.filter(({ id }) => fresh.has(id)).map(({ id }) => id)
  const newOrder = after.filter(({ id }) => old.has(id)).map(({ id }) => id)
  return [...after.map(({ id }) => id), ...before.map(({ id }) => id).filter((id) => !fresh.has(id))].flatMap((id) => {
    const moved = old.has(id) && fresh.has(id) && oldOrder.indexOf(id) !== newOrder.indexOf(id)
    return isSameBlock(old.get(id), fresh.get(id)) && !moved ? [] : [{ id, before: old.get(id), after: fresh.get(id), moved }]
  })
}

/**
 * Three-way merge of a page: takes what either person changed. A block changed by both appears twice, theirs first; a block removed by one
 * and changed by the other is kept.
 */
export function mergeBlocks(
  base: readonly HomeBlock[],
  mine: readonly HomeBlock[],
  theirs: readonly HomeBlock[],
  newId: () => string,
): HomeBlock[] {
  const [was, own, other] = [indexById(base), indexById(mine), indexById(theirs)]
  const kept = theirs.flatMap((block): HomeBlock[] => {
    const [before, here] = [was.get(block.id), own.get(block.id)]
    if (!here) return before && isSameBlock(before, block) ? [] : [block]
    if (isSameBlock(here, block) || (before && isSameBlock(here, before))) return [block]
    if (before && isSameBlock(block, before)) return [here]
    return [block, { ...here, id: newId() }]
  })
  for (const [at, block] of mine.entries()) {
    if (other.has(block.id)) continue
    const before = was.get(block.id)
    if (before && isSameBlock(before, block)) continue
    // Insert it after the nearest preceding block of mine that is still there.
    const follows = mine
      .slice(0, at)
      .map(({ id }) => kept.findIndex((one) => one.id === id))
      .findLast((index) => index >= 0)
    kept.splice((follows ?? -1) + 1, 0, block)
  }
  return kept
}
