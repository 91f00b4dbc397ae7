import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const gate = () => createConcurrencyLimit({ atOnce: 2, waiting: 3, full: () => new Error('full') })

test('never runs more tasks at once than allowed, and all of them finish', async () => {
  const places = gate()
  let running = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await new Promise((done) => setTimeout(done, 5))
    running--
    return most
  }
  await Promise.all(Array.from({ length: 5 }, () => places(task)))
  expect(most).toBe(2)
  await expect(places(task)).resolves.toBe(2)
})

test('refuses a task at once if the queue is full', async () => {
  const places = gate()
  const task = () => new Promise<void>((done) => setTimeout(done, 5))
  const accepted = Array.from({ length: 5 }, () => places(task))
  await expect(places(task)).rejects.toThrow('full')
  await Promise.all(accepted)
})

test('a failed task frees its place for the next', async () => {
  const places = createConcurrencyLimit({ atOnce: 1, waiting: 3, full: () => new Error('full') })
  const failed = places(() => Promise.reject(new Error('task')))
  const next = places(() => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('task')
  await expect(next).resolves.toBe('done')
})
