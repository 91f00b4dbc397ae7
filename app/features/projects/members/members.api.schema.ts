import * as v from 'valibot'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

const fixed = { create: 'required', nullable: false } as const

export const projectMemberShape = resourceShape({
  type: 'project-members',
  summary: 'Members of a project, added by account or by email address; they are notified by email',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    email: attribute(emailSchema, { create: 'optional' }),
    /** Null for somebody invited by email who has not opened the project yet, so as not to reveal whether they have an account. */
    name: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    project: toOne('projects', fixed),
    user: toOne('users', { create: 'optional' }),
  },
  filters: { project: filter.id(), q: filter.text(200) },
})

export const projectAdmissionShape = resourceShape({
  type: 'project-admissions',
  summary: 'Adds everyone who is in a group now to a project’s members',
  operations: ['create'],
  attributes: {
    /** How many were not members before. */
    admitted: attribute(v.number()),
    already: attribute(v.number()),
  },
  relationships: { project: toOne('projects', fixed), group: toOne('groups', fixed) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-admissions': typeof projectAdmissionShape
    'project-members': typeof projectMemberShape
  }
}
