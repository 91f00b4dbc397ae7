import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type ClientMetadata, Provider } from 'oidc-provider'
import { sendJson } from './portals/listen.ts'

interface Account {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

async function listen(): Promise<{ issuer: string; server: ReturnType<typeof createServer> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** A whole provider of OpenID Connect on this machine. What an account says of itself may change between sign-ins. */
export async function startOpenIdProvider(accounts: Map<string, Account>) {
  const { issuer, server } = await listen()
  // Until a site is registered.
  server.on('request', (_, response) => response.writeHead(404).end())
  return {
    issuer,
    /** Opens it to a site, whose addresses are known only now. */
    register: (client: ClientMetadata) => {
      const provider = new Provider(issuer, {
        clients: [client],
        cookies: { keys: ['a key for tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'birthdate'] },
        findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
        features: { backchannelLogout: { enabled: true } },
      })
      // Its own warnings about what only suits tests.
      provider.on('server_error', () => undefined)
      const answer = provider.callback()
      server.removeAllListeners('request').on('request', (request, response) => void answer(request, response))
    },
    /** Signs in there as somebody who fills in the forms. @returns where the browser is sent at the end */
    signIn: async (address: string, login: string): Promise<URL> => {
      const jar = new Map<string, string>()
      const visit = async (url: string, form?: Record<string, string>) => {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { cookie },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        })
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
          jar.set(name, value)
        }
        await response.text()
        return new URL(response.headers.get('location') ?? url, url)
      }
      let at = await visit(address)
      for (const prompt of ['login', 'consent']) {
        if (at.origin !== issuer) break
        at = await visit(at.href, { prompt, login, password: 'any' })
        at = await visit(at.href)
      }
      return at
    },
    close: () => server.close(),
  }
}

/** A provider that answers whatever a test wants, signed with a key that it publishes. */
export async function startLyingProvider() {
  const { issuer, server } = await listen()
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let idToken = ''
  let requests = 0
  const more: Record<string, unknown> = {}
  const token = { authorization: undefined as string | undefined, body: '', refusesBasic: false }
  server.on('request', (request, response) => {
    requests += 1
    if (request.url === '/.well-known/openid-configuration')
      return sendJson(response, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        authorization_response_iss_parameter_supported: true,
        ...more,
      })
    if (request.url === '/jwks') return sendJson(response, { keys: [jwk] })
    if (request.url === '/token') {
      const chunks: Buffer[] = []
      token.authorization = request.headers.authorization
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      return void request.on('end', () => {
        token.body = Buffer.concat(chunks).toString()
        if (token.refusesBasic && token.authorization) return sendJson(response, { error: 'invalid_client' }, 401)
        sendJson(response, { access_token: 'x', token_type: 'bearer', id_token: idToken })
      })
    }
    response.writeHead(404).end()
  })
  const sign = (claims: JWTPayload, header: { alg?: string; typ?: string } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(privateKey)
  return {
    issuer,
    jwk,
    sign,
    /** Of the last request for a token; the client may be refused if it authenticates by a header. */
    token,
    /** Further metadata, before it is first read. */
    describe: (metadata: Record<string, unknown>) => Object.assign(more, metadata),
    countRequests: () => requests,
    answer: (token: string) => (idToken = token),
    close: () => server.close(),
  }
}
