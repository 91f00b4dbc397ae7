import { implementResource } from '#app/server/api/implement.ts'
import { createId } from '#app/lib/uuid.ts'
import { siteAdministratorShape, siteInvitationShape } from './site-administrators.api.schema.ts'
import {
  handOverInvitation,
  inviteSiteAdministrator,
  listSiteAdministrators,
  loadSiteAdministratorsById,
} from './site-administrators.server.ts'

export const siteAdministratorResource = implementResource(siteAdministratorShape, {
  load: loadSiteAdministratorsById,
  list: (ctx, { filter, page }) => listSiteAdministrators(ctx, { siteId: filter.site ?? ctx.site.id, ...page }),
  attributes: ({ login, email, state, createdAt }) => ({ login, email, state, createdAt }),
  relationships: { site: { id: ({ siteId }) => siteId, alwaysVisible: true } },
  create: (ctx, { site, email }) => inviteSiteAdministrator(ctx, { siteId: site, email }),
})

export const siteInvitationResource = implementResource(siteInvitationShape, {
  create: async (ctx, { administrator }) => ({ id: createId(), administrator, address: await handOverInvitation(ctx, administrator) }),
  attributes: ({ address }) => ({ address }),
  relationships: { administrator: { id: ({ administrator }) => administrator } },
})
