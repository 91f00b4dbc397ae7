import { X509Certificate } from 'node:crypto'
import { requireReachableUrl } from '#app/features/marketplace/public-destinations.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ProviderProtocol } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'

/**
 * What a provider's protocol needs. Its addresses are asked, or people are sent there.
 * @throws {AppError} `invalid`
 */
export async function requireConnection(
  ctx: Ctx,
  protocol: ProviderProtocol,
  input: { issuer: string; clientId?: string | undefined; ssoUrl?: string | null | undefined; certificates?: string[] | undefined },
): Promise<void> {
  if (protocol === 'openid') {
    if (!input.clientId) throw createFault('required', '/clientId')
    return requireReachableUrl(ctx, input.issuer, '/issuer')
  }
  if (!input.ssoUrl) throw createFault('required', '/ssoUrl')
  if (!input.certificates?.length) throw createFault('required', '/certificates')
  if (!input.certificates.every(isCertificate)) throw createFault('wrong-format', '/certificates')
  await requireReachableUrl(ctx, input.ssoUrl, '/ssoUrl')
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const createFault = (code: 'required' | 'wrong-format', pointer: string) => new AppError('invalid', { faults: [{ code, pointer }] })
