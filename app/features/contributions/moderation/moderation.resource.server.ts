import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { assignCase } from './assign-case.server.ts'
import { createDecision, listCases, listDecisions, loadCases, loadDecisions } from './case-records.server.ts'
import { moderationCaseShape, moderationDecisionShape, moderationRuleShape } from './moderation.api.schema.ts'
import { undoDecision } from './undo-decision.server.ts'
import { createRule, listRules, loadRules, updateRule } from './rules.server.ts'

export const moderationRuleResource = implementResource(moderationRuleShape, {
  load: loadRules,
  list: listRules,
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'moderation.rules').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ code, label, explanation, position, version, archived }) => ({ code, label, explanation, position, version, archived }),
  create: createRule,
  update: (ctx, row, input, lock) => updateRule(ctx, row, input, lock.version),
})

export const moderationCaseResource = implementResource(moderationCaseShape, {
  load: loadCases,
  list: listCases,
  attributes: ({ openedBy, state, version, openedAt, dueAt, decidedAt, reports, heldUntil, assigneeId, assigneeName }) => ({
    openedBy,
    state,
    version,
    openedAt,
    dueAt,
    decidedAt,
    reports,
    heldUntil,
    assigneeId,
    assigneeName,
  }),
  relationships: {
    contribution: { id: (row) => row.contributionId, alwaysVisible: true },
    reply: { id: (row) => row.replyId, alwaysVisible: true },
  },
  update: (ctx, row, { assigneeId }) => (assigneeId === undefined ? Promise.resolve() : assignCase(ctx, row, assigneeId)),
})

export const moderationDecisionResource = implementResource(moderationDecisionShape, {
  load: loadDecisions,
  list: listDecisions,
  attributes: ({ decision, rule, ruleVersion, words, automatic, decidedAt }) => ({
    decision,
    rule,
    ruleVersion,
    reason: words,
    automatic,
    decidedAt,
  }),
  relationships: {
    case: { id: (row) => row.caseId, alwaysVisible: true },
    contribution: { id: (row) => row.contributionId, alwaysVisible: true },
    reply: { id: (row) => row.replyId, alwaysVisible: true },
  },
  create: createDecision,
  /** Takes it back, within seconds. */
  remove: (ctx, { id }) => undoDecision(ctx, id),
})
