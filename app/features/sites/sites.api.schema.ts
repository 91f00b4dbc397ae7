import * as v from 'valibot'
import { attribute, singletonShape } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

export const currentSiteShape = singletonShape({
  type: 'current-site',
  summary: 'The site of the host name',
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

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'current-site': typeof currentSiteShape
  }
}
