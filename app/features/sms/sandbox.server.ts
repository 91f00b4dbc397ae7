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
 * Receives a text from the sandbox, which lets administrators try all of SMS without a service or a phone.
 * @returns the text's id
 * @throws {AppError} `forbidden`, `sms-not-enabled` without the sandbox, `invalid` at `/phone`
 */
export async function receiveFromSandbox(ctx: Ctx, input: { phone: string; body: string }): Promise<string> {
  requirePermission(ctx, 'site.edit')
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
