import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { redirectIfMoved } from '#app/features/sites/old-addresses.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { allowVideoFrames } from '#app/server/allow-video-frames.ts'
import { listOtherOpenProjects, listProjects } from './projects.list.server.ts'
import { readProjectSearch } from './projects.schema.ts'
import { getProject } from './projects.server.ts'

export const readProjects = createServerFn()
  .validator(createInputValidator(createQuerySchema(readProjectSearch)))
  .handler(({ data, context }) => listProjects(context.ctx, data))

export const readProject = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema, preview: v.optional(v.string()) })))
  .handler(async ({ data, context }) => {
    const project = await redirectIfMoved(context.ctx, 'projects', data.slug, () => getProject(context.ctx, data))
    allowVideoFrames([...project.body.blocks, ...project.outcome.blocks])
    return project
  })

export const readOtherOpenProjects = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema })))
  .handler(({ data, context }) => listOtherOpenProjects(context.ctx, data.slug))
