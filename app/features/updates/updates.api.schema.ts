import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { MAX_UPDATE } from './updates.schema.ts'

export const projectUpdateShape = resourceShape({
  type: 'project-updates',
  summary: 'Updates about a project, sent to its followers',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  rememberedForVisitors: true,
  body: { bytes: 500_000 },
  locked: true,
  can: ['update'],
  attributes: {
    slug: attribute(slugSchema, { create: 'optional' }),
    title: translated({ max: MAX_UPDATE.title, create: 'required', update: true }),
    body: translated({ max: MAX_UPDATE.body, create: 'required', update: true }),
    /** Null for a draft; a future time schedules it. */
    publishedAt: attribute(v.nullable(timestampSchema), { create: 'optional', update: true }),
    /** Names of texts that are knowingly missing or stale, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional', update: true }),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id() },
  sorts: ['publishedAt'],
  defaultSort: '-publishedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-updates': typeof projectUpdateShape
  }
}
