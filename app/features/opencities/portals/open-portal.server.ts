import { AppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { PORTAL_KINDS, type PortalKind } from '#app/lib/vocabulary/opencities.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import type { PortalFaultCode } from '../opencities.schema.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import { PortalReader } from './portal-reader.server.ts'
import { PORTALS } from './portal-registry.server.ts'

interface PortalAccess {
  id: string
  kind: PortalKind
  portalUrl: string
  language: string
  sealedToken: string | null
}

/** The place a connector's token is sealed for. */
export const buildTokenSealPlace = (connectorId: string): string => `city-connectors/${connectorId}/token`

/** A connector's portal with a reader that sends the connector's token. */
export function openPortal({ runtime }: Pick<Ctx, 'runtime'>, connector: PortalAccess, signal?: AbortSignal) {
  const portal = PORTALS[connector.kind] as Portal | undefined
  if (!portal) throw new PortalFault('portal-unknown-kind', `kind ${connector.kind}`)
  const token = connector.sealedToken && unsealSecret(getSealingKeys(runtime), buildTokenSealPlace(connector.id), connector.sealedToken)
  const reader = new PortalReader({
    policy: { loopback: runtime.env.OUTGOING_LOOPBACK },
    home: connector.portalUrl,
    language: connector.language,
    ...(token ? { secrets: portal.credentials(token) } : {}),
    ...(signal ? { signal } : {}),
  })
  return { portal, reader, url: connector.portalUrl }
}

/**
 * Detects what kind of portal answers at an address: one request per kind until one recognises it.
 * @throws {PortalFault | OutgoingFault} `portal-unknown-kind` if none does; otherwise the error that stopped the last one
 */
export async function detectPortal(
  { runtime }: Pick<Ctx, 'runtime'>,
  address: string,
  token: string | undefined,
  language: string,
): Promise<{ kind: PortalKind; url: string; name: string }> {
  let refused: PortalFault | undefined
  for (const kind of PORTAL_KINDS) {
    const portal = PORTALS[kind]
    const reader = new PortalReader({
      policy: { loopback: runtime.env.OUTGOING_LOOPBACK },
      home: address,
      language,
      ...(token ? { secrets: portal.credentials(token) } : {}),
    })
    try {
      const found = await portal.detect(reader, address)
      if (found) return { kind, ...found }
    } catch (error) {
      // If the address cannot be reached at all, no other kind will reach it either.
      if (!(error instanceof PortalFault)) throw error
      if (error.code !== 'portal-missing' && error.code !== 'portal-not-understood') refused ??= error
    }
  }
  throw refused ?? new PortalFault('portal-unknown-kind', `nothing known at ${address}`)
}

/** The code to report to people; undefined for a bug of our own. */
export function findFaultCode(error: unknown): PortalFaultCode | undefined {
  if (error instanceof PortalFault) return error.code
  if (error instanceof OutgoingFault) return `portal-${error.reason}`
  return undefined
}

/** Runs a portal request that somebody is waiting for and turns its failure into a fault they can read. @throws {AppError} */
export async function reportPortalFaults<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = findFaultCode(error)
    if (!code) throw error
    throw new AppError('invalid', { faults: [{ code: code satisfies ErrorCode, pointer }] })
  }
}
