import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { featuresShape, featureSwitchShape, siteFeaturesShape } from './feature-switches.api.schema.ts'
import { readFeatures, readSiteFeatures } from './feature-switches.server.ts'
import { loadSwitchesById, listSwitches, setSwitch } from './switch-features.server.ts'

export const featuresResource = implementSingleton(featuresShape, {
  read: async (ctx) => ({ id: ctx.site.id, features: await readFeatures(ctx) }),
  attributes: ({ features }) => ({ features }),
})

export const siteFeaturesResource = implementSingleton(siteFeaturesShape, {
  read: async (ctx) => ({ id: ctx.site.id, features: await readSiteFeatures(ctx) }),
  attributes: ({ features }) => ({ siteFeatures: { features } }),
})

export const featureSwitchResource = implementResource(featureSwitchShape, {
  load: loadSwitchesById,
  list: (ctx, { filter, page }) => listSwitches(ctx, { ...filter, ...page }),
  attributes: ({ feature, site, setting, enabled }) => ({ feature, site, setting, enabled }),
  update: (ctx, row, { setting }) => setSwitch(ctx, row, setting),
})
