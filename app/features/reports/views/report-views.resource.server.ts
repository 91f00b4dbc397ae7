import { implementResource } from '#app/server/api/implement.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { createReportLink, listReportLinks, loadReportLinksById, revokeReportLink } from './report-links.server.ts'
import { reportLinkShape, reportViewShape } from './report-views.api.schema.ts'
import {
  changeReportView,
  isMaker,
  listReportViews,
  loadReportViewsById,
  mayRemove,
  removeReportView,
  saveReportView,
} from './report-views.server.ts'

export const reportViewResource = implementResource(reportViewShape, {
  load: loadReportViewsById,
  list: (ctx, { page }) => listReportViews(ctx, page),
  can: (ctx, row) => ({ update: isMaker(ctx, row), remove: mayRemove(ctx, row) }),
  attributes: ({ name, audience, query, language, schedule, recipients, nextAt, maker, createdAt }, _ctx, can) => ({
    name,
    audience,
    query,
    language,
    schedule,
    recipients: can.update ? recipients : undefined,
    nextAt,
    maker,
    createdAt,
  }),
  relationships: { hub: { id: (row) => row.hubId } },
  create: (ctx, { name, audience, query, language, schedule = 'none', recipients = [], hub = null }) =>
    saveReportView(ctx, { name, audience, query, language, schedule, recipients, hubId: hub }),
  update: (ctx, row, { name, audience, query, language, schedule, recipients, hub }) =>
    changeReportView(ctx, row, omitUndefined({ name, audience, query, language, schedule, recipients, hubId: hub })),
  remove: removeReportView,
})

export const reportLinkResource = implementResource(reportLinkShape, {
  load: loadReportLinksById,
  list: (ctx, { filter, page }) => listReportLinks(ctx, { ...filter, page }),
  attributes: ({ expiresAt, createdAt, url }) => ({ expiresAt, createdAt, url }),
  relationships: { view: { id: (row) => row.viewId } },
  create: (ctx, { view, expiresAt }) => createReportLink(ctx, { viewId: view, expiresAt }),
  remove: revokeReportLink,
})
