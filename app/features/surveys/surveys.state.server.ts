import { type SQL, sql } from 'drizzle-orm'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { SurveyState } from './surveys.views.ts'

export interface SurveyTimes {
  opensAt: Date | null
  closesAt: Date | null
}

/** What a survey's state depends on: both the survey and its project. */
export interface TimedSurvey {
  survey: SurveyTimes & { status: string }
  project: SurveyTimes & { status: string }
}

/** When a survey accepts answers: while both it and its project are open. */
export const getAnsweringTimes = ({ survey, project }: TimedSurvey): SurveyTimes => intersectTimes([survey, project])

/** The time during which all of these are open. */
export function intersectTimes(each: readonly SurveyTimes[]): SurveyTimes {
  const pickTime = (choose: (...times: number[]) => number, times: (Date | null)[]) => {
    const given = times.filter((time) => time !== null).map((time) => time.getTime())
    return given.length > 0 ? new Date(choose(...given)) : null
  }
  return {
    opensAt: pickTime(
      Math.max,
      each.map(({ opensAt }) => opensAt),
    ),
    closesAt: pickTime(
      Math.min,
      each.map(({ closesAt }) => closesAt),
    ),
  }
}

/** The state of a survey. Everything that shows it or accepts answers uses this, or the SQL conditions below, which must agree. */
export function getSurveyState(now: Date, placed: TimedSurvey): SurveyState {
  const { survey, project } = placed
  if (survey.status === 'draft' || !(project.status === 'published' || project.status === 'archived')) return 'preview'
  if (survey.status === 'archived' || project.status === 'archived') return 'closed'
  const { opensAt, closesAt } = getAnsweringTimes(placed)
  if (closesAt && now >= closesAt) return 'closed'
  return opensAt && now < opensAt ? 'scheduled' : 'open'
}

/** `getAnsweringTimes` for a query over surveys and their projects. `greatest` and `least` ignore null. */
const opensAtSql = sql`greatest(${surveys.opensAt}, ${projects.opensAt})`
export const closesAtSql = sql`least(${surveys.closesAt}, ${projects.closesAt})`

export const isOpenSql = (now: Date): SQL<boolean> => sql<boolean>`(${surveys.status} = 'published' and ${projects.status} = 'published'
  and coalesce(${opensAtSql} <= ${now.toISOString()}, true) and coalesce(${closesAtSql} > ${now.toISOString()}, true))`

export const isClosedSql = (now: Date): SQL<boolean> => sql<boolean>`(
  ${surveys.status} in ('published', 'archived') and ${projects.status} in ('published', 'archived')
  and (${surveys.status} = 'archived' or ${projects.status} = 'archived' or coalesce(${closesAtSql} <= ${now.toISOString()}, false)))`
