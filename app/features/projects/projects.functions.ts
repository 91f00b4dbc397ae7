import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { orMoved } from '#app/features/sites/old-addresses.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { checked, querySchema } from '#app/lib/validate.ts'
import { listProjects } from './projects.list.server.ts'
import { readProjectSearch } from './projects.schema.ts'
import { getProject } from './projects.server.ts'

export const readProjects = createServerFn()
  .validator(checked(querySchema(readProjectSearch)))
  .handler(({ data, context }) => listProjects(context.ctx, data))

export const readProject = createServerFn()
  .validator(checked(v.object({ slug: slugPartSchema, preview: v.optional(v.string()) })))
  .handler(({ data, context }) => orMoved(context.ctx, 'projects', data.slug, () => getProject(context.ctx, data)))
