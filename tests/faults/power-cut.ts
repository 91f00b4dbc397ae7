import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { listDescendants } from '#tests/support/process-tree.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { startWriters, type Writers } from './writers.ts'

const SIZE_MB = 800
const ROUNDS = 3
const PEOPLE = 100
const COPIES = 20

/**
 * The power is cut while people respond: what had reached the disk by then is all that is left, whatever the system still held in memory. A
 * copy of the disk's image, taken under a product that is held still, is such a disk.
 */
export const powerCut: Fault = {
  name: 'power cut',
  run: async () => {
    const folder = temporaryFolder('power')
    const disk = createDisk(folder)
    if (!disk) {
      rmSync(folder, { recursive: true, force: true })
      return 'NOT RUN: this machine lets nobody mount the image of a disk'
    }
    try {
      return await withFaultSetup(async ({ dataDir, surveyId, settings }) => {
        const seen: string[] = []
        for (let count = 0; count < ROUNDS; count++) {
          const product = await startProduct(settings)
          const writers = startWriters(product.origin, surveyId, join(folder, 'acknowledged'), PEOPLE)
          await wait(1500 + Math.random() * 1500)
          await cutPower(product, disk, writers)
          assert.ok(writers.acknowledged().length > 0, 'something was acknowledged before')
          await withProduct(settings, async (again) => {
            const { acknowledged, unanswered, halfDone } = await assertExactlyOnce(again, getOwnerUrl(dataDir), surveyId, writers)
            seen.push(`${acknowledged} acknowledged, ${unanswered} open of which ${halfDone} were stored`)
          })
          writers.keep(writers.open())
        }
        return `nothing acknowledged was lost or doubled on the disk that was left (${seen.join('; ')})`
      }, disk.path)
    } finally {
      disk.unmount()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Holds everything still, keeps the image as it is, ends everything, and puts the image in the disk's place. */
async function cutPower(product: Product, disk: Disk, writers: Writers): Promise<void> {
  const pids = [product.process.pid ?? 0, ...listDescendants(product.process.pid ?? 0).map(({ pid }) => pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  disk.copy()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await product.ended
  await writers.stop()
  // Until the last of them is gone, it holds the disk.
  await wait(200)
  disk.replaceByCopy()
}

interface Disk {
  path: string
  /** Keeps what has reached the image by now. */
  copy: () => void
  replaceByCopy: () => void
  unmount: () => void
}

const run = (command: string, ...words: string[]): boolean => spawnSync(command, words).status === 0

function createDisk(folder: string): Disk | undefined {
  const [image, copied, path] = [join(folder, 'disk.img'), join(folder, 'copy.img'), join(folder, 'disk')]
  mkdirSync(path)
  const mount = () => run('mount', '-o', 'loop', image, path)
  const made = run('truncate', '-s', `${SIZE_MB}M`, image) && run('mkfs.ext4', '-q', '-F', image)
  if (!made || !mount()) return undefined
  chmodSync(path, 0o711)
  const unmount = () => assert.ok(run('umount', path), 'the disk is let go of')
  return {
    path,
    unmount,
    copy: () => {
      // The system may write out what it holds at any moment: two copies that are equal are one moment.
      for (let count = 0; count < COPIES; count++)
        if (run('cp', '--sparse=always', image, copied) && run('cmp', '-s', image, copied)) return
      throw new Error('the disk is never still')
    },
    replaceByCopy: () => {
      unmount()
      renameSync(copied, image)
      assert.ok(mount(), 'what is left of the disk can be mounted')
    },
  }
}
