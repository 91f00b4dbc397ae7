import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape } from '#app/lib/api-client/resource-shape.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { FEATURES, SITE_FEATURES, SWITCH_SETTINGS, SWITCHABLE_FEATURES } from './feature-switches.schema.ts'

export const featuresShape = singletonShape({
  type: 'features',
  summary: 'Named features and whether each is switched on for the site',
  attributes: { features: attribute(v.record(v.picklist(FEATURES), v.object({ enabled: v.boolean() }))) },
})

export const siteFeaturesShape = singletonShape({
  type: 'site-features',
  summary: 'Features granted to this site only',
  attributes: { siteFeatures: attribute(v.object({ features: v.array(v.picklist(SITE_FEATURES)) })) },
})

export const featureSwitchShape = resourceShape({
  type: 'feature-switches',
  summary: 'Switches of features: one for the platform and one for each site',
  operations: ['list', 'get', 'update'],
  /** The feature's name; for a site, followed by a dot and the site's id. */
  id: v.pipe(v.string(), v.regex(/^[a-z_-]+(\.[0-9a-f-]{36})?$/)),
  attributes: {
    feature: attribute(v.picklist(SWITCHABLE_FEATURES)),
    /** Null for the platform's default, which sites without their own setting follow. */
    site: attribute(v.nullable(v.object({ id: idSchema, name: v.string() }))),
    setting: attribute(v.picklist(SWITCH_SETTINGS), { update: true }),
    enabled: attribute(v.boolean()),
  },
  filters: {
    feature: filter.choice(SWITCHABLE_FEATURES),
    site: filter.id(),
    place: filter.choice(['platform', 'site']),
    q: filter.text(200),
  },
  page: { size: 50, max: 200 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    features: typeof featuresShape
    'site-features': typeof siteFeaturesShape
    'feature-switches': typeof featureSwitchShape
  }
}
