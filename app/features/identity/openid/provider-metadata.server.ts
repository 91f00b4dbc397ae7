import { LRUCache } from 'lru-cache'
import type { JSONWebKeySet, JWK } from 'jose'
import * as openid from 'openid-client'
import type { Ctx } from '#app/server/context.ts'
import { readWholeBody, sendOutgoing } from '#app/server/outgoing/send-outgoing.ts'
import { PRESETS } from '../identity.schema.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { importSigningKey, openClientSecret, openSigningKeys } from '../provider-secrets.server.ts'
import { toSignInFault } from './openid-faults.server.ts'

const TIMEOUT_MS = 8000
const MAX_ANSWER_BYTES = 200_000
const METADATA_MINUTES = 10
const MAX_KEPT = 500

interface Discovered {
  metadata: openid.ServerMetadata
  /** Only public keys; the library says when they must be read again. */
  keys?: openid.ExportedJWKSCache | undefined
}

/** Public documents of providers. Failures are not kept; concurrent sign-ins share one request. */
const discovered = new LRUCache<string, Promise<Discovered>>({ max: MAX_KEPT, ttl: METADATA_MINUTES * 60_000 })

/** Keys for what the library does not check: logout tokens and core identities. A new key is known after a minute. */
const keySets = new LRUCache<string, JSONWebKeySet>({ max: MAX_KEPT, ttl: 60_000 })

/** All requests to providers pass the guard of outgoing requests, with limits of time and size, and follow no redirect. */
const createGuardedFetch =
  ({ runtime }: Pick<Ctx, 'runtime'>): openid.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await sendOutgoing(
      {
        url,
        method,
        headers,
        ...(body === undefined || body === null ? {} : { body: toRequestBody(body) }),
        withinMs: TIMEOUT_MS,
        mostBytes: MAX_ANSWER_BYTES,
        mostRedirects: 0,
      },
      { loopback: runtime.env.OUTGOING_LOOPBACK },
    )
    const read = await readWholeBody(answer)
    const kept = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && name !== 'content-encoding' && name !== 'content-length' ? [[name, value]] : [],
    )
    return new Response(hasNoBody(answer.status) ? null : new Uint8Array(read), { status: answer.status, headers: kept })
  }

const hasNoBody = (status: number) => status === 204 || status === 304

function toRequestBody(body: NonNullable<openid.FetchBody>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('A request to a provider has a form or text as its body')
}

/** Reads the provider's own description of itself, at most every ten minutes. @throws {SignInFault} */
function discoverProvider(ctx: Pick<Ctx, 'runtime'>, { siteId, id, issuer, clientId }: ProviderRow): Promise<Discovered> {
  const key = `${siteId} ${id} ${issuer}`
  const known = discovered.get(key)
  if (known) return known
  const reading = openid
    .discovery(new URL(issuer), clientId, undefined, undefined, {
      [openid.customFetch]: createGuardedFetch(ctx),
      timeout: TIMEOUT_MS / 1000,
      execute: ctx.runtime.env.OUTGOING_LOOPBACK ? [openid.allowInsecureRequests] : [],
    })
    .then((config): Discovered => {
      // Without the library's own helpers.
      const metadata = JSON.parse(JSON.stringify(config.serverMetadata())) as openid.ServerMetadata
      requireUsableMetadata(ctx, metadata)
      return { metadata }
    })
    .catch((error: unknown) => {
      discovered.delete(key)
      throw toSignInFault(error)
    })
  discovered.set(key, reading)
  return reading
}

/** People are sent to this address. */
function requireUsableMetadata(
  { runtime }: Pick<Ctx, 'runtime'>,
  { authorization_endpoint: address, jwks_uri: keys }: openid.ServerMetadata,
) {
  const protocols = runtime.env.OUTGOING_LOOPBACK ? ['https:', 'http:'] : ['https:']
  if (!address || !URL.canParse(address) || !protocols.includes(new URL(address).protocol))
    throw new SignInFault('not-understood', 'no authorization_endpoint at https')
  if (!keys) throw new SignInFault('not-understood', 'no jwks_uri')
}

