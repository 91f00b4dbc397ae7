import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { hostSchema } from './sites.api.schema.ts'

const reason = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(500))

export const siteSuspensionShape = resourceShape({
  type: 'site-suspensions',
  summary: 'Suspended sites. POST suspends, DELETE resumes. Has the id of the site',
  operations: ['get', 'create', 'remove'],
  attributes: { reason: attribute(reason, { read: false, create: 'required' }) },
  relationships: { site: toOne('sites', { create: 'required' }) },
})

export const siteDomainShape = resourceShape({
  type: 'site-domains',
  summary: 'Web addresses of a site. Links in emails lead to the main one',
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
  summary: 'Support access granted by the site. POST grants it for 14 days, DELETE revokes it',
  operations: ['list', 'get', 'create', 'remove'],
  can: ['revoke'],
  attributes: {
    reason: attribute(reason, { create: 'required' }),
    createdAt: attribute(timestampSchema),
    expiresAt: attribute(timestampSchema),
    revokedAt: attribute(v.nullable(timestampSchema)),
  },
})

export const openSupportGrantShape = resourceShape({
  type: 'open-support-grants',
  summary: 'The sites that give the platform’s support access now, for the platform’s administrators',
  operations: ['list'],
  attributes: {
    siteName: attribute(v.string()),
    /** Of its administration. */
    address: attribute(v.string()),
    reason: attribute(v.string()),
    /** The name of the site administrator who gave it. */
    grantedBy: attribute(v.string()),
    expiresAt: attribute(timestampSchema),
  },
  page: { size: 100, max: 100 },
})

export const supportEntryShape = resourceShape({
  type: 'support-entries',
  summary: 'A platform administrator’s entry into a site that granted support access; recorded in both audit logs',
  operations: ['create'],
  attributes: { until: attribute(timestampSchema) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'site-suspensions': typeof siteSuspensionShape
    'site-domains': typeof siteDomainShape
    'support-grants': typeof supportGrantShape
    'open-support-grants': typeof openSupportGrantShape
    'support-entries': typeof supportEntryShape
  }
}
