import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { ACTIVITY_ACCESS, ACTIVITY_STATUSES, MODERATION_MODES } from '#app/lib/vocabulary/contributions.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { ACTIVITY_STATES } from '../record/contributions.schema.ts'
import { extraQuestionsSchema } from '../record/extra-question.schema.ts'

export const activityShape = resourceShape({
  type: 'activities',
  summary: 'What people can do in a project besides answering surveys: ideas and other kinds',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'publish', 'remove', 'moderate', 'invite'],
  attributes: {
    kind: attribute(v.pipe(v.string(), v.maxLength(40)), { create: 'required' }),
    slug: attribute(slugSchema, { create: 'optional', update: true }),
    title: translated({ max: 140, create: 'required', update: true }),
    intro: translated({ max: 4000, create: 'optional', update: true }),
    /** Publishing, archiving and restoring need the right to publish. */
    status: attribute(v.picklist(ACTIVITY_STATUSES), { update: true }),
    opensAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    closesAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    postAccess: attribute(v.picklist(ACTIVITY_ACCESS), { create: 'optional', update: true }),
    reactAccess: attribute(v.picklist(ACTIVITY_ACCESS), { create: 'optional', update: true }),
    /** The group of `group` access. */
    groupId: attribute(v.nullable(idSchema), { read: 'sometimes', create: 'optional', update: true }),
    moderation: attribute(v.picklist(MODERATION_MODES), { create: 'optional', update: true }),
    /** Checked by the kind. */
    settings: attribute(v.record(v.string(), v.unknown()), { create: 'optional', update: true }),
    /** Extra questions, in order. One that was answered is archived rather than deleted. */
    fields: attribute(extraQuestionsSchema, { create: 'optional', update: true }),
    /** Names of texts that are knowingly missing or stale, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, update: true }),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
    hasOpened: attribute(v.boolean()),
    state: attribute(v.picklist(ACTIVITY_STATES)),
    /** Whether its draft of changes says something else than what is published; only for those who may edit it. */
    hasChanges: attribute(v.boolean(), { read: 'sometimes' }),
    /** People put places on a map, and neither the site nor the activity has one that shows where they are: it cannot be published. */
    mapMissing: attribute(v.boolean(), { read: 'sometimes' }),
    /** Published ones. */
    contributions: attribute(v.pipe(v.number(), v.integer())),
    /** Waiting for a moderator; only for those who may moderate. */
    held: attribute(v.pipe(v.number(), v.integer()), { read: 'sometimes' }),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    stage: toOne('project-stages', { create: 'optional', update: true }),
    categories: toMany('categories'),
    statuses: toMany('contribution-statuses'),
  },
  filters: { project: filter.id(), status: filter.choices(ACTIVITY_STATUSES), q: filter.text(200) },
  sorts: ['position', 'createdAt'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    activities: typeof activityShape
  }
}
