import { implementResource } from '#app/server/api/implement.ts'
import { maskedOriginalShape } from './masked-originals.api.schema.ts'
import { loadOriginals } from './masked-originals.server.ts'

export const maskedOriginalResource = implementResource(maskedOriginalShape, {
  load: async (ctx, ids) => (await loadOriginals(ctx, ids)).map((row) => ({ ...row, id: row.replyId ?? row.contributionId })),
  attributes: ({ texts, passages, createdAt, keptUntil }) => ({
    ...texts,
    passages,
    maskedAt: createdAt,
    keptUntil,
  }),
})
