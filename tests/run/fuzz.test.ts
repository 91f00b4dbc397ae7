import { beforeAll, expect, test } from 'vitest'
import { seedDemo } from '#app/cli/demo/seed.ts'
import { fuzzProduct } from '#tests/fuzz/fuzz.ts'
import { type FuzzGround, prepareGround } from '#tests/fuzz/ground.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'

/** `npm run faults -- fuzz` sends a hundred thousand. */
const REQUESTS = 800

const db = await createOwnDatabase()
let product: OwnProduct
let ground: FuzzGround

beforeAll(async () => {
  await seedDemo(db.database)
  product = await db.start({ TRUSTED_PROXIES: '1' })
  ground = await prepareGround(product.product.port, db.ownerUrl)
})

test('whatever is sent by whomever is answered in time, as the description says, escaped, and with nothing of another site', async () => {
  const { defect, sent, statuses } = await fuzzProduct(ground, { seed: 19, requests: REQUESTS })
  expect(defect).toBeUndefined()
  expect(sent).toBe(REQUESTS)
  // Not only refusals were looked at.
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['api 2xx', 'api 4xx', 'page 2xx', 'form 3xx', 'form 4xx', 'call 4xx']))
  expect(product.product.output().match(/.*"level":"error".*/g) ?? []).toEqual([])
})
