import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Storage } from './storage.ts'

interface Bucket {
  bucket: string
  endpoint: string
  region: string
  keyId: string
  secret: string
}

const ATTEMPTS = 3
const WITHIN_MS = 30_000

/** Files in an S3-compatible bucket. The bucket stays private: Parley itself serves everything. */
export function createS3Storage({ bucket, endpoint, region, keyId, secret }: Bucket): Storage {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 0 })
  const base = `${endpoint.replace(/\/$/, '')}/${bucket}`

  async function sendSigned(
    method: string,
    key: string,
    body: Uint8Array = new Uint8Array(),
    query = '',
    range?: string,
  ): Promise<Response> {
    const url = new URL(`${base}/${key}${query}`)
    const request = {
      method,
      // Without this header the signature would not cover the body.
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'), ...(range && { range }) },
      ...(method === 'PUT' ? { body: new Uint8Array(body) } : {}),
    }
    for (let attempt = 1; ; attempt++) {
      const answer = await client.fetch(url, { ...request, signal: AbortSignal.timeout(WITHIN_MS) }).catch((error: unknown) => {
        if (attempt >= ATTEMPTS) throw error
      })
      if (answer && (answer.ok || answer.status === 404 || answer.status === 416)) return answer
      await answer?.body?.cancel()
      if (attempt >= ATTEMPTS || (answer && answer.status < 500))
        throw new Error(`The storage service responded to ${method} with ${answer?.status}`)
    }
  }

  async function listKeys(prefix: string, after?: string): Promise<string[]> {
    const query = `?list-type=2&max-keys=100&prefix=${encodeURIComponent(`${prefix}/`)}`
    const names = await (await sendSigned('GET', '', undefined, after ? `${query}&start-after=${encodeURIComponent(after)}` : query)).text()
    return [...names.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '')
  }

  return {
    put: async (key, bytes) => {
      const answer = await sendSigned('PUT', key, bytes)
      if (!answer.ok) throw new Error(`There is no bucket ${bucket}`)
      await answer.body?.cancel()
    },
    get: async (key) => {
      const answer = await sendSigned('GET', key)
      if (answer.ok) return Buffer.from(await answer.arrayBuffer())
      await answer.body?.cancel()
      return undefined
    },
    readRange: async (key, offset, length) => {
      const answer = await sendSigned('GET', key, undefined, undefined, `bytes=${offset}-${offset + length - 1}`)
      if (answer.ok) {
        const bytes = Buffer.from(await answer.arrayBuffer())
        // A service without ranges sends everything.
        return answer.status === 206 ? bytes : bytes.subarray(offset, offset + length)
      }
      await answer.body?.cancel()
      // The file ends before.
      return answer.status === 416 ? Buffer.alloc(0) : undefined
    },
    keysBelow: async function* (prefix) {
      for (let keys = await listKeys(prefix); keys.length; keys = await listKeys(prefix, keys.at(-1))) yield* keys
    },
    removeBelow: async (prefix) => {
      for (;;) {
        const keys = await listKeys(prefix)
        if (!keys.length) return
        await Promise.all(keys.map(async (key) => (await sendSigned('DELETE', key)).body?.cancel()))
      }
    },
  }
}
