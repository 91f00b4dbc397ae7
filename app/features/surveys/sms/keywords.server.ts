import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Fault } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { isReservedWord, normaliseKeyword } from '#app/lib/text-keywords.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveyKeywords } from '#app/server/db/schema/messages.ts'
import type { SurveyRow } from '../surveys.policy.server.ts'
import { loadVersion } from '../questionnaire/versions.server.ts'
import type { SurveyKeywords } from './by-text.schema.ts'
import { listByTextFaults } from './by-text.server.ts'

const listKeywords = (keywords: SurveyKeywords): { language: Language; keyword: string }[] =>
  (Object.entries(keywords) as [Language, string | undefined][]).flatMap(([language, word]) =>
    word ? [{ language, keyword: normaliseKeyword(word) }] : [],
  )

/** Why these words cannot start this survey: they already mean something else, or its questions cannot be asked by text message. */
export async function listKeywordFaults(
  ctx: Ctx,
  tx: Tx,
  survey: Pick<SurveyRow, 'id' | 'access' | 'publishedVersion'>,
  keywords: SurveyKeywords,
): Promise<Fault[]> {
  const words = listKeywords(keywords)
  if (words.length === 0) return []
  const others = await tx
    .select({ keyword: surveyKeywords.keyword })
    .from(surveyKeywords)
    .where(
      and(
        eq(surveyKeywords.siteId, ctx.site.id),
        ne(surveyKeywords.surveyId, survey.id),
        inArray(
          surveyKeywords.keyword,
          words.map(({ keyword }) => keyword),
        ),
      ),
    )
  const taken = new Set(others.map(({ keyword }) => keyword))
  const faults = words.flatMap(({ language, keyword }, index): Fault[] => {
    const pointer = `/smsKeywords/${language}`
    if (keyword.length < 3) return [{ code: 'wrong-format', pointer }]
    const twice = words.findIndex((one) => one.keyword === keyword) < index
    return taken.has(keyword) || twice || isReservedWord(keyword) ? [{ code: 'taken', pointer }] : []
  })
  // A code or a personal link cannot be presented by text message.
  if (survey.access === 'invited' || survey.access === 'verified') faults.push({ code: 'not-by-text', pointer: '/smsKeywords' })
  else if (survey.publishedVersion !== null) {
    const unfit = listByTextFaults(await loadVersion(tx, ctx.site.id, survey.id, survey.publishedVersion))
    if (unfit.length > 0) faults.push({ code: 'not-by-text', pointer: '/smsKeywords' })
  }
  return faults
}

export async function replaceKeywords(ctx: Ctx, tx: Tx, surveyId: string, keywords: SurveyKeywords): Promise<void> {
  const { id: siteId } = ctx.site
  await tx.delete(surveyKeywords).where(and(eq(surveyKeywords.siteId, siteId), eq(surveyKeywords.surveyId, surveyId)))
  const rows = listKeywords(keywords).map((word) => ({ siteId, surveyId, ...word }))
  if (rows.length > 0) await tx.insert(surveyKeywords).values(rows)
}

export async function loadKeywords(tx: Tx, siteId: string, surveyId: string): Promise<SurveyKeywords> {
  const rows = await tx
    .select({ language: surveyKeywords.language, keyword: surveyKeywords.keyword })
    .from(surveyKeywords)
    .where(and(eq(surveyKeywords.siteId, siteId), eq(surveyKeywords.surveyId, surveyId)))
  return Object.fromEntries(rows.map(({ language, keyword }) => [language, keyword]))
}

/** Whether the survey can be started by text message. */
export async function isOpenToTexts(ctx: Ctx, tx: Tx, surveyId: string): Promise<boolean> {
  const rows = await tx
    .select({ keyword: surveyKeywords.keyword })
    .from(surveyKeywords)
    .where(and(eq(surveyKeywords.siteId, ctx.site.id), eq(surveyKeywords.surveyId, surveyId)))
    .limit(1)
  return rows.length > 0
}

/** The survey that a text message starts, and the language of the keyword; undefined for any other text. */
export async function findSurveyByKeyword(ctx: Ctx, tx: Tx, text: string): Promise<{ surveyId: string; language: Language } | undefined> {
  const keyword = normaliseKeyword(text)
  if (keyword.length < 3 || keyword.length > 15) return undefined
  const [row] = await tx
    .select({ surveyId: surveyKeywords.surveyId, language: surveyKeywords.language })
    .from(surveyKeywords)
    .where(and(eq(surveyKeywords.siteId, ctx.site.id), eq(surveyKeywords.keyword, keyword)))
  return row
}
