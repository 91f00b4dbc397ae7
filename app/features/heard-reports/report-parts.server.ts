import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import {
  comparePublicly,
  describeFigure,
  listCountedQuestions,
  loadAskedSurveys,
  loadPublicFigures,
} from '#app/features/surveys/surveys.public-figures.server.ts'
import { listShareRows } from '#app/features/surveys/results/group-comparison.schema.ts'
import { getAnsweringTimes } from '#app/features/surveys/surveys.state.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisions, decisionThemes } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { DecisionRow } from '#app/features/heard/decisions.server.ts'
import { requireProjectFor } from '#app/features/heard/heard.policy.server.ts'
import { readQuotes } from '#app/features/heard/quotes.server.ts'
import { comparePeople } from './compare-people.server.ts'
import type { PartContent, PartTable, ReportChoices, ReportPart } from '#app/features/heard/report-part.schema.ts'
import { loadModerationSettings } from '#app/features/contributions/moderation/moderation-settings.server.ts'
import { countThemes, loadProjectThemes, resolveMerges } from '#app/features/heard/theme-figures.server.ts'
import { roundAlpha } from '#app/features/heard/double-coding/coding-samples.schema.ts'
import { measureAgreement } from '#app/features/heard/double-coding/measure-agreement.server.ts'
import { countTexts } from '#app/features/heard/written-texts.server.ts'

type Found = Promise<ReportPart | null>
type ThemeChoice = NonNullable<HomeBlock<'report_theme'>['chosen']>

/** What blocks of a project's report show, for `PageFacts`. */
export const createPartReader =
  (projectId: string) =>
  (ctx: Ctx, block: HomeBlock): Found =>
    ctx.db.read((tx) => describePart(ctx, tx, projectId, block))

function describePart(ctx: Ctx, tx: Tx, projectId: string, block: HomeBlock): Found {
  switch (block.type) {
    case 'report_figure':
      return block.question ? describeQuestion(ctx, tx, projectId, block.question, block.comparedBy) : NOTHING
    case 'report_theme':
      return block.chosen ? describeTheme(ctx, tx, projectId, block.chosen) : NOTHING
    case 'report_people':
      return describePeople(ctx, tx, projectId)
    case 'report_method':
      return describeMethod(ctx, tx, projectId)
    case 'report_decisions':
      return describeDecisions(ctx, tx, projectId)
    case 'report_next':
      return describeNext(ctx, tx, projectId)
    default:
      return NOTHING
  }
}

const NOTHING: Found = Promise.resolve(null)

function getWords({ language, contentLanguage, site }: Ctx) {
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  return {
    t: getTranslator(language, 'heard-report'),
    heard: getTranslator(language, 'heard'),
    format,
    /** A calendar day, whatever the site's time zone. */
    day: (date: string) => format.date(`${date}T12:00:00Z`),
    localise: (text: Translated) => localiseText(text, contentLanguage, site.locale),
  }
}

const createPart = (heading: LocalisedText, content: PartContent[], more: Partial<ReportPart> = {}): ReportPart => ({
  heading,
  content,
  basis: null,
  quotes: [],
  gone: 0,
  ...more,
})

const toCell = (text: string): LocalisedText => ({ text })

/** The figure of a question, named `<survey>:<question>`, with its table, and by the answers to another question of the survey. */
async function describeQuestion(ctx: Ctx, tx: Tx, projectId: string, key: string, comparedBy: string | null): Found {
  const [surveyId = '', questionId = ''] = key.split(':')
  const placed = (await loadAskedSurveys(ctx, tx, projectId)).find(({ survey }) => survey.id === surveyId)
  if (!placed) return null
  const { t, localise } = getWords(ctx)
  const figures = await loadPublicFigures(ctx, tx, placed)
  const basis = { kind: 'survey' as const, id: surveyId }
  if (!figures) {
    const question = (await listCountedQuestions(ctx, tx, surveyId)).find(({ id }) => id === questionId)
    return question ? createPart(localise(question.title), [{ kind: 'text', text: t('too-few') }], { basis }) : null
  }
  const found = figures.questions.find(({ question }) => question.id === questionId)
  if (!found) return null
  const { title, note, heads, rows, grid } = describeFigure(ctx, found)
  const content: PartContent[] = rows
    ? [{ kind: 'bars', caption: title, note, heads, bars: rows }]
    : grid
      ? [{ kind: 'table', caption: title, note, heads: grid.heads, rows: grid.rows.map((cells) => cells.map(toCell)), textColumns: 1 }]
      : [{ kind: 'text', text: note }]
  const by = comparedBy?.startsWith(`${surveyId}:`) ? comparedBy.slice(surveyId.length + 1) : undefined
  const compared =
    by === undefined ? [] : describeCompared(ctx, await comparePublicly(ctx, tx, placed, { question: questionId, by, published: figures }))
  return createPart(title, [...content, ...compared], { basis })
}

