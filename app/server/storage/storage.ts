import { join } from 'node:path'
import type { Env } from '../env.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'

/**
 * Where files of people lie: they are whole when they are there, and never change under their key. A key is a path whose first step is the
 * site's id, so that nothing of one site can be named by another.
 */
export interface Storage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined where there is none. */
  get(key: string): Promise<Buffer | undefined>
  /** The keys of everything that begins with `prefix/`. Of a site all, where that is its id. */
  keysBelow(prefix: string): AsyncIterable<string>
  /** Everything whose key begins with `prefix/`. */
  removeBelow(prefix: string): Promise<void>
}

const KEY = /^[\w-]+(\/[\w-][\w.-]*)+$/
const PREFIX = /^[\w-]+(\/[\w-][\w.-]*)*$/

/** The storage that the settings name: the data directory, or a bucket. It keeps nothing in memory. */
export function openStorage(env: Env): Storage {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = env
  const storage =
    bucket && endpoint && keyId && secret
      ? createS3Storage({ bucket, endpoint, region: env.S3_REGION, keyId, secret })
      : createDiskStorage(join(env.DATA_DIR, 'files'))
  return {
    put: (key, bytes) => storage.put(requireValidKey(key), bytes),
    get: (key) => storage.get(requireValidKey(key)),
    keysBelow: (prefix) => storage.keysBelow(requireValidKey(prefix, PREFIX)),
    removeBelow: (prefix) => storage.removeBelow(requireValidKey(prefix, PREFIX)),
  }
}

function requireValidKey(key: string, form = KEY): string {
  if (!form.test(key)) throw new Error(`${key} is no key of a file`)
  return key
}
