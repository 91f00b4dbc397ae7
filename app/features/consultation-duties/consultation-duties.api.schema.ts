import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { PLAIN_CODES } from '#app/lib/plain-words/plain-passage.ts'
import { HOLIDAY_NAMES } from '#app/lib/public-holidays.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { DUTIES, DUTY_ACTS } from '#app/lib/vocabulary/duties.ts'
import { MAX_DUTY_TEXT } from '#app/features/duties/duties.schema.ts'

const textSchema = v.pipe(v.string(), v.trim(), v.maxLength(MAX_DUTY_TEXT))
const questionSchema = v.object({ survey: v.pipe(v.string(), v.uuid()), question: v.pipe(v.string(), v.maxLength(60)) })

export const consultationDutyShape = resourceShape({
  type: 'consultation-duties',
  summary: 'What the law asks of each consultation, on sites that keep duties; the id is the project’s. For its administrators',
  operations: ['list', 'get', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** What people can still change, and what is decided already. */
    openToChange: attribute(textSchema, { update: true }),
    notOpen: attribute(textSchema, { update: true }),
    /** Why something is proposed; the project’s documents say more. */
    reasons: attribute(textSchema, { update: true }),
    equality: attribute(textSchema, { update: true }),
    /** Effects on opportunities to use Welsh, and on treating it no less favourably than English. */
    welshEffects: attribute(textSchema, { update: true }),
    /** The question about these effects, and the one about how they could be more positive or less adverse. */
    effectsQuestion: attribute(v.nullable(questionSchema), { update: true }),
    improvementsQuestion: attribute(v.nullable(questionSchema), { update: true }),
    /** Questions of the project’s surveys that can be chosen. */
    questions: attribute(v.array(v.object({ ...questionSchema.entries, title: v.string() }))),
    /** The duties that the site keeps. */
    checks: attribute(v.array(v.object({ duty: v.picklist(DUTIES), isMet: v.boolean() }))),
    minimumDays: attribute(v.number()),
    /** Days from its opening or publication until it closes, with the public holidays among them; null without an end. */
    daysOpen: attribute(v.nullable(v.number())),
    holidays: attribute(v.array(v.object({ day: v.string(), name: v.nullable(v.picklist(HOLIDAY_NAMES)) }))),
    documents: attribute(v.number()),
    decisions: attribute(v.number()),
    texts: attribute(v.number()),
    textsRead: attribute(v.number()),
    /** What could be plainer in the texts of the project and its surveys, in the languages of the site. */
    plainFindings: attribute(v.array(v.object({ code: v.picklist(PLAIN_CODES), count: v.number() }))),
    /** When something was published although a duty was not met, and why. */
    waivers: attribute(
      v.array(v.object({ act: v.picklist(DUTY_ACTS), missing: v.array(v.picklist(DUTIES)), reason: v.string(), at: timestampSchema })),
    ),
  },
  relationships: { project: toOne('projects', { nullable: false }) },
  filters: { project: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'consultation-duties': typeof consultationDutyShape
  }
}
