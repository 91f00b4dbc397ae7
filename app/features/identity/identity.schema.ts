import * as v from 'valibot'
import { profileKeySchema } from '#app/features/profile/profile.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { ROLES } from '#app/lib/roles.ts'
import { idSchema } from '#app/lib/uuid.ts'
import {
  type ClaimNames,
  type ClientAuth,
  PROVIDER_PROTOCOLS,
  type ProviderPreset,
  type ProviderProtocol,
  type SignInFaultCode,
} from '#app/lib/vocabulary/identity.ts'

interface PresetSettings {
  /** Those that it speaks. */
  protocols: readonly ProviderProtocol[]
  /** A site has to be admitted there first; until then, what is made of it stays a draft. */
  needsAdmission: boolean
  /** Shown in the empty field. */
  issuer: string
  /** The address is the same for everybody, and filled in. */
  isIssuerKnown: boolean
  clientAuth: ClientAuth
  /** Whom the site's proof by a key is made for. */
  assertionAudience: 'issuer' | 'token-endpoint'
  /** What is required of a sign-in, until the settings say otherwise. */
  requiredAcr: string[]
  /** Vectors of trust (RFC 8485) that are asked for instead of levels (acr). */
  vectors: { signIn: string; identity: string } | undefined
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

const COMMON = {
  protocols: PROVIDER_PROTOCOLS,
  needsAdmission: false,
  isIssuerKnown: false,
  clientAuth: 'client-secret',
  assertionAudience: 'issuer',
  requiredAcr: [] as string[],
  vectors: undefined,
} as const

export const PRESETS: Record<ProviderPreset, PresetSettings> = {
  generic: {
    ...COMMON,
    issuer: 'https://login.example.org',
    scope: 'openid email profile',
    claims: STANDARD_CLAIMS,
    samlClaims: STANDARD_CLAIMS,
    provesEmail: false,
  },
  // Anybody may write any address into a directory of their own: Microsoft says not to believe it.
  'entra-id': {
    ...COMMON,
    issuer: 'https://login.microsoftonline.com/<tenant>/v2.0',
    scope: 'openid email profile',
    claims: STANDARD_CLAIMS,
    samlClaims: MICROSOFT_CLAIMS,
    provesEmail: false,
  },
  google: {
    ...COMMON,
    issuer: 'https://accounts.google.com',
    isIssuerKnown: true,
    scope: 'openid email profile',
    claims: { ...STANDARD_CLAIMS, domain: 'hd' },
    samlClaims: STANDARD_CLAIMS,
    provesEmail: true,
  },
  keycloak: {
    ...COMMON,
    issuer: 'https://login.example.org/realms/<realm>',
    scope: 'openid email profile',
    claims: { ...STANDARD_CLAIMS, groups: 'realm_access.roles' },
    samlClaims: { ...STANDARD_CLAIMS, groups: 'Role' },
    provesEmail: false,
  },
  'gov-uk-one-login': {
    ...COMMON,
    protocols: ['openid'],
    needsAdmission: true,
    issuer: 'https://oidc.account.gov.uk/',
    isIssuerKnown: true,
    clientAuth: 'private-key',
    assertionAudience: 'token-endpoint',
    vectors: { signIn: 'Cl.Cm', identity: 'P2.Cl.Cm' },
    scope: 'openid email',
    claims: STANDARD_CLAIMS,
    samlClaims: STANDARD_CLAIMS,
    provesEmail: true,
  },
  'sign-in-canada': {
    ...COMMON,
    needsAdmission: true,
    issuer: 'https://connect.canada.ca',
    clientAuth: 'private-key',
    // The assurance of the credential only, not of the person's identity.
    requiredAcr: ['urn:gc-ca:cyber-auth:assurance:loa2'],
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

/** What a provider says about a person has to fit into a cookie until they confirm it. */
const MAX_ANSWERS_OF_PROVIDER = 6

const claimName = v.pipe(v.string(), v.trim(), v.regex(/^[\w:./-]{1,120}$/, 'wrong-format'))
export const claimNamesSchema = v.strictObject({
  email: claimName,
  name: claimName,
  groups: claimName,
  domain: v.optional(claimName),
  answers: v.optional(v.pipe(v.record(profileKeySchema, claimName), v.maxEntries(MAX_ANSWERS_OF_PROVIDER, 'too-many'))),
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
  { id: 'level', faults: ['level-too-low', 'identity-not-proven'] },
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
  /** What it says about them that answers questions of the site. */
  answers: ProvidedAnswer[]
}

export interface ProvidedAnswer {
  key: string
  label: LocalisedText
  text: string
  /** Why the site asks, and how long it keeps the answer. */
  why: string
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
