import { type SQL, sql } from 'drizzle-orm'
import { users } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { GroupRule } from './accounts.schema.ts'

/**
 * Matches people who answered a survey, or chose one option in it. Responses to an anonymous survey name no account, so nobody is found by them.
 * @param inScope projects whose answers may be asked for; any other counts as nonexistent
 */
export function buildAnswererCondition(
  siteId: string,
  { survey, question, option }: NonNullable<GroupRule['answered']>,
  inScope: SQL | undefined,
): SQL {
  const answer = sql`${responses.answers} -> ${question ?? ''}::text`
  const chosen = option ? sql` and (${answer} ->> 'choice' = ${option} or ${answer} -> 'choices' ? ${option}::text)` : sql``
  return sql`${users.id} in (
    select ${responses.userId} from ${responses}
      join ${surveys} on ${surveys.siteId} = ${siteId} and ${surveys.id} = ${responses.surveyId}
      join ${projects} on ${projects.siteId} = ${siteId} and ${projects.id} = ${surveys.projectId}${inScope ? sql` and ${inScope}` : sql``}
      where ${responses.siteId} = ${siteId} and ${responses.surveyId} = ${survey} and ${responses.userId} is not null
        and ${responses.withdrawnAt} is null${chosen})`
}
