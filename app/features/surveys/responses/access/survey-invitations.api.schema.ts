import { invitationBatchAttributes, letterSampleSchema } from '#app/features/invitations/invitations.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

/** Codes created, or personal links sent, in one go. PATCH says what sample the letters went to; DELETE withdraws the unused ones. */
export const invitationBatchShape = resourceShape({
  type: 'survey-invitation-batches',
  summary: 'Batches of one-time codes and personal links for a survey',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  body: { bytes: 600_000 },
  attributes: {
    ...invitationBatchAttributes,
    /** Only of codes. Results have intervals if it is said of all batches of the survey. */
    sample: attribute(letterSampleSchema, { create: 'optional', update: true }),
  },
  relationships: { survey: toOne('surveys', { create: 'required', nullable: false }) },
  filters: { survey: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'survey-invitation-batches': typeof invitationBatchShape
  }
}
