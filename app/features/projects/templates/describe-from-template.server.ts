import { type SQL, sql } from 'drizzle-orm'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { StatusCode } from '#app/lib/vocabulary/contributions.ts'
import type { ProjectTemplate as ProjectTemplateId } from '#app/lib/vocabulary/projects.ts'
import type { Ctx } from '#app/server/context.ts'
import type { ProjectDescription } from '../project-description.server.ts'
import type { TemplateActivity } from './template-parts.ts'
import { getTemplate } from './templates.ts'

/** What a new activity of a kind has, with these categories. Given by the feature of activities, which stands above this one. */
export type DescribeNewActivity = (activity: Pick<TemplateActivity, 'kind' | 'categories'>) => {
  settings: unknown
  statuses: { code: StatusCode; title: Translated; position: number; needsText: boolean }[]
}

/** In how many days stages begin if nothing is said about it. */
const DAYS_TO_PREPARE = 28

/** Describes a new project from a template. @param opensAt when it begins; in four weeks, at nine in the morning, if it is null */
export function describeFromTemplate(
  ctx: Ctx,
  id: ProjectTemplateId,
  opensAt: Date | null,
  describeNewActivity: DescribeNewActivity,
): ProjectDescription {
  const template = getTemplate(id)
  const findDate = buildCalendar(ctx, opensAt)
  return {
    texts: {
      summaryTranslations: template.summary,
      bodyTranslations: template.body,
      outcomeTranslations: {},
      pictureAltTranslations: {},
    },
    columns: { faqs: template.faqs },
    dates: [],
    documents: [],
    stages: template.stages.map(({ id: key, kind, title, summary, weeks: [from, to] }, position) => ({
      key,
      row: { kind, title, summary, position, startsAt: findDate(from), endsAt: findDate(to) },
    })),
    activities: template.activities.map((activity, position) => {
      const { kind, stage, title, intro } = activity
      const { settings, statuses } = describeNewActivity(activity)
      return {
        row: { kind, slug: kind, title, intro, settings, position, ...buildSearchFields(title, intro) },
        stage,
        statuses,
        layers: [],
      }
    }),
    surveys: template.surveys.map(({ id: slug, title, intro, minutes, definition }, position) => ({
      slug,
      title,
      intro,
      minutes,
      definition,
      position,
      ...buildSearchFields(title, intro),
    })),
    rounds: template.rounds.map(({ title, intro, pots }, position) => ({
      row: { slug: `vote-${position + 1}`, title, intro, position },
      pots: pots.map((pot, place) => ({ row: { ...pot, position: place }, options: [] })),
    })),
  }
}

/** Dates by weeks from the beginning, on the site's clock, so that nine stays nine after a change to summer time. */
function buildCalendar({ site, now }: Ctx, opensAt: Date | null): (weeks: number) => SQL<Date> {
  const onClock = (date: Date) => sql`(${date.toISOString()}::timestamptz at time zone ${site.timeZone})`
  const beginning = opensAt ? onClock(opensAt) : sql`(${onClock(now())}::date + ${DAYS_TO_PREPARE}::int + time '09:00')`
  return (weeks) => sql<Date>`((${beginning} + make_interval(weeks => ${weeks}::int)) at time zone ${site.timeZone})`
}
