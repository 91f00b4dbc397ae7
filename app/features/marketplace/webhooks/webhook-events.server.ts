import { and, eq, isNotNull } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#app/lib/vocabulary/webhooks.ts'
import type { Tx } from '#app/server/db/client.ts'
import { installations, webhookDeliveries } from '#app/server/db/schema/marketplace.ts'

/** An event's subject and payload. */
export interface Happening {
  subjectId: string
  data: Record<string, unknown>
}

/**
 * Queues events for the site's webhooks in the transaction that causes them, so that both happen or neither. Does nothing if webhooks are
 * missing, disabled or not subscribed to this event.
 */
export async function recordEvents(tx: Tx, siteId: string, event: WebhookEvent, at: Date, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return
  const [installation] = await tx
    .select({ id: installations.id, settings: installations.settings })
    .from(installations)
    .where(and(eq(installations.siteId, siteId), eq(installations.integration, 'webhooks'), isNotNull(installations.enabledAt)))
  if (installation?.settings[WEBHOOK_EVENTS[event]] !== true) return
  await tx.insert(webhookDeliveries).values(
    happenings.map(({ subjectId, data }) => ({
      siteId,
      id: createId(),
      installationId: installation.id,
      event,
      subjectId,
      body: JSON.stringify({ type: event, timestamp: at.toISOString(), data }),
      occurredAt: at,
      triedSince: at,
      nextAttemptAt: at,
    })),
  )
}
