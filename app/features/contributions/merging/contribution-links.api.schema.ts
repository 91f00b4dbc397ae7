import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { CONTRIBUTION_LINK_KINDS } from '#app/lib/vocabulary/contributions.ts'

const countSchema = v.pipe(v.number(), v.integer())
const reasonSchema = v.pipe(v.string(), v.maxLength(10_000))

export const contributionLinkShape = resourceShape({
  type: 'contribution-links',
  summary: 'What belongs together. `duplicate_of` merges a contribution into another of its activity; ending the link undoes that',
  operations: ['list', 'get', 'create', 'update'],
  can: ['update'],
  attributes: {
    kind: attribute(v.picklist(CONTRIBUTION_LINK_KINDS), { create: 'required' }),
    /** Needed for `duplicate_of`: everyone can read it, and the author and supporters get it by email. */
    reason: attribute(reasonSchema, { create: 'optional' }),
    /** Supporters of the contribution, and of the other one before and after, when it was merged. */
    supportsBefore: attribute(countSchema, { read: 'sometimes' }),
    targetSupportsBefore: attribute(countSchema, { read: 'sometimes' }),
    targetSupportsAfter: attribute(countSchema, { read: 'sometimes' }),
    /** Of the author; only for moderators. */
    objection: attribute(v.string(), { read: 'sometimes' }),
    objectedAt: attribute(v.nullable(timestampSchema), { read: 'sometimes' }),
    /** Why the two stay together all the same: sets it once, and the author gets it by email. Only for moderators. */
    objectionAnswer: attribute(reasonSchema, { read: 'sometimes', update: true }),
    /** Set to true to undo it. */
    ended: attribute(v.boolean(), { update: true }),
    /** Why it is undone. Needed for `duplicate_of`: the author gets it by email. */
    endReason: attribute(reasonSchema, { read: 'sometimes', update: true }),
    createdAt: attribute(timestampSchema),
    endedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: {
    contribution: toOne('contributions', { create: 'required', nullable: false }),
    target: toOne('contributions', { create: 'required', nullable: false }),
  },
  filters: {
    /** Either end of the link. */
    contribution: filter.id(),
    kind: filter.choices(CONTRIBUTION_LINK_KINDS),
    ended: filter.flag(),
    /** Their author objected; only for moderators. */
    objected: filter.flag(),
    /** A moderator answered the objection; only for moderators. */
    objectionAnswered: filter.flag(),
  },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'contribution-links': typeof contributionLinkShape
  }
}
