import { describe, expect, test, vi } from 'vitest'
import { DatabaseAway, noteConnectionError } from '../db/database-down.ts'
import { attemptWork } from './attempt-work.ts'

const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
const withState = (code: string) => Object.assign(new Error('The query failed'), { code })

function fromDatabase(): Error {
  const error = refused()
  noteConnectionError(error)
  return error
}

describe('work of a job', () => {
  test('returns what it made', async () => {
    expect(await attemptWork(() => Promise.resolve('made'), vi.fn())).toBe('made')
  })

  test.each<[string, Error]>([
    ['a database that was left', new DatabaseAway('LEFT')],
    ['a database that takes no writes', new Error('A wrapper', { cause: new DatabaseAway('NO_WRITES') })],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a server that shuts down', withState('57P01')],
    ['a database that refuses a connection', new Error('A wrapper', { cause: fromDatabase() })],
  ])('is not to blame for %s: nothing is recorded', async (_, error) => {
    const record = vi.fn<() => undefined>()
    await expect(attemptWork(() => Promise.reject(error), record)).rejects.toBe(error)
    expect(record).not.toHaveBeenCalled()
  })

  test.each<[string, Error]>([
    ['a fault of its own', new TypeError('Not a function')],
    ['a statement that took too long', withState('57014')],
    ['a lock that it did not get', withState('55P03')],
    ['another server that refuses a connection', new Error('A wrapper', { cause: refused() })],
  ])('is recorded as failed by %s', async (_, error) => {
    const record = vi.fn<(thrown: unknown) => unknown>((thrown) => thrown)
    expect(await attemptWork<unknown>(() => Promise.reject(error), record)).toBe(error)
    expect(record).toHaveBeenCalledExactlyOnceWith(error)
  })
})
