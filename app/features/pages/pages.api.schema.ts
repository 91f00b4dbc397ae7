import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { PAGE_KINDS } from '#app/lib/vocabulary/pages.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { MAX_PAGE } from './pages.schema.ts'

const changeable = { create: 'optional', update: true } as const

export const pageShape = resourceShape({
  type: 'pages',
  summary: 'Legal pages and other pages of the site',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  rememberedForVisitors: true,
  body: { bytes: 1_000_000 },
  locked: true,
  can: ['update'],
  attributes: {
    slug: attribute(slugSchema, changeable),
    kind: attribute(v.picklist(PAGE_KINDS), changeable),
    title: translated({ max: MAX_PAGE.title, create: 'required', update: true }),
    body: translated({ max: MAX_PAGE.body, create: 'required', update: true }),
    publishedAt: attribute(v.nullable(timestampSchema), changeable),
    /** Names of texts that are knowingly missing or stale, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional', update: true }),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), changeable),
  },
  filters: { kind: filter.choice(PAGE_KINDS) },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    pages: typeof pageShape
  }
}
