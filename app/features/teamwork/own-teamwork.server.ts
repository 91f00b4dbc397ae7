import { sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { readOwnComments, readOwnMentions } from './comments/team-comments.server.ts'
import { readOwnTasks } from './tasks/tasks.server.ts'
import { loadTeamMails } from './team-mails.server.ts'

/** For the file of a person's own data. */
export async function readOwnTeamwork(tx: Tx, siteId: string, userId: string) {
  return {
    comments: await readOwnComments(tx, siteId, userId),
    mentions: await readOwnMentions(tx, siteId, userId),
    tasks: await readOwnTasks(tx, siteId, userId),
    mails: await loadTeamMails(tx, siteId, userId),
  }
}

/** Gives everything of an account to the one it is merged into. */
export async function moveTeamwork(tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  const columns = [
    ['team_comments', ['author_id', 'resolved_by']],
    ['team_tasks', ['owner_id', 'assigned_by', 'done_by', 'created_by']],
  ] as const
  for (const [table, names] of columns)
    for (const name of names) {
      const column = sql.identifier(name)
      await tx.execute(sql`update ${sql.identifier(table)} set ${column} = ${into} where site_id = ${siteId} and ${column} = ${from}`)
    }
  await tx.execute(sql`insert into team_mentions (site_id, comment_id, user_id, mentioned_at)
    select site_id, comment_id, ${into}, mentioned_at from team_mentions where site_id = ${siteId} and user_id = ${from} on conflict do nothing`)
}
