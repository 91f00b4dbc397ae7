import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { loadVisibleRevisions, type AuthoredRevision } from './revisions.list.server.ts'
import { publishRevision, type RevisionKind } from './revisions.server.ts'

// What the resources of all kinds of revisions have in common.

export const toRevisionAttributes = ({ note, createdAt, publishedAt, author, waived }: AuthoredRevision) => ({
  note,
  createdAt,
  publishedAt,
  author,
  waived,
})

export const toContent = (row: AuthoredRevision) => row.content as Record<string, unknown>

export const toPublicationIds = (_: Ctx, rows: readonly AuthoredRevision[]) =>
  Promise.resolve(new Map(rows.map((row) => [row.id, row.publishedAt ? [row.id] : []])))

/** @throws {AppError} `not-found` if the viewer may not see it */
export async function publishById(
  ctx: Ctx,
  kind: RevisionKind,
  input: { revision: string; publishAt?: string | null | undefined; waived?: string[] | undefined },
): Promise<string> {
  const [row] = await loadVisibleRevisions(ctx, kind, [input.revision])
  if (!row) throw new AppError('not-found')
  return (await publishRevision(ctx, kind, row, input)).id
}
