import { type Grouping, parseGrouping } from '#app/features/surveys/results/group-comparison.schema.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { isId } from '#app/lib/uuid.ts'

/** What a report consists of, in its usual order. */
export const REPORT_SECTIONS = [
  'short',
  'funnel',
  'activity',
  'projects',
  'surveys',
  'said',
  'series',
  'groups',
  'decisions',
  'read',
  'contributions',
  'places',
  'budgets',
  'events',
  'people',
  'unheard',
  'languages',
  'origins',
  'messages',
  'moderation',
] as const
export type ReportSection = (typeof REPORT_SECTIONS)[number]

/** Whether a project can be taken part in: now, later, no longer, or it is archived. Drafts are in no report. */
export const REPORT_STATES = ['open', 'upcoming', 'closed', 'archived'] as const
export type ReportState = (typeof REPORT_STATES)[number]

/** What people can take part in, in a project. */
export const REPORT_ACTIVITIES = ['surveys', 'ideas', 'places', 'questions', 'stories', 'budgets', 'events'] as const
export type ReportActivity = (typeof REPORT_ACTIVITIES)[number]

/** Rolling periods in days, today included. */
export const ROLLING_DAYS = [7, 30, 90, 365] as const
export type RollingDays = (typeof ROLLING_DAYS)[number]

export const COMPARISONS = ['before', 'year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const STEPS = ['day', 'week', 'month'] as const
export type Step = (typeof STEPS)[number]

const MAX_CHOSEN = 100
const MAX_TEXT = 120
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/
/** Ten years. */
const MAX_PERIOD_DAYS = 3660
const DAY_MS = 86_400_000

/** A report's parameters, kept in the address. Without any, it is about all projects and the last 30 days. */
export interface ReportSearch {
  projects?: string[]
  hubs?: string[]
  topics?: string[]
  states?: ReportState[]
  /** Projects that have one of these. Their figures are of all that is in them. */
  activities?: ReportActivity[]
  /** Projects that are about one of these areas. */
  areas?: string[]
  /** Calendar days of the site, both inclusive. They go before `days`. */
  from?: string
  until?: string
  days?: RollingDays
  compare?: Comparison
  by?: Step
  /** Groups that each question of the surveys is compared by, as `parseReportGroup` reads them. */
  group?: string
  /** In this order; by default all. */
  sections?: ReportSection[]
  title?: string
  /** A line at the head of each page of a document, such as the committee and its date. */
  head?: string
}

/** Parses the address; invalid parameters are dropped rather than refused, except for days that were typed. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  return omitUndefined({
    projects: readList(search['projects'], isId),
    hubs: readList(search['hubs'], isId),
    topics: readList(search['topics'], isId),
    states: readChoices(search['states'], REPORT_STATES),
    activities: readChoices(search['activities'], REPORT_ACTIVITIES),
    areas: readList(search['areas'], isId),
    from: readDay(search['from']),
    until: readDay(search['until']),
    days: ROLLING_DAYS.find((days) => String(days) === String(search['days'])),
    compare: readChoiceParam(search['compare'], COMPARISONS),
    by: readChoiceParam(search['by'], STEPS),
    group: readGroup(search['group']),
    sections: readChoices(search['sections'], REPORT_SECTIONS),
    title: readTextParam(search['title'], MAX_TEXT),
    head: readTextParam(search['head'], MAX_TEXT),
  })
}

function readList<Item extends string>(value: unknown, isItem: (item: string) => item is Item): Item[] | undefined {
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  const items = given.filter((item): item is Item => typeof item === 'string' && isItem(item))
  return items.length > 0 ? [...new Set(items)].slice(0, MAX_CHOSEN) : undefined
}

const readChoices = <Choice extends string>(value: unknown, choices: readonly Choice[]): Choice[] | undefined =>
  readList(value, (item): item is Choice => choices.some((choice) => choice === item))

const readGroup = (value: unknown): string | undefined => (typeof value === 'string' && parseReportGroup(value) ? value : undefined)

/** Reads what `parseGrouping` does, after the survey's id if the groups are those of a question of one survey: `<survey>:question:way`. */
export function parseReportGroup(text: string): { by: Grouping; survey: string | undefined } | undefined {
  const [survey = '', ...rest] = text.split(':')
  const isOfSurvey = isId(survey)
  const by = parseGrouping(isOfSurvey ? rest.join(':') : text)
  return by && (by.kind === 'question') === isOfSurvey ? { by, survey: isOfSurvey ? survey : undefined } : undefined
}

const readDay = (value: unknown): string | undefined => (typeof value === 'string' && DAY_PATTERN.test(value) ? value : undefined)

export type PeriodFault = 'no-such-day' | 'until-before-from' | 'period-too-long'

/** What is wrong with the days of a report, and which of the two is to be corrected. */
export function findPeriodFault({ from, until }: ReportSearch, today: string): { field: 'from' | 'until'; fault: PeriodFault } | undefined {
  if (from !== undefined && !isDay(from)) return { field: 'from', fault: 'no-such-day' }
  if (until !== undefined && !isDay(until)) return { field: 'until', fault: 'no-such-day' }
  if (from === undefined) return undefined
  const last = until ?? today
  if (last < from) return { field: 'until', fault: 'until-before-from' }
  return countDays(from, last) > MAX_PERIOD_DAYS ? { field: 'from', fault: 'period-too-long' } : undefined
}

const toNoon = (day: string): Date => new Date(`${day}T12:00:00Z`)
const isDay = (day: string): boolean => !Number.isNaN(toNoon(day).getTime()) && toNoon(day).toISOString().startsWith(day)

export interface Period {
  from: string
  until: string
}

/** Days of a period, both ends included. */
export const countDays = (from: string, until: string): number =>
  Math.round((toNoon(until).getTime() - toNoon(from).getTime()) / DAY_MS) + 1

/** Steps from noon, so that no change of the clocks skips a day. */
export const addDays = (day: string, count: number): string => new Date(toNoon(day).getTime() + count * DAY_MS).toISOString().slice(0, 10)

/** The days that a report is about. If only the last day is given, the period ends there. */
export function choosePeriod({ from, until, days = 30 }: ReportSearch, today: string): Period {
  const last = until ?? today
  return { from: from ?? addDays(last, 1 - days), until: last }
}

/** The days just before, or the same days of the year before. */
export function choosePeriodBefore({ from, until }: Period, compare: Comparison): Period {
  if (compare === 'before') return { from: addDays(from, -countDays(from, until)), until: addDays(from, -1) }
  return { from: subtractYear(from), until: subtractYear(until) }
}

/** The last of February stays one. */
function subtractYear(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return isDay(before) ? before : `${before.slice(0, 8)}28`
}

/** Steps of an activity chart that leave it readable. */
export function chooseStep({ by }: ReportSearch, { from, until }: Period): Step {
  if (by) return by
  const days = countDays(from, until)
  return days <= 45 ? 'day' : days <= 400 ? 'week' : 'month'
}

/** The first day of the week (Monday) or month that a day is in. */
export function toStepStart(day: string, step: Step): string {
  if (step === 'day') return day
  if (step === 'month') return `${day.slice(0, 8)}01`
  return addDays(day, -((toNoon(day).getUTCDay() + 6) % 7))
}

/** The first days of all steps of a period. The first step may begin before the period. */
export function listSteps({ from, until }: Period, step: Step): string[] {
  const days = Array.from({ length: countDays(from, until) }, (_, index) => addDays(from, index))
  return [...new Set(days.map((day) => toStepStart(day, step)))]
}
