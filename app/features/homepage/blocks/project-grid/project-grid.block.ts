import type { ProjectCardView } from '#app/features/projects/projects.schema.ts'
import { choice, line, number, references } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** The rules by which projects are taken; `chosen` names each of them. */
export const GRID_FILTERS = ['open', 'upcoming', 'results', 'newest', 'chosen'] as const
export type GridFilter = (typeof GRID_FILTERS)[number]

export interface ProjectGridData {
  projects: ProjectCardView[]
  /** Of all the projects that lists show. */
  total: number
}

/** Several projects: by rule, or chosen one by one. That nothing is open is worth saying; other grids vanish when they are empty. */
export const projectGrid = defineBlock(
  'project_grid',
  { title: line(), filter: choice(GRID_FILTERS), limit: number(1, 12, 6), projectIds: references() },
  { isEmpty: ({ filter }, { projects }: ProjectGridData) => projects.length === 0 && filter !== 'open' },
)
