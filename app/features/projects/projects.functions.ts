import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { listProjects } from './projects.list.server.ts'
import { type ProjectSearch, readProjectSearch } from './projects.schema.ts'
import { getProject } from './projects.server.ts'

export const readProjects = createServerFn()
  .validator((search: ProjectSearch) => readProjectSearch({ ...search }))
  .handler(({ data, context }) => listProjects(context.ctx, data))

export const readProject = createServerFn()
  .validator(v.object({ slug: v.pipe(v.string(), v.maxLength(200)), preview: v.optional(v.pipe(v.string(), v.maxLength(200))) }))
  .handler(({ data, context }) => getProject(context.ctx, data))
