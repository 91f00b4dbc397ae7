import type { Figure } from '#app/lib/figure-definitions.ts'
import { isPublicFigure } from '#app/lib/figure-definitions.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { findSuppressedCells } from '#app/lib/suppressed-cells.ts'
import type { Ctx } from '#app/server/context.ts'
import { canTypeset } from '#app/server/documents/make-document.server.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ReachFigures, ReachSource } from '#app/features/reach/reach.schema.ts'
import { describeReportPeople, describeUnheard } from './report-people.server.ts'
import { describeRead } from './report-read.server.ts'
import { describePlaces } from './report-places.server.ts'
import { describeBudgets } from './report-budgets.server.ts'
import { describeEvents } from './report-events.server.ts'
import { describeSeries } from './report-series.server.ts'
import { describeOrigins } from './report-origins.server.ts'
import { describeGroups } from './report-groups.server.ts'
import { describeDecisions } from './describe-decisions.server.ts'
import { buildFindings, describeOutcomes, describeSaid, listSaid } from './describe-said.server.ts'
import { MAX_SURVEYS } from './report-surveys.server.ts'
import { type MessageFigures, type Report, sortByEngaged } from './report.server.ts'
import type { ReportBlock, ReportCell, ReportPart, ReportTable, ReportView } from './report.schema.ts'
import { listSteps, type Period, type ReportSearch, type ReportSection, toStepStart } from './report.search.ts'

const LEVELS = ['aware', 'informed', 'engaged'] as const
/** Of the survey with most answers first. */
const FINDINGS_IN_SHORT = 3
const NOTHING: ReportCell = { text: '–', value: null }

/** The figures of a section in words, tables and charts; undefined if there is nothing to say. */
export type Describe = (report: Report, words: Words) => Pick<ReportPart, 'blocks' | 'figures'> | undefined

/**
 * The report in the language of the request.
 * @param isShared it is read by others than the person whose rights it shows
 */
export function describeReport(ctx: Ctx, search: ReportSearch, report: Report, isShared = false): ReportView {
  const words = getWords(ctx)
  const { t } = words
  const parts = report.sections.flatMap((id): ReportPart[] => {
    const part = report.projects.length > 0 ? SECTIONS[id](report, words) : undefined
    return part ? [{ id, heading: t(`sections.${id}`), ...part }] : []
  })
  const remarks = [
    ...(report.isRunning ? [t('until-now')] : []),
    ...(report.hidden > 0
      ? [t(isShared ? 'hidden-shared' : 'hidden', { count: report.hidden, number: words.format.number(report.hidden) })]
      : []),
    ...(report.projects.length === 0 ? [t('no-projects')] : []),
  ]
  return {
    title: search.title ?? t('title-of', { site: ctx.site.name }),
    subtitle: t('subtitle', { from: words.formatDay(report.period.from), until: words.formatDay(report.period.until) }),
    remarks,
    projects: report.projects.map(({ title }) => title),
    parts,
    smallPrint: t('small-print'),
    groupChoices: report.groupChoices,
    canTypeset: canTypeset(),
  }
}

type Words = ReturnType<typeof getWords>

function getWords({ language, site }: Ctx) {
  const t = getTranslator(language, 'reports')
  const [common, admin] = [getTranslator(language, 'common'), getTranslator(language, 'admin')]
  // Calendar days of the site come as noon UTC, so that no time zone shifts them.
  const format = getFormatter({ language, timeZone: 'UTC', region: site.region })
  const toNoon = (day: string) => `${day}T12:00:00Z`
  const formatDay = (day: string) => format.date(toNoon(day))
  return {
    t,
    heard: getTranslator(language, 'heard'),
    sourceName: (source: ReachSource) => getTranslator(language, 'reach')(`sources.${source}`),
    kindName: (kind: string) => getTranslator(language, 'contributions-admin')(`kind-names.${kind as 'ideas'}`),
    format,
    formatDay,
    formatShortDay: (day: string) => format.shortDate(toNoon(day)),
    formatMonth: (day: string) => format.month(toNoon(day)),
    formatPeriod: ({ from, until }: Period) => t('period', { from: formatDay(from), until: formatDay(until) }),
    figure: (figure: Figure) => (isPublicFigure(figure) ? common(`figures.${figure}.name`) : admin(`figures.${figure}.name`)),
    count: (value: number): ReportCell => ({ text: format.number(value), value }),
    share: (part: number | null, whole = 1): ReportCell =>
      part === null || whole === 0 ? NOTHING : { text: format.percent(part / whole), value: Math.round((part / whole) * 1000) / 1000 },
    /** Rounded to one decimal. */
    decimal: (value: number | null): ReportCell => {
      if (value === null) return NOTHING
      const rounded = Math.round(value * 10) / 10
      return { text: format.number(rounded), value: rounded }
    },
  }
}