/** The tables of groups as in a report over projects, or why there are none. */
function describeCompared(ctx: Ctx, compared: Awaited<ReturnType<typeof comparePublicly>>): PartContent[] {
  const t = getTranslator(ctx.language, 'reports')
  const format = getFormatter({ language: ctx.language, timeZone: ctx.site.timeZone, region: ctx.site.region })
  const toText = (text: string): PartContent => ({ kind: 'text', text })
  if (compared === undefined || typeof compared === 'string') return [toText(t(`compared-groups.${compared ?? 'too-few'}`))]
  const { title, groups, hidden, questions } = compared
  const toShare = (people: SuppressibleCount, of: SuppressibleCount) =>
    toCell(people === null || of === null ? t('not-shown') : of === 0 ? '–' : format.percent(Math.min(1, people / of)))
  const toCount = (people: SuppressibleCount) => toCell(people === null ? t('not-shown') : format.number(people))
  return [
    ...questions.flatMap((question): PartContent[] => [
      {
        kind: 'table',
        caption: toCell(t('compared-groups.caption', { question: question.title, title })),
        heads: [t('heads.answer'), ...groups.map(({ label }) => label), t('heads.all-groups')],
        rows: [
          ...listShareRows(question).map(({ label, cells }) => [toCell(label), ...cells.map(({ people, of }) => toShare(people, of))]),
          [toCell(t('groups.answered')), ...question.answered.map(({ count }) => toCount(count)), toCount(question.all)],
        ],
        textColumns: 1,
      },
      ...(question.finding === undefined ? [] : [toText(question.finding)]),
      ...(question.isSeveral ? [toText(t('groups.several'))] : []),
    ]),
    ...(hidden.length > 0 ? [toText(t('groups.hidden', { groups: format.list(hidden) }))] : []),
    toText(t('groups.note')),
  ]
}

/** A theme, the people who raised it, and the chosen quotes. */
async function describeTheme(ctx: Ctx, tx: Tx, projectId: string, { theme: chosen, quotes }: ThemeChoice): Found {
  const { t, heard, format, localise } = getWords(ctx)
  const themes = await loadProjectThemes(ctx, tx, projectId)
  const id = resolveMerges(themes).get(chosen)
  const theme = themes.find((one) => one.id === id)
  if (!theme || !id) return null
  const people = (await countThemes(ctx, tx, projectId, themes)).get(id)?.people ?? 0
  return createPart(
    localise(theme.title),
    [{ kind: 'text', text: `${t(`stances.${theme.stance}`)}, ${heard('from', { count: people, number: format.number(people) })}.` }],
    { basis: { kind: 'theme', id }, quotes: await loadChosenQuotes(ctx, tx, projectId, quotes) },
  )
}

async function loadChosenQuotes(ctx: Ctx, tx: Tx, projectId: string, ids: readonly string[]): Promise<ReportPart['quotes']> {
  if (ids.length === 0) return []
  const found = await readQuotes(ctx, tx, projectId, sql`e.id = any (${sql.param(ids.filter(isId))}::uuid[])`)
  return ids.flatMap((id) => {
    const quote = found.find((one) => one.id === id)
    return quote ? [{ text: quote.text, language: quote.language }] : []
  })
}

