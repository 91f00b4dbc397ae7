import { join } from 'node:path'
import type { Env } from '../env.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'

/**
 * Where uploaded and generated files are stored. They appear complete and never change under their key. A key is a path that starts with
 * the site's id, so that no site can name another's files.
 */
export interface Storage {
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** Part of a file, shorter if the file ends before. */
  readRange(key: string, offset: number, length: number): Promise<Buffer | undefined>
  /** All keys that start with `prefix/`; a site's id lists all of its files. */
  keysBelow(prefix: string): AsyncIterable<string>
  /** Removes everything whose key starts with `prefix/`. */
  removeBelow(prefix: string): Promise<void>
}

const KEY = /^[\w-]+(\/[\w-][\w.-]*)+$/
const PREFIX = /^[\w-]+(\/[\w-][\w.-]*)*$/

/** The storage chosen by the settings: the data directory or a bucket. It caches nothing. */
export function openStorage(env: Env): Storage {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = env
  const storage =
    bucket && endpoint && keyId && secret
      ? createS3Storage({ bucket, endpoint, region: env.S3_REGION, keyId, secret })
      : createDiskStorage(join(env.DATA_DIR, 'files'))
  return {
    put: (key, bytes) => storage.put(requireValidKey(key), bytes),
    get: (key) => storage.get(requireValidKey(key)),
    readRange: (key, offset, length) => storage.readRange(requireValidKey(key), offset, length),
    keysBelow: (prefix) => storage.keysBelow(requireValidKey(prefix, PREFIX)),
    removeBelow: (prefix) => storage.removeBelow(requireValidKey(prefix, PREFIX)),
  }
}

function requireValidKey(key: string, form = KEY): string {
  if (!form.test(key)) throw new Error(`${key} is not the key of a file`)
  return key
}