const createNameCell = (text: string): ReportCell => ({ text, value: text })

const SECTIONS: Record<ReportSection, Describe> = {
  short: describeInShort,
  funnel: describeFunnel,
  activity: describeActivity,
  projects: describeProjects,
  surveys: describeSurveys,
  said: describeSaid,
  series: describeSeries,
  groups: describeGroups,
  decisions: describeDecisions,
  read: describeRead,
  contributions: describeContributions,
  places: describePlaces,
  budgets: describeBudgets,
  events: describeEvents,
  people: ({ people }) => describeReportPeople(people),
  unheard: describeUnheard,
  languages: describeLanguages,
  origins: describeOrigins,
  messages: describeMessages,
  moderation: describeModeration,
}

function describeInShort(report: Report, words: Words): ReturnType<Describe> {
  const { t, format, formatDay, formatPeriod } = words
  const { reach, answers, contributions, projects, before, period } = report
  const said = listSaid(report.surveys).slice(0, FINDINGS_IN_SHORT)
  const countWords = (key: 'looked' | 'took-part' | 'projects' | 'answers' | 'contributions', count: number) =>
    t(`counts.${key}`, { count, number: format.number(count) })
  const [aware, engaged] = [reach.totals.aware, reach.totals.engaged]
  const sentences = [
    t('short.reached', {
      when: report.isRunning ? t('short.since', { from: formatDay(period.from) }) : t('short.between', { period: formatPeriod(period) }),
      looked: countWords('looked', aware),
      projects: countWords('projects', projects.length),
      took: countWords('took-part', engaged),
    }),
    ...(before ? [describeChange(engaged - before.reach.engaged, before.period, words)] : []),
    t('short.sent', { answers: countWords('answers', answers.total), contributions: countWords('contributions', contributions.total) }),
    ...describeBusiest(report, words),
    ...(contributions.answered > 0
      ? [t('short.answered', { answered: format.number(contributions.answered), total: format.number(contributions.total) })]
      : []),
  ]
  return {
    blocks: [
      { kind: 'lead', text: sentences.join(' ') },
      ...(said.length > 0 ? [buildFindings(said)] : []),
      { kind: 'text', text: t('once') },
    ],
    figures: ['aware', 'engaged', 'answers', 'contributions', 'answeredContributions'],
  }
}

function describeChange(change: number, period: Period, { t, format, formatPeriod }: Words): string {
  const when = formatPeriod(period)
  if (change === 0) return t('short.same', { when })
  return t(change > 0 ? 'short.more' : 'short.fewer', { number: format.number(Math.abs(change)), when })
}

function describeBusiest(report: Report, { t, format }: Words): string[] {
  const [most, ...others] = sortByEngaged(report)
  if (!most || others.length === 0 || most.reach.engaged === 0) return []
  return [t('short.busiest', { project: most.title, number: format.number(most.reach.engaged) })]
}

function describeFunnel({ reach, before }: Report, words: Words): ReturnType<Describe> {
  const { t, format, count, share, figure } = words
  const { aware } = reach.totals
  const values = LEVELS.map((level) => ({
    label: figure(level),
    value: reach.totals[level],
    text: format.number(reach.totals[level]),
    ...(level !== 'aware' && aware > 0 ? { note: t('share-of-aware', { share: format.percent(reach.totals[level] / aware) }) } : {}),
  }))
  const table: ReportTable = {
    kind: 'table',
    caption: t('captions.funnel'),
    heads: [t('heads.step'), t('heads.people'), t('heads.share-of-aware'), ...(before ? [t('heads.before')] : [])],
    rows: LEVELS.map((level) => [
      createNameCell(figure(level)),
      count(reach.totals[level]),
      share(reach.totals[level], aware),
      ...(before ? [count(before.reach[level])] : []),
    ]),
  }
  return {
    blocks: [
      { kind: 'bars', caption: t('captions.funnel'), alternative: values.map(({ label, text }) => `${label} ${text}`).join(', '), values },
      table,
      ...(before ? [{ kind: 'text' as const, text: t('compared', { period: words.formatPeriod(before.period) }) }] : []),
    ],
    figures: [...LEVELS],
  }
}