/** How many answered each survey, and in which languages. */
async function describePeople(ctx: Ctx, tx: Tx, projectId: string): Found {
  const { t, format, localise } = getWords(ctx)
  const common = getTranslator(ctx.language, 'common')
  const surveys: LocalisedText[][] = []
  const languages: PartTable[] = []
  for (const placed of await loadAskedSurveys(ctx, tx, projectId)) {
    const title = localise(placed.survey.title)
    const figures = await loadPublicFigures(ctx, tx, placed)
    surveys.push([title, toCell(figures ? format.number(figures.responses) : t('under-five'))])
    if (!figures || figures.languages.length === 0) continue
    languages.push({
      kind: 'table',
      caption: { ...title, text: t('people.languages', { survey: title.text }) },
      heads: [t('people.language'), t('people.answers'), t('people.share')],
      rows: figures.languages.map(({ value, count }) => {
        const language = matchLanguage(value)
        const name = toCell(language ? getLanguageName(language) : value)
        const share = count === null ? common('not-shown') : format.percent(count / figures.responses)
        return [name, toCell(count === null ? common('not-shown') : format.number(count)), toCell(share)]
      }),
      textColumns: 1,
    })
  }
  const posts = await countPosts(ctx, tx, projectId, ctx.now())
  const comparisons = await comparePeople(ctx, tx, projectId)
  return createPart(toCell(t('people.title')), [
    ...(surveys.length > 0
      ? [
          {
            kind: 'table' as const,
            caption: toCell(t('people.surveys')),
            heads: [t('people.survey'), t('people.answers')],
            rows: surveys,
            textColumns: 1,
          },
        ]
      : []),
    ...(posts > 0 ? [{ kind: 'text' as const, text: t('people.posts', { count: posts, number: format.number(posts) }) }] : []),
    ...languages,
    ...comparisons,
    // Each comparison ends with this sentence.
    ...(comparisons.length > 0 ? [] : [{ kind: 'text' as const, text: t('chose-to') }]),
  ])
}

/** When people were asked, how much was read, and how figures and quotes come about. */
async function describeMethod(ctx: Ctx, tx: Tx, projectId: string): Found {
  const { t, format, localise } = getWords(ctx)
  const progress = await countTexts(ctx, tx, projectId)
  const total = progress.reduce((sum, one) => sum + one.total, 0)
  const read = progress.reduce((sum, one) => sum + one.read, 0)
  const { alpha, texts } = await measureAgreement(ctx, tx, projectId)
  const open = (await loadAskedSurveys(ctx, tx, projectId)).map((placed) => {
    const { opensAt, closesAt } = getAnsweringTimes(placed)
    return [localise(placed.survey.title), ...[opensAt, closesAt].map((at) => toCell(at ? format.date(at) : t('method.no-day')))]
  })
  return createPart(toCell(t('method.title')), [
    ...(open.length > 0
      ? [
          {
            kind: 'table' as const,
            caption: toCell(t('method.asked')),
            heads: [t('people.survey'), t('method.from'), t('method.until')],
            rows: open,
            textColumns: 3,
          },
        ]
      : []),
    ...(total > 0
      ? [{ kind: 'text' as const, text: t('method.read', { count: total, number: format.number(total), read: format.number(read) }) }]
      : []),
    { kind: 'text', text: t('method.coded') },
    ...(alpha === null
      ? []
      : [
          { kind: 'text' as const, text: t('method.agreement', { number: format.number(texts), alpha: format.number(roundAlpha(alpha)) }) },
        ]),
    { kind: 'text', text: t('chose-to') },
  ])
}

/** The published decisions, each with its reason and the themes that it answers. */
async function describeDecisions(ctx: Ctx, tx: Tx, projectId: string): Found {
  const { t, heard, day, localise } = getWords(ctx)
  const rows = await loadPublishedDecisions(ctx, tx, projectId)
  if (rows.length === 0) return null
  const titles = new Map((await loadProjectThemes(ctx, tx, projectId)).map(({ id, title }) => [id, title]))
  const links = await tx
    .select({ decision: decisionThemes.decisionId, theme: decisionThemes.themeId })
    .from(decisionThemes)
    .where(
      and(
        eq(decisionThemes.siteId, ctx.site.id),
        inArray(
          decisionThemes.decisionId,
          rows.map(({ id }) => id),
        ),
      ),
    )
  const themesOf = Map.groupBy(links, ({ decision }) => decision)
  return createPart(toCell(t('decisions.title')), [
    {
      kind: 'table',
      caption: toCell(t('decisions.caption')),
      heads: [heard('filter.outcome'), t('decisions.outcome'), t('decisions.reason'), t('decisions.themes'), t('decisions.day')],
      rows: rows.map((row) => {
        const title = localise(row.title)
        const themes = (themesOf.get(row.id) ?? []).map(({ theme }) =>
          getTranslation(titles.get(theme), ctx.contentLanguage, ctx.site.locale),
        )
        return [
          { ...title, text: `${heard('number', { number: row.number })} ${title.text}` },
          toCell(heard(`outcomes.${row.outcome}`)),
          localise(row.reason),
          toCell(themes.join(', ') || '–'),
          toCell(day(row.decidedOn)),
        ]
      }),
      textColumns: 5,
    },
  ])
}

