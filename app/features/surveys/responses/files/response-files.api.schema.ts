import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

/** Files that were sent with responses. They are uploaded with the survey's form and deleted with their response. */
export const responseFileShape = resourceShape({
  type: 'response-files',
  summary: 'Files sent with survey responses, for people who may see the responses, and for the person who sent them from an account',
  operations: ['list', 'get'],
  attributes: {
    /** Question id. */
    question: attribute(v.string()),
    name: attribute(v.string()),
    /** Detected from the content. */
    mediaType: attribute(v.string()),
    bytes: attribute(v.number()),
    /** When its response was sent. */
    submittedAt: attribute(timestampSchema),
    /** Download path for signed-in users. */
    address: attribute(v.string()),
  },
  relationships: { survey: toOne('surveys', { nullable: false }), response: toOne('responses', { nullable: false }) },
  filters: { survey: filter.id(), response: filter.id(), question: filter.text(40) },
  sorts: ['submittedAt', 'bytes'],
  defaultSort: '-submittedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'response-files': typeof responseFileShape
  }
}
