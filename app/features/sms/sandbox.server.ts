import { recordAudit } from '#app/features/audit/audit.server.ts'
import { loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { requireSmsEnabled } from './messages.server.ts'
import { parsePhone } from './phone-format.server.ts'
import { receiveText } from './receive-messages.server.ts'

/**
 * A text that comes in by the sandbox, for who tries things out: the whole of SMS without a service and without a phone.
 * @returns an id of its own
 * @throws {AppError} `forbidden`, `sms-not-enabled` without the sandbox, `invalid` at `/phone`
 */
export async function receiveFromSandbox(ctx: Ctx, input: { phone: string; body: string }): Promise<string> {
  requirePermission(ctx.viewer, 'site.edit')
  await requireSmsEnabled(ctx)
  const sandbox = (await loadEnabledInstallations(ctx, 'receive-sms')).find(({ integration }) => integration.sms?.isInternal)
  if (!sandbox) throw new AppError('sms-not-enabled')
  const phone = parsePhone(input.phone, ctx.site.region)
  if (!phone) throw new AppError('invalid', { faults: [{ code: 'not-a-phone', pointer: '/phone' }] })
  const id = createId()
  await receiveText(ctx, sandbox.row.integration, { kind: 'text', providerId: id, phone, body: input.body })
  await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'sms-messages.pretend' }))
  return id
}
