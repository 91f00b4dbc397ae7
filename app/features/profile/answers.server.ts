import { and, asc, count, eq, inArray, or, type SQL } from 'drizzle-orm'
import { loadPeopleById } from '#app/features/accounts/people.list.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { buildFieldName, type FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { areas as areasTable } from '#app/server/db/schema/areas.ts'
import { profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { readAskedQuestions, selectQuestions, toAskedQuestions } from './asked-questions.server.ts'
import type { AskedQuestion, OwnAnswer, ProfileAnswer } from './profile.schema.ts'
import { checkOneAnswer, checkSentAnswers, deleteAnswer } from './check-answers.server.ts'

const POSTPONED_MS = 90 * 86_400_000
const MOST_ON_RECEIPT = 2

/** An answer with the texts that it is read with. */
export interface AnswerRow {
  id: string
  userId: string
  questionId: string
  key: string
  answer: ProfileAnswer
  text: string
  answeredAt: Date
  source: typeof profileAnswers.$inferSelect.source
}

/** Id of the viewer, if their account is on this site. */
const requireOwnId = ({ viewer, site }: Ctx): string => {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (viewer.siteId !== site.id) throw new AppError('forbidden')
  return viewer.id
}

/** What the viewer said, and what they could say: live questions in their order, then those that are no longer asked. */
export function readOwnAnswers(ctx: Ctx): Promise<OwnAnswer[]> {
  const userId = requireOwnId(ctx)
  return ctx.db.read(async (tx) => {
    const given = await selectAnswers(tx, and(eq(profileAnswers.siteId, ctx.site.id), eq(profileAnswers.userId, userId)))
    const rows = (await selectQuestions(ctx, tx)).filter(
      ({ id, status }) => status === 'live' || given.some(({ question }) => question.id === id),
    )
    const asked = await toAskedQuestions(
      ctx,
      tx,
      rows.map((row) => ({ ...row, required: false })),
    )
    const names = await loadAreaNames(ctx, tx, rows)
    return asked
      .map((one) => {
        const row = rows.find(({ id }) => id === one.id)
        const own = given.find(({ question }) => question.id === one.id)
        const answer = (own?.answer ?? null) as ProfileAnswer | null
        return {
          ...one,
          answer,
          lines: row && answer !== null ? listAnswerTexts(ctx, row, answer, names) : [],
          answeredAt: own?.answeredAt ?? null,
          source: own?.source ?? null,
          retired: row?.status === 'retired',
        }
      })
      .toSorted((a, b) => Number(a.retired) - Number(b.retired))
  })
}

/** Stores one of the viewer's own answers from a form with the fields of its question. @throws {AppError} as `checkSentAnswers` */
export async function saveOwnAnswer(ctx: Ctx, key: string, values: FormValues): Promise<void> {
  const userId = requireOwnId(ctx)
  const field = buildFieldName(key)
  await ctx.db.tx(async (tx) => {
    const checked = await checkSentAnswers(ctx, tx, { [field]: values[field] })
    if (checked.answers[key] === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: `/${field}` }] })
    await storeAnswers(ctx, tx, userId, checked, 'person')
    await recordAudit(ctx, tx, { action: 'profile-answers.update', subject: { type: 'users', id: userId }, detail: { question: key } })
  })
}

/** The same as the API sends it. @returns the answer's id */
export async function createOwnAnswer(ctx: Ctx, key: string, answer: ProfileAnswer): Promise<string> {
  const userId = requireOwnId(ctx)
  return ctx.db.tx(async (tx) => {
    const checked = await checkOneAnswer(ctx, tx, key, answer)
    await storeAnswers(ctx, tx, userId, checked, 'person')
    await recordAudit(ctx, tx, { action: 'profile-answers.update', subject: { type: 'users', id: userId }, detail: { question: key } })
    const [stored] = await selectAnswers(
      tx,
      and(eq(profileAnswers.siteId, ctx.site.id), eq(profileAnswers.userId, userId), eq(profileQuestions.key, key)),
    )
    if (!stored) throw new AppError('internal')
    return stored.id
  })
}

/** Deletes one of the viewer's own answers; one that is gone already stays gone. */
export async function forgetOwnAnswer(ctx: Ctx, by: { key: string }): Promise<void> {
  const userId = requireOwnId(ctx)
  await ctx.db.tx(async (tx) => {
    const question = (await selectQuestions(ctx, tx, { drafts: true })).find(({ key }) => key === by.key)
    if (question && (await deleteAnswer(tx, { siteId: ctx.site.id, userId, questionId: question.id })))
      await recordAudit(ctx, tx, { action: 'profile-answers.delete', subject: { type: 'users', id: userId }, detail: { question: by.key } })
  })
}

