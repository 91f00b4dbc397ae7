import { implementResource } from '#app/server/api/implement.ts'
import { listMessages, loadMessagesById, sendTestMessage } from './messages.server.ts'
import { receiveFromSandbox } from './sandbox.server.ts'
import { formatShownBody } from './format-shown-body.server.ts'
import { sandboxTextShape, smsMessageShape } from './sms.api.schema.ts'

export const smsMessageResource = implementResource(smsMessageShape, {
  load: loadMessagesById,
  list: (ctx, { filter, page }) => listMessages(ctx, { status: filter.status, direction: filter.direction, phone: filter.phone, ...page }),
  attributes: (row) => ({
    direction: row.direction,
    purpose: row.purpose,
    status: row.status,
    phone: row.phone,
    body: formatShownBody(row),
    language: row.language,
    segments: row.segments,
    integration: row.integration,
    fault: row.fault,
    attempts: row.attempts,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    settledAt: row.settledAt,
  }),
  create: sendTestMessage,
})

export const sandboxTextResource = implementResource(sandboxTextShape, {
  create: async (ctx, input) => ({ ...input, id: await receiveFromSandbox(ctx, input) }),
  attributes: ({ phone, body }: { id: string; phone: string; body: string }) => ({ phone, body }),
})
