import type { ProjectTemplate as ProjectTemplateId } from '#app/lib/vocabulary/projects.ts'
import { budget } from './budget.ts'
import { plan } from './plan.ts'
import { service } from './service.ts'
import { street } from './street.ts'
import type { ProjectTemplate } from './template-parts.ts'

const TEMPLATES: Record<ProjectTemplateId, ProjectTemplate> = { street, plan, budget, service }

export const getTemplate = (id: ProjectTemplateId): ProjectTemplate => TEMPLATES[id]
