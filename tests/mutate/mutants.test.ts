import { expect, test } from 'vitest'
import { listStaleMutants } from './mutant.ts'
import { MUTANTS } from './mutants.ts'

test('each planted fault follows the source, so that npm run mutate can plant it', () => {
  expect(listStaleMutants(MUTANTS)).toEqual([])
  const gone = { name: 'gone', file: 'app/no-such-file.ts', from: 'x', to: '', tests: [] }
  const changed = { name: 'changed', file: 'tests/mutate/mutant.ts', from: 'no such text'.repeat(2), to: '', tests: [] }
  const untested = {
    name: 'untested',
    file: 'tests/mutate/mutant.ts',
    from: 'A fault that is planted',
    to: '',
    tests: ['tests/gone.test.ts'],
  }
  expect(listStaleMutants([gone, changed, untested])).toHaveLength(3)
})
