import { and, asc, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { replies } from '#app/server/db/schema/contributions.ts'
import type { ReplyView } from '../record/contributions.schema.ts'
import type { ReplyRow } from '../record/loading.server.ts'
import { toLang } from './text-language.server.ts'

const MAX_REPLIES_SHOWN = 500

/** What the page of a contribution shows of its replies, the oldest first. */
export const loadReplies = (ctx: Ctx, tx: Tx, contributionId: string): Promise<ReplyRow[]> =>
  tx
    .select()
    .from(replies)
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.contributionId, contributionId), eq(replies.state, 'published')))
    .orderBy(asc(replies.createdAt), asc(replies.id))
    .limit(MAX_REPLIES_SHOWN)

export const toReplyView = (ctx: Ctx, { id, role, body, language, shownName, createdAt }: ReplyRow): ReplyView => ({
  id,
  role,
  body,
  ...toLang(ctx, language),
  author: shownName,
  at: createdAt.toISOString(),
})
