import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { hostSchema } from './sites.api.schema.ts'

const reason = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500))

export const siteSuspensionShape = resourceShape({
  type: 'site-suspensions',
  summary: 'Sites that are off the air: creating one suspends, removing it resumes. It has the id of its site',
  operations: ['get', 'create', 'remove'],
  attributes: { reason: attribute(reason, { read: false, create: 'required' }) },
  relationships: { site: toOne('sites', { create: 'required' }) },
})

export const siteDomainShape = resourceShape({
  type: 'site-domains',
  summary: 'Addresses that a site answers at. The main one is where links lead that leave the product, as in mails',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  attributes: {
    host: attribute(hostSchema, { create: 'required' }),
    /** `true` makes it the main one, replacing the previous. */
    isPrimary: attribute(v.boolean(), { update: true }),
  },
  relationships: { site: toOne('sites', { create: 'required' }) },
  filters: { site: filter.id() },
  sorts: ['host'],
  defaultSort: 'host',
  page: { size: 100, max: 100 },
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
    'site-domains': typeof siteDomainShape
    'support-grants': typeof supportGrantShape
    'support-entries': typeof supportEntryShape
  }
}
