import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { HEALTH_STATES, PROVIDER_FAULTS } from '#app/lib/vocabulary/marketplace.ts'
import { CAPABILITIES, CATEGORIES, FIELD_KINDS } from './marketplace.schema.ts'

const integrationId = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{1,40}$/))
const settingValue = v.union([v.pipe(v.string(), v.maxLength(4000)), v.number(), v.boolean()])

export const integrationShape = resourceShape({
  type: 'integrations',
  summary: 'The marketplace: services a site can connect, what each does and what data it gets',
  operations: ['list', 'get'],
  id: integrationId,
  attributes: {
    name: attribute(v.string()),
    category: attribute(v.picklist(CATEGORIES)),
    does: attribute(v.string()),
    leaves: attribute(v.array(v.string())),
    capabilities: attribute(v.array(v.picklist(CAPABILITIES))),
    /** Path of its own setup screen, if it is not installed here. */
    setUpAt: attribute(v.nullable(v.string())),
    triedAt: attribute(v.nullable(v.string())),
    /** Runs on pages: it has no test and no log. */
    onPages: attribute(v.boolean()),
    /** Describes the test, if it does more than send a request. */
    testing: attribute(v.nullable(v.string())),
    fields: attribute(
      v.array(
        v.object({
          name: v.string(),
          kind: v.picklist(FIELD_KINDS),
          label: v.string(),
          hint: v.nullable(v.string()),
          secret: v.boolean(),
          required: v.boolean(),
          preset: v.nullable(settingValue),
          choices: v.array(v.object({ value: v.string(), label: v.string() })),
        }),
      ),
    ),
  },
  page: { size: 50, max: 100 },
})

export const installationShape = resourceShape({
  type: 'installations',
  summary: 'Integrations installed on the site',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    integration: attribute(integrationId, { create: 'required' }),
    /** Values as described by the integration's fields. Secrets are write-only; null removes a value. */
    settings: attribute(v.record(v.pipe(v.string(), v.maxLength(60)), v.nullable(settingValue)), { create: 'optional', update: true }),
    secretsSet: attribute(v.array(v.string())),
    enabled: attribute(v.boolean(), { update: true }),
    health: attribute(v.picklist(HEALTH_STATES)),
    failures: attribute(v.number()),
    pausedUntil: attribute(v.nullable(timestampSchema)),
    failingSince: attribute(v.nullable(timestampSchema)),
    lastUsedAt: attribute(v.nullable(timestampSchema)),
    lastFault: attribute(v.nullable(v.object({ code: v.picklist(PROVIDER_FAULTS), at: timestampSchema }))),
    /** Callback URL for delivery reports and replies; null if the service sends none. */
    hookAddress: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
  },
  page: { size: 50, max: 100 },
})

export const installationTestShape = resourceShape({
  type: 'installation-tests',
  summary: 'Tests an installation’s settings with its service',
  operations: ['create'],
  attributes: { at: attribute(timestampSchema), fault: attribute(v.nullable(v.picklist(PROVIDER_FAULTS))) },
  relationships: { installation: toOne('installations', { create: 'required' }) },
})

export const installationCallShape = resourceShape({
  type: 'installation-calls',
  summary: 'Calls to an installation’s service and their outcome, without contents or recipients',
  operations: ['list'],
  attributes: {
    at: attribute(timestampSchema),
    operation: attribute(v.string()),
    target: attribute(v.string()),
    outcome: attribute(v.picklist(['ok', ...PROVIDER_FAULTS])),
    status: attribute(v.nullable(v.number())),
    milliseconds: attribute(v.number()),
    note: attribute(v.string()),
  },
  filters: { installation: filter.id() },
  page: { size: 20, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    integrations: typeof integrationShape
    installations: typeof installationShape
    'installation-tests': typeof installationTestShape
    'installation-calls': typeof installationCallShape
  }
}
