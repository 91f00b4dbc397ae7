import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { PROVIDER_FAULTS } from '#app/lib/vocabulary/marketplace.ts'
import { WEBHOOK_EVENT_NAMES, WEBHOOK_STATUSES } from '#app/lib/vocabulary/webhooks.ts'

export const webhookDeliveryShape = resourceShape({
  type: 'webhook-deliveries',
  summary: 'Deliveries of the site’s webhooks, sent and pending, latest first',
  operations: ['list'],
  attributes: {
    event: attribute(v.picklist(WEBHOOK_EVENT_NAMES)),
    /** Id of the response, project, survey, update or account that the event is about. */
    subject: attribute(v.string()),
    status: attribute(v.picklist(WEBHOOK_STATUSES)),
    occurredAt: attribute(timestampSchema),
    attempts: attribute(v.number()),
    nextAttemptAt: attribute(v.nullable(timestampSchema)),
    /** HTTP status of the last attempt; null if there was no response. */
    answered: attribute(v.nullable(v.number())),
    fault: attribute(v.nullable(v.picklist(PROVIDER_FAULTS))),
    deliveredAt: attribute(v.nullable(timestampSchema)),
    /** The payload as posted. */
    body: attribute(v.string()),
  },
  filters: { status: filter.choices(WEBHOOK_STATUSES) },
  page: { size: 20, max: 100 },
})

export const webhookReplayShape = resourceShape({
  type: 'webhook-replays',
  summary: 'Sends one webhook event again; without an id, every event whose delivery was given up',
  operations: ['create'],
  attributes: { count: attribute(v.number()) },
  relationships: { delivery: toOne('webhook-deliveries', { create: 'optional' }) },
})

export const webhookSecretShape = resourceShape({
  type: 'webhook-secrets',
  summary: 'Creates a new secret for signing webhooks and returns it once. The previous one stays valid for a day',
  operations: ['create'],
  attributes: { secret: attribute(v.string()) },
  relationships: { installation: toOne('installations', { create: 'required' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'webhook-deliveries': typeof webhookDeliveryShape
    'webhook-replays': typeof webhookReplayShape
    'webhook-secrets': typeof webhookSecretShape
  }
}
