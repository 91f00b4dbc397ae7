import { randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Storage } from './storage.ts'

/** Files below a directory. Each is written to a temporary file and renamed, so that nobody reads half of it. */
export function createDiskStorage(root: string): Storage {
  return {
    put: async (key, bytes) => {
      const path = join(root, key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        await writeFile(draft, bytes, { mode: 0o600, flush: true })
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: async (key) => {
      try {
        return await readFile(join(root, key))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    readRange: async (key, offset, length) => {
      try {
        await using file = await open(join(root, key))
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: offset })
        return buffer.subarray(0, bytesRead)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    keysBelow: async function* (prefix) {
      try {
        for await (const entry of await opendir(join(root, prefix), { recursive: true })) {
          if (entry.isFile() && !entry.name.endsWith('.part')) yield relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    },
    removeBelow: (prefix) => rm(join(root, prefix), { recursive: true, force: true, maxRetries: 5 }),
  }
}
