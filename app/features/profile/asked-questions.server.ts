import { and, asc, eq, inArray, ne, or } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { buildFieldName } from '#app/features/surveys/questionnaire/field-names.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { findTranslation, type Translated } from '#app/lib/translated.ts'
import type { ProfileAskedAt } from '#app/lib/vocabulary/profile.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { toQuestion } from './profile-questions.ts'
import type { AskedQuestion } from './profile.schema.ts'

/** The site's questions in their order; drafts only if asked for. */
export const selectQuestions = (ctx: Ctx, tx: Tx, { drafts = false, ids }: { drafts?: boolean; ids?: readonly string[] } = {}) =>
  tx
    .select()
    .from(profileQuestions)
    .where(
      and(
        eq(profileQuestions.siteId, ctx.site.id),
        drafts ? undefined : ne(profileQuestions.status, 'draft'),
        ids ? inArray(profileQuestions.id, [...ids]) : undefined,
      ),
    )
    .orderBy(asc(profileQuestions.position), asc(profileQuestions.createdAt), asc(profileQuestions.id))

/** The questions that everybody is asked at a moment, the same for all. */
export const readAskedQuestions = (ctx: Ctx, askedAt: ProfileAskedAt): Promise<AskedQuestion[]> =>
  readPublic(ctx, ['profile-questions', askedAt], (all) =>
    all.db.read(async (tx) => {
      const rows = (await selectQuestions(all, tx)).filter((row) => row.status === 'live' && row.askedAt === askedAt)
      return toAskedQuestions(all, tx, rows)
    }),
  )

/** Whether the site asks people about themselves, or did. */
export const hasQuestions = (ctx: Ctx): Promise<boolean> =>
  readPublic(ctx, ['has-profile-questions'], (all) => all.db.read(async (tx) => (await selectQuestions(all, tx)).length > 0))

/** In the page's language. */
export async function toAskedQuestions(ctx: Ctx, tx: Tx, rows: readonly ProfileQuestionRow[]): Promise<AskedQuestion[]> {
  const areas = await loadAreaOptions(ctx, tx, rows)
  // Nobody can choose where they live on a site without areas.
  return rows
    .filter(({ type }) => type !== 'area' || areas.length > 0)
    .map((row) => {
      const [help, ...notes] = explainQuestion(ctx, row)
      const options = row.options.map((option) => ({ ...option, label: sayHere(ctx, option.label) }))
      return {
        id: row.id,
        key: row.key,
        type: row.type,
        question: toQuestion({ ...row, options, label: sayHere(ctx, row.label) }, areas, help),
        note: notes.join(' '),
        field: buildFieldName(row.key),
        label: localiseText(row.label, ctx.contentLanguage, ctx.site.locale),
      }
    })
}

export const loadAreaOptions = (ctx: Ctx, tx: Tx, rows: readonly Pick<ProfileQuestionRow, 'type'>[]) =>
  rows.some(({ type }) => type === 'area') ? listAreas(ctx, tx) : Promise.resolve([])

/** In the language that the reader gets. */
function sayHere({ contentLanguage, site }: Ctx, text: Translated): Translated {
  const found = findTranslation(text, contentLanguage, site.locale)
  return found ? { [found.language]: found.text } : {}
}

/**
 * Its help, why it is asked, who sees the answer and how long it is kept. If the site wrote the first two in another language than the page's, they
 * are returned apart from the rest, so that each text is marked with its language.
 */
function explainQuestion(ctx: Ctx, row: ProfileQuestionRow): [help: Translated, ...notes: string[]] {
  const t = getTranslator(ctx.language, 'account')
  const say = (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  const [help, purpose] = [say(row.help), say(row.purpose)]
  const isForeign = purpose.lang !== undefined && (help.lang === purpose.lang || !help.text)
  const notes = [row.sensitive ? t('about-you.sensitive') : '', t('about-you.kept', { count: row.retentionMonths })].filter(Boolean)
  const join = (...texts: string[]) =>
    texts
      .map((text) => text.trim())
      .filter(Boolean)
      .join(' ')
  if (isForeign) return [{ [purpose.lang ?? ctx.language]: join(help.text, purpose.text) }, ...notes]
  return [{ [ctx.language]: join(help.text, t('about-you.why', { purpose: purpose.text.trim() }), ...notes) }]
}

/** Questions by key, of which none is a draft, locked against changes until the transaction ends. */
export const lockQuestions = (ctx: Ctx, tx: Tx, by: { keys: readonly string[]; askedAt?: ProfileAskedAt | undefined }) =>
  tx
    .select()
    .from(profileQuestions)
    .where(
      and(
        eq(profileQuestions.siteId, ctx.site.id),
        ne(profileQuestions.status, 'draft'),
        or(
          by.keys.length ? inArray(profileQuestions.key, [...by.keys]) : undefined,
          by.askedAt ? and(eq(profileQuestions.askedAt, by.askedAt), eq(profileQuestions.status, 'live')) : undefined,
        ),
      ),
    )
    .orderBy(asc(profileQuestions.position), asc(profileQuestions.id))
    .for('share')
