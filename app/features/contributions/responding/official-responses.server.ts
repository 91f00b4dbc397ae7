import { and, desc, eq, inArray, isNull, max, or, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { getTranslation, hasText, type Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import {
  activities,
  contributions,
  contributionStatuses,
  officialResponseDrafts,
  officialResponses,
} from '#app/server/db/schema/contributions.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { type PlacedContribution, requireContributionFor, selectPlacedContributions } from '../record/loading.server.ts'
import { closeCases } from '../moderation/cases.server.ts'
import { mailOfficialResponse } from '../moderation/decision-mails.server.ts'
import { loadModerationSettings } from '../moderation/moderation-settings.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { isAnswer } from '../questions/question-state.server.ts'
import { type AnswerTexts, findMissingAnswerTexts } from './missing-answer-texts.schema.ts'
import type { officialResponseShape } from './official-responses.api.schema.ts'

export type OfficialResponseRow = typeof officialResponses.$inferSelect
type StatusRow = typeof contributionStatuses.$inferSelect

/** Each former wording stays with the answer: this many are more than anybody needs. */
const MAX_EDITS = 50

export interface AnswerInput {
  contribution: string
  status?: string | null | undefined
  textTranslations?: Translated | undefined
  teamTranslations?: Translated | undefined
  visibility?: AnswerVisibility | undefined
  alsoTo?: readonly string[] | undefined
  waived?: readonly string[] | undefined
  waiveTranslations?: boolean | undefined
}

/**
 * Answers a contribution in the organisation's name. The next answer follows it: former ones stay readable. Without a status, the
 * contribution keeps the one it has. Other contributions of the project may get the same answer; people who wrote or follow several of them
 * are notified once. A draft that it was written in ends with it.
 * @returns its id
 * @throws {AppError} `not-found`; `forbidden`, also if the site wants a second person's agreement to its words; `stale` if the draft is
 * another by now; `conflict` if the contribution is not published, unless only its author is answered; `invalid` with `required` at
 * `/textTranslations` if the status needs a text or none is given, or `not-a-choice` at `/status` for an archived one or one of another
 * activity, at `/visibility` for a private answer to what is no question, at `/alsoTo/<n>` for what cannot get it
 */
export async function createOfficialResponse(
  ctx: Ctx,
  { draft, draftVersion, ...input }: Omit<CreateInput<typeof officialResponseShape>, 'id'>,
): Promise<string> {
  return ctx.db.tx(async (tx) => {
    if (draft) await endDraft(ctx, tx, { id: draft, contributionId: input.contribution, lockVersion: draftVersion })
    const prepared = await prepareAnswer(ctx, tx, input)
    if (hasText(input.textTranslations ?? {})) await requireNoAgreement(ctx, tx, 'answer-needs-agreement')
    return storeAnswers(ctx, tx, prepared, { by: findViewerId(ctx) })
  })
}

const findViewerId = ({ viewer }: Ctx): string | null => (viewer.kind === 'user' ? viewer.id : null)

/** What is sent as an answer is no draft any more. @throws {AppError} `stale` if it changed or ended meanwhile */
export async function endDraft(
  ctx: Ctx,
  tx: Tx,
  { id, contributionId, lockVersion }: { id: string; contributionId: string; lockVersion: number | undefined },
): Promise<void> {
  const ended = await tx
    .delete(officialResponseDrafts)
    .where(
      and(
        eq(officialResponseDrafts.siteId, ctx.site.id),
        eq(officialResponseDrafts.id, id),
        eq(officialResponseDrafts.contributionId, contributionId),
        lockVersion === undefined ? undefined : eq(officialResponseDrafts.lockVersion, lockVersion),
      ),
    )
    .returning({ id: officialResponseDrafts.id })
  if (ended.length === 0) throw new AppError('stale')
}

/** @throws {AppError} `forbidden` if the site wants a second person's agreement */
export async function requireNoAgreement(ctx: Ctx, tx: Tx, key: 'answer-needs-agreement' | 'edit-needs-agreement'): Promise<void> {
  const { answersNeedAgreement } = await loadModerationSettings(tx, ctx.site.id)
  if (answersNeedAgreement) throw new AppError('forbidden', { detail: { key } })
}

/** Contributions, locked, with the status that each is given. The first is the one that was answered. */
interface PreparedAnswer {
  each: { placed: PlacedContribution; given: StatusRow | undefined }[]
  text: Translated
  team: Translated
  visibility: AnswerVisibility
}

/** Checks an answer before it is stored or offered for agreement. @throws as `createOfficialResponse` */
export async function prepareAnswer(ctx: Ctx, tx: Tx, input: AnswerInput): Promise<PreparedAnswer> {
  const others = [...new Set(input.alsoTo)].filter((other) => other !== input.contribution)
  // Two answers get two versions, and what was taken off the site meanwhile gets none.
  await lockContributions(tx, ctx.site.id, [input.contribution, ...others])
  const placed = await requireContributionFor(ctx, tx, 'contributions.answer', input.contribution)
  const { visibility = 'public', textTranslations: text = {}, teamTranslations: team = {} } = input
  requireAnswerable(placed, visibility)
  const also = await loadOthers(ctx, tx, placed, { others, visibility })
  const hasNone = [placed, ...also].some(({ contribution }) => contribution.statusId === null)
  const given = await findGivenStatus(ctx, tx, placed, { id: input.status ?? null, hasNone, text, visibility })
  const matched = given ? await matchStatuses(ctx, tx, given, also, others) : new Map<string, StatusRow>()
  if (visibility === 'public') requireLanguages(ctx, { text, team }, input)
  const each = [placed, ...also].map((one) => ({ placed: one, given: given && (matched.get(one.activity.id) ?? given) }))
  return { each, text, team, visibility }
}

/**
 * @param group of an answer to many that is given one by one: authors who got one are not notified of another
 * @returns the id of the first answer
 * @throws {AppError} `conflict` if the group is another person's, or has one of these answers
 */
export async function storeAnswers(
  ctx: Ctx,
  tx: Tx,
  { each, text, team, visibility }: PreparedAnswer,
  { by, group }: { by: string | null; group?: string | undefined },
): Promise<string> {
  const id = createId()
  const given = group ? await loadGroup(ctx, tx, { group, by, each }) : []
  // Another person's group, or sent twice.
  if (given.some(({ createdBy, id: other }) => createdBy !== by || each.some(({ placed }) => placed.contribution.id === other)))
    throw new AppError('conflict')
  const authors = new Set(given.flatMap(({ authorId }) => authorId ?? []))
  const groupId = group ?? (each.length > 1 ? id : null)
  for (const [at, { placed, given }] of each.entries()) {
    const { authorId } = placed.contribution
    const isTold = authorId !== null && authors.has(authorId)
    await storeAnswer(ctx, tx, placed, { id: at === 0 ? id : createId(), given, text, team, visibility, groupId, isTold, by })
    if (authorId) authors.add(authorId)
  }
  return id
}

/** What already got the same answer: of these contributions or their authors, or from another person. */
async function loadGroup(ctx: Ctx, tx: Tx, { group, by, each }: { group: string; by: string | null; each: PreparedAnswer['each'] }) {
  const answered = each.map(({ placed: { contribution } }) => contribution)
  const [ids, authors] = [answered.map(({ id }) => id), answered.flatMap(({ authorId }) => authorId ?? [])]
  // Two parts at once would each notify the same person.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`answers:${group}`}, 0))`)
  return tx
    .select({ id: contributions.id, authorId: contributions.authorId, createdBy: officialResponses.createdBy })
    .from(officialResponses)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, officialResponses.siteId), eq(contributions.id, officialResponses.contributionId)),
    )
    .where(
      and(
        eq(officialResponses.siteId, ctx.site.id),
        eq(officialResponses.groupId, group),
        or(
          inArray(contributions.id, ids),
          inArray(contributions.authorId, authors),
          sql`${officialResponses.createdBy} is distinct from ${by}::uuid`,
        ),
      ),
    )
}

