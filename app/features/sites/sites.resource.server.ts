import { implementSingleton } from '#app/server/api/implement.ts'
import { readCurrentSite } from '#app/shell/page-state.server.ts'
import { currentSiteShape } from './sites.api.schema.ts'

export const currentSiteResource = implementSingleton(currentSiteShape, {
  read: async (ctx) => ({ id: ctx.site.id, site: await readCurrentSite(ctx) }),
  attributes: ({ site }) => ({ site }),
})
