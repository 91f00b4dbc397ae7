import { beforeAll, expect, test } from 'vitest'
import { addSite, type TestRuntime, testRuntime } from '#tests/support/database.ts'
import { onEachSite } from './each-site.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await testRuntime()
})

test('a site where it fails keeps none of the others from their turn, and is told of afterwards', async () => {
  for (const slug of ['ashford', 'birchwick', 'cedarholm']) await addSite(runtime, { slug })
  const seen: string[] = []
  const failing = onEachSite(runtime, async ({ site }) => {
    seen.push(site.slug)
    if (site.slug === 'ashford') throw new Error('no room')
    return 1
  })
  await expect(failing).rejects.toThrow('no room')
  expect(seen).toEqual(['ashford', 'birchwick', 'cedarholm'])
  await expect(onEachSite(runtime, async () => 2)).resolves.toBe(6)
  await expect(onEachSite(runtime, async ({ site }) => Promise.reject(new Error(site.slug)))).rejects.toThrow('failed on 3 sites')
})
