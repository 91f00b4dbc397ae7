import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnv } from '../env.ts'
import { type Storage, openStorage } from './storage.ts'

const KEYS = { keyId: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' }

/** The signature a bucket computes for a request as received: names, headers and body all count. */
async function signatureOf(request: IncomingMessage, body: Buffer): Promise<string | null> {
  const { host, ...headers } = request.headers
  const signer = new AwsV4Signer({
    method: request.method ?? '',
    url: `http://${host}${request.url}`,
    headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    accessKeyId: KEYS.keyId,
    secretAccessKey: KEYS.secret,
    region: KEYS.region,
    service: 's3',
    datetime: String(headers['x-amz-date']),
  })
  return (await signer.sign()).headers.get('authorization')
}

/** A bucket that verifies each request's signature. */
function bucketServer() {
  const files = new Map<string, Buffer>()
  const failing = { times: 0 }
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const url = new URL(request.url ?? '', `http://${request.headers.host}`)
      if (request.headers.authorization !== (await signatureOf(request, body))) return response.writeHead(403).end()
      if (failing.times-- > 0) return response.writeHead(503).end()
      const key = decodeURIComponent(url.pathname).replace(/^\/parley\//, '')
      if (request.method === 'PUT') {
        files.set(key, body)
        return response.end()
      }
      if (request.method === 'DELETE') {
        files.delete(key)
        return response.writeHead(204).end()
      }
      if (url.searchParams.has('list-type')) {
        const [prefix, after] = ['prefix', 'start-after'].map((name) => url.searchParams.get(name) ?? '') as [string, string]
        const found = [...files.keys()]
          .filter((name) => name.startsWith(prefix) && name > after)
          .toSorted()
          .slice(0, 2)
        return response.end(
          `<ListBucketResult>${found.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('')}</ListBucketResult>`,
        )
      }
      const file = files.get(key)
      if (!file) return response.writeHead(404).end()
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      if (from === undefined) return response.end(file)
      return Number(from) < file.length
        ? response.writeHead(206).end(file.subarray(Number(from), Number(to) + 1))
        : response.writeHead(416).end()
    })
  })
  return { server, files, failing }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const bucket = bucketServer()
let folder: string
const storages: Record<string, Storage> = {}

beforeAll(async () => {
  await new Promise<void>((done) => bucket.server.listen(0, '127.0.0.1', done))
  const { port } = bucket.server.address() as AddressInfo
  folder = await mkdtemp(join(tmpdir(), 'parley-storage-'))
  storages['disk'] = openStorage(readEnv({ DATA_DIR: folder }))
  storages['S3'] = openStorage(
    readEnv({
      S3_BUCKET: 'parley',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: KEYS.keyId,
      S3_SECRET_ACCESS_KEY: KEYS.secret,
    }),
  )
})
afterAll(async () => {
  bucket.server.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['disk', 'S3'])('storage on %s', (name) => {
  const storage = () => storages[name] as Storage

  test('reads part of a file, up to its end', async () => {
    await storage().put('site/maps/a/tiles', Buffer.from('0123456789'))
    const read = async (offset: number, length: number) => (await storage().readRange('site/maps/a/tiles', offset, length))?.toString()
    expect(await read(2, 3)).toBe('234')
    expect(await read(0, 10)).toBe('0123456789')
    expect(await read(8, 100)).toBe('89')
    expect(await read(10, 5)).toBe('')
    expect(await storage().readRange('site/maps/b/tiles', 0, 5)).toBeUndefined()
    expect(() => storage().readRange('../secret', 0, 5)).toThrow('is not the key of a file')
  })

  test('returns what was put, and undefined otherwise', async () => {
    const bytes = Buffer.from([0, 1, 2, 255])
    await storage().put('site/media/a/1/original', bytes)
    expect(await storage().get('site/media/a/1/original')).toEqual(bytes)
    await storage().put('site/media/a/1/original', Buffer.from('other'))
    expect(String(await storage().get('site/media/a/1/original'))).toBe('other')
    expect(await storage().get('site/media/b/1/original')).toBeUndefined()
  })

  test('removes everything below a key and nothing beside it', async () => {
    for (const key of ['site/media/c/1/original', 'site/media/c/2/320.webp', 'site/media/cc/1/original']) {
      await storage().put(key, Buffer.from(key))
    }
    await storage().removeBelow('site/media/c')
    expect(await storage().get('site/media/c/1/original')).toBeUndefined()
    expect(await storage().get('site/media/c/2/320.webp')).toBeUndefined()
    expect(await storage().get('site/media/cc/1/original')).toBeDefined()
    await storage().removeBelow('site/nothing')
  })

  test('lists everything of a site and nothing of another', async () => {
    const keys = ['a/media/1/original', 'a/media/2/original', 'a/documents/3', 'a/uploads/4/0', 'a/uploads/4/1000']
    for (const key of [...keys, 'ab/media/5/original', 'b/media/6/original']) await storage().put(key, Buffer.from(key))
    const found: string[] = []
    for await (const key of storage().keysBelow('a')) found.push(key)
    expect(found.toSorted()).toEqual(keys.toSorted())
    for await (const key of storage().keysBelow('nobody')) expect(key).toBe('none at all')
    await storage().removeBelow('a')
    expect(await storage().get('a/media/1/original')).toBeUndefined()
    expect(await storage().get('ab/media/5/original')).toBeDefined()
    expect(() => storage().removeBelow('..')).toThrow('is not the key of a file')
  })

  test.each(['../secret.key', 'site/../../secret.key', '/etc/passwd', 'site//a', 'site/.hidden', ''])('has no file at %j', async (key) => {
    expect(() => storage().get(key)).toThrow('is not the key of a file')
    expect(() => storage().put(key, Buffer.from('x'))).toThrow('is not the key of a file')
  })
})

test('a file is either complete or absent, and no temporary file is left', async () => {
  await storages['disk']?.put('site/whole/a', Buffer.from('a'))
  expect(await readdir(join(folder, 'files', 'site', 'whole'))).toEqual(['a'])
})

test('retries a bucket that is briefly unavailable', async () => {
  bucket.failing.times = 2
  await storages['S3']?.put('site/busy', Buffer.from('x'))
  expect(bucket.files.has('site/busy')).toBe(true)
})

test('a bucket without its keys is a settings error that names everything missing', () => {
  expect(() => readEnv({ S3_BUCKET: 'parley' })).toThrow(
    'S3_ENDPOINT must be set where S3_BUCKET is; S3_ACCESS_KEY_ID must be set where S3_BUCKET is; S3_SECRET_ACCESS_KEY must be set where S3_BUCKET is',
  )
})
