import * as v from 'valibot'
import { ROLES } from '#app/lib/roles.ts'
import { idSchema } from '#app/lib/uuid.ts'
import type { ClaimNames, ProviderPreset, SignInFaultCode } from '#app/lib/vocabulary/identity.ts'

interface PresetSettings {
  /** False for services that do not admit councils in general yet: they cannot be chosen. */
  isOffered: boolean
  /** Shown in the empty field, or the whole address if it is the same for everybody. */
  issuer: string
  scope: string
  claims: ClaimNames
  /** The attributes of its SAML assertions. */
  samlClaims: ClaimNames
  /** Its addresses are confirmed ones. */
  provesEmail: boolean
}

const STANDARD_CLAIMS: ClaimNames = { email: 'email', name: 'name', groups: 'groups' }
const MICROSOFT_CLAIMS: ClaimNames = {
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  name: 'http://schemas.microsoft.com/identity/claims/displayname',
  groups: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
}

export const PRESETS: Record<ProviderPreset, PresetSettings> = {
  generic: {
    isOffered: true,
    issuer: 'https://login.example.org',
    scope: 'openid email profile',
    claims: STANDARD_CLAIMS,
    samlClaims: STANDARD_CLAIMS,
    provesEmail: false,
  },
  // Anybody may write any address into a directory of their own: Microsoft says not to believe it.
  'entra-id': {
    isOffered: true,
    issuer: 'https://login.microsoftonline.com/<tenant>/v2.0',
    scope: 'openid email profile',
    claims: STANDARD_CLAIMS,
    samlClaims: MICROSOFT_CLAIMS,
    provesEmail: false,
  },
  google: {
    isOffered: true,
    issuer: 'https://accounts.google.com',
    scope: 'openid email profile',
    claims: { ...STANDARD_CLAIMS, domain: 'hd' },
    samlClaims: STANDARD_CLAIMS,
    provesEmail: true,
  },
  keycloak: {
    isOffered: true,
    issuer: 'https://login.example.org/realms/<realm>',
    scope: 'openid email profile',
    claims: { ...STANDARD_CLAIMS, groups: 'realm_access.roles' },
    samlClaims: { ...STANDARD_CLAIMS, groups: 'Role' },
    provesEmail: false,
  },
  'gov-uk-one-login': {
    isOffered: false,
    issuer: 'https://oidc.account.gov.uk',
    scope: 'openid email',
    claims: STANDARD_CLAIMS,
    samlClaims: STANDARD_CLAIMS,
    provesEmail: true,
  },
  'sign-in-canada': {
    isOffered: false,
    issuer: 'https://connect.canada.ca',
    scope: 'openid email profile',
    claims: STANDARD_CLAIMS,
    samlClaims: STANDARD_CLAIMS,
    provesEmail: false,
  },
}

/** What a page shows of a provider to everybody. */
export interface ProviderLink {
  id: string
  name: string
}

export interface SignInOptions {
  providers: ProviderLink[]
  /** There is a page of its own for the staff. */
  hasStaffPage: boolean
}

const claimName = v.pipe(v.string(), v.trim(), v.regex(/^[\w:./-]{1,120}$/, 'wrong-format'))
export const claimNamesSchema = v.strictObject({
  email: claimName,
  name: claimName,
  groups: claimName,
  domain: v.optional(claimName),
})

export const roleRuleSchema = v.strictObject({
  group: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200)),
  role: v.picklist(ROLES.filter((role) => role !== 'platform_admin')),
  hub: v.nullable(idSchema),
  project: v.nullable(idSchema),
})
export type RoleRule = v.InferOutput<typeof roleRuleSchema>

/** What is checked of a sign-in, in this order; each fault belongs to one of them. */
export const SIGN_IN_CHECKS = [
  { id: 'answer', faults: ['started-elsewhere', 'used-before', 'cancelled', 'too-many'] },
  { id: 'reached', faults: ['unreachable'] },
  { id: 'client', faults: ['client-refused'] },
  { id: 'encryption', faults: ['not-encrypted', 'not-decrypted', 'encryption-refused'] },
  { id: 'issuer', faults: ['wrong-issuer'] },
  { id: 'token', faults: ['not-understood', 'wrong-audience', 'wrong-nonce', 'expired'] },
  { id: 'signature', faults: ['wrong-signature'] },
  { id: 'level', faults: ['level-too-low'] },
  { id: 'domain', faults: ['domain-refused'] },
  { id: 'groups', faults: ['groups-incomplete', 'groups-unclear'] },
] as const satisfies readonly { id: string; faults: readonly SignInFaultCode[] }[]

/** What a page asks a person to confirm who came back from a provider. */
export interface PendingSignIn {
  kind: 'link' | 'adopt' | 'create'
  provider: string
  /** As the provider said it. */
  email: string | null
  name: string | null
}

/** An identity on the account page of its holder. */
export interface OwnIdentity {
  id: string
  provider: string
  email: string | null
  linkedAt: Date
  lastUsedAt: Date | null
}

/** How many days before the last certificate expires administrators are warned; the first also says when its page begins to warn. */
export const CERTIFICATE_REMINDER_DAYS = [30, 14, 3] as const
