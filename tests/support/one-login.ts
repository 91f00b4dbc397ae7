import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { sendJson, startListener } from './portals/listen.ts'

const VOCABULARY = 'https://vocab.account.gov.uk/v1/'
export const CORE_IDENTITY = `${VOCABULARY}coreIdentityJWT`
export const RETURN_CODE = `${VOCABULARY}returnCode`

const NAME = {
  nameParts: [
    { type: 'GivenName', value: 'Kenneth' },
    { type: 'FamilyName', value: 'Decerqueira' },
  ],
}

/** What differs from an honest answer about somebody whose identity was proven. */
export interface Answer {
  idToken?: JWTPayload
  /** Undefined: no core identity. */
  coreIdentity?: (JWTPayload & { header?: Record<string, string>; isForged?: boolean }) | undefined
  returnCodes?: { code: string }[]
}

/** A service on this machine that speaks as GOV.UK One Login documents it. */
export async function startOneLogin() {
  const signing = await generateKeyPair('ES256')
  const identity = await generateKeyPair('ES256', { extractable: true })
  const forged = await generateKeyPair('ES256')
  const codes = new Map<string, { query: URLSearchParams; sub: string; answer: Answer }>()
  let client: { id: string; jwks: JSONWebKeySet; callback: string } | undefined
  const asserted: JWTPayload[] = []
  const now = () => Math.floor(Date.now() / 1000)

  const { origin, close } = await startListener((url, response, request) => {
    void handle(url, request).then(
      (body) => sendJson(response, body),
      (error: unknown) => sendJson(response, { error: 'invalid_request', error_description: String(error) }, 400),
    )
  })
  const issuer = `${origin}/`
  const did = `did:web:127.0.0.1%3A${new URL(origin).port}`

  async function handle(url: URL, request: IncomingMessage): Promise<unknown> {
    if (url.pathname === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        userinfo_endpoint: `${origin}/userinfo`,
        end_session_endpoint: `${origin}/logout`,
        jwks_uri: `${origin}/.well-known/jwks.json`,
        scopes_supported: ['openid', 'email', 'phone', 'offline_access'],
        response_types_supported: ['code'],
        subject_types_supported: ['public', 'pairwise'],
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
        id_token_signing_alg_values_supported: ['ES256', 'RS256'],
        code_challenge_methods_supported: ['S256'],
        trustmarks: `${origin}/trustmark`,
      }
    if (url.pathname === '/.well-known/jwks.json')
      return { keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'signing', alg: 'ES256', use: 'sig' }] }
    if (url.pathname === '/.well-known/did.json')
      return {
        '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
        id: did,
        assertionMethod: [
          {
            type: 'JsonWebKey',
            id: `${did}#one`,
            controller: did,
            publicKeyJwk: { ...(await exportJWK(identity.publicKey)), alg: 'ES256' },
          },
        ],
      }
    if (url.pathname === '/token') return answerToken(await readForm(request))
    if (url.pathname === '/userinfo') return answerUserInfo(request.headers.authorization?.replace('Bearer ', '') ?? '')
    throw new Error('No such address')
  }

  async function answerToken(form: URLSearchParams) {
    if (!client) throw new Error('No client')
    const { payload } = await jwtVerify(form.get('client_assertion') ?? '', createLocalJWKSet(client.jwks), {
      issuer: client.id,
      subject: client.id,
      audience: `${origin}/token`,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'jti'],
    })
    asserted.push(payload)
    const begun = codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!begun || challenge !== begun.query.get('code_challenge')) throw new Error('Another code')
    const claims = {
      sub: begun.sub,
      nonce: begun.query.get('nonce'),
      vot: 'Cl.Cm',
      vtm: `${origin}/trustmark`,
      iss: issuer,
      aud: client.id,
    }
    const token = new SignJWT({ ...claims, iat: now(), exp: now() + 120, ...begun.answer.idToken })
    return {
      access_token: form.get('code'),
      token_type: 'Bearer',
      expires_in: 180,
      id_token: await token.setProtectedHeader({ alg: 'ES256', kid: 'signing' }).sign(signing.privateKey),
    }
  }

  async function answerUserInfo(code: string) {
    const begun = codes.get(code)
    if (!begun || !client) throw new Error('Another token')
    const wanted = JSON.parse(begun.query.get('claims') ?? '{}') as { userinfo?: object }
    const has = (claim: string) => claim in (wanted.userinfo ?? {})
    const { answer, sub } = begun
    return {
      sub,
      email: `${sub.slice(-4)}@example.org`,
      email_verified: true,
      ...(has(CORE_IDENTITY) && answer.coreIdentity && { [CORE_IDENTITY]: await signCoreIdentity(sub, client.id, answer.coreIdentity) }),
      ...(has(RETURN_CODE) && answer.returnCodes && { [RETURN_CODE]: answer.returnCodes }),
    }
  }

  function signCoreIdentity(sub: string, audience: string, { header, isForged, ...more }: NonNullable<Answer['coreIdentity']>) {
    const vc = {
      type: ['VerifiableCredential', 'IdentityCheckCredential'],
      credentialSubject: { name: [NAME], birthDate: [{ value: '1965-07-08' }] },
    }
    const claims = { sub, aud: audience, iss: issuer, nbf: now(), iat: now(), exp: now() + 1800, vot: 'P2', vtm: `${origin}/trustmark`, vc }
    return new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'ES256', kid: `${did}#one`, ...header })
      .sign(isForged ? forged.privateKey : identity.privateKey)
  }

  return {
    issuer,
    did,
    close,
    /** What the site proved itself with. */
    asserted,
    register: (registered: NonNullable<typeof client>) => (client = registered),
    /** Somebody signs in there. @returns what the browser brings back */
    signIn: (address: URL, sub: string, answer: Answer = { coreIdentity: {} }): URLSearchParams => {
      const query = address.searchParams
      if (address.origin !== origin || address.pathname !== '/authorize') throw new Error('Another address')
      if (query.get('client_id') !== client?.id || query.get('redirect_uri') !== client?.callback) throw new Error('Not registered')
      const code = `code-${codes.size}`
      codes.set(code, { query, sub, answer })
      return new URLSearchParams({ code, state: query.get('state') ?? '' })
    },
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
