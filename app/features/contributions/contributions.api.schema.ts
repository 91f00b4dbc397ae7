import * as v from 'valibot'
import { browserTokenSchema } from '#app/features/browser-tokens/browser-tokens.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import {
  ANSWER_VISIBILITIES,
  CONTRIBUTION_SOURCES,
  CONTRIBUTION_STATES,
  QUESTION_STATES,
  REACTION_VALUES,
  REPLY_ROLES,
  SHOWN_NAMES,
} from '#app/lib/vocabulary/contributions.ts'

/** What `filter[answered]` finds. */
const ANSWERED_CHOICES = ['no', ...ANSWER_VISIBILITIES] as const
export type AnsweredChoice = (typeof ANSWERED_CHOICES)[number]

const textSchema = v.pipe(v.string(), v.maxLength(60_000))
const countSchema = v.pipe(v.number(), v.integer())
const invitationSchema = v.pipe(v.string(), v.maxLength(200))
/** Known only to the sender: the same id with another key is refused. */
const sendKeySchema = v.pipe(v.string(), v.minLength(8), v.maxLength(100))
const reasonSchema = v.pipe(v.string(), v.maxLength(2000))

/** The file is at `address`, below the site’s own; held ones are for their author and moderators. */
const photoSchema = v.object({ id: v.string(), address: v.string(), alt: v.string(), width: countSchema, height: countSchema })

/** Checked by the use-case, which can say what is wrong with it. */
const geometrySchema = v.object({ type: v.string(), coordinates: v.array(v.unknown()) })

export const contributionShape = resourceShape({
  type: 'contributions',
  summary: 'What people post in activities. The sender makes the id: sending twice stores once',
  operations: ['list', 'get', 'create', 'update'],
  clientIds: true,
  body: { bytes: 200_000 },
  can: ['moderate', 'answer'],
  attributes: {
    number: attribute(countSchema),
    /** Title, text, categories and answers are changed by the author, while nobody has reacted or replied and for 30 minutes at most. */
    title: attribute(textSchema, { create: 'optional', update: true }),
    body: attribute(textSchema, { create: 'required', update: true }),
    categories: attribute(v.pipe(v.array(v.string()), v.maxLength(30)), { create: 'optional', update: true }),
    shownAs: attribute(v.picklist(SHOWN_NAMES), { create: 'required' }),
    shownName: attribute(v.string(), { create: 'optional' }),
    placeText: attribute(v.string(), { create: 'optional' }),
    areaId: attribute(v.nullable(idSchema), { create: 'optional' }),
    /** GeoJSON in WGS 84: a Point, LineString or Polygon. The area follows from it. */
    geometry: attribute(v.nullable(geometrySchema), { create: 'optional' }),
    /** Answers to the activity’s extra questions, by id; those for the team only go to moderators and the author. */
    fields: attribute(v.record(v.string(), v.unknown()), { create: 'optional', update: true }),
    /** Sent with the form of the site only. */
    photos: attribute(v.array(photoSchema)),
    sendKey: attribute(sendKeySchema, { read: false, create: 'required' }),
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    /** A code or the secret of a personal link, where only invited people may take part. */
    invitation: attribute(invitationSchema, { read: false, create: 'optional' }),
    language: attribute(contentLanguageSchema),
    /** Other than `web` for what reached the team in another way: only those who answer contributions may enter it. */
    source: attribute(v.picklist(CONTRIBUTION_SOURCES), { create: 'optional' }),
    /** Changed by moderators: published, held, declined, removed, or erased. */
    state: attribute(v.picklist(CONTRIBUTION_STATES), { update: true }),
    /** In words, for the author. Needed for every decision but publishing. */
    reason: attribute(reasonSchema, { read: 'sometimes', update: true }),
    /** The code of one of the site’s moderation rules. Needed with a reason. */
    rule: attribute(v.pipe(v.string(), v.maxLength(80)), { read: false, update: true }),
    /** Passages were removed: for those who may read them in `masked-originals`. */
    masked: attribute(v.boolean(), { read: 'sometimes' }),
    /** Who supports it, or agrees. */
    supports: attribute(countSchema),
    /** Always 0 if the activity asks for support. */
    disagrees: attribute(countSchema),
    replies: attribute(countSchema),
    version: attribute(countSchema),
    /** Held because unusually many texts came from one address; only for moderators. */
    doubted: attribute(v.boolean(), { read: 'sometimes' }),
    /** Where a question stands; null for other kinds, and for what its author took back. */
    question: attribute(v.nullable(v.picklist(QUESTION_STATES))),
    /** Who can read the answer to a question. */
    answered: attribute(v.nullable(v.picklist(ANSWER_VISIBILITIES))),
    /** When the answer to a question is due: the end of a working day. */
    dueAt: attribute(v.nullable(timestampSchema)),
    /** Who is to answer it: somebody who may. For the team only. */
    assigneeId: attribute(v.nullable(idSchema), { read: 'sometimes', update: true }),
    overdue: attribute(v.boolean(), { read: 'sometimes' }),
    assigneeName: attribute(v.nullable(v.string()), { read: 'sometimes' }),
    /** Whether the project’s frequently asked questions hold it. True adds it with its public answer, false takes it out. */
    frequentlyAsked: attribute(v.boolean(), { read: 'sometimes', update: true }),
    submittedAt: attribute(timestampSchema),
    publishedAt: attribute(v.nullable(timestampSchema)),
    /** Only in the answer to the sender. */
    receipt: attribute(v.string(), { read: 'sometimes' }),
  },
  relationships: {
    activity: toOne('activities', { create: 'required', nullable: false }),
    status: toOne('contribution-statuses'),
    /** Set while it is merged into another one. */
    mergedInto: toOne('contributions'),
  },
  filters: {
    number: filter.number(),
    activity: filter.id(),
    project: filter.id(),
    state: filter.choices(CONTRIBUTION_STATES),
    category: filter.text(40),
    area: filter.id(),
    status: filter.id(),
    /** West, south, east, north in degrees. */
    bbox: filter.text(80),
    /** Longitude, latitude, and metres around them. */
    near: filter.text(80),
    q: filter.text(200),
    /** Where questions stand. */
    question: filter.choices(QUESTION_STATES),
    /** Questions whose answer is late, or all others. */
    overdue: filter.flag(),
    /** For the team only: it finds nothing for others. */
    assignee: filter.id(),
    answered: filter.choices(ANSWERED_CHOICES),
    /**
     * What their authors said about themselves: one option of one question that is not sensitive, as `age:65-74`. For those who moderate and manage
     * people: it finds nothing for others, nor if fewer than five authors said so.
     */
    profile: filter.text(130),
  },
  sorts: ['submittedAt', 'publishedAt', 'supports', 'replies', 'number', 'dueAt'],
  defaultSort: '-submittedAt',
})