/**
 * What a signed-in person is asked on a receipt: up to two questions that they have not answered. First what everybody must answer at sign-up,
 * which nobody asked those who came by the API, a provider or an imported table. None for 90 days after they answered or put some off.
 */
export async function readReceiptQuestions(ctx: Ctx): Promise<AskedQuestion[]> {
  const { viewer, site } = ctx
  if (viewer.kind === 'visitor' || viewer.siteId !== site.id) return []
  const atSignUp = (await readAskedQuestions(ctx, 'sign-up')).filter(({ question }) => question.required)
  const asked = [...atSignUp, ...(await readAskedQuestions(ctx, 'after-first-answer'))].map(askWithoutDuty)
  if (asked.length === 0) return []
  return ctx.db.read(async (tx) => {
    const [person] = await tx
      .select({ postponedAt: users.profilePostponedAt })
      .from(users)
      .where(and(eq(users.siteId, site.id), eq(users.id, viewer.id)))
    const isPutOff = person?.postponedAt && ctx.now().getTime() - person.postponedAt.getTime() < POSTPONED_MS
    if (!person || isPutOff) return []
    const given = await tx
      .select({ question: profileAnswers.questionId })
      .from(profileAnswers)
      .where(and(eq(profileAnswers.siteId, site.id), eq(profileAnswers.userId, viewer.id)))
    return asked.filter(({ id }) => given.every(({ question }) => question !== id)).slice(0, MOST_ON_RECEIPT)
  })
}

/** Whoever has an account may leave every question out. */
const askWithoutDuty = ({ question: { required: _required, ...question }, ...asked }: AskedQuestion): AskedQuestion => ({
  ...asked,
  question,
})

/** Stores what a person answered on a receipt, or that they put it off. @throws {AppError} as `checkSentAnswers` */
export async function saveReceiptAnswers(ctx: Ctx, values: FormValues): Promise<void> {
  const userId = requireOwnId(ctx)
  await ctx.db.tx(async (tx) => {
    if (values['later'] === undefined) {
      const checked = await checkSentAnswers(ctx, tx, values)
      await storeAnswers(ctx, tx, userId, checked, 'person')
      for (const question of Object.keys(checked.answers))
        await recordAudit(ctx, tx, { action: 'profile-answers.update', subject: { type: 'users', id: userId }, detail: { question } })
    }
    await tx
      .update(users)
      .set({ profilePostponedAt: ctx.now() })
      .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId)))
  })
}

/**
 * Answers of people: one's own, and those of people whom the viewer manages without sensitive ones.
 * @param users whose; the viewer's own by default
 */