interface GivenAnswer {
  id: string
  given: StatusRow | undefined
  text: Translated
  team: Translated
  visibility: AnswerVisibility
  groupId: string | null
  /** Its author is told of the same answer to another contribution. */
  isTold: boolean
  by: string | null
}

async function storeAnswer(ctx: Ctx, tx: Tx, placed: PlacedContribution, { given, isTold, by, ...answer }: GivenAnswer): Promise<void> {
  const { contribution, activity, project } = placed
  const { visibility } = answer
  const isQuestion = readActivitySettings(activity).tools.question !== undefined
  const status = given ?? (await loadStatus(ctx, tx, contribution.statusId))
  const answers = isQuestion && status !== undefined && isAnswer(status.code)
  await applyAnswer(ctx, tx, contribution.id, { given, answers, visibility })
  await tx.insert(officialResponses).values({
    ...answer,
    siteId: ctx.site.id,
    contributionId: contribution.id,
    statusId: status?.id ?? null,
    version: await findNextVersion(ctx, tx, contribution.id),
    createdBy: by,
    createdAt: ctx.now(),
  })
  if (!isTold) await mailOfficialResponse(ctx, tx, placed, { tells: 'answer', status: status?.title ?? {}, text: answer.text, visibility })
  // A question that is answered to its author only no longer waits for a moderator.
  if (answers && contribution.state === 'held') await closeCases(ctx, tx, { contributionId: contribution.id, replyId: null })
  await recordAudit(ctx, tx, {
    action: 'contributions.answer',
    subject: { type: 'contributions', id: contribution.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: contribution.number, status: given?.title ?? null, ...(isQuestion && { visibility }) },
  })
}

