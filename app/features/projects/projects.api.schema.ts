import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { DATE_PRECISIONS } from '#app/lib/format.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { COPIED_PARTS, PROJECT_CHANGES, PROJECT_STATUSES, PROJECT_TEMPLATES, VISIBILITIES } from '#app/lib/vocabulary/projects.ts'
import { dutyReasonSchema } from '#app/features/duties/duties.schema.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { PHASES } from './projects.schema.ts'

const changeable = { create: 'optional', update: true } as const
const instant = v.nullable(timestampSchema)
/** A picture on the site itself: a path, never a URL of another host. */
export const pictureSchema = v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?!\/)[\w./-]+$/))

export const placeSchema = v.strictObject({
  address: createTranslatedSchema(300),
  lat: v.optional(v.pipe(v.number(), v.minValue(-90), v.maxValue(90))),
  lng: v.optional(v.pipe(v.number(), v.minValue(-180), v.maxValue(180))),
})

export const teamMemberSchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)),
  role: v.optional(createTranslatedSchema(120)),
  email: v.optional(v.pipe(v.string(), v.email(), v.maxLength(254))),
})

export const faqSchema = v.strictObject({ question: createTranslatedSchema(300), answer: createTranslatedSchema(4000) })

export const keyDateSchema = v.strictObject({
  id: v.optional(idSchema),
  title: createTranslatedSchema(160),
  detail: v.optional(createTranslatedSchema(600)),
  happensAt: timestampSchema,
  precision: v.picklist(DATE_PRECISIONS),
})

export const projectShape = resourceShape({
  type: 'projects',
  summary: 'Projects of the site, one consultation each',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  rememberedForVisitors: true,
  body: { bytes: 1_000_000 },
  locked: true,
  can: ['update', 'copy', 'publish', 'requestReview', 'remove', 'seeResponses', 'exportPersonalData', 'manageMembers'],
  attributes: {
    slug: attribute(slugSchema, changeable),
    title: translated({ max: 200, create: 'required', update: true }),
    summary: translated({ max: 600, ...changeable }),
    body: translated({ max: 40_000, ...changeable }),
    outcome: translated({ max: 40_000, ...changeable }),
    status: attribute(v.picklist(PROJECT_STATUSES)),
    phase: attribute(v.picklist(PHASES)),
    visibility: attribute(v.picklist(VISIBILITIES), changeable),
    opensAt: attribute(instant, changeable),
    closesAt: attribute(instant, changeable),
    publishAt: attribute(instant),
    publishedAt: attribute(instant),
    archivedAt: attribute(instant),
    updatedAt: attribute(timestampSchema),
    picture: attribute(v.nullable(pictureSchema), changeable),
    pictureAlt: translated({ max: 300, ...changeable }),
    place: attribute(v.nullable(placeSchema), changeable),
    team: attribute(v.pipe(v.array(teamMemberSchema), v.maxLength(30)), changeable),
    faqs: attribute(v.pipe(v.array(faqSchema), v.maxLength(40)), changeable),
    dates: attribute(v.pipe(v.array(keyDateSchema), v.maxLength(60)), { update: true }),
    featured: attribute(v.boolean(), changeable),
    /** Names of texts that a change of a published project knowingly leaves missing or stale, as the refusal gives them. */
    waived: attribute(waivedSchema, { read: false, update: true }),
    /** The project to copy, and what of it: all but the team if nothing is said. With `opensAt`, all dates move so that it begins then. */
    copyOf: attribute(idSchema, { read: false, create: 'optional' }),
    copyParts: attribute(v.pipe(v.array(v.picklist(COPIED_PARTS)), v.maxLength(COPIED_PARTS.length)), { read: false, create: 'optional' }),
    /** The consultation to start from: its texts, stages, activities and surveys, as drafts. Its stages are counted from `opensAt`, or from four weeks from today. */
    template: attribute(v.picklist(PROJECT_TEMPLATES), { read: false, create: 'optional' }),
    participants: attribute(v.number(), { figure: 'participants' }),
    /** Changes that are not published yet: being drafted or waiting for a review. For people who may see its drafts. */
    changes: attribute(v.nullable(v.picklist(PROJECT_CHANGES)), { read: 'sometimes' }),
  },
  relationships: {
    hub: toOne('hubs', { create: 'optional', update: true }),
    topic: toOne('topics', { create: 'optional', update: true }),
    updates: toMany('project-updates', { inverse: 'project' }),
    publications: toMany('publications', { inverse: 'project' }),
    archivals: toMany('archivals', { inverse: 'project' }),
  },
  filters: {
    status: filter.choices(PROJECT_STATUSES),
    visibility: filter.choices(VISIBILITIES),
    hub: filter.ids(),
    topic: filter.ids(),
    q: filter.text(200),
    /** Only those that the viewer may change, or only the others. */
    managed: filter.flag(),
  },
  sorts: ['title', 'updatedAt', 'publishedAt', 'closesAt', 'participants'],
  defaultSort: '-updatedAt',
})

/**
 * A project's publication, its schedule or a request for review; its id is the project's. POST publishes now, or at `publishAt`; for those
 * who may only ask, it requests a review. DELETE cancels the schedule or the request, or takes the published project off the site.
 */
export const publicationShape = resourceShape({
  type: 'publications',
  summary: 'Publishes a project, now or at a set time, or requests a review',
  operations: ['get', 'create', 'remove'],
  attributes: {
    publishAt: attribute(instant, { create: 'optional' }),
    /** Publish although any texts are missing in some language. */
    waiveTranslations: attribute(v.boolean(), { read: false, create: 'optional' }),
    /** Names of the texts that are knowingly missing, as given by the refusal. */
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
    /** Why it is published although a duty that the site keeps is not met. */
    dutyReason: attribute(dutyReasonSchema, { read: false, create: 'optional' }),
    status: attribute(v.picklist(PROJECT_STATUSES)),
  },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
})

/** A project's archival; its id is the project's. DELETE restores the project. */
export const archivalShape = resourceShape({
  type: 'archivals',
  summary: 'Archives a project. DELETE restores it',
  operations: ['get', 'create', 'remove'],
  attributes: { archivedAt: attribute(instant) },
  relationships: { project: toOne('projects', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    projects: typeof projectShape
    publications: typeof publicationShape
    archivals: typeof archivalShape
  }
}
