import { implementResource } from '#app/server/api/implement.ts'
import { MASKED_FIELDS } from '#app/lib/vocabulary/moderation.ts'
import { buildPhotoAddress } from '../../record/photos.schema.ts'
import { listAnswerTexts } from '../../record/mask-texts.ts'
import { maskedOriginalShape } from './masked-originals.api.schema.ts'
import { loadOriginals } from './masked-originals.server.ts'

export const maskedOriginalResource = implementResource(maskedOriginalShape, {
  load: async (ctx, ids) => (await loadOriginals(ctx, ids)).map((row) => ({ ...row, id: row.replyId ?? row.contributionId })),
  attributes: ({ texts, photos, passages, createdAt, keptUntil }) => ({
    ...Object.fromEntries(MASKED_FIELDS.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]]))),
    answers: Object.fromEntries(listAnswerTexts(texts)),
    photos: photos.map(({ id, alt }) => ({ id, address: buildPhotoAddress(id), alt })),
    passages,
    maskedAt: createdAt,
    keptUntil,
  }),
})
