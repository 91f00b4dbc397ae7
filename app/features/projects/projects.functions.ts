import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { checked } from '#app/lib/validate.ts'
import { listProjects } from './projects.list.server.ts'
import { type ProjectSearch, readProjectSearch } from './projects.schema.ts'
import { getProject } from './projects.server.ts'

export const readProjects = createServerFn()
  .validator((search: ProjectSearch) => readProjectSearch({ ...search }))
  .handler(({ data, context }) => listProjects(context.ctx, data))

export const readProject = createServerFn()
  .validator(checked(v.object({ slug: v.string(), preview: v.optional(v.string()) })))
  .handler(({ data, context }) => getProject(context.ctx, data))
