import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'

export const linkClickShape = resourceShape({
  type: 'link-clicks',
  summary: 'How often each link of a newsletter or a text message campaign was opened. Who opened it is not kept',
  operations: ['list'],
  attributes: {
    url: attribute(v.string()),
    /** Of the message that it is in. */
    language: attribute(contentLanguageSchema),
    clicks: attribute(v.number()),
    /** The last day on which it was opened, in the site's calendar. */
    lastDay: attribute(v.nullable(v.string())),
  },
  filters: { campaign: filter.id() },
  page: { size: 50, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'link-clicks': typeof linkClickShape
  }
}
