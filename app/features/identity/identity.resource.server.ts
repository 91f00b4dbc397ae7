import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import {
  identityAdmissionShape,
  identityProviderAgreementShape,
  identityProviderChangeShape,
  identityProviderKeyShape,
  identityProviderShape,
  identityProviderTestShape,
  identityRequestShape,
  identityShape,
} from './identity.api.schema.ts'
import { agreeToChange, refuseChange } from './decide-on-change.server.ts'
import type { OwnIdentity } from './identity.schema.ts'
import { listIdentities, loadIdentitiesById, unlinkIdentity } from './identities.server.ts'
import { buildCallbackUrl } from './openid/exchange-code.server.ts'
import { listProviderTests } from './provider-tests.server.ts'
import { createProvider, deleteProvider, rotateProviderKeys, updateProvider } from './providers.server.ts'
import { type AdministeredProvider, listProviders, loadProvidersById } from './read-providers.server.ts'
import { findCertificateEnd } from './saml/certificate-end.server.ts'
import { noteMetadataRead, readNamedMetadata } from './saml/metadata-address.server.ts'
import { buildAssertionUrl, buildEntityId, readSiteCertificates } from './saml/saml-provider.server.ts'
import { admitRequest, listRequests, loadRequestsById, refuseRequest } from './unknown-subjects.server.ts'
import { describeChange, listWaitingChanges, loadWaitingChangesById, type WaitingChange } from './waiting-changes.server.ts'

const toWaiting = ({ viewer }: Ctx, { askedAt, askedBy, askedByName }: WaitingChange) => ({
  askedAt,
  askedBy: askedByName,
  isOwn: viewer.kind === 'user' && viewer.id === askedBy,
})

export const identityProviderResource = implementResource(identityProviderShape, {
  load: loadProvidersById,
  list: (ctx, { page }) => listProviders(ctx, page),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'identity.configure').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row: AdministeredProvider, ctx) => ({
    preset: row.preset,
    protocol: row.protocol,
    name: row.name,
    audience: row.audience,
    issuer: row.issuer,
    clientId: row.clientId,
    clientAuth: row.clientAuth,
    ssoUrl: row.ssoUrl,
    certificates: row.certificates,
    certificatesEndAt: findCertificateEnd(row.certificates),
    hasSecret: row.sealedSecret !== null,
    assertionEncryption: row.assertionEncryption,
    signsRequests: row.signsRequests,
    metadataAddress: row.metadataAddress,
    metadataReadAt: row.metadataReadAt,
    metadataFailed: row.metadataFailed,
    claims: row.claims,
    groupSeparator: row.groupSeparator,
    provesEmail: row.provesEmail,
    createsAccounts: row.createsAccounts,
    allowedDomains: row.allowedDomains,
    requiredAcr: row.requiredAcr,
    provesLevel: row.provesLevel,
    roleRules: row.rules,
    state: row.state,
    testedAt: row.testedAt,
    waitingChange: row.waiting && {
      ...toWaiting(ctx, row.waiting),
      id: row.waiting.id,
      askedAt: row.waiting.askedAt.toISOString(),
      changes: describeChange(row, row.waiting),
    },
    isMaker: ctx.viewer.kind === 'user' && ctx.viewer.id === row.makerId,
    callbackUrl: row.protocol === 'saml' ? buildAssertionUrl(ctx, row.id) : buildCallbackUrl(ctx, row.id),
    logoutUrl: buildSiteUrl(ctx, `/hooks/sign-in/${row.id}`),
    keysUrl: row.sealedKeys === null || row.protocol === 'saml' ? null : buildSiteUrl(ctx, `/sign-in/${row.id}/keys.json`),
    metadataUrl: row.protocol === 'saml' ? buildEntityId(ctx, row.id) : null,
    ...readSiteCertificates(ctx, row),
    createdAt: row.createdAt,
  }),
  create: async (ctx, given) => {
    const input = await readNamedMetadata(ctx, given.protocol ?? 'openid', given)
    const id = await createProvider(ctx, input)
    if (input.metadataAddress) await noteMetadataRead(ctx, id)
    return id
  },
  update: async (ctx, row, given, lock) => {
    const input = await readNamedMetadata(ctx, row.protocol, given)
    await updateProvider(ctx, row, input, lock.version)
    if (input.metadataAddress) await noteMetadataRead(ctx, row.id)
  },
  remove: deleteProvider,
})

export const identityProviderKeyResource = implementResource(identityProviderKeyShape, {
  create: (ctx, { provider }) => rotateProviderKeys(ctx, provider),
  attributes: ({ madeAt }) => ({ madeAt }),
  relationships: { provider: { id: ({ provider }) => provider } },
})

export const identityProviderChangeResource = implementResource(identityProviderChangeShape, {
  load: loadWaitingChangesById,
  list: (ctx, { page }) => listWaitingChanges(ctx, page),
  attributes: (row: WaitingChange, ctx) => toWaiting(ctx, row),
  relationships: { provider: { id: ({ providerId }) => providerId } },
  remove: refuseChange,
})

export const identityProviderAgreementResource = implementResource(identityProviderAgreementShape, {
  create: (ctx, { change }) => agreeToChange(ctx, change),
  attributes: ({ agreedAt }) => ({ agreedAt }),
  relationships: { change: { id: ({ change }) => change } },
})

export const identityProviderTestResource = implementResource(identityProviderTestShape, {
  list: (ctx, { filter, page }) => listProviderTests(ctx, { provider: filter.provider, ...page }),
  attributes: ({ at, fault, userId, claims, groups }, { viewer }) => ({
    at,
    fault,
    ...(viewer.kind === 'user' && viewer.id === userId ? { claims, groups } : {}),
  }),
})

export const identityResource = implementResource(identityShape, {
  load: loadIdentitiesById,
  list: (ctx, { page }) => listIdentities(ctx, page),
  changers: 'signed-in',
  attributes: ({ provider, email, linkedAt, lastUsedAt }: OwnIdentity) => ({ provider, email, linkedAt, lastUsedAt }),
  remove: unlinkIdentity,
})

export const identityRequestResource = implementResource(identityRequestShape, {
  load: loadRequestsById,
  list: (ctx, { page }) => listRequests(ctx, page),
  attributes: ({ provider, email, name, askedAt }) => ({ provider, email, name, askedAt }),
  remove: refuseRequest,
})

export const identityAdmissionResource = implementResource(identityAdmissionShape, {
  create: async (ctx, { request }) => ({ ...(await admitRequest(ctx, request)), request }),
  attributes: ({ user }) => ({ user }),
  relationships: { request: { id: ({ request }) => request } },
})
