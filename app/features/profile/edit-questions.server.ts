import { and, count, countDistinct, eq, inArray, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { PERMISSIONS } from '#app/features/permissions/permissions.schema.ts'
import { countAgeGroups, type ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { findSuppressedCells, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { findMissingTranslations, refuseDuplicate } from '#app/server/save-checks.ts'
import { type ContentLanguage, LANGUAGES } from '#app/lib/languages.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { selectQuestions } from './asked-questions.server.ts'
import type { profileQuestionShape } from './profile.api.schema.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { listQuestionTexts, MOST_QUESTIONS, MOST_REQUIRED, type ProfileOption, takesOptions } from './profile.schema.ts'

export interface QuestionWithCounts extends ProfileQuestionRow {
  /** Null for those who manage no people. */
  counts: { option: string; people: SuppressibleCount }[] | null
}

const seesAll = ({ viewer }: Ctx): boolean =>
  viewer.kind === 'user' && viewer.roles.some(({ role }) => PERMISSIONS['participants.manage'][role] !== 'no')

export const mayEditQuestions = ({ viewer }: Ctx): boolean => checkPermission(viewer, 'profile-questions.edit').ok

/** What is asked; for people managers also drafts and what is no longer asked. */
export const loadQuestions = (ctx: Ctx, ids?: readonly string[]): Promise<QuestionWithCounts[]> =>
  ctx.db.read(async (tx) => {
    const all = seesAll(ctx)
    const rows = (await selectQuestions(ctx, tx, { drafts: all, ...(ids && { ids }) })).filter(({ status }) => all || status === 'live')
    const counted = all ? await countOptions(ctx, tx, rows) : undefined
    return rows.map((row) => ({ ...row, counts: counted?.get(row.id) ?? null }))
  })

export async function listQuestions(
  ctx: Ctx,
  { filter, page }: ListQuery<typeof profileQuestionShape>,
): Promise<ListResult<QuestionWithCounts>> {
  const all = (await loadQuestions(ctx)).filter(({ status }) => !filter.status || filter.status.includes(status))
  return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
}

/** People per option, area or age group. Administrators of a department and sensitive questions get no small numbers. */
async function countOptions(ctx: Ctx, tx: Tx, rows: readonly ProfileQuestionRow[]) {
  const found = new Map<string, { option: string; people: SuppressibleCount }[]>()
  if (rows.length === 0) return found
  const counted = await tx
    .select({ question: profileAnswerOptions.questionId, option: profileAnswerOptions.option, people: count() })
    .from(profileAnswerOptions)
    .where(
      and(
        eq(profileAnswerOptions.siteId, ctx.site.id),
        inArray(
          profileAnswerOptions.questionId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(profileAnswerOptions.questionId, profileAnswerOptions.option)
  const isExact = mayEditQuestions(ctx)
  for (const row of rows) {
    const order = row.options.map(({ id }) => id)
    const own = counted
      .filter(({ question }) => question === row.id)
      .toSorted((a, b) => order.indexOf(a.option) - order.indexOf(b.option) || a.option.localeCompare(b.option))
    const cells = (row.type === 'year-of-birth' ? countAgeGroups(own, ctx.now()) : own).map(({ option, people }) => ({
      option,
      count: people,
      sums: ['all'],
    }))
    const hidden = isExact && !row.sensitive ? undefined : findSuppressedCells(cells)
    found.set(
      row.id,
      cells.map((cell) => ({ option: cell.option, people: hidden?.has(cell) ? null : cell.count })),
    )
  }
  return found
}

/** @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createQuestion(ctx: Ctx, input: CreateInput<typeof profileQuestionShape>): Promise<string> {
  requirePermission(ctx, 'profile-questions.edit')
  const id = createId()
  await refuseDuplicate('/key', () =>
    ctx.db.tx(async (tx) => {
      const all = await lockAllQuestions(ctx, tx)
      if (all.length >= MOST_QUESTIONS)
        throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/key', values: { max: MOST_QUESTIONS } }] })
      const row = withNoAnswer({
        siteId: ctx.site.id,
        id,
        key: input.key,
        type: input.kind,
        label: input.labelTranslations,
        help: input.helpTranslations ?? {},
        purpose: input.purposeTranslations,
        options: input.options ?? [],
        position: input.position ?? Math.max(-1, ...all.map(({ position }) => position)) + 1,
        required: input.required ?? false,
        sensitive: input.sensitive ?? false,
        askedAt: input.askedAt,
        retentionMonths: input.retentionMonths,
        status: input.status ?? 'draft',
        lockVersion: 1,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      })
      requireSound(ctx, row, all)
      await tx.insert(profileQuestions).values(row)
      await recordAudit(ctx, tx, {
        action: 'profile-questions.create',
        subject: { type: 'profile-questions', id },
        detail: { key: row.key },
      })
    }),
  )
  return id
}

/** @throws {AppError} `forbidden`, `invalid`, `stale`; `in-use` if an option that was chosen would go; `told-to-people` */
export async function updateQuestion(
  ctx: Ctx,
  id: string,
  input: UpdateInput<typeof profileQuestionShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'profile-questions.edit')
  await ctx.db.tx(async (tx) => {
    const all = await lockAllQuestions(ctx, tx)
    const row = all.find((one) => one.id === id)
    if (!row) throw new AppError('not-found')
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const { labelTranslations, helpTranslations, purposeTranslations, ...others } = input
    const after = withNoAnswer({
      ...row,
      ...others,
      ...(labelTranslations && { label: labelTranslations }),
      ...(helpTranslations && { help: helpTranslations }),
      ...(purposeTranslations && { purpose: purposeTranslations }),
    })
    requireSound(ctx, after, all, row)
    await recordSourceChanges(ctx, tx, id, listQuestionTexts(row), listQuestionTexts(after))
    await requireKeptOptions(ctx, tx, row, after)
    await requireKeptPromises(ctx, tx, row, after)
    const { label, help, purpose, options, position, required, sensitive, askedAt, retentionMonths, status } = after
    const saved = { label, help, purpose, options, position, required, sensitive, askedAt, retentionMonths, status }
    await tx
      .update(profileQuestions)
      .set({ ...saved, lockVersion: sql`${profileQuestions.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(eq(profileQuestions.siteId, ctx.site.id), eq(profileQuestions.id, id)))
    await recordAudit(ctx, tx, {
      action: 'profile-questions.update',
      subject: { type: 'profile-questions', id },
      changes: listChanges<ProfileQuestionRow>(row, saved),
      detail: { key: row.key },
    })
  })
}

/** Deletes a question that nobody has answered. @throws {AppError} `forbidden`; `in-use`: it can only be retired */
export async function removeQuestion(ctx: Ctx, { id, key }: Pick<ProfileQuestionRow, 'id' | 'key'>): Promise<void> {
  requirePermission(ctx, 'profile-questions.edit')
  await ctx.db.tx(async (tx) => {
    await lockAllQuestions(ctx, tx)
    if ((await countAnswers(ctx, tx, id)) > 0) throw new AppError('in-use')
    await tx.delete(profileQuestions).where(and(eq(profileQuestions.siteId, ctx.site.id), eq(profileQuestions.id, id)))
    await recordAudit(ctx, tx, { action: 'profile-questions.delete', subject: { type: 'profile-questions', id }, detail: { key } })
  })
}

/** All of them, so that of two administrators who each make a third question required, one is refused. */
const lockAllQuestions = (ctx: Ctx, tx: Tx): Promise<ProfileQuestionRow[]> =>
  tx.select().from(profileQuestions).where(eq(profileQuestions.siteId, ctx.site.id)).orderBy(profileQuestions.id).for('update')

async function countAnswers(ctx: Ctx, tx: Tx, questionId: string): Promise<number> {
  const [counted] = await tx
    .select({ people: countDistinct(profileAnswers.userId) })
    .from(profileAnswers)
    .where(and(eq(profileAnswers.siteId, ctx.site.id), eq(profileAnswers.questionId, questionId)))
  return counted?.people ?? 0
}

/** A sensitive question always offers not to say. */
function withNoAnswer(row: ProfileQuestionRow): ProfileQuestionRow {
  if (!row.sensitive || !takesOptions(row.type)) return row
  const said = row.options.find(({ id }) => id === NO_ANSWER)
  const others = row.options.filter(({ id }) => id !== NO_ANSWER)
  const label =
    said?.label ?? Object.fromEntries(LANGUAGES.map((language) => [language, getTranslator(language, 'account')('about-you.no-answer')]))
  return { ...row, options: [...others, { id: NO_ANSWER, label }] }
}

/**
 * @param before the question so far, if it is changed
 * @throws {AppError} `invalid` with everything that keeps a question from being stored as it is
 */
function requireSound(ctx: Ctx, row: ProfileQuestionRow, all: readonly ProfileQuestionRow[], before?: ProfileQuestionRow): void {
  const faults: Fault[] = []
  const offered = row.options.filter(({ retired }) => !retired)
  if (row.required && row.sensitive) faults.push({ code: 'sensitive-is-optional', pointer: '/required' })
  // Only among options can somebody choose not to say.
  if (row.sensitive && !takesOptions(row.type)) faults.push({ code: 'not-a-choice', pointer: '/sensitive' })
  const required = all.filter((one) => one.id !== row.id && one.required && one.status === 'live').length
  if (row.required && row.status === 'live' && required >= MOST_REQUIRED)
    faults.push({ code: 'too-many', pointer: '/required', values: { max: MOST_REQUIRED } })
  if (!takesOptions(row.type) && row.options.length > 0) faults.push({ code: 'not-a-choice', pointer: '/options' })
  const ids = row.options.map(({ id }) => id)
  for (const [index, id] of ids.entries()) if (ids.indexOf(id) < index) faults.push({ code: 'taken', pointer: `/options/${index}/id` })
  if (row.status === 'live') {
    if (takesOptions(row.type) && offered.length < 2) faults.push({ code: 'too-few', pointer: '/options', values: { min: 2 } })
    // What a language lacks that the site added later is translated one text after the other.
    const lacked = before?.status === 'live' ? listMissingTexts(ctx, before).map(({ pointer }) => pointer) : []
    faults.push(...listMissingTexts(ctx, row).filter(({ pointer }) => !lacked.includes(pointer)))
  }
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/** A question can be asked only if all its texts exist in every language of the site. */
function listMissingTexts({ site }: Ctx, row: ProfileQuestionRow): Fault[] {
  const hasHelp = Object.values(row.help).some((text) => text.trim())
  return [
    ...findMissingTranslations(
      {
        labelTranslations: row.label,
        purposeTranslations: row.purpose,
        ...(hasHelp && { helpTranslations: row.help }),
      },
      site.languages,
    ),
    ...row.options.flatMap((option, index) =>
      option.retired ? [] : findMissingTranslations({ [`options/${index}/label`]: option.label }, site.languages),
    ),
  ]
}

/**
 * What people were told when they answered stays true: a sensitive question stays so, and answers are kept no longer.
 * @throws {AppError} `told-to-people`; `in-use` if the question would be hidden from them
 */
async function requireKeptPromises(ctx: Ctx, tx: Tx, before: ProfileQuestionRow, after: ProfileQuestionRow): Promise<void> {
  const isHidden = before.status !== 'draft' && after.status === 'draft'
  const broken = [
    ...(before.sensitive && !after.sensitive ? ['/sensitive'] : []),
    ...(after.retentionMonths > before.retentionMonths ? ['/retentionMonths'] : []),
  ]
  if (!(isHidden || broken.length > 0) || (await countAnswers(ctx, tx, before.id)) === 0) return
  if (broken.length === 0) throw new AppError('in-use')
  throw new AppError('told-to-people', { faults: broken.map((pointer) => ({ code: 'told-to-people', pointer })) })
}

/**
 * An option that was chosen stays and keeps its meaning: it can be retired and its wording corrected, but it cannot get the words of another one.
 * @throws {AppError} `in-use`, `told-to-people`
 */
async function requireKeptOptions(ctx: Ctx, tx: Tx, before: ProfileQuestionRow, after: ProfileQuestionRow): Promise<void> {
  const kept = new Map(after.options.map((option: ProfileOption) => [option.id, option]))
  const gone = before.options.filter(({ id }) => !kept.has(id))
  const swapped = before.options.filter((option) => {
    const now = kept.get(option.id)
    return now && before.options.some((other) => other.id !== option.id && hasWordsOf(now, other) && !hasWordsOf(option, other))
  })
  for (const [code, options] of [
    ['in-use', gone],
    ['told-to-people', swapped],
  ] as const) {
    if (await isAnyChosen(ctx, tx, before.id, options)) throw new AppError(code, { faults: [{ code, pointer: '/options' }] })
  }
}

async function isAnyChosen(ctx: Ctx, tx: Tx, questionId: string, options: readonly ProfileOption[]): Promise<boolean> {
  if (options.length === 0) return false
  const ids = options.map(({ id }) => id)
  const [chosen] = await tx
    .select({ option: profileAnswerOptions.option })
    .from(profileAnswerOptions)
    .where(
      and(
        eq(profileAnswerOptions.siteId, ctx.site.id),
        eq(profileAnswerOptions.questionId, questionId),
        inArray(profileAnswerOptions.option, ids),
      ),
    )
    .limit(1)
  return chosen !== undefined
}

/** Whether both are called the same in some language. */
const hasWordsOf = ({ label }: ProfileOption, { label: others }: ProfileOption): boolean =>
  Object.entries(label).some(([language, text]) => {
    const other = others[language as ContentLanguage]
    return text !== undefined && other !== undefined && normaliseText(text).trim() !== '' && normaliseText(text) === normaliseText(other)
  })
