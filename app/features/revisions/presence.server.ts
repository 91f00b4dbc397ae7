import { and, eq, lt } from 'drizzle-orm'
import { requireSurveyFor } from '#app/features/surveys/surveys.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { editorPresences } from '#app/server/db/schema/administration.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { EditedPlace } from './draft.schema.ts'
import { requireContentEditor } from './revisions.policy.server.ts'

const PRESENCE_TIMEOUT_MS = 15_000

export interface Presence {
  /** Everybody else who has the same editor open. */
  others: {
    editor: string
    name: string
    /** The viewer, in another window. */
    isOwn: boolean
  }[]
  /** Id of the newest version. If it is not the editor's own, another person saved it. */
  newest: string | null
}

/**
 * Records that a window has opened or closed an editor, and returns who else has it open.
 * @throws {AppError} `forbidden` or `unauthenticated`
 */
export async function recordPresence(
  ctx: Ctx,
  input: EditedPlace & { editor: string; isLeaving?: boolean | undefined },
): Promise<Presence> {
  const { subject, placeId, editor } = input
  await requireEditor(ctx, input)
  const { viewer } = ctx
  if (viewer.kind !== 'user') return { others: [], newest: null }
  const [now, scopeId] = [ctx.now(), placeId ?? ctx.site.id]
  return ctx.db.tx(async (tx) => {
    const here = and(eq(editorPresences.siteId, ctx.site.id), eq(editorPresences.subject, subject), eq(editorPresences.scopeId, scopeId))
    await tx.delete(editorPresences).where(and(here, lt(editorPresences.seenAt, new Date(now.getTime() - PRESENCE_TIMEOUT_MS))))
    if (input.isLeaving) await tx.delete(editorPresences).where(and(here, eq(editorPresences.editorId, editor)))
    else {
      await tx
        .insert(editorPresences)
        .values({ siteId: ctx.site.id, subject, scopeId, editorId: editor, userId: viewer.id, seenAt: now })
        .onConflictDoUpdate({
          target: [editorPresences.siteId, editorPresences.subject, editorPresences.scopeId, editorPresences.editorId],
          set: { seenAt: now, userId: viewer.id },
        })
    }
    const rows = await tx
      .select({ editor: editorPresences.editorId, name: users.login, userId: users.id })
      .from(editorPresences)
      .innerJoin(users, and(eq(users.siteId, editorPresences.siteId), eq(users.id, editorPresences.userId)))
      .where(here)
      .orderBy(users.login)
    return {
      others: rows
        .filter((row) => row.editor !== editor)
        .map(({ editor: id, name, userId }) => ({ editor: id, name, isOwn: userId === viewer.id })),
      newest: await findNewestVersion(ctx, tx, subject, scopeId),
    }
  })
}

async function requireEditor(ctx: Ctx, { subject, placeId }: EditedPlace): Promise<void> {
  if (subject !== 'survey') await requireContentEditor(ctx, subject, placeId)
  else await ctx.db.read((tx) => requireSurveyFor(ctx, tx, 'projects.edit', placeId ?? ''))
}

async function findNewestVersion(ctx: Ctx, tx: Tx, subject: EditedPlace['subject'], scopeId: string): Promise<string | null> {
  if (subject === 'survey') {
    const [survey] = await tx
      .select({ lockVersion: surveys.lockVersion })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, scopeId)))
    return survey ? String(survey.lockVersion) : null
  }
  const [head] = await tx
    .select({ newest: revisionHeads.draftId })
    .from(revisionHeads)
    .where(and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, subject), eq(revisionHeads.scopeId, scopeId)))
  return head?.newest ?? null
}
