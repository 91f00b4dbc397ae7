import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { suppressibleCountSchema } from '#app/lib/suppressible-count-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { PROFILE_ASKED_AT, PROFILE_QUESTION_STATUSES, PROFILE_QUESTION_TYPES, PROFILE_SOURCES } from '#app/lib/vocabulary/profile.ts'
import { MAX_RETENTION_MONTHS, profileAnswerSchema, profileKeySchema, profileOptionsSchema } from './profile.schema.ts'

const changeable = { create: 'optional', update: true } as const
const countSchema = v.object({ option: v.string(), people: suppressibleCountSchema })

export const profileQuestionShape = resourceShape({
  type: 'profile-questions',
  summary:
    'What the site asks people about themselves. Everybody sees what is asked; people managers also see drafts and retired questions',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'remove'],
  attributes: {
    /** Names the question in filters, exports and linked surveys. */
    key: attribute(profileKeySchema, { create: 'required' }),
    kind: attribute(v.picklist(PROFILE_QUESTION_TYPES), { create: 'required' }),
    label: translated({ max: 300, create: 'required', update: true }),
    help: translated({ max: 1000, create: 'optional', update: true }),
    /** Why it is asked: one sentence, shown beside the field. */
    purpose: translated({ max: 500, create: 'required', update: true }),
    options: attribute(profileOptionsSchema, changeable),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), changeable),
    required: attribute(v.boolean(), changeable),
    /** Never required, and single answers are seen by site administrators only, after a fresh sign-in. */
    sensitive: attribute(v.boolean(), changeable),
    askedAt: attribute(v.picklist(PROFILE_ASKED_AT), { create: 'required', update: true }),
    retentionMonths: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_RETENTION_MONTHS)), {
      create: 'required',
      update: true,
    }),
    status: attribute(v.picklist(PROFILE_QUESTION_STATUSES), changeable),
    /** For people managers: how many people gave each option, area or age group. Null where so few did that they could be recognised. */
    counts: attribute(v.nullable(v.array(countSchema))),
  },
  filters: { status: filter.choices(PROFILE_QUESTION_STATUSES) },
  sorts: ['position'],
  defaultSort: 'position',
  page: { size: 50, max: 50 },
})

export const profileAnswerShape = resourceShape({
  type: 'profile-answers',
  summary:
    'What people said about themselves: one’s own answers, and for people managers those of the people they manage, without sensitive ones. POST stores an own answer or, for people managers, one that a person gave to the team and has not given themselves',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    /** The key of a question. */
    question: attribute(profileKeySchema, { create: 'required' }),
    answer: attribute(profileAnswerSchema, { create: 'required' }),
    /** As text, in the language of the answer to the request. */
    text: attribute(v.string()),
    answeredAt: attribute(timestampSchema),
    source: attribute(v.picklist(PROFILE_SOURCES)),
  },
  relationships: { user: toOne('users', { create: 'optional' }) },
  filters: { user: filter.ids() },
  page: { size: 100, max: 500 },
})

/** A look at the sensitive answers of one person. Each is in the audit trail. */
export const profileLookShape = resourceShape({
  type: 'profile-answer-looks',
  summary: 'Shows the sensitive answers of one person to a site administrator, after a fresh sign-in. Each look is in the audit trail',
  operations: ['create'],
  attributes: {
    answers: attribute(v.array(v.object({ question: v.string(), label: v.string(), text: v.string(), answeredAt: timestampSchema }))),
  },
  relationships: { user: toOne('users', { create: 'required' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'profile-questions': typeof profileQuestionShape
    'profile-answers': typeof profileAnswerShape
    'profile-answer-looks': typeof profileLookShape
  }
}
