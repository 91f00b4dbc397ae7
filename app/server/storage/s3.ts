import { type Credentials, encode, signed } from './s3-signature.ts'
import type { Storage } from './storage.ts'

interface Bucket extends Credentials {
  bucket: string
  endpoint: string
}

const ATTEMPTS = 3
const WITHIN_MS = 30_000

/** Files in a bucket of S3, or of whatever speaks its protocol. The bucket stays private: everything is served by Parley itself. */
export function s3Storage({ bucket, endpoint, ...credentials }: Bucket): Storage {
  const base = `${endpoint.replace(/\/$/, '')}/${bucket}`

  async function ask(method: string, key: string, body: Uint8Array = new Uint8Array(), query = ''): Promise<Response> {
    const url = new URL(`${base}/${key.split('/').map(encode).join('/')}${query}`)
    for (let attempt = 1; ; attempt++) {
      const { host: _, ...headers } = signed({ method, url, headers: {}, body, at: new Date() }, credentials)
      const answer = await fetch(url, {
        method,
        headers,
        signal: AbortSignal.timeout(WITHIN_MS),
        ...(method === 'PUT' ? { body: new Uint8Array(body) } : {}),
      }).catch((error: unknown) => {
        if (attempt >= ATTEMPTS) throw error
      })
      if (answer && (answer.ok || answer.status === 404)) return answer
      await answer?.body?.cancel()
      if (attempt >= ATTEMPTS || (answer && answer.status < 500)) throw new Error(`Storage answered ${answer?.status} to ${method}`)
    }
  }

  async function listed(prefix: string, after?: string): Promise<string[]> {
    const query = `?list-type=2&max-keys=100&prefix=${encode(`${prefix}/`)}`
    const names = await (await ask('GET', '', undefined, after ? `${query}&start-after=${encode(after)}` : query)).text()
    return [...names.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '')
  }

  return {
    put: async (key, bytes) => {
      const answer = await ask('PUT', key, bytes)
      if (!answer.ok) throw new Error(`There is no bucket ${bucket}`)
      await answer.body?.cancel()
    },
    get: async (key) => {
      const answer = await ask('GET', key)
      if (answer.ok) return Buffer.from(await answer.arrayBuffer())
      await answer.body?.cancel()
      return undefined
    },
    keysBelow: async function* (prefix) {
      for (let keys = await listed(prefix); keys.length; keys = await listed(prefix, keys.at(-1))) yield* keys
    },
    removeBelow: async (prefix) => {
      for (;;) {
        const keys = await listed(prefix)
        if (!keys.length) return
        await Promise.all(keys.map(async (key) => (await ask('DELETE', key)).body?.cancel()))
      }
    },
  }
}
