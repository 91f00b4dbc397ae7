import * as v from 'valibot'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

const reason = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500))

export const siteSuspensionShape = resourceShape({
  type: 'site-suspensions',
  summary: 'Sites that are off the air: creating one suspends, removing it resumes. It has the id of its site',
  operations: ['get', 'create', 'remove'],
  attributes: { reason: attribute(reason, { read: false, create: 'required' }) },
  relationships: { site: toOne('sites', { create: 'required' }) },
})

export const supportGrantShape = resourceShape({
  type: 'support-grants',
  summary: 'When the site let the platform’s support in: creating one lets it in for 14 days, removing it shuts it out',
  operations: ['list', 'get', 'create', 'remove'],
  can: ['revoke'],
  attributes: {
    reason: attribute(reason, { create: 'required' }),
    createdAt: attribute(timestampSchema),
    expiresAt: attribute(timestampSchema),
    revokedAt: attribute(v.nullable(timestampSchema)),
  },
})

export const supportEntryShape = resourceShape({
  type: 'support-entries',
  summary: 'One of the platform’s administrators enters the site that let support in; both trails tell it',
  operations: ['create'],
  attributes: { until: attribute(timestampSchema) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'site-suspensions': typeof siteSuspensionShape
    'support-grants': typeof supportGrantShape
    'support-entries': typeof supportEntryShape
  }
}
