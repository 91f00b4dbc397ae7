import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'
import { revisionAttributes, revisionContent, revisionFilters, revisionSorting } from './revision-attributes.api.schema.ts'

const instant = v.nullable(timestampSchema)
const attributes = {
  ...revisionAttributes,
  /** Its author, only visible to editors. */
  author: attribute(revisionAttributes.author.schema, { read: 'sometimes' }),
  waived: attribute(revisionAttributes.waived.schema, { read: 'sometimes' }),
}

/** Revisions never change: each save creates one on top of the draft and names its parent. */
export const homepageRevisionShape = resourceShape({
  type: 'homepage-revisions',
  summary: 'Revisions of the homepage of the site or of a hub: published ones, and drafts for people who may edit it',
  operations: ['list', 'get', 'create'],
  body: { bytes: 1_100_000 },
  can: ['update'],
  attributes: { ...attributes, content: revisionContent },
  relationships: {
    hub: toOne('hubs', { create: 'optional' }),
    parent: toOne('homepage-revisions', { create: 'optional' }),
    publications: toMany('homepage-publications', { inverse: 'revision' }),
  },
  filters: { ...revisionFilters, hub: filter.id(), ofSite: filter.flag() },
  ...revisionSorting,
})

const publicationAttributes = {
  /** When to publish; now by default or if it is past. */
  publishAt: attribute(instant, { create: 'optional' }),
  /** Names of the texts that are knowingly missing, as given by the refusal. */
  waived: attribute(waivedSchema, { create: 'optional' }),
}

/**
 * The publication of a revision, now or scheduled; its id is the revision's. DELETE withdraws it, and the previous one is published again.
 */
export const homepagePublicationShape = resourceShape({
  type: 'homepage-publications',
  summary: 'Publishes a revision of a homepage, now or at a set time',
  operations: ['get', 'create', 'remove'],
  body: { bytes: 300_000 },
  attributes: publicationAttributes,
  relationships: { revision: toOne('homepage-revisions', { create: 'required', nullable: false }) },
})

export const appearanceRevisionShape = resourceShape({
  type: 'appearance-revisions',
  summary: 'Revisions of the site’s appearance: published ones, and drafts for people who may edit it',
  operations: ['list', 'get', 'create'],
  can: ['update'],
  attributes: { ...attributes, tokens: revisionContent },
  relationships: {
    parent: toOne('appearance-revisions', { create: 'optional' }),
    publications: toMany('appearance-publications', { inverse: 'revision' }),
  },
  filters: revisionFilters,
  ...revisionSorting,
})

export const appearancePublicationShape = resourceShape({
  type: 'appearance-publications',
  summary: 'Publishes a revision of the appearance, now or at a set time',
  operations: ['get', 'create', 'remove'],
  body: { bytes: 300_000 },
  attributes: publicationAttributes,
  relationships: { revision: toOne('appearance-revisions', { create: 'required', nullable: false }) },
})

export const projectRevisionShape = resourceShape({
  type: 'project-revisions',
  summary: 'Versions of what a project says, for people who may edit it; the newest one is the draft of changes',
  operations: ['list', 'get', 'create'],
  body: { bytes: 1_100_000 },
  can: ['update'],
  attributes: {
    ...attributes,
    content: revisionContent,
    /** When somebody who may not publish asked for a review of it. */
    reviewRequestedAt: attribute(instant),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    parent: toOne('project-revisions', { create: 'optional' }),
    publications: toMany('project-revision-publications', { inverse: 'revision' }),
  },
  filters: { ...revisionFilters, project: filter.id() },
  ...revisionSorting,
})

/**
 * The publication of a version of a published project, or the request for a review by those who may only ask; its id is the version's.
 * DELETE withdraws it, and the previous one is published again, or cancels the request.
 */
export const projectRevisionPublicationShape = resourceShape({
  type: 'project-revision-publications',
  summary: 'Publishes changes of a published project, or requests a review',
  operations: ['get', 'create', 'remove'],
  body: { bytes: 300_000 },
  attributes: {
    publishedAt: attribute(instant),
    reviewRequestedAt: attribute(instant),
    waived: publicationAttributes.waived,
  },
  relationships: { revision: toOne('project-revisions', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'appearance-publications': typeof appearancePublicationShape
    'appearance-revisions': typeof appearanceRevisionShape
    'homepage-publications': typeof homepagePublicationShape
    'homepage-revisions': typeof homepageRevisionShape
    'project-revision-publications': typeof projectRevisionPublicationShape
    'project-revisions': typeof projectRevisionShape
  }
}
