import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { SIGN_UP_STATES } from '#app/lib/vocabulary/events.ts'

export const eventSignUpShape = resourceShape({
  type: 'event-sign-ups',
  summary:
    'People who signed up for an event. Deleting one cancels it: the next on the waiting list moves up. Only for those who may change the event',
  operations: ['list', 'get', 'update', 'remove'],
  attributes: {
    /** Empty once what identifies the person was removed. */
    name: attribute(v.string()),
    email: attribute(v.nullable(v.string())),
    language: attribute(contentLanguageSchema),
    state: attribute(v.picklist(SIGN_UP_STATES)),
    /** What they answered, in words. */
    answers: attribute(v.array(v.object({ question: v.string(), answer: v.string() }))),
    /** Came to the event. */
    attended: attribute(v.boolean(), { update: true }),
    createdAt: attribute(timestampSchema),
  },
  relationships: { event: toOne('events', { nullable: false }) },
  filters: { event: filter.id(), state: filter.choices(SIGN_UP_STATES) },
  sorts: ['createdAt', 'name'],
  defaultSort: 'createdAt',
})

export const eventAttendanceShape = resourceShape({
  type: 'event-attendances',
  summary: 'Records that somebody came to an event, by the code of their receipt',
  operations: ['create'],
  attributes: {
    /** As people type it. */
    code: attribute(v.pipe(v.string(), v.maxLength(100)), { read: false, create: 'required' }),
    /** Whose code it is. */
    name: attribute(v.string()),
    /** They had been recorded before. */
    isAgain: attribute(v.boolean()),
  },
  relationships: { event: toOne('events', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'event-sign-ups': typeof eventSignUpShape
    'event-attendances': typeof eventAttendanceShape
  }
}
