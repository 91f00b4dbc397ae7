import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import { EVENT_ACCESS, EVENT_PHASES, EVENT_STATUSES } from '#app/lib/vocabulary/events.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { MAX_EVENT_TEXT } from '../events.schema.ts'
import { signUpQuestionsSchema } from '../sign-up-questions.schema.ts'

const countSchema = v.pipe(v.number(), v.integer())
/** Empty, or an address that browsers open. */
const joinLinkSchema = v.pipe(v.string(), v.trim(), v.maxLength(1000), v.regex(/^(|https:\/\/\S+)$/, 'not-a-link'))

export const eventShape = resourceShape({
  type: 'events',
  summary: 'Events of a project that people sign up for: walks, workshops, meetings',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'remove'],
  attributes: {
    slug: attribute(slugSchema, { create: 'optional', update: true }),
    title: translated({ max: MAX_EVENT_TEXT.title, create: 'required', update: true }),
    description: translated({ max: MAX_EVENT_TEXT.description, create: 'optional', update: true }),
    /** From `draft` to `published`, then to `cancelled`, which is final: everybody who signed up is told. */
    status: attribute(v.picklist(EVENT_STATUSES), { update: true }),
    /** Where it stands, by its status and its times. */
    phase: attribute(v.picklist(EVENT_PHASES)),
    startsAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    endsAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    /** An address, or that it is online. */
    place: translated({ max: MAX_EVENT_TEXT.place, create: 'optional', update: true }),
    /** How to join online, shown to people with a place; only for those who may change the event. */
    joinLink: attribute(joinLinkSchema, { read: 'sometimes', create: 'optional', update: true }),
    /** How people with access needs can take part. */
    accessInfo: translated({ max: MAX_EVENT_TEXT.accessInfo, create: 'optional', update: true }),
    /** Null: no limit. */
    capacity: attribute(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))), {
      create: 'optional',
      update: true,
    }),
    hasWaitingList: attribute(v.boolean(), { create: 'optional', update: true }),
    access: attribute(v.picklist(EVENT_ACCESS), { create: 'optional', update: true }),
    /** Asked at sign-up, in order. One that was answered is kept as `removed` rather than deleted. */
    questions: attribute(signUpQuestionsSchema, { create: 'optional', update: true }),
    /** Names of texts that are knowingly missing or stale, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, update: true }),
    /** People with a place. */
    going: attribute(countSchema),
    /** People on the waiting list. */
    waiting: attribute(countSchema),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
  filters: { project: filter.id() },
  sorts: ['startsAt'],
  defaultSort: 'startsAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    events: typeof eventShape
  }
}