/** What all requests to a provider need. Only made for one sign-in: it holds the secret. @throws {SignInFault} */
export async function openProvider(
  ctx: Pick<Ctx, 'runtime'>,
  row: ProviderRow,
): Promise<{ config: openid.Configuration; keepKeys: () => void }> {
  const known = await discoverProvider(ctx, row)
  const config = new openid.Configuration(known.metadata, row.clientId, undefined, await createClientAuth(ctx, row))
  config[openid.customFetch] = createGuardedFetch(ctx)
  config.timeout = TIMEOUT_MS / 1000
  if (ctx.runtime.env.OUTGOING_LOOPBACK) openid.allowInsecureRequests(config)
  // The token comes over TLS from the provider itself, and its signature is checked all the same.
  openid.enableNonRepudiationChecks(config)
  if (known.keys) openid.setJwksCache(config, known.keys)
  return { config, keepKeys: () => (known.keys = openid.getJwksCache(config)) }
}

async function createClientAuth(ctx: Pick<Ctx, 'runtime'>, row: ProviderRow): Promise<openid.ClientAuth> {
  if (row.clientAuth === 'private-key') {
    const [key] = openSigningKeys(ctx, row)
    if (!key) throw new SignInFault('client-refused', 'no key to sign with')
    const signing = { key: await importSigningKey(key), kid: key.kid }
    if (PRESETS[row.preset].assertionAudience === 'issuer') return openid.PrivateKeyJwt(signing)
    const { metadata } = await discoverProvider(ctx, row)
    return openid.PrivateKeyJwt(signing, {
      [openid.modifyAssertion]: (_header, payload) => (payload['aud'] = metadata.token_endpoint ?? metadata.issuer),
    })
  }
  const secret = openClientSecret(ctx, row)
  if (!secret) throw new SignInFault('client-refused', 'no client secret')
  const { metadata } = await discoverProvider(ctx, row)
  const isPostOnly = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
  return isPostOnly || row.clientAuth === 'client-secret-post' ? openid.ClientSecretPost(secret) : createBasicAuth(secret)
}

/**
 * RFC 6749, 2.3.1: both are encoded as the fields of a form. The library also encodes `-`, `_`, `.` and `*`, which a form leaves as they are,
 * and providers that decode nothing then refuse the secret.
 */
const createBasicAuth =
  (secret: string): openid.ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
    headers.set('authorization', `Basic ${btoa(`${encode(clientId)}:${encode(secret)}`)}`)
  }

/** Who may frame the site's logout: pages of the issuer and of the address at which people sign out there. @throws {SignInFault} */
export async function loadLogoutOrigins(ctx: Pick<Ctx, 'runtime'>, row: ProviderRow): Promise<{ issuer: string; origins: string[] }> {
  const { issuer, end_session_endpoint: end } = (await discoverProvider(ctx, row)).metadata
  const addresses = [issuer, ...(end && URL.canParse(end) ? [end] : [])]
  return { issuer, origins: [...new Set(addresses.map((address) => new URL(address).origin))] }
}

/** The keys that a provider signs with. @throws {SignInFault} */
export async function loadProviderKeys(ctx: Pick<Ctx, 'runtime'>, row: ProviderRow): Promise<{ issuer: string; keys: JSONWebKeySet }> {
  const { metadata } = await discoverProvider(ctx, row)
  const keys = await loadKeys(ctx, row, String(metadata.jwks_uri), (document) =>
    Array.isArray(document['keys']) ? (document as unknown as JSONWebKeySet) : undefined,
  )
  return { issuer: metadata.issuer, keys }
}

/** The keys in the DID document of an origin (did:web), by their whole ids. @throws {SignInFault} */
export const loadDidKeys = (ctx: Pick<Ctx, 'runtime'>, row: ProviderRow, origin: string): Promise<JSONWebKeySet> =>
  loadKeys(ctx, row, `${origin}/.well-known/did.json`, ({ assertionMethod: methods }) => {
    if (!Array.isArray(methods)) return undefined
    const described = methods.filter((each) => each && typeof each === 'object') as { id?: string; publicKeyJwk?: JWK }[]
    return { keys: described.flatMap(({ id, publicKeyJwk: key }) => (id && key ? { ...key, kid: id } : [])) }
  })

async function loadKeys(
  ctx: Pick<Ctx, 'runtime'>,
  row: ProviderRow,
  address: string,
  read: (document: Record<string, unknown>) => JSONWebKeySet | undefined,
): Promise<JSONWebKeySet> {
  const key = `${row.siteId} ${row.id} ${address}`
  const known = keySets.get(key)
  if (known) return known
  try {
    const answer = await createGuardedFetch(ctx)(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    })
    const keys = answer.ok ? read((await answer.json()) as Record<string, unknown>) : undefined
    if (!keys) throw new SignInFault('not-understood', 'no key set')
    keySets.set(key, keys)
    return keys
  } catch (error) {
    throw toSignInFault(error)
  }
}
