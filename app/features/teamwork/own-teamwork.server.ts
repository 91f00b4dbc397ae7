import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { teamComments, teamTasks } from '#app/server/db/schema/teamwork.ts'
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
  for (const column of ['authorId', 'resolvedBy'] as const)
    await tx
      .update(teamComments)
      .set({ [column]: into })
      .where(and(eq(teamComments.siteId, siteId), eq(teamComments[column], from)))
  for (const column of ['ownerId', 'assignedBy', 'doneBy', 'createdBy'] as const)
    await tx
      .update(teamTasks)
      .set({ [column]: into })
      .where(and(eq(teamTasks.siteId, siteId), eq(teamTasks[column], from)))
  await tx.execute(sql`insert into team_mentions (site_id, comment_id, user_id, mentioned_at)
    select site_id, comment_id, ${into}, mentioned_at from team_mentions where site_id = ${siteId} and user_id = ${from} on conflict do nothing`)
}
