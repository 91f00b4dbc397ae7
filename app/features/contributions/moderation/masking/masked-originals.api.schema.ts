import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

/** A reply has no title and no place. */
const part = attribute(v.string(), { read: 'sometimes' })

export const maskedOriginalShape = resourceShape({
  type: 'masked-originals',
  summary:
    'What a contribution or a reply said before passages were removed, by the id of the contribution or reply. Only for those who may see originals; each look is in the audit trail',
  operations: ['get'],
  attributes: {
    title: part,
    body: part,
    placeText: part,
    shownName: part,
    /** Answers in words to extra questions, by the question’s id. */
    answers: attribute(v.record(v.string(), v.string())),
    /** Photos that were removed; the file is at `address`, and each look at it is in the audit trail too. */
    photos: attribute(v.array(v.object({ id: v.string(), address: v.string(), alt: v.string() }))),
    /** What was removed. */
    passages: attribute(v.array(v.string())),
    /** When the first passage was removed. */
    maskedAt: attribute(timestampSchema),
    /** When it is deleted; later if an appeal waits then. */
    keptUntil: attribute(timestampSchema),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'masked-originals': typeof maskedOriginalShape
  }
}
