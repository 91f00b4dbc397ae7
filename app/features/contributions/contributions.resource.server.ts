import { eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { withGuessLimits } from '#app/features/invitations/accept-invitation.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { parseBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { requireVisibleActivity } from './record/activities.policy.server.ts'
import { contributionShape, contributionVersionShape, reactionShape, replyShape } from './contributions.api.schema.ts'
import {
  type ContributionRecord,
  decideContribution,
  decideReply,
  listContributionRecords,
  listOfficialResponses,
  listReplies,
  listVersions,
  loadContributions,
  loadOfficialResponses,
  loadReplies,
  loadVersions,
} from './reading/records.server.ts'
import { assignQuestion } from './questions/assign-question.server.ts'
import { isFrequentlyAsked, setFrequentlyAsked } from './questions/frequently-asked.server.ts'
import { getQuestionState, isOverdue } from './questions/question-state.server.ts'
import { pickFields } from './fields/fields.server.ts'
import { requirePlacedContribution } from './record/loading.server.ts'
import { buildPhotoAddress } from './record/photos.schema.ts'
import { readEnteredSource } from './record/entered-contribution.server.ts'
import { submitContribution } from './posting/submit-contribution.server.ts'
import { officialResponseShape } from './responding/official-responses.api.schema.ts'
import { createOfficialResponse, updateOfficialResponse } from './responding/official-responses.server.ts'
import { editOwnContribution } from './own/own-contributions.server.ts'
import { addReaction, removeReaction } from './responding/reactions.server.ts'
import { loadReactions } from './responding/stored-reactions.server.ts'
import { submitReply } from './responding/replies.server.ts'

const mayModerate = ({ viewer }: Ctx, { project }: Pick<ContributionRecord, 'project'>): boolean =>
  checkPermission(viewer, 'contributions.moderate', toPermissionTarget(project)).ok

export const contributionResource = implementResource(contributionShape, {
  changers: 'anyone',
  load: loadContributions,
  list: listContributionRecords,
  can: (ctx, row) => ({
    moderate: mayModerate(ctx, row),
    answer: checkPermission(ctx.viewer, 'contributions.answer', toPermissionTarget(row.project)).ok,
  }),
  attributes: ({ contribution: row, activity, project, receipt, assignee, masked, photos = [] }, ctx, can) => ({
    number: row.number,
    title: row.title,
    body: row.body,
    categories: row.categories,
    shownAs: row.shownAs,
    shownName: row.shownName,
    placeText: row.placeText,
    areaId: row.areaId,
    geometry: row.geometry as { type: string; coordinates: unknown[] } | null,
    fields: pickFields(activity, row.fields, { staff: can.moderate || (ctx.viewer.kind === 'user' && row.authorId === ctx.viewer.id) }),
    photos: photos.map((photo) => ({ address: buildPhotoAddress(photo.id), ...photo })),
    language: row.language,
    source: row.source,
    state: row.state,
    supports: row.supports,
    disagrees: row.disagrees,
    replies: row.repliesCount,
    version: row.version,
    question: getQuestionState(row),
    answered: row.answered,
    dueAt: row.dueAt,
    submittedAt: row.submittedAt,
    publishedAt: row.publishedAt,
    ...(can.moderate && { reason: row.reason, doubted: row.doubt !== null }),
    ...(can.answer &&
      row.dueAt && {
        assigneeId: row.assigneeId,
        assigneeName: assignee ?? null,
        overdue: isOverdue(row, ctx.now()),
        frequentlyAsked: isFrequentlyAsked({ contribution: row, project }),
      }),
    ...(masked !== undefined && { masked }),
    ...(receipt && { receipt }),
  }),
  relationships: {
    activity: { id: ({ contribution }) => contribution.activityId, alwaysVisible: true, seenByCreate: true },
    status: { id: ({ contribution }) => contribution.statusId, alwaysVisible: true },
    mergedInto: { id: ({ contribution }) => contribution.mergedInto, alwaysVisible: true },
  },
  creators: 'anyone',
  create: async (ctx, { id, activity, ...input }) => {
    const submit = () =>
      submitContribution(ctx, (tx) => requireVisibleActivity(ctx, tx, eq(activities.id, activity)), {
        id,
        sendKey: input.sendKey,
        title: input.title ?? '',
        body: input.body,
        categories: input.categories ?? [],
        shownAs: input.shownAs,
        shownName: input.shownName ?? '',
        areaId: input.areaId ?? null,
        geometry: input.geometry ?? null,
        placeText: input.placeText ?? '',
        fields: input.fields ?? {},
        browserToken: parseBrowserToken(ctx, input.browserToken),
        invitation: () => input.invitation,
        source: readEnteredSource(input.source),
      })
    const receipt = await withGuessLimits(ctx, input.invitation, submit)
    const placed = await ctx.db.read((tx) => requirePlacedContribution(ctx, tx, eq(contributions.id, id)))
    return { ...placed, id, receipt: receipt.code }
  },
  update: async (ctx, { id }, { assigneeId, frequentlyAsked, title, body, categories, fields, ...decision }) => {
    const isEdit = [title, body, categories, fields].some((given) => given !== undefined)
    if (isEdit) await editOwnContribution(ctx, id, { title, body, categories, fields })
    if (assigneeId !== undefined) await assignQuestion(ctx, id, assigneeId)
    if (frequentlyAsked !== undefined) await setFrequentlyAsked(ctx, id, frequentlyAsked)
    const isDecision = Object.keys(decision).length > 0
    if (isDecision || (!isEdit && assigneeId === undefined && frequentlyAsked === undefined)) await decideContribution(ctx, id, decision)
  },
})

export const contributionVersionResource = implementResource(contributionVersionShape, {
  load: loadVersions,
  list: listVersions,
  attributes: ({ version: { number, title, body, fields, createdAt }, activity, project, authorId }, ctx) => {
    const isAuthor = ctx.viewer.kind === 'user' && ctx.viewer.id === authorId
    return { number, title, body, fields: pickFields(activity, fields, { staff: isAuthor || mayModerate(ctx, { project }) }), createdAt }
  },
  relationships: { contribution: { id: ({ version }) => version.contributionId, alwaysVisible: true } },
})

export const reactionResource = implementResource(reactionShape, {
  changers: 'anyone',
  load: loadReactions,
  attributes: ({ value, counted, createdAt }) => ({ value, counted, createdAt }),
  relationships: { contribution: { id: (row) => row.contributionId, alwaysVisible: true, seenByCreate: true } },
  put: (ctx, { id, contribution, value, browserToken, invitation }) =>
    withGuessLimits(ctx, invitation, () =>
      addReaction(ctx, {
        id,
        contributionId: contribution,
        value,
        browserToken: parseBrowserToken(ctx, browserToken),
        invitation: () => invitation,
      }),
    ).catch(pointToContribution),
  remove: (ctx, row) => removeReaction(ctx, row),
})

/** @throws the same error; `not-found` with what is not found */
function pointToContribution(error: unknown): never {
  throw isAppError(error, 'not-found') ? new AppError('not-found', { faults: [{ code: 'not-found', pointer: '/contribution' }] }) : error
}

export const replyResource = implementResource(replyShape, {
  changers: 'anyone',
  load: loadReplies,
  list: listReplies,
  can: (ctx, row) => ({ moderate: mayModerate(ctx, row) }),
  attributes: ({ reply }, _ctx, can) => ({
    body: reply.body,
    shownName: reply.shownName,
    role: reply.role,
    language: reply.language,
    state: reply.state,
    version: reply.version,
    createdAt: reply.createdAt,
    ...(can.moderate && { reason: reply.reason }),
  }),
  relationships: { contribution: { id: ({ reply }) => reply.contributionId, alwaysVisible: true, seenByCreate: true } },
  creators: 'anyone',
  create: async (ctx, { id, contribution, ...input }) => {
    const submit = () =>
      submitReply(ctx, {
        id,
        sendKey: input.sendKey,
        contributionId: contribution,
        body: input.body,
        shownName: input.shownName ?? '',
        browserToken: parseBrowserToken(ctx, input.browserToken),
        invitation: () => input.invitation,
        official: input.official ?? false,
      })
    const reply = await withGuessLimits(ctx, input.invitation, submit).catch(pointToContribution)
    const placed = await ctx.db.read((tx) => requirePlacedContribution(ctx, tx, eq(contributions.id, contribution)))
    return { ...placed, reply, id }
  },
  update: (ctx, row, input) => decideReply(ctx, row, input),
})

export const officialResponseResource = implementResource(officialResponseShape, {
  load: loadOfficialResponses,
  list: listOfficialResponses,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'contributions.answer', toPermissionTarget(project)).ok }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ text, team, visibility, version, createdAt, editedAt, former, withdrawnAt, withdrawalReason }, _ctx, can) => ({
    // Others read only that a withdrawn answer was there, and why it is gone.
    ...(withdrawnAt && !can.update ? { text: {}, team: {}, former: [] } : { text, team, former: former.toReversed() }),
    visibility,
    version,
    createdAt,
    editedAt,
    withdrawnAt,
    withdrawalReason,
  }),
  relationships: {
    contribution: { id: (row) => row.contributionId, alwaysVisible: true },
    status: { id: (row) => row.statusId, alwaysVisible: true },
  },
  create: createOfficialResponse,
  update: (ctx, row, input, lock) => updateOfficialResponse(ctx, row, input, lock.version),
})
