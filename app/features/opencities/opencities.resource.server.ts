import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { cityConnectorShape, cityDatasetShape, citySynchronisationShape } from './connectors.api.schema.ts'
import {
  type AdministeredConnector,
  loadConnectorsById,
  createConnector,
  deleteConnector,
  listConnectors,
  updateConnector,
} from './connectors.server.ts'
import {
  type AdministeredDataset,
  beginSynchronisation,
  cancelSynchronisation,
  createDataset,
  loadDatasetsById,
  deleteDataset,
  listDatasets,
  loadRunningDatasets,
  updateDataset,
} from './datasets.server.ts'
import { opencitiesMetaShape } from './opencities.api.schema.ts'
import { readOpencitiesMeta } from './opencities.server.ts'

export const opencitiesMetaResource = implementSingleton(opencitiesMetaShape, {
  read: async (ctx) => ({ id: ctx.site.id, opencitiesMeta: await readOpencitiesMeta(ctx) }),
  attributes: ({ opencitiesMeta }) => ({ opencitiesMeta }),
})

export const cityConnectorResource = implementResource(cityConnectorShape, {
  load: loadConnectorsById,
  list: (ctx, { page }) => listConnectors(ctx, page),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row: AdministeredConnector) => ({
    name: row.name,
    portalUrl: row.portalUrl,
    kind: row.kind,
    language: row.language,
    hasToken: row.sealedToken !== null,
    everyMinutes: row.everyMinutes,
    pausedUntil: row.pausedUntil,
    ...(row.uses && { uses: row.uses }),
    createdAt: row.createdAt,
  }),
  create: createConnector,
  update: (ctx, row, input, lock) => updateConnector(ctx, row, input, lock.version),
  remove: deleteConnector,
})

export const cityDatasetResource = implementResource(cityDatasetShape, {
  load: loadDatasetsById,
  list: (ctx, { filter, page }) => listDatasets(ctx, { connector: filter.connector, ...page }),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row: AdministeredDataset) => ({
    slug: row.slug,
    sourceId: row.sourceId,
    title: row.title,
    description: row.description,
    publisher: row.publisher,
    licence: row.licence,
    sourceUrl: row.sourceUrl,
    sourceUpdatedAt: row.sourceUpdatedAt,
    columns: row.columns,
    rowFilter: row.rowFilter,
    chart: row.chart,
    boundaries: row.boundaries,
    areaUse: row.areaUse,
    ...(row.uses && { uses: row.uses }),
    published: row.publishedAt !== null,
    rows: row.rowCount,
    synchronisedAt: row.synchronisedAt,
    checkedAt: row.checkedAt,
    dueAt: row.dueAt,
    failures: row.failures,
    lastFault: row.lastFault,
    updatedAt: row.updatedAt,
  }),
  relationships: {
    connector: { id: (row) => row.connectorId, alwaysVisible: true },
    project: { id: (row) => row.projectId },
    synchronisation: { id: (row) => row.id },
  },
  create: createDataset,
  update: (ctx, row, input, lock) => updateDataset(ctx, row, input, lock.version),
  remove: deleteDataset,
})

export const citySynchronisationResource = implementResource(citySynchronisationShape, {
  load: loadRunningDatasets,
  attributes: ({ run }) => ({
    state: run ? ('running' as const) : ('waiting' as const),
    rows: run?.rows ?? 0,
    startedAt: run?.startedAt ?? null,
  }),
  relationships: { dataset: { id: (row) => row.id, alwaysVisible: true } },
  create: (ctx, input) => beginSynchronisation(ctx, input.dataset),
  remove: cancelSynchronisation,
})
