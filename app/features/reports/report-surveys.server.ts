import { and, desc, inArray, eq, ne, sql } from 'drizzle-orm'
import type { OutcomeView } from '#app/features/outcomes/outcomes.schema.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { countStarted } from '#app/features/surveys/results/completion.server.ts'
import { hasOneAnswer } from '#app/features/surveys/results/group-comparison.schema.ts'
import { getResultsOfSurveys } from '#app/features/surveys/results/results.server.ts'
import { describeFinding, type QuestionFigures, suppressSmallGroups } from '#app/features/surveys/surveys.figures.server.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { type AskedQuestion, buildSeries, findAsked, type QuestionSeries } from './report-series.server.ts'

/** With more surveys, a report has only the answers of whole projects. */
export const MAX_SURVEYS = 20

export interface ReportSurvey {
  id: string
  title: string
  /** In the period, as far as the viewer sees numbers of a part of the answers. */
  answers: number
  medianSeconds: number | null
  /** Share of those who began that sent their answers, since the survey opened; null if it would reveal something. */
  completion: number | null
  said: SaidMost[]
  /** What changed because of it, by question. */
  outcomes: { question: string; outcome: OutcomeView }[]
  /** Its questions that other surveys may have asked too. */
  asked: AskedQuestion[]
  /** When it opened, in the site's calendar. */
  day: string
  /** Questions whose answers people can be grouped by. */
  groupQuestions: { id: string; title: string; profile: string | undefined }[]
}

/** What was said in answer to a question. */
export interface SaidMost {
  question: string
  /** In one sentence. */
  finding: string
  /** Of questions with options: the one chosen most. */
  most: { option: string; count: number } | null
  answered: number
}

export interface ReportSurveys {
  surveys: ReportSurvey[]
  /** Questions that more than one of them asked. */
  series: QuestionSeries[]
  /** There are more surveys than a report reads. */
  areTooMany: boolean
}

/** The figures of each survey's own page for these days. Small groups are suppressed for everybody: reports leave the house. */
export async function loadReportSurveys(
  ctx: Ctx,
  projects: readonly string[],
  { from, until }: { from: Date; until: Date },
): Promise<ReportSurveys> {
  const found = await findSurveys(ctx, projects)
  if (found.length > MAX_SURVEYS) return { surveys: [], series: [], areTooMany: true }
  const read: ReportSurvey[] = []
  if (found.length === 0) return { surveys: [], series: [], areTooMany: false }
  const ids = found.map(({ id }) => id)
  const results = await getResultsOfSurveys(ctx, ids, { from: from.toISOString(), to: until.toISOString() })
  const completions = await countStarted(ctx, ids)
  for (const [index, { id, title, openedAt }] of found.entries()) {
    const [figures, completion] = [results[index], completions.get(id)]
    if (!figures || !completion) throw new AppError('not-found')
    const { started, sent } = completion
    const shown = figures.questions.map(suppressSmallGroups)
    read.push({
      id,
      title: getTranslation(title, ctx.contentLanguage, ctx.site.locale),
      answers: figures.responses,
      medianSeconds: figures.responses < SUPPRESSION_THRESHOLD ? null : figures.medianSeconds,
      completion: started && sent && sent >= SUPPRESSION_THRESHOLD ? sent / started : null,
      outcomes: figures.questions.flatMap(({ question, outcomes = [] }) =>
        outcomes.map((outcome) => ({ question: getTranslation(question.title, ctx.contentLanguage, ctx.site.locale), outcome })),
      ),
      groupQuestions: figures.questions.flatMap(({ question }) =>
        hasOneAnswer(question.type)
          ? [{ id: question.id, title: getTranslation(question.title, ctx.contentLanguage, ctx.site.locale), profile: question.profile }]
          : [],
      ),
      said: shown.flatMap((question) => findSaid(ctx, question) ?? []),
      asked: shown.flatMap((question) => findAsked(ctx, question) ?? []),
      day: toCalendarDay(ctx.site.timeZone, openedAt),
    })
  }
  return { surveys: read, series: buildSeries(read), areTooMany: false }
}

/** The surveys of the projects, those with most answers first; one more than a report reads if there are too many. */
const findSurveys = (ctx: Ctx, projects: readonly string[]) =>
  ctx.db.read((tx) =>
    tx
      .select({
        id: surveys.id,
        title: surveys.title,
        openedAt: sql`coalesce(${surveys.opensAt}, ${surveys.createdAt})`.mapWith(surveys.createdAt),
      })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), inArray(surveys.projectId, [...projects]), ne(surveys.status, 'draft')))
      .orderBy(desc(surveys.responsesCount), surveys.id)
      .limit(MAX_SURVEYS + 1),
  )

/** Questions about which a sentence can be said. */
function findSaid(ctx: Ctx, figures: QuestionFigures): SaidMost | undefined {
  const finding = describeFinding(ctx, figures)
  if (!finding || !figures.answered) return undefined
  return {
    question: getTranslation(figures.question.title, ctx.contentLanguage, ctx.site.locale),
    finding,
    most: findMostChosen(ctx, figures),
    answered: figures.answered,
  }
}

/** Of questions with options. Suppressed counts are smaller than those that are shown. */
function findMostChosen(ctx: Ctx, { question, shape, cells }: QuestionFigures): SaidMost['most'] {
  if ((shape !== 'bars' && shape !== 'list') || !('options' in question)) return null
  const most = cells.reduce<{ value: string; count: number } | undefined>(
    (best, { value, count }) => (count !== null && count > (best?.count ?? 0) ? { value, count } : best),
    undefined,
  )
  const option = question.options.find(({ id }) => id === most?.value)
  return most && option ? { option: getTranslation(option.label, ctx.contentLanguage, ctx.site.locale), count: most.count } : null
}
