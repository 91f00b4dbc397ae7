import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { MAX_ANSWERED_TOO } from './missing-answer-texts.schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { ANSWER_VISIBILITIES } from '#app/lib/vocabulary/contributions.ts'

export const officialResponseShape = resourceShape({
  type: 'official-responses',
  summary: 'What the organisation answers to a contribution. A new one follows the former, which stay readable',
  operations: ['list', 'get', 'create', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** An answer without a status must say something. */
    text: translated({ max: 5000, create: 'optional', update: true }),
    /** The name of the team that answers. */
    team: translated({ max: 120, create: 'optional', update: true }),
    /** `private`: only the person who asked can read it. For questions. */
    visibility: attribute(v.picklist(ANSWER_VISIBILITIES), { create: 'optional' }),
    version: attribute(v.pipe(v.number(), v.integer())),
    createdAt: attribute(timestampSchema),
    /** When its text or team was changed last. */
    editedAt: attribute(v.nullable(timestampSchema)),
    /** What it said before, the newest first; `at` is when it was replaced. Empty once it is withdrawn, unless the viewer may answer. */
    former: attribute(
      v.array(
        v.object({ id: idSchema, text: v.record(v.string(), v.string()), team: v.record(v.string(), v.string()), at: timestampSchema }),
      ),
    ),
    /** Since then only those who may answer read it; everybody else reads why. */
    withdrawnAt: attribute(v.nullable(timestampSchema)),
    /** Sending a reason withdraws the answer, for good. The contribution keeps its status. */
    withdrawalReason: translated({ max: 1000, update: true }),
    /**
     * Other contributions of the project that get the same answer. In another activity, a status is the one that means the same there. Authors and followers of several of them are told once.
     */
    alsoTo: attribute(v.pipe(v.array(idSchema), v.maxLength(MAX_ANSWERED_TOO)), { read: false, create: 'optional' }),
    /** Names of the texts that are knowingly published without a language, as `text.cy`. Others that are missing are refused. */
    waived: attribute(v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20)), {
      read: false,
      create: 'optional',
      update: true,
    }),
    /** Publishes whatever languages are missing. */
    waiveTranslations: attribute(v.boolean(), { read: false, create: 'optional', update: true }),
    /** The id of the draft that it was written in, which ends. */
    draft: attribute(idSchema, { read: false, create: 'optional' }),
    /** The `meta.lockVersion` of the draft as the sender saw it: another one is refused as stale. */
    draftVersion: attribute(v.pipe(v.number(), v.integer()), { read: false, create: 'optional' }),
    /** Notifies the author and the followers of the edit. By default nobody is notified. */
    notify: attribute(v.boolean(), { read: false, update: true }),
  },
  relationships: {
    contribution: toOne('contributions', { create: 'required', nullable: false }),
    /** The status that it gave. Without one in a new answer, the contribution keeps the status that it has. */
    status: toOne('contribution-statuses', { create: 'optional' }),
  },
  filters: { contribution: filter.id() },
  sorts: ['version'],
  defaultSort: '-version',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'official-responses': typeof officialResponseShape
  }
}
