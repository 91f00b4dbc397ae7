import { type SQL, sql } from 'drizzle-orm'
import { countQuestion, suppressSmallGroups, toTalliedValue } from '#app/features/surveys/surveys.figures.server.ts'
import type { QuestionFigures, Tally } from '#app/features/surveys/surveys.figures.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { isWrittenQuestion } from '../record/fields.schema.ts'
import { readExtraQuestions, toQuestion } from '../fields/fields.server.ts'
import type { AnswerCounts } from './activity-results.schema.ts'

interface CountOptions {
  /** Include questions whose answers only the team sees. */
  staff: boolean
  /** Leave out small groups. */
  suppresses: boolean
}

interface AnsweredRow extends Record<string, unknown> {
  question: string
  /** Null for everybody who answered the question. */
  value: string | null
  total: number
  people: number
}

/** What was answered to the extra questions of an activity, as far as it can be counted. One statement, and none without such a question. */
export async function countAnswers(
  ctx: Ctx,
  tx: Tx,
  { activity, isPublic, person }: { activity: { fields: unknown }; isPublic: SQL; person: SQL },
  { staff, suppresses }: CountOptions,
): Promise<AnswerCounts[]> {
  const questions = readExtraQuestions(activity).filter(
    (question) => !isWrittenQuestion(question) && (staff || question.shownTo === 'public'),
  )
  if (questions.length === 0) return []
  const ids = questions.map(({ id }) => sql`${id}`)
  // Of several answers by one person, the first decides whose group is small: so a group never counts anybody twice.
  const { rows } = await tx.execute<AnsweredRow>(sql`
    with answered as (
      select c.id, e.key as question, e.value as given, row_number() over (partition by e.key, ${person} order by c.number) = 1 as is_first
      from contributions c cross join jsonb_each(c.fields) e where ${isPublic} and e.key in (${sql.join(ids, sql`, `)})
    )
    select question, v.value, count(distinct id)::int as total, count(distinct id) filter (where is_first)::int as people
    from answered cross join lateral (
      select jsonb_array_elements_text(case when jsonb_typeof(given) = 'array' then given else jsonb_build_array(given) end) as value
    ) v group by grouping sets ((question), (question, v.value))`)
  const byQuestion = Map.groupBy(rows, ({ question }) => question)
  return questions.map((question) => {
    const own = byQuestion.get(question.id) ?? []
    const figures = countFigures(question, own, 'total')
    return describeCounts(ctx, question, suppresses ? hideSmallGroups(figures, countFigures(question, own, 'people')) : figures)
  })
}

function countFigures(question: ExtraQuestion, rows: readonly AnsweredRow[], of: 'total' | 'people'): QuestionFigures {
  const tallies = new Map<string, Tally>()
  for (const { value: given, [of]: count } of rows) {
    const value = given === null ? '' : toTalliedValue(question.type, given)
    const { count: counted, total } = tallies.get(value) ?? { count: 0, total: 0 }
    const sum = question.type === 'number' ? Number(given ?? 0) * count : 0
    tallies.set(value, { question: question.id, value, count: counted + count, total: total + sum })
  }
  return countQuestion(toQuestion(question), [...tallies.values()])
}

/** Leaves out what too few people said, and the averages if they would tell it. */
function hideSmallGroups(figures: QuestionFigures, people: QuestionFigures): QuestionFigures {
  const shown = suppressSmallGroups(people)
  const named = new Set(shown.cells.map(({ value }) => value))
  const visible = new Set(shown.cells.filter(({ count }) => count !== null).map(({ value }) => value))
  const isWhole = people.cells.every(({ value }) => visible.has(value))
  return {
    ...figures,
    answered: shown.answered === null ? null : figures.answered,
    hasUnlisted: shown.hasUnlisted ?? false,
    cells: figures.cells
      .filter(({ value }) => named.has(value))
      .map(({ value, count }) => ({ value, count: visible.has(value) ? count : null })),
    mean: isWhole ? figures.mean : shown.mean,
    median: isWhole ? figures.median : shown.median,
  }
}

function describeCounts(
  ctx: Ctx,
  question: ExtraQuestion,
  { answered, cells, hasUnlisted = false, mean, median }: QuestionFigures,
): AnswerCounts {
  const { contentLanguage, site } = ctx
  return {
    id: question.id,
    title: localiseText(question.title, contentLanguage, site.locale),
    shownTo: question.shownTo,
    isArchived: question.archived ?? false,
    isSeveral: question.type === 'several_choices',
    answered,
    lines: cells.map(({ value, count }) => ({ id: value, name: nameValue(ctx, question, value), count })),
    hasUnlisted,
    mean,
    median,
  }
}

/** An option, yes or no, a month, a number or a range of numbers. */
function nameValue({ language, contentLanguage, site }: Ctx, question: ExtraQuestion, value: string): string {
  const t = getTranslator(language, 'survey')
  const format = getFormatter({ language, region: site.region, timeZone: site.timeZone })
  switch (question.type) {
    case 'yes_no':
      return t(value === 'no' ? 'choice.no' : 'choice.yes')
    case 'date':
      return format.month(`${value}-15T12:00:00Z`)
    case 'number': {
      const [from = '', to] = value.split('..')
      const formatNumber = (text: string) => format.number(Number(text))
      return to === undefined ? formatNumber(from) : t('results.range', { from: formatNumber(from), to: formatNumber(to) })
    }
    default: {
      const option = 'options' in question ? question.options.find(({ id }) => id === value) : undefined
      const { text } = localiseText(option?.label, contentLanguage, site.locale)
      return option?.removed ? t('results.removed-option', { option: text }) : text
    }
  }
}
