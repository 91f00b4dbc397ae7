import { eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { parseBrowserToken } from '#app/server/auth/browser-token.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { withGuessLimits } from '#app/features/invitations/accept-invitation.server.ts'
import { canSendInvitations } from '#app/features/invitations/invitations.server.ts'
import {
  crossTableShape,
  responseDraftShape,
  responseErasureShape,
  responseShape,
  surveyArchivalShape,
  surveyChangeShape,
  surveyCompletionShape,
  surveyResultShape,
  surveyRevisionShape,
  surveyShape,
  surveyVersionShape,
} from './surveys.api.schema.ts'
import type { CrossTable } from './results/cross-table.ts'
import { type ForeseenChanges, foreseeChanges } from './managing/foresee-changes.server.ts'
import { type Completion, getCompletion } from './results/completion.server.ts'
import { limitDraftSaves } from './responses/draft-limits.server.ts'
import { keepDraft, loadDrafts, removeDraft } from './responses/drafts.server.ts'
import { createSurvey, deleteSurvey, updateSurvey } from './managing/editing.server.ts'
import { type PlacedSurvey, requireVisibleSurvey } from './surveys.policy.server.ts'
import { eraseResponse } from './responses/receipts.server.ts'
import { archiveSurvey, canPublishSurvey, publishSurvey, unarchiveSurvey } from './managing/publishing.server.ts'
import {
  checkDefinition,
  listSurveys,
  listVersions,
  loadSurveys,
  loadVersions,
  type SurveyRecord,
  buildVersionId,
  loadVersionIds,
} from './managing/records.server.ts'
import { listSurveyRevisions, loadSurveyRevisions, type SurveyRevision } from './managing/survey-revisions.server.ts'
import { listResponses, loadResponses, type ResponseRecord } from './responses/response-list.server.ts'
import { submitResponse } from './responses/submit-response.server.ts'
import { crossTabulate, getResults } from './results/results.server.ts'
import { getSurveyState } from './surveys.state.server.ts'

export const surveyResource = implementResource(surveyShape, {
  load: loadSurveys,
  list: listSurveys,
  can: ({ viewer }, { project }) => {
    const place = toPermissionTarget(project)
    return {
      update: checkPermission(viewer, 'projects.edit', place).ok,
      publish: canPublishSurvey(viewer, project),
      remove: checkPermission(viewer, 'projects.edit', place).ok,
      seeResponses: checkPermission(viewer, 'responses.see', place).ok,
      exportPersonalData: checkPermission(viewer, 'responses.export-personal', place).ok,
      invite: canSendInvitations(viewer, project),
    }
  },
  lockVersion: (row) => row.lockVersion,
  attributes: (row, ctx, can) => ({
    slug: row.slug,
    title: row.title,
    intro: row.intro,
    thanks: row.thanks,
    status: row.status,
    state: getSurveyState(ctx.now(), { survey: row, project: row.project }),
    projectVisibility: row.project.visibility,
    access: row.access,
    verification: row.verification,
    anonymous: row.anonymous,
    variant: row.variant,
    resultsPublic: row.resultsPublic,
    changeable: row.changeable,
    opensAt: row.opensAt,
    closesAt: row.closesAt,
    minutes: row.minutes,
    ...(can.update && {
      groupId: row.groupId,
      smsKeywords: row.smsKeywords,
      definition: row.definition && checkDefinition(row.definition),
      hasChanges: row.hasChanges,
      importedFrom: row.importedFrom,
    }),
    publishedVersion: row.publishedVersion,
    responses: row.responsesCount,
    updatedAt: row.updatedAt,
  }),
  relationships: {
    project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' },
    versions: { ids: loadVersionIds, filter: (row) => ({ survey: row.id }) },
    answers: { ids: () => Promise.resolve(new Map()), filter: (row) => ({ survey: row.id }) },
  },
  create: createSurvey,
  update: (ctx, row, input, lock) => updateSurvey(ctx, row.id, input, lock.version),
  remove: (ctx, row) => deleteSurvey(ctx, row.id),
})

export const surveyVersionResource = implementResource(surveyVersionShape, {
  load: loadVersions,
  list: listVersions,
  attributes: ({ number, definition, publishedAt }) => ({ number, definition, publishedAt }),
  relationships: { survey: { id: (row) => row.surveyId } },
  create: async (ctx, { survey, ...input }) => buildVersionId(survey, await publishSurvey(ctx, survey, input)),
})

export const surveyRevisionResource = implementResource(surveyRevisionShape, {
  load: loadSurveyRevisions,
  list: listSurveyRevisions,
  attributes: ({ note, createdAt, publishedAt, author, version, definition }: SurveyRevision) => ({
    note,
    createdAt,
    publishedAt,
    author,
    version,
    ...(definition && { definition }),
  }),
  relationships: {
    // Only those who may edit the survey see its revisions.
    survey: { id: (row) => row.placeId, alwaysVisible: 'in-scope' },
    parent: { id: (row) => row.parentId },
  },
})

export const surveyChangeResource = implementResource(surveyChangeShape, {
  load: (ctx, ids) => Promise.all(ids.map((id) => foreseeChanges(ctx, id))),
  attributes: ({ effects, unfinished }: ForeseenChanges) => ({ effects, unfinished }),
})

export const surveyArchivalResource = implementResource(surveyArchivalShape, {
  load: async (ctx, ids) => (await loadSurveys(ctx, ids)).filter((row) => row.status === 'archived'),
  attributes: () => ({}),
  relationships: { survey: { id: (row: SurveyRecord) => row.id } },
  create: async (ctx, { survey }) => {
    await archiveSurvey(ctx, survey)
    return survey
  },
  remove: (ctx, row) => unarchiveSurvey(ctx, row.id),
})

/** @throws {AppError} `not-found` at `/survey` if the viewer may not see it */
async function requireNamedSurvey(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSurvey> {
  const unseen = new AppError('not-found', { faults: [{ code: 'not-found', pointer: '/survey' }] })
  if (!isId(id)) throw unseen
  try {
    return await requireVisibleSurvey(ctx, tx, eq(surveys.id, id))
  } catch (error) {
    throw isAppError(error) ? unseen : error
  }
}

export const responseErasureResource = implementResource(responseErasureShape, {
  create: (ctx, { response, reason }) => eraseResponse(ctx, { responseId: response, reason }),
  attributes: ({ erasedAt }: { id: string; erasedAt: Date }) => ({ erasedAt }),
  relationships: { response: { id: ({ id }) => id, alwaysVisible: true } },
})

export const responseResource = implementResource(responseShape, {
  load: loadResponses,
  list: listResponses,
  can: ({ viewer }) => ({ erase: checkPermission(viewer, 'participants.erase').ok }),
  attributes: (row: ResponseRecord) => ({
    answers: row.answers,
    version: row.version,
    language: row.language,
    source: row.source,
    submittedAt: row.submittedAt,
    seconds: row.seconds,
    counted: row.counted,
    ...(row.doubt !== undefined && { doubt: row.doubt }),
    ...(row.participant !== undefined && { participant: row.participant }),
    ...(row.receiptCode !== undefined && { receiptCode: row.receiptCode }),
  }),
  relationships: { survey: { id: (row) => row.surveyId, alwaysVisible: true, seenByCreate: true } },
  creators: 'anyone',
  create: async (ctx, { survey, ...input }) => {
    const { code, response } = await withGuessLimits(ctx, input.invitation, () =>
      submitResponse(
        ctx,
        (tx, reader) => requireNamedSurvey(reader, tx, survey),
        { ...input, browserToken: parseBrowserToken(ctx, input.browserToken), source: 'api' },
        survey,
      ),
    )
    return { ...response, receiptCode: code }
  },
})

export const responseDraftResource = implementResource(responseDraftShape, {
  changers: 'anyone',
  load: loadDrafts,
  attributes: ({ answers, version, language, updatedAt }) => ({ answers, version, language, updatedAt }),
  // Only the account that wrote a draft sees it.
  relationships: { survey: { id: (row) => row.surveyId, alwaysVisible: 'in-scope', seenByCreate: true } },
  put: (ctx, input) =>
    keepDraft(ctx, input, { limits: limitDraftSaves(ctx), find: (tx, reader) => requireNamedSurvey(reader, tx, input.survey) }),
  remove: (ctx, row) => removeDraft(ctx, row.id),
})

export const surveyResultResource = implementResource(surveyResultShape, {
  load: async (ctx, ids) => {
    const seen = (await loadSurveys(ctx, ids)).filter(
      (row) => checkPermission(ctx.viewer, 'responses.see', toPermissionTarget(row.project)).ok,
    )
    return Promise.all(seen.map(async ({ id }) => ({ id, figures: await getResults(ctx, id) })))
  },
  list: async (ctx, { filter: { survey, answers, ...filter } }) => {
    if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
    const figures = await getResults(ctx, survey, { ...filter, answers: answers?.split(',') })
    return { rows: [{ id: survey, figures }], total: 1 }
  },
  attributes: ({ figures }) => ({
    responses: figures.responses,
    medianSeconds: figures.medianSeconds,
    languages: figures.languages,
    sources: figures.sources,
    questions: figures.questions,
  }),
  relationships: { survey: { id: (row) => row.id } },
})

export const surveyCompletionResource = implementResource(surveyCompletionShape, {
  load: async (ctx, ids) => {
    const seen = (await loadSurveys(ctx, ids)).filter(
      (row) => checkPermission(ctx.viewer, 'responses.see', toPermissionTarget(row.project)).ok,
    )
    return Promise.all(seen.map(async ({ id }) => ({ id, ...(await getCompletion(ctx, id)) })))
  },
  attributes: ({ started, pages, sent, quotas, answeredAgain, seconds }: Completion & { id: string }) => ({
    started,
    pages,
    sent,
    quotas,
    answeredAgain,
    seconds,
  }),
})

export const crossTableResource = implementResource(crossTableShape, {
  list: async (ctx, { filter: { survey, rows, columns, answers, ...filter } }) => {
    if (!survey || !rows || !columns)
      throw new AppError('invalid-parameter', { parameter: `filter[${survey ? (rows ? 'columns' : 'rows') : 'survey'}]` })
    const part = { ...filter, answers: answers?.split(',') }
    return { rows: [{ id: survey, ...(await crossTabulate(ctx, { surveyId: survey, rows, columns, filter: part })) }], total: 1 }
  },
  attributes: ({ people, rows, columns }: CrossTable & { id: string }) => ({ people, rows, columns }),
})
