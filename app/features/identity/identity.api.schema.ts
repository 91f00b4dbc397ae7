import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import {
  ASSERTION_ENCRYPTIONS,
  CLIENT_AUTHS,
  GROUP_SEPARATORS,
  PROVIDER_AUDIENCES,
  PROVIDER_PRESETS,
  PROVIDER_PROTOCOLS,
  PROVIDER_STATES,
  SIGN_IN_FAULTS,
} from '#app/lib/vocabulary/identity.ts'
import { VERIFICATION_LEVELS } from '#app/lib/vocabulary/verifications.ts'
import { claimNamesSchema, roleRuleSchema } from './identity.schema.ts'

const changeable = { create: 'optional', update: true } as const
const required = { create: 'required', update: true } as const
const domain = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'wrong-format'), v.maxLength(253))
const level = v.pipe(v.string(), v.trim(), v.regex(/^\S{1,200}$/, 'wrong-format'))

export const identityProviderShape = resourceShape({
  type: 'identity-providers',
  summary: 'Providers of accounts that people sign in with, such as the council’s own',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    preset: attribute(v.picklist(PROVIDER_PRESETS), { create: 'optional' }),
    protocol: attribute(v.picklist(PROVIDER_PROTOCOLS), { create: 'optional' }),
    /** As people know it: “Sign in with {name}”. */
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(60)), required),
    audience: attribute(v.picklist(PROVIDER_AUDIENCES), changeable),
    /** Fixed once it is being tested: other subjects belong to another issuer. */
    issuer: attribute(v.pipe(v.string(), v.trim(), v.url('not-a-link'), v.maxLength(500)), changeable),
    /** SAML: where the provider describes itself. Its issuer, address and certificates are read from there, and again each day. */
    metadataAddress: attribute(v.nullable(v.pipe(v.string(), v.trim(), v.url('not-a-link'), v.maxLength(500))), changeable),
    metadataReadAt: attribute(v.nullable(timestampSchema)),
    /** True if the address could not be read the last time. */
    metadataFailed: attribute(v.boolean()),
    /** Empty for SAML, where the site's name is the address of its metadata. */
    clientId: attribute(v.pipe(v.string(), v.trim(), v.maxLength(300)), changeable),
    clientAuth: attribute(v.picklist(CLIENT_AUTHS), changeable),
    /** Stored sealed and never returned. */
    clientSecret: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(2000)), { read: false, ...changeable }),
    hasSecret: attribute(v.boolean()),
    /** SAML: where people are sent to sign in. */
    ssoUrl: attribute(v.nullable(v.pipe(v.string(), v.trim(), v.url('not-a-link'), v.maxLength(500))), changeable),
    /** SAML: certificates that the provider signs with, as PEM; two while it changes them. */
    certificates: attribute(v.pipe(v.array(v.pipe(v.string(), v.trim(), v.maxLength(10_000))), v.maxLength(3)), changeable),
    /** SAML: when the last of them ends. */
    certificatesEndAt: attribute(v.nullable(timestampSchema)),
    /** SAML: whether assertions are encrypted for a key of this site; `required` refuses the others. */
    assertionEncryption: attribute(v.picklist(ASSERTION_ENCRYPTIONS), changeable),
    /** SAML: for providers whose metadata says `WantAuthnRequestsSigned`. */
    signsRequests: attribute(v.boolean(), changeable),
    claims: attribute(claimNamesSchema, changeable),
    /** `guess` becomes what the next passed test shows. */
    groupSeparator: attribute(v.picklist(GROUP_SEPARATORS), changeable),
    provesEmail: attribute(v.boolean(), changeable),
    createsAccounts: attribute(v.boolean(), changeable),
    allowedDomains: attribute(v.pipe(v.array(domain), v.maxLength(50)), changeable),
    requiredAcr: attribute(v.pipe(v.array(level), v.maxLength(10)), changeable),
    /** What signing in with it proves of residents; null: nothing. Changing this or the required levels ends what it has proven. */
    provesLevel: attribute(v.nullable(v.picklist(VERIFICATION_LEVELS)), changeable),
    roleRules: attribute(v.pipe(v.array(roleRuleSchema), v.maxLength(200)), changeable),
    state: attribute(v.picklist(PROVIDER_STATES), { update: true }),
    testedAt: attribute(v.nullable(timestampSchema)),
    /** A change that waits until a second site administrator agrees; the settings above stay in force until then. */
    waitingChange: attribute(
      v.nullable(
        v.strictObject({
          id: idSchema,
          askedAt: timestampSchema,
          askedBy: v.string(),
          /** True if the viewer asked, and so cannot agree. */
          isOwn: v.boolean(),
          /** A secret has no values. */
          changes: v.array(v.strictObject({ name: v.string(), from: v.unknown(), to: v.unknown() })),
        }),
      ),
    ),
    /** True if the viewer is the one who may test it. */
    isMaker: attribute(v.boolean()),
    /** For the provider's own settings. */
    callbackUrl: attribute(v.string()),
    logoutUrl: attribute(v.string()),
    keysUrl: attribute(v.nullable(v.string())),
    metadataUrl: attribute(v.nullable(v.string())),
    /** SAML: the site's own, as PEM, for providers that do not read its metadata. */
    signingCertificate: attribute(v.nullable(v.string())),
    encryptionCertificate: attribute(v.nullable(v.string())),
    createdAt: attribute(timestampSchema),
  },
})

