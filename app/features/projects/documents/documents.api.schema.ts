import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { MAX_DOCUMENTS } from './documents.schema.ts'

export const projectDocumentShape = resourceShape({
  type: 'project-documents',
  summary: 'Documents that a project offers for download',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['update'],
  attributes: {
    /** The link text. On creation it defaults to the file’s name, in the site’s language. */
    title: translated({ max: 200, create: 'optional', update: true }),
    /** The file's language; null for all. */
    language: attribute(v.nullable(contentLanguageSchema), { create: 'optional', update: true }),
    /** A completed `media-uploads`: the content or, on update, the new content. */
    upload: attribute(idSchema, { read: false, create: 'required', update: true }),
    /** From 0; the others move. */
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_DOCUMENTS)), { update: true }),
    mediaType: attribute(v.string()),
    bytes: attribute(v.number()),
    /** Of a PDF; null if it does not say so. */
    pages: attribute(v.nullable(v.number())),
    address: attribute(v.string()),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-documents': typeof projectDocumentShape
  }
}
