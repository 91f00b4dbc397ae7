import { createHash, createHmac } from 'node:crypto'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { requireVisibleProject, toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { isId } from '#app/lib/uuid.ts'
import { findAccessRefusal } from '#app/features/participation/access.policy.server.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { BrowserToken, NumberToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveyParticipations } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { findSufficient } from '#app/features/verifications/held-verifications.server.ts'
import { DEFAULT_VERIFICATION_RULE } from '#app/lib/vocabulary/verifications.ts'
import { hashInvitation, isInvitation, parseInvitation } from '#app/features/invitations/invitation-secrets.server.ts'

export type SurveyRow = typeof surveys.$inferSelect

/** A survey and its project. */
export interface PlacedSurvey {
  survey: SurveyRow
  project: ProjectRow
}

/** Recognises somebody without an account. */
export interface GuestCredentials {
  /** The browser's secret, kept in its cookie. */
  browserToken?: BrowserToken | NumberToken | undefined
  /** A one-time code, the secret of a personal link, or what a verification left in the browser. */
  invitation?: string | undefined
}

/** Loads the survey matching `where`, if the viewer may see its project and, for a draft survey, drafts. @throws `not-found`, `gone` */
export async function requireVisibleSurvey(ctx: Ctx, tx: Tx, where: SQL | undefined, previewToken?: string): Promise<PlacedSurvey> {
  const [found] = await selectPlacedSurveys(ctx, tx, where)
  return requireVisible(ctx, tx, found, previewToken)
}

const selectPlacedSurveys = (ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedSurvey[]> =>
  tx
    .select({ survey: surveys, project: projects })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), where))

async function requireVisible(ctx: Ctx, tx: Tx, found: PlacedSurvey | undefined, previewToken?: string): Promise<PlacedSurvey> {
  if (!found) throw new AppError('not-found')
  const { preview } = await requireVisibleProject(ctx, tx, found.project, previewToken)
  if (found.survey.status !== 'draft' || preview) return found
  if (!checkPermission(ctx.viewer, 'projects.see-draft', toPermissionTarget(found.project)).ok) throw new AppError('not-found')
  return found
}

/** The same for an administrator of the survey. @throws `not-found` if the viewer may not even see it, otherwise `forbidden` */
export async function requireSurveyFor(ctx: Ctx, tx: Tx, action: Action, surveyId: string): Promise<PlacedSurvey> {
  const [placed] = await requireSurveysFor(ctx, tx, action, [surveyId])
  if (!placed) throw new AppError('not-found')
  return placed
}

/** The same for several surveys, in one statement. @returns them in the order of their ids */
export async function requireSurveysFor(ctx: Ctx, tx: Tx, action: Action, ids: readonly string[]): Promise<PlacedSurvey[]> {
  if (!ids.every(isId)) throw new AppError('not-found')
  const found = new Map((await selectPlacedSurveys(ctx, tx, inArray(surveys.id, [...ids]))).map((placed) => [placed.survey.id, placed]))
  const all: PlacedSurvey[] = []
  for (const id of ids) {
    const placed = await requireVisible(ctx, tx, found.get(id))
    requirePermission(ctx, action, toPermissionTarget(placed.project))
    all.push(placed)
  }
  return all
}

/**
 * Finds a survey as visitors see it, once until it changes.
 * @param place identifies what `find` finds, so that visitors can share it
 */
export const findForVisitors = (ctx: Ctx, place: string, find: (tx: Tx, reader: Ctx) => Promise<PlacedSurvey>): Promise<PlacedSurvey> =>
  readPublic(ctx, ['survey to answer', place], (reader) =>
    readWithin(
      ({ project, survey }) => ({ project: project.id, survey: survey.id }),
      () => reader.db.read((tx) => find(tx, reader)),
    ),
  )

