import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Product, temporaryFolder } from '#tests/support/product.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const SIZE_MB = 400
const WITHIN_MS = 30_000

/**
 * The disk fills up while people respond. They are told that their response cannot be stored now; once there is space, everything works
 * again.
 */
export const diskFull: Fault = {
  name: 'disk full',
  run: async () => {
    const disk = mountSmallDisk()
    if (!disk) return 'NOT RUN: this machine lets nobody mount a small disk, and a limit on the size of a file is not a full disk'
    try {
      return await withFaultSetup(
        ({ dataDir, surveyId, settings }) => withProduct(settings, (product) => fillUp(product, disk.path, dataDir, surveyId)),
        disk.path,
      )
    } finally {
      disk.remove()
    }
  },
}

async function fillUp(product: Product, disk: string, dataDir: string, surveyId: string): Promise<string> {
  const log = join(temporaryFolder('disk-log'), 'acknowledged')
  const writers = startWriters(product.origin, surveyId, log, 10)
  const ballast = join(disk, 'ballast')
  try {
    await wait(1000)
    fillDisk(ballast)
    const from = performance.now()
    while (writers.refusals.length < 20 && performance.now() - from < WITHIN_MS) {
      await wait(100)
      // Use up the space that the database has in reserve, too.
      if (statfsSync(disk).bavail > 0) fillDisk(ballast)
    }
    assert.ok(writers.refusals.length > 0, `writes went on although nothing is free: ${JSON.stringify(writers.statuses)}`)
    const told = [...new Set(writers.refusals.map(({ status }) => status))]
    assert.deepEqual(told, [503], `people are told that it cannot be taken now, and nothing else: ${writers.refusals.at(-1)?.body}`)
    assert.equal((await fetch(`${product.origin}/healthz`)).status, 200)
    const full = writers.refusals.length
    unlinkSync(ballast)
    const freed = performance.now()
    const taken = () => (writers.statuses['201'] ?? 0) + (writers.statuses['200'] ?? 0)
    const before = taken()
    while (taken() === before) {
      assert.ok(performance.now() - freed < WITHIN_MS, `it does not take answers again:\n${product.output()}`)
      await wait(20)
    }
    const back = Math.round(performance.now() - freed)
    await wait(500)
    await writers.stop()
    const { acknowledged } = await assertExactlyOnce(product, getOwnerUrl(dataDir), surveyId, writers)
    return `${full} writes told 503 while nothing was free, taken again ${back} ms after there was room; ${acknowledged} acknowledged and there`
  } finally {
    rmSync(ballast, { force: true })
    await writers.stop()
  }
}

function fillDisk(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 1 << 20; size >= 4096;) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size >>= 1
      }
    }
  } finally {
    closeSync(file)
  }
}

/** A file system in memory, if the machine allows mounting one. */
function mountSmallDisk(): { path: string; remove: () => void } | undefined {
  const path = temporaryFolder('disk')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=711`, 'tmpfs', path])
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true, force: true })
    return undefined
  }
  chmodSync(path, 0o711)
  return {
    path,
    remove: () => {
      spawnSync('umount', [path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