export const identityProviderKeyShape = resourceShape({
  type: 'identity-provider-keys',
  summary: 'Makes the next key of a provider the present one, and a new next key',
  operations: ['create'],
  attributes: { madeAt: attribute(timestampSchema) },
  relationships: { provider: toOne('identity-providers', { create: 'required' }) },
})

export const identityProviderChangeShape = resourceShape({
  type: 'identity-provider-changes',
  summary:
    'Changes of providers that wait until a second site administrator agrees; deleting one refuses it, or takes back the viewer’s own',
  operations: ['list', 'get', 'remove'],
  attributes: {
    askedAt: attribute(timestampSchema),
    askedBy: attribute(v.string()),
    isOwn: attribute(v.boolean()),
  },
  relationships: { provider: toOne('identity-providers') },
})

export const identityProviderAgreementShape = resourceShape({
  type: 'identity-provider-agreements',
  summary: 'Agrees to a waiting change of a provider that another site administrator asked for',
  operations: ['create'],
  attributes: { agreedAt: attribute(timestampSchema) },
  relationships: { change: toOne('identity-provider-changes', { create: 'required' }) },
})

export const identityProviderTestShape = resourceShape({
  type: 'identity-provider-tests',
  summary: 'What tests of a provider showed, newest first',
  operations: ['list'],
  attributes: {
    at: attribute(timestampSchema),
    fault: attribute(v.nullable(v.picklist(SIGN_IN_FAULTS))),
    /** Only for the one who made the test. */
    claims: attribute(v.record(v.string(), v.unknown()), { read: 'sometimes' }),
    /** The same: the groups as they were read, which the rules are compared with. */
    groups: attribute(v.array(v.string()), { read: 'sometimes' }),
  },
  filters: { provider: filter.id() },
  page: { size: 5, max: 20 },
})

export const identityShape = resourceShape({
  type: 'identities',
  summary: 'Accounts elsewhere that the viewer signs in with; deleting one unlinks it',
  operations: ['list', 'get', 'remove'],
  attributes: {
    provider: attribute(v.string()),
    email: attribute(v.nullable(v.string())),
    linkedAt: attribute(timestampSchema),
    lastUsedAt: attribute(v.nullable(timestampSchema)),
  },
})

export const identityRequestShape = resourceShape({
  type: 'identity-requests',
  summary: 'People who signed in with a provider and have no account here yet; deleting one refuses it',
  operations: ['list', 'get', 'remove'],
  attributes: {
    provider: attribute(v.string()),
    email: attribute(v.nullable(v.string())),
    name: attribute(v.nullable(v.string())),
    askedAt: attribute(timestampSchema),
  },
})

export const identityAdmissionShape = resourceShape({
  type: 'identity-admissions',
  summary: 'Makes an account for somebody who asked to be let in',
  operations: ['create'],
  relationships: { request: toOne('identity-requests', { create: 'required' }) },
  attributes: { user: attribute(v.string()) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'identity-providers': typeof identityProviderShape
    'identity-provider-keys': typeof identityProviderKeyShape
    'identity-provider-changes': typeof identityProviderChangeShape
    'identity-provider-agreements': typeof identityProviderAgreementShape
    'identity-provider-tests': typeof identityProviderTestShape
    identities: typeof identityShape
    'identity-requests': typeof identityRequestShape
    'identity-admissions': typeof identityAdmissionShape
  }
}
