import type { ProjectCardView } from '#app/features/projects/projects.schema.ts'
import { choice, line, number, references } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** Rules for choosing projects; `chosen` lists them by id. */
export const GRID_FILTERS = ['open', 'upcoming', 'results', 'newest', 'chosen'] as const
export type GridFilter = (typeof GRID_FILTERS)[number]

export interface ProjectGridData {
  projects: ProjectCardView[]
  /** Number of all listed projects. */
  total: number
}

/** Several projects, selected by rule or by hand. An empty `open` grid still shows, because it is worth saying that nothing is open. */
export const projectGrid = defineBlock(
  'project_grid',
  { title: line(), filter: choice(GRID_FILTERS), limit: number(1, 12, 6), projectIds: references() },
  { isEmpty: ({ filter }, { projects }: ProjectGridData) => projects.length === 0 && filter !== 'open' },
)
