/** A ranking on the page: the ranks are in its dropdowns. */
export interface RankingControls {
  list: HTMLElement | null
  /** The options' ids, in the question's order. */
  ids: readonly string[]
  /** How many ranks there are. */
  places: number
  /** The name of an option's dropdown. */
  nameOf: (id: string) => string
}

const findSelect = ({ list, nameOf }: RankingControls, id: string) => list?.querySelector<HTMLSelectElement>(`[name="${nameOf(id)}"]`)
const readRank = (ranking: RankingControls, id: string) => Number(findSelect(ranking, id)?.value)

/** Ids of the options that have a rank, the first first. */
const listRanked = (ranking: RankingControls): string[] =>
  ranking.ids.filter((id) => readRank(ranking, id)).toSorted((a, b) => readRank(ranking, a) - readRank(ranking, b))

/** How many ranks are given: one that two options share counts once. */
const countRanks = (ranking: RankingControls): number => new Set(ranking.ids.map((id) => readRank(ranking, id)).filter(Boolean)).size

/** Gives an option this rank and moves the others along; no rank if it is beyond the last. @returns the rank, or 0 */
function rankOption(ranking: RankingControls, id: string, rank: number): number {
  const order = listRanked(ranking).filter((other) => other !== id)
  const isRanked = rank > 0 && rank <= Math.min(ranking.places, order.length + 1)
  if (isRanked) order.splice(rank - 1, 0, id)
  for (const each of ranking.ids) {
    const select = findSelect(ranking, each)
    const place = order.indexOf(each) + 1
    if (select) select.value = place > 0 && place <= ranking.places ? String(place) : ''
  }
  findSelect(ranking, id)?.dispatchEvent(new Event('input', { bubbles: true }))
  return isRanked ? rank : 0
}

/** The rank of an option one step up or down; undefined if it cannot go there. */
function findNextRank(ranking: RankingControls, id: string, by: -1 | 1): number | undefined {
  const order = listRanked(ranking)
  const own = order.indexOf(id) + 1
  if (own === 0) return by === -1 ? Math.min(order.length + 1, ranking.places) : undefined
  return own + by > 0 && (own < order.length || order.length < ranking.ids.length) ? own + by : undefined
}

/** The rank of an option dragged to this height; undefined if it already has that rank. */
function findRankAt(ranking: RankingControls, id: string, y: number): number | undefined {
  const select = findSelect(ranking, id) ?? null
  const above = [...(ranking.list?.children ?? [])].filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return !row.contains(select) && top + height / 2 < y
  }).length
  const others = listRanked(ranking).filter((other) => other !== id).length
  const rank = above < ranking.places && above <= others ? above + 1 : 0
  return rank === readRank(ranking, id) ? undefined : rank
}

/** What moves the options of a ranking. */
export const rankingMoves = { listRanked, countRanks, rankOption, findNextRank, findRankAt }
export type RankingMoves = typeof rankingMoves
