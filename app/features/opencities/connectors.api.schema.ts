import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { PORTAL_KINDS } from '#app/lib/vocabulary/opencities.ts'
import { CHART_FORMS, COLUMN_TYPES, MAX_COLUMNS, PORTAL_FAULTS, USE_KINDS } from './opencities.schema.ts'

const changeable = { create: 'optional', update: true } as const
/** Everything that depends on it; only present when read by id. */
const uses = attribute(v.array(v.strictObject({ kind: v.picklist(USE_KINDS), id: v.string(), title: v.string() })), { read: 'sometimes' })
const key = v.pipe(v.string(), v.minLength(1), v.maxLength(200))

export const cityConnectorShape = resourceShape({
  type: 'city-connectors',
  summary: 'Connectors to portals with city data',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)), changeable),
    /** Detected when the connector is created. */
    portalUrl: attribute(v.pipe(v.string(), v.trim(), v.url(), v.maxLength(2000)), { create: 'required' }),
    kind: attribute(v.picklist(PORTAL_KINDS)),
    language: attribute(v.picklist(LANGUAGES), changeable),
    /** Stored encrypted and never returned. */
    token: attribute(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(4000))), { read: false, ...changeable }),
    hasToken: attribute(v.boolean()),
    everyMinutes: attribute(v.pipe(v.number(), v.integer(), v.minValue(15), v.maxValue(43_200)), changeable),
    pausedUntil: attribute(v.nullable(timestampSchema)),
    uses,
    createdAt: attribute(timestampSchema),
  },
  sorts: ['name'],
  defaultSort: 'name',
})

const columnSchema = v.object({
  key,
  type: v.picklist(COLUMN_TYPES),
  name: createTranslatedSchema(120),
  shown: v.boolean(),
})

export const cityDatasetShape = resourceShape({
  type: 'city-datasets',
  summary: 'Datasets copied from a portal, for the site or for one project',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  body: { bytes: 300_000 },
  locked: true,
  can: ['update'],
  attributes: {
    slug: attribute(v.string()),
    sourceId: attribute(v.pipe(v.string(), v.minLength(1), v.maxLength(2000)), { create: 'required' }),
    title: translated({ max: 200, ...changeable }),
    description: translated({ max: 2000, ...changeable }),
    publisher: attribute(v.pipe(v.string(), v.maxLength(200)), changeable),
    licence: attribute(v.pipe(v.string(), v.maxLength(200)), changeable),
    sourceUrl: attribute(v.nullable(v.string())),
    sourceUpdatedAt: attribute(v.nullable(timestampSchema)),
    columns: attribute(v.pipe(v.array(columnSchema), v.maxLength(MAX_COLUMNS)), { update: true }),
    rowFilter: attribute(v.nullable(v.object({ key, value: v.pipe(v.string(), v.maxLength(200)) })), changeable),
    chart: attribute(v.nullable(v.object({ form: v.picklist(CHART_FORMS), label: key, values: key })), changeable),
    /** Its shapes are the site's areas, each named by a column. Only one dataset of a site can have this. */
    boundaries: attribute(v.nullable(v.object({ name: key, postcodes: v.optional(key) })), { update: true }),
    /** What the site's areas hold now and would lose along with them. */
    areaUse: attribute(v.object({ areas: v.number(), projects: v.number(), people: v.number(), campaigns: v.number() })),
    uses,
    published: attribute(v.boolean(), changeable),
    rows: attribute(v.number()),
    synchronisedAt: attribute(v.nullable(timestampSchema)),
    checkedAt: attribute(v.nullable(timestampSchema)),
    dueAt: attribute(v.nullable(timestampSchema)),
    failures: attribute(v.number()),
    lastFault: attribute(v.nullable(v.object({ code: v.picklist(PORTAL_FAULTS), at: timestampSchema }))),
    updatedAt: attribute(timestampSchema),
  },
  relationships: {
    connector: toOne('city-connectors', { create: 'required', nullable: false }),
    project: toOne('projects', changeable),
    synchronisation: toOne('city-synchronisations'),
  },
  filters: { connector: filter.id() },
  sorts: ['updatedAt'],
  defaultSort: '-updatedAt',
})

/** A copy in progress or queued; its id is the dataset's. POST starts one now, DELETE cancels it. */
export const citySynchronisationShape = resourceShape({
  type: 'city-synchronisations',
  summary: 'Synchronisation of a dataset, running or queued',
  operations: ['get', 'create', 'remove'],
  attributes: {
    state: attribute(v.picklist(['waiting', 'running'])),
    rows: attribute(v.number()),
    startedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { dataset: toOne('city-datasets', { create: 'required', nullable: false }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'city-connectors': typeof cityConnectorShape
    'city-datasets': typeof cityDatasetShape
    'city-synchronisations': typeof citySynchronisationShape
  }
}
