/** Known kinds of providers, each with its own settings filled in. */
export const PROVIDER_PRESETS = ['generic', 'entra-id', 'google', 'keycloak', 'gov-uk-one-login', 'sign-in-canada'] as const
export type ProviderPreset = (typeof PROVIDER_PRESETS)[number]

export const PROVIDER_PROTOCOLS = ['openid', 'saml'] as const
export type ProviderProtocol = (typeof PROVIDER_PROTOCOLS)[number]

export const PROVIDER_STATES = ['draft', 'testing', 'active', 'suspended'] as const
export type ProviderState = (typeof PROVIDER_STATES)[number]

export const PROVIDER_AUDIENCES = ['staff', 'residents'] as const
export type ProviderAudience = (typeof PROVIDER_AUDIENCES)[number]

/** How the site proves to the provider who it is. */
export const CLIENT_AUTHS = ['client-secret', 'client-secret-post', 'private-key'] as const
export type ClientAuth = (typeof CLIENT_AUTHS)[number]

/** What separates several groups that a provider sends as one text; `none` if such a text is one group. */
export const GROUP_SEPARATORS = ['guess', 'none', 'semicolon', 'comma', 'space'] as const
export type GroupSeparator = (typeof GROUP_SEPARATORS)[number]

/** Whether a provider of SAML encrypts what it says of people, for a key of this site. */
export const ASSERTION_ENCRYPTIONS = ['none', 'accepted', 'required'] as const
export type AssertionEncryption = (typeof ASSERTION_ENCRYPTIONS)[number]

/** Why signing in with a provider failed, each with its text in `identity.json`. */
export const SIGN_IN_FAULTS = [
  'started-elsewhere',
  'used-before',
  'cancelled',
  'too-many',
  'unreachable',
  'client-refused',
  'wrong-issuer',
  'wrong-audience',
  'wrong-nonce',
  'wrong-signature',
  'expired',
  'not-understood',
  'not-encrypted',
  'not-decrypted',
  'encryption-refused',
  'level-too-low',
  'identity-not-proven',
  'domain-refused',
  'groups-incomplete',
  'groups-unclear',
  'not-active',
  'blocked',
  'linked-to-other',
  'staff-account',
] as const
export type SignInFaultCode = (typeof SIGN_IN_FAULTS)[number]

/** Names of the claims that the site reads. */
export interface ClaimNames {
  email: string
  name: string
  /** A dot leads into an object: `realm_access.roles`. */
  groups: string
  /** The claim with the organisation's domain, if the address does not prove it. */
  domain?: string | undefined
  /** Claims that answer questions about people, by the keys of the questions. */
  answers?: Record<string, string> | undefined
}
