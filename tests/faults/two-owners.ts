import assert from 'node:assert/strict'
import { freePort, runParley, startProduct } from '#tests/support/product.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'

/** Two processes compete for the same data directory: concurrently, one after the other, and after the first was killed. */
export const twoOwners: Fault = {
  name: 'two owners',
  run: () =>
    withFaultSetup(async ({ settings }) => {
      const rivals = await Promise.allSettled([startProduct(settings), startProduct(settings)])
      const owners = rivals.flatMap((rival) => (rival.status === 'fulfilled' ? [rival.value] : []))
      const refused = rivals.flatMap((rival) => (rival.status === 'rejected' ? [String(rival.reason)] : []))
      assert.equal(owners.length, 1, `of two that start at once, one serves: ${refused.join()}`)
      assert.match(refused[0] ?? '', /is in use by/)
      const [owner] = owners
      assert.ok(owner)
      const late = runParley(['start'], { ...settings, PORT: String(await freePort()) })
      assert.equal(await late.ended, 1)
      assert.match(late.complaint(), new RegExp(`is in use by process ${owner.process.pid}`))
      assert.equal((await fetch(`${owner.origin}/projects`)).status, 200, 'the owner does not notice')
      owner.process.kill('SIGKILL')
      await owner.ended
      await withProduct(settings, async (heir) => assert.equal((await fetch(`${heir.origin}/projects`)).status, 200))
      return 'one owner at a time; the others end with a sentence that names it; after kill -9 the next takes over'
    }),
}
