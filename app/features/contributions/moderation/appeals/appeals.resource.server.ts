import { implementResource } from '#app/server/api/implement.ts'
import { createAppeal, listAppeals, loadAppeals, updateAppeal } from './appeal-records.server.ts'
import { moderationAppealShape } from './appeals.api.schema.ts'

export const moderationAppealResource = implementResource(moderationAppealShape, {
  load: loadAppeals,
  list: listAppeals,
  can: (_ctx, { mayDecide, deciders }) => ({ decide: mayDecide && deciders?.refusal === null }),
  attributes: ({ words, appellant, state, answer, deciders, createdAt, decidedAt }) => ({
    words,
    appellant,
    state,
    answer,
    createdAt,
    decidedAt,
    ...(deciders && {
      deciders: deciders.names,
      refusal: deciders.refusal,
      openToAllAt: deciders.names.length > 0 ? null : deciders.openToAllAt,
    }),
  }),
  relationships: {
    decision: { id: (row) => row.decisionId, seenByCreate: true },
    contribution: { id: (row) => row.contributionId },
    reply: { id: (row) => row.replyId },
  },
  creators: 'anyone',
  create: createAppeal,
  update: updateAppeal,
})
