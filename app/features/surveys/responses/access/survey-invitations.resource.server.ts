import { implementResource } from '#app/server/api/implement.ts'
import type { InvitationBatch } from '#app/features/invitations/invitations.server.ts'
import { invitationBatchShape } from './survey-invitations.api.schema.ts'
import { describeLetters, inviteToSurvey, listBatches, loadBatches, withdrawBatch } from './survey-invitations.server.ts'

export const invitationBatchResource = implementResource(invitationBatchShape, {
  load: loadBatches,
  list: listBatches,
  attributes: ({ kind, total, used, createdAt, sample, told }: InvitationBatch) => ({ kind, total, used, createdAt, sample, ...told }),
  relationships: { survey: { id: (row) => row.surveyId } },
  create: (ctx, { survey, ...input }) => inviteToSurvey(ctx, survey, input),
  update: (ctx, row, { sample }) => (sample === undefined ? Promise.resolve() : describeLetters(ctx, row.id, sample)),
  remove: (ctx, row) => withdrawBatch(ctx, row.id),
})
