import { implementSingleton } from '#app/server/api/implement.ts'
import { librariesDetailsShape } from './libraries.api.schema.ts'
import { readLibrariesDetails } from './libraries.server.ts'

export const librariesDetailsResource = implementSingleton(librariesDetailsShape, {
  read: async (ctx) => ({ id: ctx.site.id, ...(await readLibrariesDetails(ctx)) }),
  attributes: ({ intercom }) => ({ intercom }),
})
