import * as v from 'valibot'
import { browserTokenSchema } from '#app/features/browser-tokens/browser-tokens.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { APPEAL_STATES, APPELLANTS } from '#app/lib/vocabulary/moderation.ts'
import { DECIDING_REFUSALS } from './appeals.schema.ts'

const wordsSchema = v.pipe(v.string(), v.maxLength(10_000))

export const moderationAppealShape = resourceShape({
  type: 'moderation-appeals',
  summary:
    'Decisions that an author, or somebody who reported, asks another person to look at again. Read by moderators and by whoever sent them',
  operations: ['list', 'get', 'create', 'update'],
  clientIds: true,
  can: ['decide'],
  attributes: {
    /** Why the decision is wrong, up to 2,000 characters. */
    words: attribute(wordsSchema, { create: 'required' }),
    /** An author without an account shows the code of their receipt. */
    receipt: attribute(v.pipe(v.string(), v.maxLength(100)), { read: false, create: 'optional' }),
    /** A browser that reported without an account shows its token. */
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    appellant: attribute(v.picklist(APPELLANTS)),
    /** Decided with `upheld` (the decision stands) or `overturned`. */
    state: attribute(v.picklist(APPEAL_STATES), { update: true }),
    /** To the person who appealed. Needed to decide. */
    answer: attribute(wordsSchema, { update: true }),
    /** The code of the rule that is broken after all: needed to overturn a decision to keep something. */
    rule: attribute(v.pipe(v.string(), v.maxLength(80)), { read: false, update: true }),
    /** Who may decide it: nobody who decided before, wrote the text or appealed. For moderators, while it is pending. */
    deciders: attribute(v.array(v.string()), { read: 'sometimes' }),
    /** Why the reader cannot decide it, though their role may. For moderators, while it is pending. */
    refusal: attribute(v.nullable(v.picklist(DECIDING_REFUSALS)), { read: 'sometimes' }),
    /** If nobody else can decide it: from when somebody who is involved may. For moderators, while it is pending. */
    openToAllAt: attribute(v.nullable(timestampSchema), { read: 'sometimes' }),
    createdAt: attribute(timestampSchema),
    decidedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: {
    decision: toOne('moderation-decisions', { create: 'required', nullable: false }),
    contribution: toOne('contributions', { nullable: false }),
    reply: toOne('replies'),
  },
  filters: { state: filter.choices(APPEAL_STATES), project: filter.id() },
  sorts: ['createdAt'],
  defaultSort: 'createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'moderation-appeals': typeof moderationAppealShape
  }
}