function describeActivity(report: Report, words: Words): ReturnType<Describe> {
  const { t, format, count, figure } = words
  const { period, step, answers, contributions, contributionsByDay, reach } = report
  const starts = listSteps(period, step)
  const sumUp = (days: Iterable<readonly [string, number]>) => {
    const sums = new Map<string, number>()
    for (const [day, value] of days) {
      const start = toStepStart(day, step)
      sums.set(start, (sums.get(start) ?? 0) + value)
    }
    return starts.map((start) => sums.get(start) ?? 0)
  }
  const given = sumUp(answers.days)
  const posted = sumUp(contributionsByDay)
  const engaged = sumUp([...reach.days].map(([day, figures]) => [day, figures.engaged] as const))
  const toLabel = (start: string) => (step === 'month' ? words.formatMonth(start) : words.formatShortDay(start))
  const labels = starts.map(toLabel)
  const totals = starts.map((_, index) => (given[index] ?? 0) + (posted[index] ?? 0))
  const most = totals.indexOf(Math.max(...totals))
  const caption = t(`captions.activity-${step}`)
  return {
    blocks: [
      {
        kind: 'columns',
        caption,
        alternative:
          (totals[most] ?? 0) > 0
            ? t('alternatives.activity', { caption, label: labels[most], number: format.number(totals[most] ?? 0) })
            : t('alternatives.nothing', { caption }),
        values: starts.map((_, index) => ({
          label: labels[index] ?? '',
          value: totals[index] ?? 0,
          text: format.number(totals[index] ?? 0),
        })),
        pointHead: t(`heads.${step}`),
        series: [
          { name: figure('answers'), values: given },
          { name: figure('contributions'), values: posted },
        ],
      },
      {
        kind: 'table',
        isOfChart: true,
        caption,
        heads: [t(`heads.${step}`), figure('engaged'), figure('answers'), figure('contributions')],
        rows: [
          ...starts.map((start, index) => [
            { text: labels[index] ?? '', value: start },
            count(engaged[index] ?? 0),
            count(given[index] ?? 0),
            count(posted[index] ?? 0),
          ]),
          [createNameCell(t('all')), count(reach.totals.engaged), count(answers.total), count(contributions.total)],
        ],
        hasTotal: true,
      },
    ],
    figures: ['engaged', 'answers', 'contributions'],
  }
}

function describeProjects(report: Report, words: Words): ReturnType<Describe> {
  const { t, count, figure } = words
  const { reach, answers, contributions } = report
  const toRow = (title: string, { aware, engaged }: ReachFigures, answered: number, posted: Report['contributions']) => [
    createNameCell(title),
    count(aware),
    count(engaged),
    count(answered),
    count(posted.total),
    count(posted.supports),
  ]
  const rows = sortByEngaged(report).map((row) => toRow(row.title, row.reach, row.answers, row.contributions))
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.projects'),
        heads: [t('heads.project'), ...(['aware', 'engaged', 'answers', 'contributions', 'supports'] as const).map(figure)],
        rows: [...rows, toRow(t('all'), reach.totals, answers.total, contributions)],
        hasTotal: true,
      },
      { kind: 'text', text: t('once') },
    ],
    figures: ['aware', 'engaged', 'answers', 'contributions', 'supports'],
  }
}

function describeSurveys({ surveys }: Report, words: Words): ReturnType<Describe> {
  const { t, count, share, decimal, figure } = words
  if (!surveys) return undefined
  if (surveys.areTooMany)
    return { blocks: [{ kind: 'note', text: t('too-many-surveys', { number: words.format.number(MAX_SURVEYS) }) }], figures: [] }
  if (surveys.surveys.length === 0) return { blocks: [{ kind: 'text', text: t('no-surveys') }], figures: [] }
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.surveys'),
        heads: [t('heads.survey'), figure('answers'), figure('completion'), t('heads.minutes')],
        rows: surveys.surveys.map(({ title, answers, completion, medianSeconds }) => [
          createNameCell(title),
          count(answers),
          share(completion),
          decimal(medianSeconds === null ? null : medianSeconds / 60),
        ]),
      },
      { kind: 'text', text: t('completion-note') },
    ],
    figures: ['answers', 'completion', 'medianTime'],
  }
}

