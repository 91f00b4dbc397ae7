import * as v from 'valibot'
import { dutyReasonSchema } from '#app/features/duties/duties.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { DELIVERIES, OUTCOMES } from '#app/lib/vocabulary/heard.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { MAX_DECISION } from './heard.schema.ts'

/** `2026-03-27` */
const daySchema = v.pipe(v.string(), v.isoDate('not-a-date'))

export const decisionShape = resourceShape({
  type: 'decisions',
  summary: 'Decisions about what people said in a project, and what was done',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    /** Within the project; given once. */
    number: attribute(v.number()),
    title: translated({ max: MAX_DECISION.title, create: 'required', update: true }),
    text: translated({ max: MAX_DECISION.text, create: 'optional', update: true }),
    outcome: attribute(v.picklist(OUTCOMES), { create: 'required', update: true }),
    reason: translated({ max: MAX_DECISION.reason, create: 'required', update: true }),
    /** Who decided: a committee, the council. */
    body: translated({ max: MAX_DECISION.body, create: 'optional', update: true }),
    decidedOn: attribute(daySchema, { create: 'required', update: true }),
    delivery: attribute(v.picklist(DELIVERIES), { create: 'optional', update: true }),
    deliveryNote: translated({ max: MAX_DECISION.note, create: 'optional', update: true }),
    dueOn: attribute(v.nullable(daySchema), { create: 'optional', update: true }),
    /** Why a promised day changes: needed once the decision is public. */
    delayReason: attribute(v.pipe(v.string(), v.trim(), v.maxLength(MAX_DECISION.note)), { read: false, update: true }),
    publishedAt: attribute(v.nullable(timestampSchema)),
    /** Names of texts that are knowingly missing or stale, as the refusal to save gives them. */
    waived: attribute(waivedSchema, { read: false, update: true }),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    themes: toMany('themes', { create: 'optional', update: true }),
  },
  filters: { project: filter.id() },
  sorts: ['number'],
  defaultSort: 'number',
})

/** Publishes all decisions of a project with the figures of their themes as they are now. The former version stays. */
export const decisionPublicationShape = resourceShape({
  type: 'decision-publications',
  summary: 'Publishes the decisions of a project',
  operations: ['list', 'create'],
  attributes: {
    version: attribute(v.number()),
    publishedAt: attribute(timestampSchema),
    /** Written answers, contributions and replies, and how many of them were read. */
    texts: attribute(v.number()),
    textsRead: attribute(v.number()),
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
    /** Why they are published although a duty that the site keeps is not met. */
    dutyReason: attribute(dutyReasonSchema, { read: false, create: 'optional' }),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    decisions: typeof decisionShape
    'decision-publications': typeof decisionPublicationShape
  }
}
