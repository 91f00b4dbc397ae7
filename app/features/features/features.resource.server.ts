import { implementSingleton } from '#app/server/api/implement.ts'
import { featuresShape, siteFeaturesShape } from './features.api.schema.ts'
import { readFeatures, readSiteFeatures } from './features.server.ts'

export const featuresResource = implementSingleton(featuresShape, {
  read: async (ctx) => ({ id: ctx.site.id, features: await readFeatures(ctx) }),
  attributes: ({ features }) => ({ features }),
})

export const siteFeaturesResource = implementSingleton(siteFeaturesShape, {
  read: async (ctx) => ({ id: ctx.site.id, features: await readSiteFeatures(ctx) }),
  attributes: ({ features }) => ({ siteFeatures: { features } }),
})