/** What is promised and not done yet. */
async function describeNext(ctx: Ctx, tx: Tx, projectId: string): Found {
  const { t, heard, day, localise } = getWords(ctx)
  const rows = (await loadPublishedDecisions(ctx, tx, projectId)).filter(
    ({ delivery }) => delivery === 'planned' || delivery === 'under_way',
  )
  return createPart(
    toCell(t('next.title')),
    rows.length > 0
      ? [
          {
            kind: 'table',
            caption: toCell(t('next.caption')),
            heads: [t('next.what'), t('next.state'), t('next.by')],
            rows: rows.map((row) => [
              localise(row.title),
              toCell(heard(`deliveries.${row.delivery}`)),
              toCell(row.dueOn ? day(row.dueOn) : t('next.no-day')),
            ]),
            textColumns: 3,
          },
        ]
      : [{ kind: 'text', text: t('next.none') }],
  )
}

const loadPublishedDecisions = (ctx: Ctx, tx: Tx, projectId: string): Promise<DecisionRow[]> =>
  tx
    .select()
    .from(decisions)
    .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, projectId), isNotNull(decisions.publishedAt)))
    .orderBy(asc(decisions.number))

/** Contributions and replies that were sent until then and are still there. */
export async function countPosts(ctx: Ctx, tx: Tx, projectId: string, until: Date): Promise<number> {
  const { rows } = await tx.execute<{ posts: number }>(sql`
    select count(*)::int as posts from (
      select c.id from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
      where c.site_id = ${ctx.site.id} and a.project_id = ${projectId} and c.state in ('published', 'merged') and c.submitted_at <= ${until}
      union all
      select p.id from replies p join contributions c on c.site_id = p.site_id and c.id = p.contribution_id
      join activities a on a.site_id = c.site_id and a.id = c.activity_id
      where c.site_id = ${ctx.site.id} and a.project_id = ${projectId} and p.state = 'published' and p.role <> 'official'
        and p.created_at <= ${until}) sent`)
  return rows[0]?.posts ?? 0
}

/** Answers by survey that were sent until then and still count. */
export async function countAnswers(ctx: Ctx, tx: Tx, projectId: string, until: Date): Promise<Record<string, number>> {
  const { rows } = await tx.execute<{ survey: string; answers: number }>(sql`
    select r.survey_id as survey, count(*)::int as answers from responses r join surveys s on s.site_id = r.site_id and s.id = r.survey_id
    where r.site_id = ${ctx.site.id} and s.project_id = ${projectId} and r.withdrawn_at is null and r.counted and r.submitted_at <= ${until}
    group by r.survey_id`)
  return Object.fromEntries(rows.map(({ survey, answers }) => [survey, answers]))
}

/** What the editor of a project's report offers. @throws {AppError} `not-found`, `forbidden` */
export function listReportChoices(ctx: Ctx, projectId: string): Promise<ReportChoices> {
  return ctx.db.read(async (tx) => {
    await requireProjectFor(ctx, tx, 'projects.edit', projectId)
    const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
    const questions: ReportChoices['questions'] = []
    for (const { survey } of await loadAskedSurveys(ctx, tx, projectId))
      for (const { id, title, isGroup } of await listCountedQuestions(ctx, tx, survey.id))
        questions.push({ key: `${survey.id}:${id}`, title: localise(title), within: localise(survey.title), isGroup })
    const themes = await loadProjectThemes(ctx, tx, projectId)
    const ends = resolveMerges(themes)
    const quotes = Map.groupBy(await readQuotes(ctx, tx, projectId), ({ theme }) => ends.get(theme))
    return {
      needsAgreement: (await loadModerationSettings(tx, ctx.site.id)).reportsNeedAgreement,
      questions,
      themes: themes
        .filter(({ mergedInto }) => mergedInto === null)
        .map(({ id, title }) => ({
          id,
          title: localise(title),
          quotes: (quotes.get(id) ?? []).map((quote) => ({ id: quote.id, text: quote.text })),
        })),
    }
  })
}
