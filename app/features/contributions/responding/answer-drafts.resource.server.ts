import { implementResource } from '#app/server/api/implement.ts'
import { answerAgreementShape, answerDraftShape } from './answer-drafts.api.schema.ts'
import {
  agreeToAnswer,
  createAnswerDraft,
  listAnswerDrafts,
  loadAnswerDrafts,
  removeAnswerDraft,
  updateAnswerDraft,
} from './answer-drafts.server.ts'

export const answerDraftResource = implementResource(answerDraftShape, {
  load: loadAnswerDrafts,
  list: listAnswerDrafts,
  can: ({ viewer, site }, { draft: { askedBy } }) => ({
    update: true,
    agree: askedBy !== null && viewer.kind === 'user' && viewer.siteId === site.id && !viewer.apiToken && viewer.id !== askedBy,
  }),
  lockVersion: ({ draft }) => draft.lockVersion,
  attributes: ({ draft, others, writer, asker, returner }) => ({
    text: draft.text,
    team: draft.team,
    visibility: draft.visibility,
    alsoTo: draft.alsoTo,
    others,
    waived: draft.waived,
    writtenByName: writer,
    writtenAt: draft.writtenAt,
    asked: draft.askedBy !== null,
    askedByName: asker,
    askedAt: draft.askedAt,
    returnReason: draft.returnReason,
    returnedByName: returner,
    returnedAt: draft.returnedAt,
  }),
  relationships: {
    contribution: { id: ({ draft }) => draft.contributionId, alwaysVisible: true },
    status: { id: ({ draft }) => draft.statusId, alwaysVisible: true },
  },
  create: createAnswerDraft,
  update: (ctx, row, input, lock) => updateAnswerDraft(ctx, row, input, lock.version),
  remove: removeAnswerDraft,
})

export const answerAgreementResource = implementResource(answerAgreementShape, {
  create: agreeToAnswer,
  attributes: ({ draft, agreedAt }) => ({ draft, agreedAt }),
  relationships: { answer: { id: ({ answer }) => answer, alwaysVisible: true } },
})
