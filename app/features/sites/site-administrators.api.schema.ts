import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'

/** active: can sign in; invited: has not chosen a password yet. */
const STATES = ['active', 'invited', 'blocked'] as const

export const siteAdministratorShape = resourceShape({
  type: 'site-administrators',
  summary:
    'Administrators of a site, for platform administrators. POST invites the first one, in place of those who were invited and have not signed in',
  operations: ['list', 'get', 'create'],
  /** The site’s id, a dot, and the account’s id. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/)),
  attributes: {
    login: attribute(v.string()),
    email: attribute(emailSchema, { create: 'required' }),
    state: attribute(v.picklist(STATES)),
    createdAt: attribute(timestampSchema),
  },
  relationships: { site: toOne('sites', { create: 'required' }) },
  /** Without a site, those of the request’s own. */
  filters: { site: filter.id() },
  page: { size: 50, max: 100 },
})

export const siteInvitationShape = resourceShape({
  type: 'site-invitations',
  summary:
    'Invites the first administrator of a site again: by email, or by a link to hand over if the site sends no email. Earlier links stop working',
  operations: ['create'],
  attributes: {
    /** Null if it was emailed. */
    address: attribute(v.nullable(v.string())),
  },
  relationships: { administrator: toOne('site-administrators', { create: 'required' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'site-administrators': typeof siteAdministratorShape
    'site-invitations': typeof siteInvitationShape
  }
}
