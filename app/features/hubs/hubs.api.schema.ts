import * as v from 'valibot'
import { pictureSchema } from '#app/features/projects/projects.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'

const changeable = { create: 'optional', update: true } as const

export const hubShape = resourceShape({
  type: 'hubs',
  summary: 'Departments of the site, each with its projects',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  rememberedForVisitors: true,
  body: { bytes: 250_000 },
  locked: true,
  can: ['update', 'remove', 'createProject', 'addProjectAdmin'],
  attributes: {
    slug: attribute(slugSchema, changeable),
    title: translated({ max: 120, create: 'required', update: true }),
    summary: translated({ max: 400, ...changeable }),
    body: translated({ max: 20_000, ...changeable }),
    picture: attribute(v.nullable(pictureSchema), changeable),
    pictureAlt: translated({ max: 300, ...changeable }),
    contactEmail: attribute(v.nullable(v.pipe(v.string(), v.email(), v.maxLength(254))), changeable),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), changeable),
    /** False for a draft, which only its administrators see. */
    isPublished: attribute(v.boolean(), changeable),
  },
  relationships: { projects: toMany('projects', { inverse: 'hub' }) },
  filters: { mine: filter.flag(), q: filter.text(200) },
  sorts: ['position', 'title'],
  defaultSort: 'position',
})

export const topicShape = resourceShape({
  type: 'topics',
  summary: 'Topics of projects',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  rememberedForVisitors: true,
  can: ['update'],
  attributes: {
    slug: attribute(slugSchema, changeable),
    title: translated({ max: 120, create: 'required', update: true }),
  },
  sorts: ['title'],
  defaultSort: 'title',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    hubs: typeof hubShape
    topics: typeof topicShape
  }
}
