import { and, asc, eq, inArray } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import { compareGroups } from '#app/features/surveys/results/compare-groups.server.ts'
import { type GroupComparison, listShareRows } from '#app/features/surveys/results/group-comparison.schema.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { Describe } from './describe-report.server.ts'
import type { ReportSurveys } from './report-surveys.server.ts'
import type { ReportBlock, ReportCell, ReportView } from './report.schema.ts'
import { parseReportGroup } from './report.search.ts'

/** Each survey of a report with its groups. */
export interface ReportGroups {
  surveys: { title: string; comparison: GroupComparison }[]
}

/** The comparison of each survey's own screen, for these days. Surveys without these groups are left out. */
export async function loadReportGroups(
  ctx: Ctx,
  { surveys }: ReportSurveys,
  group: string | undefined,
  { from, until }: { from: Date; until: Date },
): Promise<ReportGroups | null> {
  const parsed = group === undefined ? undefined : parseReportGroup(group)
  if (!parsed) return null
  const compared: ReportGroups['surveys'] = []
  for (const { id, title } of surveys) {
    if (parsed.survey !== undefined && parsed.survey !== id) continue
    const comparison = await compareIfPossible(ctx, { surveyId: id, by: parsed.by, from, to: until, isForOthers: true })
    if (comparison) compared.push({ title, comparison })
  }
  return { surveys: compared }
}

async function compareIfPossible(ctx: Ctx, input: Parameters<typeof compareGroups>[1]): Promise<GroupComparison | undefined> {
  try {
    return await compareGroups(ctx, input)
  } catch (error) {
    if (isAppError(error, 'invalid-parameter')) return undefined
    throw error
  }
}

/** What the surveys of a report can be compared by: languages, channels, areas, questions about people, and their own questions. */
export async function listGroupChoices(ctx: Ctx, { surveys }: ReportSurveys): Promise<ReportView['groupChoices']> {
  if (surveys.length === 0) return []
  const t = getTranslator(ctx.language, 'reports')
  const { areas, about } = await ctx.db.read(async (tx) => ({
    areas: await listAreas(ctx, tx),
    about: await tx
      .select({ key: profileQuestions.key, label: profileQuestions.label })
      .from(profileQuestions)
      .where(
        and(
          eq(profileQuestions.siteId, ctx.site.id),
          eq(profileQuestions.status, 'live'),
          inArray(profileQuestions.type, ['one-choice', 'year-of-birth', 'area']),
        ),
      )
      .orderBy(asc(profileQuestions.position), asc(profileQuestions.id)),
  }))
  return [
    { value: 'language', label: t('filter.group-language') },
    { value: 'channel', label: t('filter.group-channel') },
    ...(areas.length > 0 ? [{ value: 'area', label: t('filter.group-area') }] : []),
    ...about.map(({ key, label }) => ({ value: `profile:${key}`, label: getTranslation(label, ctx.contentLanguage, ctx.site.locale) })),
    ...surveys.flatMap(({ id, title, groupQuestions }) =>
      groupQuestions.map((question) => ({
        value: `${id}:question:${question.id}`,
        label: surveys.length > 1 ? `${question.title} (${title})` : question.title,
      })),
    ),
  ]
}

/** A table for each question: the share of each group who gave an answer, and how many people of it answered. */
export const describeGroups: Describe = ({ groups }, { t, count, share, format }) => {
  if (!groups) return undefined
  if (groups.surveys.length === 0) return { blocks: [{ kind: 'text', text: t('groups.none') }], figures: [] }
  const toShare = (people: number | null, of: number | null): ReportCell =>
    people === null || of === null
      ? { text: t('not-shown'), value: null }
      : { ...share(people, of), ...(of > 0 ? { part: Math.min(1, people / of) } : {}) }
  const toCount = (people: number | null): ReportCell => (people === null ? { text: t('not-shown'), value: null } : count(people))
  const describeSurvey = ({ title, comparison }: ReportGroups['surveys'][number]): ReportBlock[] => {
    if (comparison.groups.length < 2) return [{ kind: 'text', text: t('groups.too-few', { survey: title }) }]
    return [
      { kind: 'heading', text: t('groups.by', { survey: title, title: comparison.title }) },
      ...(comparison.hidden.length > 0
        ? [{ kind: 'text' as const, text: t('groups.hidden', { groups: format.list(comparison.hidden) }) }]
        : []),
      ...(comparison.isFromAccounts ? [{ kind: 'text' as const, text: t('groups.accounts') }] : []),
      ...comparison.questions.flatMap((question): ReportBlock[] => {
        const { title: caption, answered, all, finding, isSeveral } = question
        return [
          {
            kind: 'table',
            caption,
            hasShownCaption: true,
            heads: [t('heads.answer'), ...comparison.groups.map(({ label }) => label), t('heads.all-groups')],
            rows: [
              ...listShareRows(question).map(({ label, cells }) => [
                { text: label, value: label },
                ...cells.map(({ people, of }) => toShare(people, of)),
              ]),
              [{ text: t('groups.answered'), value: t('groups.answered') }, ...answered.map((cell) => toCount(cell.count)), toCount(all)],
            ],
          },
          ...(finding === undefined ? [] : [{ kind: 'text' as const, text: finding }]),
          ...(isSeveral ? [{ kind: 'text' as const, text: t('groups.several') }] : []),
        ]
      }),
    ]
  }
  return { blocks: [...groups.surveys.flatMap(describeSurvey), { kind: 'text', text: t('groups.note') }], figures: ['surveyAnswers'] }
}
