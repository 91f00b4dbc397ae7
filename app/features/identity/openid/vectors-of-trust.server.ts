import { PRESETS } from '../identity.schema.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'

/** True if the provider has to prove who somebody is, and not only that they hold an account there. */
export const asksForIdentity = ({ preset, provesLevel }: Pick<ProviderRow, 'preset' | 'provesLevel'>): boolean =>
  PRESETS[preset].vectors !== undefined && (provesLevel === 'identity' || provesLevel === 'resident')

/** The vector of trust (RFC 8485) to ask for; undefined for providers that are asked for levels (acr). */
export const chooseVector = (row: Pick<ProviderRow, 'preset' | 'provesLevel'>): string | undefined =>
  PRESETS[row.preset].vectors?.[asksForIdentity(row) ? 'identity' : 'signIn']

/** The `2` of `P2`. A vector that names none claims no identity. */
export const readIdentityLevel = (vector: string): number | undefined => {
  const part = vector.split('.').find((each) => /^P\d$/.test(each))
  return part === undefined ? undefined : Number(part.slice(1))
}

/**
 * Compares the vector in an ID token with the one that was asked for. An ID token may speak of the sign-in alone: the core identity then says
 * how well the person is known. @throws {SignInFault} `level-too-low`, `wrong-issuer` for the trustmark of somebody else
 */
export function requireVector(row: ProviderRow, issuer: string, { vot, vtm }: Record<string, unknown>): void {
  const asked = chooseVector(row)
  if (asked === undefined) return
  if (typeof vtm !== 'string' || !URL.canParse(vtm) || new URL(vtm).origin !== new URL(issuer).origin)
    throw new SignInFault('wrong-issuer', 'the trustmark (vtm) is not its own')
  const reached = typeof vot === 'string' ? vot : ''
  const parts = reached.split('.')
  const isSignedInWell = asked.split('.').every((part) => part.startsWith('P') || parts.includes(part))
  const known = readIdentityLevel(reached)
  if (!isSignedInWell || (known !== undefined && known < (readIdentityLevel(asked) ?? 0)))
    throw new SignInFault('level-too-low', 'the vector (vot) is less than what was asked for')
}
