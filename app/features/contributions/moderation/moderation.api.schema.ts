import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { CASE_OPENINGS, CASE_STATES, MASKED_FIELDS, MODERATION_DECISIONS } from '#app/lib/vocabulary/moderation.ts'

const offsetSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000))
/** A part of the text, or `fields.` and the id of an extra question that was answered in words. */
const maskedFieldSchema = v.pipe(v.string(), v.regex(new RegExp(`^(${MASKED_FIELDS.join('|')}|fields\\.[A-Za-z][A-Za-z0-9_-]{0,39})$`)))
const passageSchema = v.object({ field: maskedFieldSchema, start: offsetSchema, end: offsetSchema })

const codeSchema = v.pipe(v.string(), v.maxLength(80))

export const moderationRuleShape = resourceShape({
  type: 'moderation-rules',
  summary: 'Why something may be declined, held or removed: the site’s rules, which everybody can read',
  operations: ['list', 'get', 'create', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    code: attribute(v.string()),
    label: translated({ max: 80, create: 'required', update: true }),
    explanation: translated({ max: 1000, create: 'required', update: true }),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
    /** Grows with each change of its words; decisions name the version that applied. */
    version: attribute(v.pipe(v.number(), v.integer())),
    /** No longer offered for decisions. */
    archived: attribute(v.boolean(), { update: true }),
  },
  filters: { archived: filter.flag() },
  sorts: ['position'],
  defaultSort: 'position',
})

export const moderationCaseShape = resourceShape({
  type: 'moderation-cases',
  summary: 'What moderators look at: a contribution, or a reply to one; only for those who may moderate it',
  operations: ['list', 'get', 'update'],
  attributes: {
    openedBy: attribute(v.picklist(CASE_OPENINGS)),
    state: attribute(v.picklist(CASE_STATES)),
    /** Of the text that was looked at. */
    version: attribute(v.pipe(v.number(), v.integer())),
    openedAt: attribute(timestampSchema),
    dueAt: attribute(timestampSchema),
    decidedAt: attribute(v.nullable(timestampSchema)),
    /** How many people reported it. */
    reports: attribute(v.pipe(v.number(), v.integer())),
    /** Reports took it off the site: when it comes back by itself. */
    heldUntil: attribute(v.nullable(timestampSchema)),
    /** Who of the team decides. Others who moderate there still may. */
    assigneeId: attribute(v.nullable(idSchema), { update: true }),
    assigneeName: attribute(v.nullable(v.string())),
  },
  relationships: {
    contribution: toOne('contributions', { nullable: false }),
    /** Set if the case is about a reply. */
    reply: toOne('replies'),
  },
  filters: {
    state: filter.choices(CASE_STATES),
    openedBy: filter.choices(CASE_OPENINGS),
    project: filter.id(),
    /** Cases about the contribution itself and about replies to it. */
    contribution: filter.id(),
    overdue: filter.flag(),
    /** Somebody reported it, or nobody did. */
    reported: filter.flag(),
    assignee: filter.id(),
    /** Whether the case has an assignee. */
    assigned: filter.flag(),
  },
  sorts: ['dueAt', 'openedAt'],
  defaultSort: 'dueAt',
})

export const moderationDecisionShape = resourceShape({
  type: 'moderation-decisions',
  summary: 'Decisions of moderators, with the rule and the words to the author; only for those who may moderate',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    decision: attribute(v.picklist(MODERATION_DECISIONS), { create: 'required' }),
    /** What to mask: parts of one version of the text, in UTF-16 code units. */
    passages: attribute(v.pipe(v.array(passageSchema), v.maxLength(100)), { read: false, create: 'optional' }),
    /** The ids of photos to mask. */
    photos: attribute(v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(10)), { read: false, create: 'optional' }),
    /** The version of the text that `passages` are of. */
    textVersion: attribute(v.pipe(v.number(), v.integer(), v.minValue(1)), { read: false, create: 'optional' }),
    /** The code of a rule. Needed to hold, decline, remove or mask. */
    rule: attribute(v.nullable(codeSchema), { create: 'optional' }),
    ruleVersion: attribute(v.nullable(v.pipe(v.number(), v.integer()))),
    /** To the author. Needed to hold, decline, remove or mask. */
    reason: attribute(v.pipe(v.string(), v.maxLength(2000)), { create: 'optional' }),
    /** Taken by a rule, not by a person. */
    automatic: attribute(v.boolean()),
    decidedAt: attribute(timestampSchema),
  },
  relationships: {
    /** What it decides; or name the contribution or the reply. */
    case: toOne('moderation-cases', { create: 'optional', nullable: false }),
    contribution: toOne('contributions', { create: 'optional' }),
    reply: toOne('replies', { create: 'optional' }),
  },
  filters: { case: filter.id(), decision: filter.choices(MODERATION_DECISIONS) },
  sorts: ['decidedAt'],
  defaultSort: '-decidedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'moderation-rules': typeof moderationRuleShape
    'moderation-cases': typeof moderationCaseShape
    'moderation-decisions': typeof moderationDecisionShape
  }
}
