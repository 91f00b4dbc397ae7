import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import { type AcceptedInvitation, acceptInvitationTo } from '#app/features/invitations/accept-invitation.server.ts'
import {
  createInvitations,
  type InvitationBatch,
  type InvitationInput,
  type InvitationSubject,
  listBatchesOf,
  loadBatchesOf,
  requirePossibleSample,
  withdrawInvitations,
} from '#app/features/invitations/invitations.server.ts'
import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { invitationBatches } from '#app/server/db/schema/surveys.ts'
import { recordSurveyAudit } from '../../managing/editing.server.ts'
import { type PlacedSurvey, requireSurveyFor } from '../../surveys.policy.server.ts'
import { type SurveyAddress, requireSurveyAt } from '../../surveys.server.ts'
import { getAnsweringTimes, getSurveyState } from '../../surveys.state.server.ts'
import type { invitationBatchShape } from './survey-invitations.api.schema.ts'

function toSurveySubject(ctx: Ctx, placed: PlacedSurvey): InvitationSubject {
  const { survey, project } = placed
  const state = getSurveyState(ctx.now(), placed)
  return {
    column: 'surveyId',
    id: survey.id,
    project,
    title: survey.title,
    path: `/projects/${project.slug}/surveys/${survey.slug}`,
    isInvitationOnly: survey.access === 'invited',
    isOpen: state !== 'preview' && state !== 'closed',
    closesAt: getAnsweringTimes(placed).closesAt,
    anonymous: survey.anonymous,
    recordAudit: (tx, act, detail) => recordSurveyAudit(ctx, tx, placed, `surveys.${act}`, detail),
  }
}

/** @throws {AppError} `not-found`, and as `createInvitations` */
export const inviteToSurvey = (ctx: Ctx, surveyId: string, input: InvitationInput): Promise<InvitationBatch> =>
  createInvitations(ctx, async (tx) => toSurveySubject(ctx, await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)), input)

/** @throws {AppError} `invalid-parameter` without a survey; `not-found`; `forbidden` if the viewer cannot edit the survey */
export async function listBatches(
  ctx: Ctx,
  { filter, page }: ListQuery<typeof invitationBatchShape>,
): Promise<ListResult<InvitationBatch>> {
  const { survey } = filter
  if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
  return ctx.db.read(async (tx) =>
    listBatchesOf(ctx, tx, toSurveySubject(ctx, await requireSurveyFor(ctx, tx, 'projects.edit', survey)), page),
  )
}

export const loadBatches = (ctx: Ctx, ids: readonly string[]): Promise<InvitationBatch[]> =>
  loadBatchesOf(ctx, 'surveyId', ids, (tx, id) => requireSurveyFor(ctx, tx, 'projects.edit', id))

/**
 * Says what random sample the letters of a batch went to, or null for none.
 * @throws {AppError} `not-found`, `forbidden`; as `requirePossibleSample`
 */
export const describeLetters = (ctx: Ctx, id: string, sample: LetterSample | null): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const isBatch = and(eq(invitationBatches.siteId, ctx.site.id), eq(invitationBatches.id, id))
    const [batch] = await tx.select().from(invitationBatches).where(isBatch).for('update')
    if (!batch) throw new AppError('not-found')
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', batch.surveyId ?? '')
    requirePossibleSample(batch, sample)
    // The database returns the members in an order of its own.
    if (isDeepStrictEqual(batch.sample, sample)) return
    const changes = listChanges({ sample: batch.sample }, { sample })
    await tx.update(invitationBatches).set({ sample }).where(isBatch)
    await recordSurveyAudit(ctx, tx, placed, 'surveys.describe-letters', { letters: batch.total, changes })
  })

/** Withdraws the unused codes or links of a batch. Answers given with the others stay. @throws {AppError} `not-found`, `forbidden` */
export const withdrawBatch = (ctx: Ctx, id: string): Promise<void> =>
  withdrawInvitations(ctx, id, async (tx, { surveyId }) =>
    toSurveySubject(ctx, await requireSurveyFor(ctx, tx, 'projects.edit', surveyId ?? '')),
  )

/** Reads a code or the secret part of a personal link to a survey, used or not. @throws {AppError} as `acceptInvitationTo`; `not-found` */
export const acceptInvitation = (ctx: Ctx, address: SurveyAddress, typed: string): Promise<AcceptedInvitation> =>
  acceptInvitationTo(ctx, async (tx) => (await requireSurveyAt(ctx, tx, address)).survey.id, typed)