export async function listAnswers(ctx: Ctx, users: readonly string[] | undefined, page: { offset: number; limit: number }) {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const own = ctx.viewer.id
  const asked = users ?? [own]
  const seen = asked.every((id) => id === own) ? asked : (await loadPeopleById(ctx, asked)).map(({ id }) => id)
  return ctx.db.read(async (tx) => {
    if (seen.length === 0) return { rows: [], total: 0 }
    const where = and(
      eq(profileAnswers.siteId, ctx.site.id),
      inArray(profileAnswers.userId, [...seen]),
      or(eq(profileAnswers.userId, own), eq(profileQuestions.sensitive, false)),
    )
    const rows = await selectAnswers(tx, where).limit(page.limit).offset(page.offset)
    const [counted] = await tx.select({ total: count() }).from(profileAnswers).innerJoin(profileQuestions, isOfQuestion).where(where)
    return { rows: await toAnswerRows(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

/** By id, of those that `listAnswers` would list. */
export async function loadAnswers(ctx: Ctx, ids: readonly string[]): Promise<AnswerRow[]> {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') return []
  return ctx.db.read(async (tx) => {
    const rows = await selectAnswers(tx, and(eq(profileAnswers.siteId, ctx.site.id), inArray(profileAnswers.id, [...ids])))
    const others = rows.filter(({ userId }) => userId !== viewer.id).map(({ userId }) => userId)
    const managed = new Set((await loadPeopleById(withTx(ctx, tx), others)).map(({ id }) => id))
    return toAnswerRows(
      ctx,
      tx,
      rows.filter(({ userId, question }) => userId === viewer.id || (managed.has(userId) && !question.sensitive)),
    )
  })
}

/** Deletes an own answer through the API. @throws {AppError} `forbidden` for somebody else's */
export async function removeAnswer(ctx: Ctx, { userId, key }: Pick<AnswerRow, 'userId' | 'key'>): Promise<void> {
  if (requireOwnId(ctx) !== userId) throw new AppError('forbidden')
  await forgetOwnAnswer(ctx, { key })
}

/**
 * The sensitive answers of one person. The look is recorded, whether or not there are any.
 * @throws {AppError} `forbidden`, `fresh-sign-in-required`, `not-found`
 */
export async function lookAtSensitiveAnswers(ctx: Ctx, userId: string) {
  requirePermission(ctx, 'profile-answers.see-sensitive')
  return ctx.db.tx(async (tx) => {
    const [person] = await loadPeopleById(withTx(ctx, tx), [userId])
    if (!person) throw new AppError('not-found')
    const rows = await selectAnswers(
      tx,
      and(eq(profileAnswers.siteId, ctx.site.id), eq(profileAnswers.userId, userId), eq(profileQuestions.sensitive, true)),
    )
    await recordAudit(ctx, tx, { action: 'profile-answers.look', subject: { type: 'users', id: userId } })
    const names = await loadAreaNames(
      ctx,
      tx,
      rows.map(({ question }) => question),
    )
    return rows.map(({ question, answer, answeredAt }) => ({
      question: question.key,
      label: localiseText(question.label, ctx.contentLanguage, ctx.site.locale).text,
      text: listAnswerTexts(ctx, question, answer as ProfileAnswer, names).join('; '),
      answeredAt: answeredAt.toISOString(),
    }))
  })
}

export interface AnswerColumns {
  /** Keys of the questions. */
  heads: string[]
  /** The answers of these people as text, in the order of the heads. */
  load: (userIds: readonly string[]) => Promise<Map<string, (string | null)[]>>
}

/**
 * Columns of a table of people with what they said about themselves, without sensitive answers. The caller has checked that they may be exported.
 * @param isWanted by the question's key
 */
export async function loadAnswerColumns(ctx: Ctx, isWanted: (key: string) => boolean = () => true): Promise<AnswerColumns> {
  const questions = await ctx.db.read(async (tx) =>
    (await selectQuestions(ctx, tx)).filter(({ key, sensitive }) => !sensitive && isWanted(key)),
  )
  const ids = questions.map(({ id }) => id)
  return {
    heads: questions.map(({ key }) => key),
    load: (userIds) =>
      ctx.db.read(async (tx) => {
        if (ids.length === 0 || userIds.length === 0) return new Map()
        const where = and(
          eq(profileAnswers.siteId, ctx.site.id),
          inArray(profileAnswers.userId, [...userIds]),
          inArray(profileAnswers.questionId, ids),
        )
        const rows = await toAnswerRows(ctx, tx, await selectAnswers(tx, where))
        return new Map(
          [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [
            userId,
            ids.map((id) => own.find(({ questionId }) => questionId === id)?.text ?? null),
          ]),
        )
      }),
  }
}

const isOfQuestion = and(eq(profileQuestions.siteId, profileAnswers.siteId), eq(profileQuestions.id, profileAnswers.questionId))

const selectAnswers = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({
      id: profileAnswers.id,
      userId: profileAnswers.userId,
      answer: profileAnswers.answer,
      answeredAt: profileAnswers.answeredAt,
      source: profileAnswers.source,
      question: profileQuestions,
    })
    .from(profileAnswers)
    .innerJoin(profileQuestions, isOfQuestion)
    .where(where)
    .orderBy(asc(profileQuestions.position), asc(profileAnswers.id))

async function toAnswerRows(ctx: Ctx, tx: Tx, rows: Awaited<ReturnType<typeof selectAnswers>>): Promise<AnswerRow[]> {
  const names = await loadAreaNames(
    ctx,
    tx,
    rows.map(({ question }) => question),
  )
  return rows.map(({ question, answer, ...row }) => ({
    ...row,
    questionId: question.id,
    key: question.key,
    answer: answer as ProfileAnswer,
    text: listAnswerTexts(ctx, question, answer as ProfileAnswer, names).join('; '),
  }))
}

/** Names of areas by slug, also of those that are gone. */
async function loadAreaNames(ctx: Ctx, tx: Tx, questions: readonly Pick<ProfileQuestionRow, 'type'>[]): Promise<Map<string, string>> {
  if (!questions.some(({ type }) => type === 'area')) return new Map()
  const rows = await tx.select({ slug: areasTable.slug, name: areasTable.name }).from(areasTable).where(eq(areasTable.siteId, ctx.site.id))
  return new Map(rows.map(({ slug, name }) => [slug, name]))
}

/** An answer as text, one line or one per option. */
export function listAnswerTexts(
  ctx: Ctx,
  { options, type }: Pick<ProfileQuestionRow, 'options' | 'type'>,
  answer: ProfileAnswer,
  areaNames: ReadonlyMap<string, string>,
): string[] {
  if (typeof answer !== 'object') return [String(answer)]
  const chosen = 'choice' in answer ? [answer.choice] : answer.choices
  return chosen.map((id) => {
    if (type === 'area') return areaNames.get(id) ?? id
    const label = options.find((option) => option.id === id)?.label
    return (label && localiseText(label, ctx.contentLanguage, ctx.site.locale).text) || id
  })
}
