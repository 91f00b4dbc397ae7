import { AppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { PORTAL_KINDS, type PortalFaultCode, type PortalKind } from '../opencities.schema.ts'
import { type Portal, PortalFault } from './portal.server.ts'
import { PortalReader } from './portal-reader.server.ts'
import { PORTALS } from './portal-registry.server.ts'

interface PortalAccess {
  id: string
  kind: string
  portalUrl: string
  language: string
  sealedToken: string | null
}

/** Where a connector's token is kept, as its seal names it. */
export const buildTokenSealPlace = (connectorId: string): string => `city-connectors/${connectorId}/token`

/** A connector's portal, ready to be asked with the connector's token. */
export function openPortal({ runtime }: Pick<Ctx, 'runtime'>, connector: PortalAccess, signal?: AbortSignal) {
  const portal = PORTALS[connector.kind as PortalKind] as Portal | undefined
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
 * What kind of portal answers at an address. One request for each kind, until one recognises its own.
 * @throws {PortalFault | OutgoingFault} `portal-unknown-kind` where none does; else what stopped the last of them
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
      // An address that cannot be reached at all is so for every kind.
      if (!(error instanceof PortalFault)) throw error
      if (error.code !== 'portal-missing' && error.code !== 'portal-not-understood') refused ??= error
    }
  }
  throw refused ?? new PortalFault('portal-unknown-kind', `nothing known at ${address}`)
}

/** The code people are told by, or undefined for what is a defect of our own. */
export function findFaultCode(error: unknown): PortalFaultCode | undefined {
  if (error instanceof PortalFault) return error.code
  if (error instanceof OutgoingFault) return `portal-${error.reason}`
  return undefined
}

/** Runs what asks a portal for somebody who waits: its failure is a fault of theirs to read. @throws {AppError} */
export async function reportPortalFaults<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = findFaultCode(error)
    if (!code) throw error
    throw new AppError('invalid', { faults: [{ code: code satisfies ErrorCode, pointer }] })
  }
}
