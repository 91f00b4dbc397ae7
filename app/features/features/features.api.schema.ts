import * as v from 'valibot'
import { attribute, singletonShape } from '#app/lib/api-client/resource-shape.ts'
import { FEATURES, SITE_FEATURES } from './features.schema.ts'

export const featuresShape = singletonShape({
  type: 'features',
  summary: 'Named features and whether each is on for the site',
  attributes: { features: attribute(v.record(v.picklist(FEATURES), v.object({ enabled: v.boolean() }))) },
})

export const siteFeaturesShape = singletonShape({
  type: 'site-features',
  summary: 'What the site has been given besides',
  attributes: { siteFeatures: attribute(v.object({ features: v.array(v.picklist(SITE_FEATURES)) })) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    features: typeof featuresShape
    'site-features': typeof siteFeaturesShape
  }
}
