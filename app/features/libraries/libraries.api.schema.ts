import * as v from 'valibot'
import { attribute, singletonShape } from '#app/lib/api-client/resource-shape.ts'

export const librariesDetailsShape = singletonShape({
  type: 'libraries-details',
  summary: 'Settings of the third-party libraries that a page may load',
  attributes: {
    intercom: attribute(
      v.nullable(
        v.object({
          appId: v.string(),
          endpoint: v.nullable(v.string()),
          publishedAppearanceRevisions: v.number(),
          smsIntegrationEnabled: v.boolean(),
        }),
      ),
    ),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'libraries-details': typeof librariesDetailsShape
  }
}
