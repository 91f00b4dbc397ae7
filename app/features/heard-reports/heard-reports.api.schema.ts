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
import { HEARD_REPORT_KINDS, HEARD_REPORT_STATUSES } from '#app/lib/vocabulary/heard.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'

/** Revisions never change: each save creates one on top of the draft and names its parent. */
export const heardReportRevisionShape = resourceShape({
  type: 'heard-report-revisions',
  summary: 'Versions of the draft of a project’s report, for people who may edit it',
  operations: ['list', 'get', 'create'],
  body: { bytes: 1_100_000 },
  can: ['update'],
  attributes: {
    ...revisionAttributes,
    /** `schema` and `blocks`, as of homepages, of the kinds that reports have. */
    content: revisionContent,
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    parent: toOne('heard-report-revisions', { create: 'optional' }),
    reports: toMany('heard-reports', { inverse: 'revision' }),
  },
  filters: { ...revisionFilters, project: filter.id() },
  ...revisionSorting,
})

/** Published reports of projects that the reader may see. The newest of a project supersedes the former ones, which stay. */
export const heardReportShape = resourceShape({
  type: 'heard-reports',
  summary: 'What was heard in a project, and what was decided: published reports with their figures of that time',
  operations: ['list', 'get', 'create'],
  body: { bytes: 300_000 },
  attributes: {
    /** Within the project. */
    version: attribute(v.number()),
    kind: attribute(v.picklist(HEARD_REPORT_KINDS)),
    status: attribute(v.picklist(HEARD_REPORT_STATUSES)),
    /** When it was published: its figures are those of this moment. */
    asOf: attribute(timestampSchema),
    /** Answers, contributions and replies at that moment. */
    answers: attribute(v.number()),
    /** How many of them were withdrawn since. */
    withdrawnSince: attribute(v.number()),
    /** In the language of the request, in their order: what the page shows. */
    blocks: attribute(v.array(v.record(v.string(), v.unknown()))),
    /** Names of texts that are knowingly missing, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
  },
  relationships: {
    project: toOne('projects', { nullable: false }),
    /** For people who may edit it. */
    revision: toOne('heard-report-revisions', { create: 'required', nullable: false }),
  },
  filters: { project: filter.id(), status: filter.choices(HEARD_REPORT_STATUSES) },
  sorts: ['version'],
  defaultSort: '-version',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'heard-report-revisions': typeof heardReportRevisionShape
    'heard-reports': typeof heardReportShape
  }
}
