import { createId } from '#app/lib/uuid.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { webhookDeliveryShape, webhookReplayShape, webhookSecretShape } from './webhooks.api.schema.ts'
import { loadDeliveriesById, type DeliveryRow, listDeliveries, type NewSecret, renewSecret, replayDeliveries } from './webhooks.server.ts'

export const webhookDeliveryResource = implementResource(webhookDeliveryShape, {
  load: loadDeliveriesById,
  list: (ctx, { filter, page }) => listDeliveries(ctx, { status: filter.status, ...page }),
  attributes: (row: DeliveryRow) => ({
    event: row.event,
    subject: row.subjectId,
    status: row.status,
    occurredAt: row.occurredAt,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt,
    answered: row.answered,
    fault: row.fault,
    deliveredAt: row.deliveredAt,
    body: row.body,
  }),
})

interface Replay {
  id: string
  delivery: string | null
  count: number
}

export const webhookReplayResource = implementResource(webhookReplayShape, {
  create: async (ctx, { delivery }): Promise<Replay> => ({
    id: createId(),
    delivery: delivery ?? null,
    count: await replayDeliveries(ctx, delivery ?? undefined),
  }),
  attributes: ({ count }) => ({ count }),
  relationships: { delivery: { id: ({ delivery }) => delivery } },
})

export const webhookSecretResource = implementResource(webhookSecretShape, {
  create: async (ctx, { installation }): Promise<NewSecret & { installation: string }> => ({
    ...(await renewSecret(ctx, installation)),
    installation,
  }),
  attributes: ({ secret }) => ({ secret }),
  relationships: { installation: { id: ({ installation }) => installation } },
})
