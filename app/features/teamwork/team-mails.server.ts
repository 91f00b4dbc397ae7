import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { teamMails } from '#app/server/db/schema/teamwork.ts'
import type { TeamMailChoices } from './team-mails.schema.ts'

/** Which mails of the team a person wants: all of them, unless they chose otherwise. */
export async function loadTeamMails(tx: Tx, siteId: string, userId: string): Promise<TeamMailChoices> {
  const [row] = await tx
    .select({ mentions: teamMails.mentions, weekly: teamMails.weekly })
    .from(teamMails)
    .where(and(eq(teamMails.siteId, siteId), eq(teamMails.userId, userId)))
  return row ?? { mentions: true, weekly: true }
}

/** Ends the weekly mail of a person, who may have no account any more. */
export const endWeeklyMails = (tx: Tx, siteId: string, userId: string) =>
  tx.execute(sql`insert into team_mails (site_id, user_id, weekly) select site_id, id, false from users where site_id = ${siteId} and id = ${userId}
    on conflict (site_id, user_id) do update set weekly = false`)

const saveTeamMails = (tx: Tx, siteId: string, userId: string, choices: TeamMailChoices) =>
  tx
    .insert(teamMails)
    .values({ siteId, userId, ...choices })
    .onConflictDoUpdate({ target: [teamMails.siteId, teamMails.userId], set: choices })

/** Stores what the viewer chose. @throws {AppError} `unauthenticated`, `forbidden` for people without a role on this site */
export async function chooseTeamMails(ctx: Ctx, choices: TeamMailChoices): Promise<void> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (viewer.siteId !== site.id || viewer.roles.length === 0) throw new AppError('forbidden')
  await ctx.db.tx((tx) => saveTeamMails(tx, site.id, viewer.id, choices))
}

/** What the viewer chose; null for people who are on no team. */
export async function readTeamMails({ viewer, site, db }: Ctx): Promise<TeamMailChoices | null> {
  if (viewer.kind !== 'user' || viewer.siteId !== site.id || viewer.roles.length === 0) return null
  return db.read((tx) => loadTeamMails(tx, site.id, viewer.id))
}
