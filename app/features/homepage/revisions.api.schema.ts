import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

const anything = v.record(v.string(), v.unknown())
const attributes = {
  note: attribute(v.string()),
  createdAt: attribute(timestampSchema),
  publishedAt: attribute(v.nullable(timestampSchema)),
}

export const homepageRevisionShape = resourceShape({
  type: 'homepage-revisions',
  summary: 'Versions of the homepage of the site or of a hub: published ones, and drafts for those who edit it',
  operations: ['list', 'get'],
  can: ['update'],
  attributes: { ...attributes, content: attribute(anything) },
  relationships: { hub: toOne('hubs') },
  filters: { published: filter.flag() },
  sorts: ['createdAt', 'publishedAt'],
  defaultSort: '-createdAt',
})

export const appearanceRevisionShape = resourceShape({
  type: 'appearance-revisions',
  summary: 'Versions of the site’s appearance: published ones, and drafts for those who edit it',
  operations: ['list', 'get'],
  can: ['update'],
  attributes: { ...attributes, tokens: attribute(anything) },
  filters: { published: filter.flag() },
  sorts: ['createdAt', 'publishedAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'appearance-revisions': typeof appearanceRevisionShape
    'homepage-revisions': typeof homepageRevisionShape
  }
}
