import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { requireAllowedDestination, resolvePublicAddress } from '#app/server/outgoing/send-outgoing.ts'
import { listReachedNames } from './setting-fields.ts'
import type { Manifest, Settings, SettingValue } from './marketplace.schema.ts'

/**
 * Refuses addresses that we would never send to: private or unencrypted ones. A host name that does not resolve yet is accepted.
 * @param typed new values; those unchanged from `present` are not checked
 * @throws {AppError} `invalid`, each fault at `/settings/<name>`
 */
export async function requirePublicDestinations(
  { runtime }: Pick<Ctx, 'runtime'>,
  manifest: Manifest,
  typed: Record<string, SettingValue | null>,
  present: Settings = {},
): Promise<void> {
  const found: Fault[] = []
  for (const [name, kind] of listReachedNames(manifest)) {
    const value = typed[name]
    if (typeof value !== 'string' || value === present[name]) continue
    const code = await findRefusal(value.trim(), kind, runtime.env.OUTGOING_LOOPBACK)
    if (code) found.push({ code, pointer: `/settings/${name}` })
  }
  if (found.length) throw new AppError('invalid', { faults: found })
}

/** The same for an address outside the marketplace's own forms. @throws {AppError} `invalid` at the pointer */
export async function requireReachableUrl({ runtime }: Pick<Ctx, 'runtime'>, url: string, pointer: string): Promise<void> {
  const code = await findRefusal(url, 'web', runtime.env.OUTGOING_LOOPBACK)
  if (code) throw new AppError('invalid', { faults: [{ code, pointer }] })
}

async function findRefusal(value: string, kind: 'web' | 'host', loopback: boolean) {
  // The settings' own schema reports malformed addresses.
  if (kind === 'web' && !URL.canParse(value)) return undefined
  if (kind === 'web' && new URL(value).protocol === 'http:' && !loopback) return 'not-encrypted'
  try {
    await (kind === 'web' ? requireAllowedDestination(value, { loopback }) : resolvePublicAddress(value, { loopback }))
  } catch (error) {
    if (!(error instanceof OutgoingFault)) throw error
    if (error.reason === 'address-refused') return 'not-public'
  }
  return undefined
}