/** The other contributions that get a public answer, of the same project. @throws {AppError} `invalid` naming those that cannot */
async function loadOthers(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { others, visibility }: { others: readonly string[]; visibility: AnswerVisibility },
): Promise<PlacedContribution[]> {
  if (others.length === 0) return []
  const rows = await selectPlacedContributions(tx).where(
    and(
      eq(contributions.siteId, ctx.site.id),
      inArray(contributions.id, [...others]),
      eq(activities.projectId, placed.project.id),
      eq(contributions.state, 'published'),
    ),
  )
  const found = visibility === 'public' ? rows.filter(({ activity }) => readActivitySettings(activity).tools.answers) : []
  const faults = others.flatMap((id, at) =>
    found.some(({ contribution }) => contribution.id === id) ? [] : [{ code: 'not-a-choice' as const, pointer: `/alsoTo/${at}` }],
  )
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return found
}

/** Whether two activities mean the same by a status: the same of those that activities start with, or one with the same title. */
export const isSameStatus = (one: Pick<StatusRow, 'code' | 'title'>, other: Pick<StatusRow, 'code' | 'title'>): boolean =>
  one.code !== null || other.code !== null ? one.code === other.code : isJsonEqual(one.title, other.title)

/** The given status in each other activity, by its id. @throws {AppError} `invalid` with `not-a-choice` at what is in one without it */
async function matchStatuses(
  ctx: Ctx,
  tx: Tx,
  given: StatusRow,
  also: readonly PlacedContribution[],
  others: readonly string[],
): Promise<Map<string, StatusRow>> {
  const elsewhere = [...new Set(also.map(({ activity }) => activity.id))].filter((id) => id !== given.activityId)
  if (elsewhere.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(contributionStatuses)
    .where(
      and(
        eq(contributionStatuses.siteId, ctx.site.id),
        inArray(contributionStatuses.activityId, elsewhere),
        eq(contributionStatuses.archived, false),
      ),
    )
    .for('share')
  const matched = new Map(rows.filter((row) => isSameStatus(row, given)).map((row) => [row.activityId, row]))
  const faults = also.flatMap(({ contribution, activity }): Fault[] =>
    activity.id === given.activityId || matched.has(activity.id)
      ? []
      : [
          {
            code: 'not-a-choice',
            pointer: `/alsoTo/${others.indexOf(contribution.id)}`,
            detail: {
              key: 'status-elsewhere',
              values: {
                status: getTranslation(given.title, ctx.contentLanguage, ctx.site.locale),
                activity: getTranslation(activity.title, ctx.contentLanguage, ctx.site.locale),
              },
            },
          },
        ],
  )
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return matched
}

/** @throws {AppError} `forbidden`, `conflict` */
export function requireAnswerable({ contribution, activity }: PlacedContribution, visibility: AnswerVisibility): void {
  const { tools } = readActivitySettings(activity)
  if (!tools.answers) throw new AppError('forbidden')
  if (contribution.state !== 'published' && !(visibility === 'private' && contribution.state === 'held')) throw new AppError('conflict')
}

async function applyAnswer(
  ctx: Ctx,
  tx: Tx,
  id: string,
  { given, answers, visibility }: { given: StatusRow | undefined; answers: boolean; visibility: AnswerVisibility },
): Promise<void> {
  if (!given && !answers) return
  const answered = visibility === 'public' ? visibility : sql`coalesce(${contributions.answered}, 'private')`
  await tx
    .update(contributions)
    .set({ ...(given && { statusId: given.id }), ...(answers && { answered }) })
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
}

async function findNextVersion(ctx: Ctx, tx: Tx, contributionId: string): Promise<number> {
  const [last] = await tx
    .select({ version: max(officialResponses.version) })
    .from(officialResponses)
    .where(and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.contributionId, contributionId)))
  return (last?.version ?? 0) + 1
}

