/** Counts below this are suppressed in public: in so small a group somebody might be recognised. */
export const SUPPRESSION_THRESHOLD = 5

/** A count as readers may see it; null if it is not shown, because it is small or would give a small one away. Never 0 for a hidden one. */
export type SuppressibleCount = number | null

/** A count in a table. */
export interface TableCell {
  count: number
  /** Totals that can be known and that include it: its row and its column, one of them, or none. */
  sums: readonly string[]
  /** It was suppressed when the table was last shown. */
  wasHidden?: boolean
}

/** The other end of a cell that belongs to one total only. */
const NO_SUM = ''

/**
 * Which counts to suppress: small ones, plus as many others as needed so that no small one can be derived from a total and the visible
 * counts, and the suppressed counts of each total stand for at least five people. Counts that were suppressed before are chosen first:
 * compared with the earlier table, a different choice would reveal both.
 * @param zeros `known` if readers may learn that nobody gave an answer, as in a single list; in a table it would reveal what others did not
 * say
 */
export function findSuppressedCells<C extends TableCell>(cells: readonly C[], zeros: 'known' | 'hidden' = 'hidden'): Set<C> {
  const hidden = new Set(cells.filter(({ count }) => count < SUPPRESSION_THRESHOLD))
  const lines = Map.groupBy(
    cells.flatMap((cell) => cell.sums.map((sum) => ({ sum, cell }))),
    ({ sum }) => sum,
  )
  for (;;) {
    const unknown = zeros === 'known' ? omitKnownZeros(lines, hidden) : hidden
    const next = findCellForSmallSum(lines, hidden, unknown) ?? findCellBesideSolvable(cells, hidden, unknown)
    if (!next) return hidden
    hidden.add(next)
  }
}

type CellsBySum<C> = ReadonlyMap<string, readonly { cell: C }[]>

/** Drops suppressed counts that are known to be zero because nothing is missing from a total: they protect no other count. */
function omitKnownZeros<C extends TableCell>(lines: CellsBySum<C>, hidden: ReadonlySet<C>): Set<C> {
  const zeros = [...lines.values()]
    .map((line) => line.map(({ cell }) => cell).filter((cell) => hidden.has(cell)))
    .filter((unseen) => unseen.every(({ count }) => count === 0))
    .flat()
  const known = new Set(zeros)
  return new Set([...hidden].filter((cell) => !known.has(cell)))
}

/** Another count to suppress if the suppressed counts of a total stand for too few people, which the total would reveal. */
function findCellForSmallSum<C extends TableCell>(lines: CellsBySum<C>, hidden: ReadonlySet<C>, unknown: ReadonlySet<C>): C | undefined {
  for (const line of lines.values()) {
    const own = line.map(({ cell }) => cell)
    const unseen = own.filter((cell) => unknown.has(cell))
    if (unseen.length === 0 || unseen.reduce((sum, { count }) => sum + count, 0) >= SUPPRESSION_THRESHOLD) continue
    const next = findCheapestCell(own.filter((cell) => !hidden.has(cell)))
    if (next) return next
  }
  return undefined
}

/**
 * A count to suppress beside one that the totals would give away. In a graph with totals as vertices and suppressed counts as edges, a
 * count can be derived exactly if it is a bridge: no other path connects its two ends (Gusfield, "A graph theoretic approach to statistical
 * data security", 1988).
 */
function findCellBesideSolvable<C extends TableCell>(cells: readonly C[], hidden: ReadonlySet<C>, unknown: ReadonlySet<C>): C | undefined {
  const parallel = Map.groupBy(unknown, (cell) => getSumEnds(cell).join('\n'))
  for (const cell of unknown) {
    const [from, to] = getSumEnds(cell)
    // With another one between the same ends, it is no bridge.
    if (from === to || (parallel.get(`${from}\n${to}`)?.length ?? 0) > 1) continue
    const reached = listReachableSums(
      from,
      [...unknown].filter((other) => other !== cell),
    )
    if (reached.has(to)) continue
    const across = cells.filter((other) => !hidden.has(other) && reached.has(getSumEnds(other)[0]) !== reached.has(getSumEnds(other)[1]))
    const next = findCheapestCell(across)
    if (next) return next
  }
  return undefined
}

const getSumEnds = ({ sums }: TableCell): [string, string] => [sums[0] ?? NO_SUM, sums[1] ?? NO_SUM]

function listReachableSums(start: string, edges: readonly TableCell[]): Set<string> {
  const reached = new Set([start])
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    for (const edge of edges) {
      const [a, b] = getSumEnds(edge)
      if (reached.has(a)) reached.add(b)
      else if (reached.has(b)) reached.add(a)
    }
  }
  return reached
}

const findCheapestCell = <C extends TableCell>(cells: readonly C[]): C | undefined =>
  cells.toSorted((a, b) => Number(b.wasHidden ?? false) - Number(a.wasHidden ?? false) || a.count - b.count)[0]
