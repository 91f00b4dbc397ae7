import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { readCurrentSite } from '#app/shell/page-state.server.ts'
import { loadDeletions, listSites, loadSitesById } from './sites.list.server.ts'
import { createSite } from './sites.managing.server.ts'
import { updateSite } from './site-settings.server.ts'
import { currentSiteShape, siteShape } from './sites.api.schema.ts'

export const currentSiteResource = implementSingleton(currentSiteShape, {
  read: readCurrentSite,
  attributes: (site) => ({ site }),
})

export const siteResource = implementResource(siteShape, {
  load: loadSitesById,
  list: listSites,
  can: ({ viewer, site }, row) => ({
    update: row.id === site.id && checkPermission(viewer, 'site.edit').ok,
    manage: checkPermission(viewer, 'sites.manage').ok,
  }),
  attributes: (row, _ctx, can) => ({
    slug: row.slug,
    name: row.name,
    primaryHost: row.primaryHost,
    status: row.status,
    region: row.region,
    locale: row.locale,
    languages: row.languages,
    addedLanguages: row.addedLanguages,
    timeZone: row.timeZone,
    holidays: row.holidays,
    duties: row.duties,
    dutyDays: row.dutyDays,
    tagline: row.tagline,
    contactEmail: row.contactEmail,
    requiresSecondStep: row.secondStepRequiredSince !== null,
    ...(can.update && { sharedNetworks: row.sharedNetworks }),
    createdAt: row.createdAt,
  }),
  relationships: { deletion: { ids: loadDeletions, alwaysVisible: true } },
  create: createSite,
  update: updateSite,
})