/** What everybody reads is written in every language of the site, or knowingly not. @throws {AppError} `invalid` with what is missing */
export function requireLanguages(
  { site }: Ctx,
  texts: AnswerTexts,
  { waived = [], waiveTranslations = false }: { waived?: readonly string[] | undefined; waiveTranslations?: boolean | undefined },
): void {
  const left = waiveTranslations ? [] : findMissingAnswerTexts(texts, site.languages).filter(({ name }) => !waived.includes(name))
  if (left.length > 0)
    throw new AppError('invalid', {
      faults: left.map(({ name, field, language }) => ({
        code: 'translation-missing' as const,
        pointer: `/${field}Translations/${language}`,
        values: { language, name },
      })),
    })
}

/**
 * Edits an answer, whose former wording stays readable, or withdraws it with a reason.
 * @throws {AppError} `not-found`; `forbidden`, also to edit it where the site wants a second person's agreement; `stale`; `conflict` if it was withdrawn; `invalid` with `required` at `/textTranslations` or
 * `/withdrawalReasonTranslations`, `translation-missing` if everybody reads it, or `too-many`
 */
export async function updateOfficialResponse(
  ctx: Ctx,
  { id }: Pick<OfficialResponseRow, 'id'>,
  input: UpdateInput<typeof officialResponseShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const isThis = and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.id, id))
    const [response] = await tx.select().from(officialResponses).where(isThis).for('update')
    if (!response) throw new AppError('not-found')
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', response.contributionId)
    if (response.lockVersion !== lockVersion) throw new AppError('stale')
    if (response.withdrawnAt) throw new AppError('conflict')
    const change =
      input.withdrawalReasonTranslations === undefined
        ? await buildEdit(ctx, tx, response, input)
        : buildWithdrawal(ctx, response, input.withdrawalReasonTranslations)
    if (!change) return
    if (!('withdrawnAt' in change)) await requireNoAgreement(ctx, tx, 'edit-needs-agreement')
    const next = { ...response, ...change }
    const shown: AnswerTexts = next.withdrawnAt ? { withdrawalReason: next.withdrawalReason } : { text: next.text, team: next.team }
    if (next.visibility === 'public') requireLanguages(ctx, shown, input)
    await tx
      .update(officialResponses)
      .set({ ...change, lockVersion: response.lockVersion + 1 })
      .where(isThis)
    if (next.withdrawnAt) await reopenQuestion(ctx, tx, placed)
    if (next.withdrawnAt || input.notify)
      await mailOfficialResponse(ctx, tx, placed, {
        tells: next.withdrawnAt ? 'withdrawal' : 'edit',
        status: {},
        text: next.withdrawnAt ? next.withdrawalReason : next.text,
        visibility: next.visibility,
      })
    await recordAudit(ctx, tx, {
      action: next.withdrawnAt ? 'contributions.withdraw-answer' : 'contributions.edit-answer',
      subject: { type: 'contributions', id: placed.contribution.id },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
      detail: { number: placed.contribution.number, answer: response.version, ...(next.withdrawnAt && { reason: next.withdrawalReason }) },
    })
  })
}

