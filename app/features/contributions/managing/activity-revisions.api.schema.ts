import * as v from 'valibot'
import {
  revisionAttributes,
  revisionContent,
  revisionFilters,
  revisionSorting,
} from '#app/features/revisions/revision-attributes.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'

/** Revisions never change: each save creates one on top of the draft and names its parent. */
export const activityRevisionShape = resourceShape({
  type: 'activity-revisions',
  summary: 'Versions of an activity’s texts and settings, for people who may edit it; the newest one is the draft of changes',
  operations: ['list', 'get', 'create'],
  body: { bytes: 1_100_000 },
  can: ['update'],
  attributes: {
    ...revisionAttributes,
    /** `titleTranslations`, `settings` and so on, as in the activity. */
    content: revisionContent,
  },
  relationships: {
    activity: toOne('activities', { create: 'required', nullable: false }),
    parent: toOne('activity-revisions', { create: 'optional' }),
    publications: toMany('activity-revision-publications', { inverse: 'revision' }),
  },
  filters: { ...revisionFilters, activity: filter.id() },
  ...revisionSorting,
})

/** The publication of a version of a published activity; its id is the version's. DELETE withdraws it: the previous one is published again. */
export const activityRevisionPublicationShape = resourceShape({
  type: 'activity-revision-publications',
  summary: 'Publishes changes of an activity that others see',
  operations: ['get', 'create', 'remove'],
  body: { bytes: 300_000 },
  attributes: {
    publishedAt: attribute(v.nullable(timestampSchema)),
    /** Names of the texts that are knowingly missing, as given by the refusal. */
    waived: attribute(waivedSchema, { create: 'optional' }),
  },
  relationships: { revision: toOne('activity-revisions', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'activity-revision-publications': typeof activityRevisionPublicationShape
    'activity-revisions': typeof activityRevisionShape
  }
}
