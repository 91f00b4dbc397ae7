import { expect, test } from 'vitest'
import { createBatchWriter } from './batch-writer.ts'

test('items that arrive during a write form the next batch; one refused item does not fail the others', async () => {
  const batches: string[][] = []
  const add = createBatchWriter<string>(async (batch) => {
    await new Promise((soon) => setImmediate(soon))
    if (batch.includes('twice')) throw Object.assign(new Error('duplicate key'), { code: '23505' })
    if (batch.includes('down')) throw new Error('the database is gone')
    batches.push([...batch])
  })
  const results = await Promise.allSettled(['a', 'twice', 'b'].map(add))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['a'], ['b']])
  const first = add('c')
  await new Promise((soon) => setImmediate(soon))
  await Promise.all([first, add('d'), add('e')])
  expect(batches.slice(2)).toEqual([['c'], ['d', 'e']])
  // If no single item is at fault, all of them fail: nothing says that any was written.
  const lost = await Promise.allSettled(['f', 'down'].map(add))
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