/** @returns undefined if nothing differs */
async function buildEdit(ctx: Ctx, tx: Tx, response: OfficialResponseRow, input: UpdateInput<typeof officialResponseShape>) {
  const { text = response.text, team = response.team } = { text: input.textTranslations, team: input.teamTranslations }
  if (isJsonEqual([text, team], [response.text, response.team])) return undefined
  const status = await loadStatus(ctx, tx, response.statusId)
  // An edit cannot empty a text. To take an answer back, withdraw it with a reason.
  if (!hasText(text) && (status?.needsText || hasText(response.text)))
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/textTranslations' }] })
  if (response.former.length >= MAX_EDITS)
    throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/textTranslations', values: { max: MAX_EDITS } }] })
  const wasTold = response.toldAt !== null && response.visibility === 'public'
  return {
    text,
    team,
    editedAt: ctx.now(),
    former: [...response.former, { id: createId(), text: response.text, team: response.team, at: ctx.now().toISOString() }],
    // Those who do not know of the answer yet will read its new wording.
    ...(input.notify && wasTold && { tells: 'edit' as const, toldAt: null, toldUntil: null }),
  }
}

function buildWithdrawal(ctx: Ctx, response: OfficialResponseRow, reason: Translated) {
  if (!hasText(reason)) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/withdrawalReasonTranslations' }] })
  const isKnown = response.toldAt !== null || response.toldUntil !== null
  return {
    withdrawnAt: ctx.now(),
    withdrawalReason: reason,
    tells: 'withdrawal' as const,
    // Only people who were notified of the answer are notified of its withdrawal.
    toldAt: isKnown ? null : ctx.now(),
    toldUntil: null,
  }
}

/** A question waits for an answer again if none is left. */
async function reopenQuestion(ctx: Ctx, tx: Tx, { contribution, activity }: PlacedContribution): Promise<void> {
  if (!readActivitySettings(activity).tools.question || contribution.answered === null) return
  await lockContributions(tx, ctx.site.id, [contribution.id])
  const left = await tx
    .select({ visibility: officialResponses.visibility, code: contributionStatuses.code })
    .from(officialResponses)
    .leftJoin(
      contributionStatuses,
      and(eq(contributionStatuses.siteId, officialResponses.siteId), eq(contributionStatuses.id, officialResponses.statusId)),
    )
    .where(
      and(
        eq(officialResponses.siteId, ctx.site.id),
        eq(officialResponses.contributionId, contribution.id),
        isNull(officialResponses.withdrawnAt),
      ),
    )
    .orderBy(desc(officialResponses.version))
  const answers = left.filter(({ code }) => isAnswer(code)).map(({ visibility }) => visibility)
  await tx
    .update(contributions)
    .set({ answered: answers.find((visibility) => visibility === 'public') ?? answers[0] ?? null })
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contribution.id)))
}

async function loadStatus(ctx: Ctx, tx: Tx, id: string | null): Promise<StatusRow | undefined> {
  if (id === null) return undefined
  const [status] = await tx
    .select()
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, id)))
    .for('share')
  return status
}

/** The status that a response gives, if any. @throws {AppError} `invalid` */
async function findGivenStatus(
  ctx: Ctx,
  tx: Tx,
  { activity }: PlacedContribution,
  { id, hasNone, text, visibility }: { id: string | null; hasNone: boolean; text: Translated; visibility: AnswerVisibility },
): Promise<StatusRow | undefined> {
  const found = await loadStatus(ctx, tx, id)
  const status = found?.activityId === activity.id && !found.archived ? found : undefined
  const isPrivate = visibility === 'private'
  const needsText = isPrivate || id === null || status?.needsText
  const faults: Fault[] = [
    ...(id === null && hasNone ? [{ code: 'required' as const, pointer: '/status' }] : []),
    ...(id === null || status ? [] : [{ code: 'not-a-choice' as const, pointer: '/status' }]),
    ...(isPrivate && !readActivitySettings(activity).tools.question ? [{ code: 'not-a-choice' as const, pointer: '/visibility' }] : []),
    ...(needsText && !hasText(text) ? [{ code: 'required' as const, pointer: '/textTranslations' }] : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return status
}
