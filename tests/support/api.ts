import { handleApi } from '#app/root/api-handler.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'

const JSON_API = 'application/vnd.api+json'

export interface ApiAnswer {
  status: number
  // Each test states what it expects of the body.
  body:
    | {
        data?: unknown
        errors?: { code: string; status: string; source?: { pointer?: string; parameter?: string } }[]
        meta?: unknown
        included?: unknown[]
      }
    | undefined
  codes: string[]
  headers: Headers
}

/** Calls `/api/v2` in process, as a client would. */
export function createApiClient(
  runtime: Runtime,
  site: Site,
  token?: string,
  client: { address?: string; headers?: Record<string, string> } = {},
) {
  const call = async (method: string, path: string, document?: unknown): Promise<ApiAnswer> => {
    const response = await handleApi(
      new Request(`http://${site.host}/api/v2${path}`, {
        method,
        headers: {
          ...client.headers,
          host: site.host,
          accept: JSON_API,
          ...(document === undefined ? {} : { 'content-type': JSON_API }),
          ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
        },
        ...(document === undefined ? {} : { body: JSON.stringify(document) }),
      }),
      runtime,
      { address: client.address ?? '127.0.0.1' },
    )
    const text = await response.text()
    const body = text ? (JSON.parse(text) as NonNullable<ApiAnswer['body']>) : undefined
    return { status: response.status, body, codes: body?.errors?.map((error) => error.code) ?? [], headers: response.headers }
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, document: unknown) => call('POST', path, document),
    patch: (path: string, document: unknown) => call('PATCH', path, document),
    put: (path: string, document: unknown) => call('PUT', path, document),
    delete: (path: string, document?: unknown) => call('DELETE', path, document),
  }
}

/** A JSON:API document with one resource. */
export const buildResourceDocument = (
  type: string,
  attributes: Record<string, unknown>,
  more: { id?: string; to?: Record<string, { type: string; id: string } | null>; lockVersion?: number } = {},
) => ({
  data: {
    type,
    ...(more.id ? { id: more.id } : {}),
    attributes,
    ...(more.to ? { relationships: Object.fromEntries(Object.entries(more.to).map(([name, data]) => [name, { data }])) } : {}),
    ...(more.lockVersion === undefined ? {} : { meta: { lockVersion: more.lockVersion } }),
  },
})
