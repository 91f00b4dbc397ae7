import type { ProjectCardView } from '#app/features/projects/projects.schema.ts'
import { reference } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface FeaturedProjectData {
  project: ProjectCardView | null
}

/** One featured project, shown large. */
export const featuredProject = defineBlock(
  'featured_project',
  { projectId: reference('project') },
  {
    isEmpty: (_, { project }: FeaturedProjectData) => project === null,
  },
)
