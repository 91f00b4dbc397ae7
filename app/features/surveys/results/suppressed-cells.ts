/** Counts below this are not shown to everybody: a person in so small a group might be recognised. */
export const SUPPRESSION_THRESHOLD = 5

/** A count as it stands in a table. */
export interface TableCell {
  count: number
  /** Sums that can be known and to which it adds: its row and its column, one of them, or none. */
  sums: readonly string[]
  /** It was hidden the last time the table was shown. */
  wasHidden?: boolean
}

/** The other end of a cell that adds to one sum only. */
const NO_SUM = ''

/**
 * Which counts may not be shown: those that are small, and as many others as it takes so that no small one can be worked out from a sum and
 * what is shown, and none of the sums leaves fewer than a few people to be guessed at. A count that was hidden before is taken first:
 * beside the earlier table another choice would tell both.
 * @param zeros `known` where it may be seen that nobody gave an answer, as in a single list; in a table it tells what others did not say
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

/** The hidden counts less those that are seen to be nought, since nothing is missing from a sum: they protect no other. */
function omitKnownZeros<C extends TableCell>(lines: CellsBySum<C>, hidden: ReadonlySet<C>): Set<C> {
  const zeros = [...lines.values()]
    .map((line) => line.map(({ cell }) => cell).filter((cell) => hidden.has(cell)))
    .filter((unseen) => unseen.every(({ count }) => count === 0))
    .flat()
  const known = new Set(zeros)
  return new Set([...hidden].filter((cell) => !known.has(cell)))
}

/** Another count of a line whose hidden ones come to fewer than a few people together, which its sum would tell. */
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
 * A count to hide beside one that the sums would give away. Sums are the ends of a graph and hidden counts its edges: a count can be worked out
 * exactly where no other way leads from one end of it to the other (Gusfield, "A graph theoretic approach to statistical data security", 1988).
 */
function findCellBesideSolvable<C extends TableCell>(cells: readonly C[], hidden: ReadonlySet<C>, unknown: ReadonlySet<C>): C | undefined {
  for (const cell of unknown) {
    const [from, to] = getSumEnds(cell)
    if (from === to) continue
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
