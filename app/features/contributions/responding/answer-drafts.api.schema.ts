import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { ANSWER_VISIBILITIES } from '#app/lib/vocabulary/contributions.ts'
import { MAX_ANSWERED_TOO } from './missing-answer-texts.schema.ts'

const lockVersionSchema = v.pipe(v.number(), v.integer(), v.minValue(1))

export const answerDraftShape = resourceShape({
  type: 'official-response-drafts',
  summary: 'What the team is going to answer: one draft for each contribution, which everyone who may answer it sees and changes',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'agree'],
  attributes: {
    text: translated({ max: 5000, create: 'optional', update: true }),
    team: translated({ max: 120, create: 'optional', update: true }),
    visibility: attribute(v.picklist(ANSWER_VISIBILITIES), { create: 'optional', update: true }),
    /** Other contributions of the project that are to get the same answer. */
    alsoTo: attribute(v.pipe(v.array(idSchema), v.maxLength(MAX_ANSWERED_TOO)), { create: 'optional', update: true }),
    /** The same with what they are called. */
    others: attribute(
      v.array(
        v.object({ id: idSchema, number: v.number(), title: v.string(), activity: v.string(), language: v.picklist(CONTENT_LANGUAGES) }),
      ),
    ),
    /** Names of the texts that are knowingly going to be published without a language, as `text.cy`. */
    waived: attribute(v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20)), { create: 'optional', update: true }),
    /** Who changed it last. Null: the account is gone. */
    writtenByName: attribute(v.nullable(v.string())),
    writtenAt: attribute(timestampSchema),
    /** Whether it waits for a colleague to agree. True asks for that; a change of the answer ends it. */
    asked: attribute(v.boolean(), { update: true }),
    askedByName: attribute(v.nullable(v.string())),
    askedAt: attribute(v.nullable(timestampSchema)),
    /** Setting it returns the draft to the person who asked for agreement. */
    returnReason: attribute(v.pipe(v.string(), v.maxLength(2000)), { update: true }),
    returnedByName: attribute(v.nullable(v.string())),
    returnedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: {
    contribution: toOne('contributions', { create: 'required', nullable: false }),
    status: toOne('contribution-statuses', { create: 'optional', update: true }),
  },
  filters: { contribution: filter.id(), asked: filter.flag() },
  sorts: ['writtenAt'],
  defaultSort: '-writtenAt',
})

export const answerAgreementShape = resourceShape({
  type: 'official-response-agreements',
  summary:
    'A colleague agrees to a draft, which is published as it is. Nobody agrees to what they asked for themselves, and no program does',
  operations: ['create'],
  attributes: {
    /** The id of the draft, which ends. */
    draft: attribute(idSchema, { create: 'required' }),
    /** Its `meta.lockVersion` as it was read: another one is refused as stale. */
    draftVersion: attribute(lockVersionSchema, { read: false, create: 'required' }),
    agreedAt: attribute(timestampSchema),
  },
  relationships: { answer: toOne('official-responses', { nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'official-response-drafts': typeof answerDraftShape
    'official-response-agreements': typeof answerAgreementShape
  }
}
