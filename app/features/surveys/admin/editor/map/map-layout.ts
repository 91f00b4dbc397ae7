import type { Definition } from '../../../surveys.schema.ts'
import { listReachableIds, type SurveyPath, listPaths } from '#app/features/surveys/questionnaire/paths.ts'

interface MapNode {
  id: string
  kind: 'page' | 'end' | 'ending'
  /** From the top, starting at 0. */
  row: number
  isReached: boolean
}

interface MapLine {
  way: SurveyPath
  from: number
  to: number
  /** The track beside the boxes, 0 the nearest; undefined for a straight line down. */
  track: number | undefined
  /** Number among all jumps, which the table refers to; undefined for other lines. */
  number: number | undefined
}

export interface SurveyMap {
  nodes: MapNode[]
  lines: MapLine[]
  tracks: number
}

/** Pages in order, then the end and the closing pages, with every path between them, as the evaluator finds them. */
export function layOutSurveyMap(definition: Definition): SurveyMap {
  const reached = listReachableIds(definition)
  const quotaEnds = new Set((definition.quotas ?? []).flatMap(({ end }) => (end === undefined ? [] : [end])))
  const ids = [
    ...definition.pages.map(({ id }) => ({ id, kind: 'page' as const })),
    { id: '', kind: 'end' as const },
    ...(definition.endings ?? []).map(({ id }) => ({ id, kind: 'ending' as const })),
  ]
  const nodes = ids.map((node, row) => ({ ...node, row, isReached: reached.has(node.id) || quotaEnds.has(node.id) }))
  const rows = new Map(nodes.map(({ id, row }) => [id, row]))
  const taken: { from: number; to: number }[][] = []
  let jumps = 0
  const lines = listPaths(definition).flatMap((way): MapLine[] => {
    const [from, to] = [rows.get(way.from), rows.get(way.to)]
    if (from === undefined || to === undefined) return []
    const number = way.kind === 'jump' ? (jumps += 1) : undefined
    const isStraight = way.kind !== 'jump' || (to === from + 1 && way.when === undefined)
    return [{ way, from, to, number, track: isStraight ? undefined : takeFreeTrack(taken, from, to) }]
  })
  return { nodes, lines, tracks: taken.length }
}

/** The nearest track that is free between two rows. */
function takeFreeTrack(taken: { from: number; to: number }[][], from: number, to: number): number {
  const found = taken.findIndex((track) => track.every((line) => line.to <= from || to <= line.from))
  const at = found < 0 ? taken.length : found
  ;(taken[at] ??= []).push({ from, to })
  return at
}
