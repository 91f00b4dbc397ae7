import { sql } from 'drizzle-orm'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Describe } from './describe-report.server.ts'

/** More are on the pages of their projects. */
const MAX_EVENTS = 200

/** An event that people could sign up for. */
export interface ReportEvent {
  title: string
  project: string
  href: string
  /** In the site's calendar. */
  day: string
  isCancelled: boolean
  /** People with a place. */
  going: number
  /** How many of them came; null if attendance was not recorded. */
  came: number | null
}

/** Events of the projects that started, or were to start, in these days, the first at the top. */
export async function loadReportEvents(
  ctx: Ctx,
  tx: Tx,
  { projects, from, until }: { projects: readonly string[]; from: Date; until: Date },
): Promise<ReportEvent[]> {
  const { site, contentLanguage } = ctx
  const { rows } = await tx.execute<{
    title: Translated
    project: Translated
    href: string
    day: string
    is_cancelled: boolean
    going: number
    came: number
  }>(sql`
    select e.title, p.title as project, '/projects/' || p.slug || '/events/' || e.slug as href,
      to_char(e.starts_at at time zone ${site.timeZone}, 'YYYY-MM-DD') as day, e.status = 'cancelled' as is_cancelled, e.going,
      (select count(*)::int from event_sign_ups s
        where s.site_id = e.site_id and s.event_id = e.id and s.state = 'going' and s.attended_at is not null) as came
    from events e join projects p on p.site_id = e.site_id and p.id = e.project_id
    where e.site_id = ${site.id} and e.project_id = any (${sql.param([...projects])}::uuid[]) and e.status <> 'draft'
      and e.starts_at >= ${from.toISOString()}::timestamptz and e.starts_at < ${until.toISOString()}::timestamptz
    order by e.starts_at, e.id limit ${MAX_EVENTS}`)
  const translate = (text: Translated) => getTranslation(text, contentLanguage, site.locale)
  return rows.map(({ title, project, href, day, is_cancelled: isCancelled, going, came }) => ({
    title: translate(title),
    project: translate(project),
    href,
    day,
    isCancelled,
    going,
    came: came > 0 ? came : null,
  }))
}

/** Each event, with how many had a place and how many came. Undefined if there was none. */
export const describeEvents: Describe = ({ events }, { t, count, figure, formatDay }) => {
  if (!events || events.length === 0) return undefined
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.events'),
        textColumns: 3,
        heads: [t('heads.event'), t('heads.project'), t('heads.day'), figure('eventPlaces'), figure('eventAttendance')],
        rows: events.map(({ title, project, href, day, isCancelled, going, came }) => [
          { text: title, value: title, href },
          { text: project, value: project },
          { text: isCancelled ? t('cancelled', { day: formatDay(day) }) : formatDay(day), value: day },
          count(going),
          came === null ? { text: '–', value: null } : count(came),
        ]),
      },
      { kind: 'text', text: t('events-note') },
    ],
    figures: ['eventPlaces', 'eventAttendance'],
  }
}