function describeContributions({ contributions, contributionsByKind, outcomes }: Report, words: Words): ReturnType<Describe> {
  const { t, count, decimal, figure, kindName } = words
  const figures = ['contributions', 'supports', 'replies', 'answeredContributions', 'daysToAnswer', 'heldContributions'] as const
  const toRow = (title: string, row: Report['contributions']) => [
    createNameCell(title),
    count(row.total),
    count(row.supports),
    count(row.replies),
    count(row.answered),
    decimal(row.medianDays),
    count(row.held),
  ]
  if (contributionsByKind.size === 0) return { blocks: [{ kind: 'text', text: t('no-contributions') }], figures: [] }
  const kinds = [...contributionsByKind].toSorted(([, a], [, b]) => b.total - a.total)
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.contributions'),
        heads: [t('heads.kind'), ...figures.map(figure)],
        rows: [...kinds.map(([kind, row]) => toRow(kindName(kind), row)), toRow(t('all'), contributions)],
        hasTotal: true,
      },
      ...describeOutcomes(
        words,
        'activity',
        outcomes.map(({ activity, outcome }) => ({ of: activity?.text ?? '', outcome })),
      ),
    ],
    figures: [...figures],
  }
}

/** Of people who took part. Small groups are suppressed, and others with them that would give them away. */
function describeLanguages({ reach }: Report, words: Words): ReturnType<Describe> {
  const { t, count, share, figure } = words
  const cells = [...reach.languages]
    .map(([language, { engaged }]) => ({ language, count: engaged, sums: ['all'] }))
    .filter((cell) => cell.count > 0)
    .toSorted((a, b) => b.count - a.count)
  if (cells.length === 0) return undefined
  const hidden = findSuppressedCells(cells, 'known')
  const shown = cells.filter((cell) => !hidden.has(cell))
  // Their order would say which is larger.
  const unseen = cells.filter((cell) => hidden.has(cell)).toSorted((a, b) => (a.language < b.language ? -1 : 1))
  const blocks: ReportBlock[] = [
    {
      kind: 'table',
      caption: t('captions.languages'),
      heads: [t('heads.language'), figure('engaged'), t('heads.share')],
      rows: [
        ...shown.map((cell) => [
          createNameCell(getLanguageName(cell.language)),
          count(cell.count),
          share(cell.count, reach.totals.engaged),
        ]),
        ...unseen.map((cell) => [createNameCell(getLanguageName(cell.language)), { text: t('not-shown'), value: null }, NOTHING]),
      ],
    },
  ]
  return { blocks, figures: ['engaged'] }
}

function describeMessages({ messages }: Report, words: Words): ReturnType<Describe> {
  const { t, count, figure } = words
  if (!messages) return undefined
  const toRow = (title: string, { prepared, sent, delivered, returned, failed, skipped, clicks }: MessageFigures) => [
    createNameCell(title),
    ...[prepared, sent, delivered, returned, failed, skipped, clicks].map((value) => (value === null ? NOTHING : count(value))),
  ]
  const figures = [
    'messagesPrepared',
    'messagesSent',
    'messagesDelivered',
    'messagesReturned',
    'messagesFailed',
    'messagesSkipped',
    'linkClicks',
  ] as const
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.messages'),
        heads: [t('heads.channel'), ...figures.map(figure)],
        rows: [toRow(t('newsletters'), messages.email), toRow(t('texts'), messages.sms)],
      },
      { kind: 'text', text: t('messages-note') },
    ],
    figures: [...figures],
  }
}

function describeModeration({ moderation }: Report, words: Words): ReturnType<Describe> {
  const { t, count, decimal, figure } = words
  if (!moderation) return undefined
  const { held, decided, medianHours, appealed, overturned } = moderation
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.moderation'),
        heads: [t('heads.figure'), t('heads.number')],
        rows: [
          [createNameCell(t('held-now')), count(held)],
          [createNameCell(figure('decidedCases')), count(decided)],
          [createNameCell(figure('hoursToDecide')), decimal(medianHours)],
          [createNameCell(figure('appeals')), count(appealed)],
          [createNameCell(t('overturned')), count(overturned)],
        ],
      },
    ],
    figures: ['decidedCases', 'hoursToDecide', 'appeals'],
  }
}
