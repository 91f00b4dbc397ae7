import * as v from 'valibot'
import { attribute, singletonShape } from '#app/lib/api-client/resource-shape.ts'

export const opencitiesMetaShape = singletonShape({
  type: 'opencities-meta',
  summary: 'How many city connectors the site has',
  attributes: { opencitiesMeta: attribute(v.object({ total: v.number() })) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'opencities-meta': typeof opencitiesMetaShape
  }
}
