import { implementSingleton } from '#app/server/api/implement.ts'
import { opencitiesMetaShape } from './opencities.api.schema.ts'
import { readOpencitiesMeta } from './opencities.server.ts'

export const opencitiesMetaResource = implementSingleton(opencitiesMetaShape, {
  read: async (ctx) => ({ id: ctx.site.id, opencitiesMeta: await readOpencitiesMeta(ctx) }),
  attributes: ({ opencitiesMeta }) => ({ opencitiesMeta }),
})
