import { type SQL, sql } from 'drizzle-orm'
import { responseChanges, responseDays } from '#app/server/db/schema/response-figures.ts'

interface DaysAsked {
  /** The first and the last day, in the site's calendar. */
  from: string
  until?: string
  /** The rows that no job has added to the figures yet, if the statement has read them already. */
  changes?: SQL
}

/**
 * Answers to surveys by project and day, without those withdrawn: the one definition. Several rows of a project and a day add up.
 * @returns a query with `project_id`, `day` and `responses`
 */
export function selectAnswerDays(siteId: string, { from, until, changes }: DaysAsked): SQL {
  const isInTime = sql`day >= ${from}::date ${until === undefined ? sql`` : sql`and day <= ${until}::date`}`
  return sql`
    select project_id, day, responses from ${responseDays} where site_id = ${siteId} and ${isInTime}
    union all
    select project_id, day, change as responses from ${changes ?? sql`${responseChanges} where site_id = ${siteId}`}
    ${changes ? sql`where` : sql`and`} ${isInTime}`
}