export const contributionVersionShape = resourceShape({
  type: 'contribution-versions',
  summary: 'Texts that contributions had, the present one included',
  operations: ['list', 'get'],
  attributes: {
    number: attribute(countSchema),
    title: attribute(v.string()),
    body: attribute(v.string()),
    /** Answers to extra questions, by id; those for the team only go to moderators and the author. */
    fields: attribute(v.record(v.string(), v.unknown())),
    createdAt: attribute(timestampSchema),
  },
  relationships: { contribution: toOne('contributions') },
  filters: { contribution: filter.id() },
  sorts: ['number'],
  defaultSort: '-number',
})

export const reactionShape = resourceShape({
  type: 'reactions',
  summary:
    'Support for contributions, or agreeing and disagreeing: one for each person, the last. Put with an id that the sender makes; only the sender can read or delete it',
  operations: ['get', 'put', 'remove'],
  attributes: {
    value: attribute(v.picklist(REACTION_VALUES), { create: 'required' }),
    /** False if unusually many came from one address: it counts once somebody of the team has looked and decided so. */
    counted: attribute(v.boolean()),
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    /** A code or the secret of a personal link, where only invited people may take part. */
    invitation: attribute(invitationSchema, { read: false, create: 'optional' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: { contribution: toOne('contributions', { create: 'required', nullable: false }) },
})

export const replyShape = resourceShape({
  type: 'replies',
  summary: 'Replies to contributions, on one level. The sender makes the id: sending twice stores once',
  operations: ['list', 'get', 'create', 'update'],
  clientIds: true,
  can: ['moderate'],
  attributes: {
    body: attribute(textSchema, { create: 'required' }),
    shownName: attribute(v.string(), { create: 'optional' }),
    /** In the name of the project’s team. */
    official: attribute(v.boolean(), { read: false, create: 'optional' }),
    sendKey: attribute(sendKeySchema, { read: false, create: 'required' }),
    browserToken: attribute(browserTokenSchema, { read: false, create: 'optional' }),
    /** A code or the secret of a personal link, where only invited people may take part. */
    invitation: attribute(invitationSchema, { read: false, create: 'optional' }),
    role: attribute(v.picklist(REPLY_ROLES)),
    language: attribute(contentLanguageSchema),
    state: attribute(v.picklist(CONTRIBUTION_STATES), { update: true }),
    reason: attribute(reasonSchema, { read: 'sometimes', update: true }),
    /** The code of one of the site’s moderation rules. Needed with a reason. */
    rule: attribute(v.pipe(v.string(), v.maxLength(80)), { read: false, update: true }),
    version: attribute(countSchema),
    createdAt: attribute(timestampSchema),
  },
  relationships: { contribution: toOne('contributions', { create: 'required', nullable: false }) },
  filters: { contribution: filter.id(), state: filter.choices(CONTRIBUTION_STATES) },
  sorts: ['createdAt'],
  defaultSort: 'createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    contributions: typeof contributionShape
    'contribution-versions': typeof contributionVersionShape
    reactions: typeof reactionShape
    replies: typeof replyShape
  }
}