export async function isVisible(ctx: Ctx, tx: Tx, project: ProjectRow): Promise<boolean> {
  try {
    await requireVisibleProject(ctx, tx, project)
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/** Why the viewer may not answer; null if they may. For whether they already answered, use `hasAnswered`. */
export const findRefusal = (
  ctx: Ctx,
  tx: Tx,
  { survey, project }: PlacedSurvey,
  brought: GuestCredentials = {},
): Promise<AccessRefusal | null> =>
  findAccessRefusal(ctx, tx, {
    action: 'surveys.answer',
    access: survey.access,
    groupId: survey.groupId,
    projectId: project.id,
    hasInvitation: () => isInvitation(ctx, tx, survey.id, brought.invitation),
    hasVerification: async () => (await findVerifications(ctx, tx, survey, brought)).length > 0,
  })

/** The id in the name of the cookie that holds `invitation`: the site for a verification, which is valid in all its surveys, else the survey. */
export const getInvitationOwner = ({ site }: Pick<Ctx, 'site'>, survey: Pick<SurveyRow, 'id' | 'access'>): string =>
  survey.access === 'verified' ? site.id : survey.id

const findVerifications = (ctx: Ctx, tx: Tx, survey: SurveyRow, { invitation }: GuestCredentials) =>
  findSufficient(ctx, tx, survey.verification ?? DEFAULT_VERIFICATION_RULE, invitation)

const hashAccount = (ctx: Ctx, surveyId: string, userId: string): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`answered/${surveyId}/${userId}`).digest()

/** Merged accounts are one person: what either has answered once, both have. */
export async function copyParticipations(ctx: Ctx, tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  const rows = await tx.select({ id: surveys.id }).from(surveys).where(eq(surveys.siteId, ctx.site.id))
  const hashes = rows.map(({ id }) => ({
    survey: id,
    former: hashAccount(ctx, id, from).toString('hex'),
    kept: hashAccount(ctx, id, into).toString('hex'),
  }))
  await tx.execute(sql`
    insert into ${surveyParticipations} (site_id, survey_id, person_hash)
    select p.site_id, p.survey_id, decode(given.kept, 'hex')
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) given(survey uuid, former text, kept text)
    join ${surveyParticipations} p
      on p.site_id = ${ctx.site.id} and p.survey_id = given.survey and p.person_hash = decode(given.former, 'hex')
    on conflict do nothing`)
}

/** The verified person is hashed again for each survey, so that answers to two surveys cannot be connected. */
const hashSubject = (ctx: Ctx, surveyId: string, subject: Buffer): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`answered/${surveyId}/verified/`).update(subject).digest()

/**
 * Hashes that show, without revealing who, that a person has answered a survey that each may answer once. Any one of them is enough to
 * recognise the person: with `anyone_once`, both the browser and the account count. Empty if everybody may answer as often as they like, or
 * if there is nothing to recognise the person by.
 * @param use `store` returns the hashes to record with an answer, `recognise` those to look for. They differ if a shared browser holds
 * the verifications of several people: an answer is recorded for one of them, but any of them counts as having answered.
 */
export async function hashPerson(
  ctx: Ctx,
  tx: Tx,
  survey: SurveyRow,
  brought: GuestCredentials,
  { use, userId = ctx.viewer.kind === 'user' ? ctx.viewer.id : undefined }: { use: 'store' | 'recognise'; userId?: string | undefined },
): Promise<Buffer[]> {
  const { browserToken, invitation } = brought
  const access = survey.access
  if (access === 'anyone') return []
  if (access === 'invited') {
    const secret = parseInvitation(invitation ?? '')
    return secret === undefined ? [] : [hashInvitation(survey.id, secret)]
  }
  const account = userId ? [hashAccount(ctx, survey.id, userId)] : []
  if (access === 'verified') {
    const held = await findVerifications(ctx, tx, survey, brought)
    const subjects = use === 'recognise' ? held : held.filter((one, at) => at === 0 || one.userId !== null)
    return [...subjects.map(({ subjectHash }) => hashSubject(ctx, survey.id, subjectHash)), ...account]
  }
  if (access !== 'anyone_once' || !browserToken) return account
  return [createHash('sha256').update(`${survey.id}/${browserToken}`).digest(), ...account]
}

export async function hasAnswered(ctx: Ctx, tx: Tx, survey: SurveyRow, brought: GuestCredentials): Promise<boolean> {
  const hashes = await hashPerson(ctx, tx, survey, brought, { use: 'recognise' })
  if (hashes.length === 0) return false
  const rows = await tx
    .select({ surveyId: surveyParticipations.surveyId })
    .from(surveyParticipations)
    .where(
      and(
        eq(surveyParticipations.siteId, ctx.site.id),
        eq(surveyParticipations.surveyId, survey.id),
        inArray(surveyParticipations.personHash, hashes),
      ),
    )
  return rows.length > 0
}
