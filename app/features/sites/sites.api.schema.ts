import * as v from 'valibot'
import { attribute, resourceShape, singletonShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/language-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

export const currentSiteShape = singletonShape({
  type: 'current-site',
  summary: 'The site that the request is made to',
  attributes: {
    site: attribute(
      v.object({
        id: v.string(),
        name: v.string(),
        region: v.string(),
        locale: languageSchema,
        publishedHomePageRevisions: v.array(v.object({ id: v.string(), publishedAt: timestampSchema })),
      }),
    ),
  },
})

export const siteShape = resourceShape({
  type: 'sites',
  summary: 'The site of the request; for the platform’s administrators, every site',
  operations: ['list', 'get'],
  can: ['update', 'manage'],
  attributes: {
    slug: attribute(v.string()),
    name: attribute(v.string()),
    status: attribute(v.string()),
    region: attribute(v.string()),
    locale: attribute(languageSchema),
    languages: attribute(v.array(languageSchema)),
    timeZone: attribute(v.string()),
    tagline: translated({ max: 300 }),
    contactEmail: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
  },
  sorts: ['name', 'createdAt'],
  defaultSort: 'name',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'current-site': typeof currentSiteShape
    sites: typeof siteShape
  }
}
