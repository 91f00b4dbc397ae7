import type { Ctx } from '#app/server/context.ts'
import type { TextSubject } from '#app/server/translations.ts'
import { findDraftRevision, findPublishedRevision, publishRevision, type RevisionKind } from './revisions.server.ts'
import { requireContentPublisher } from './revisions.policy.server.ts'

/**
 * Publishes a draft from outside its editor, for example from the language desk.
 * @param reading reads in the transaction of the caller @returns undefined if nothing of it is public yet, or its draft says nothing else
 */
export async function createDraftPublisher(
  reading: Ctx,
  ctx: Ctx,
  kind: RevisionKind,
  placeId: string | null,
): Promise<TextSubject['publish']> {
  const draft = await findDraftRevision(reading, kind, placeId)
  const published = await findPublishedRevision(reading, kind, placeId)
  if (!draft || draft.publishedAt || draft.id === published?.id || (kind.subject === 'homepage' && !published)) return undefined
  return async (waived) => {
    const { mustAsk } = await requireContentPublisher(ctx, kind.subject, placeId)
    await publishRevision(ctx, kind, draft, { waived })
    return mustAsk ? 'asked' : 'published'
  }
}
