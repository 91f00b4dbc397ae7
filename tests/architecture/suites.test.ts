import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Suite } from '#app/cli/test-suites.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The test files of a suite, or of both, with the project that runs them. */
function listTests(suite: Suite | ''): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', '--config', 'app.config.ts', 'list', '--filesOnly'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TEST_SUITE: suite } },
  )
  if (stderr) throw new Error(stderr)
  return stdout.trim().split('\n').toSorted()
}

test('every test file is in `npm test` or in `npm run test:rest`, and none is in both', () => {
  const newcomer = listTests('newcomer')
  expect([...newcomer, ...listTests('rest')].toSorted()).toEqual(listTests(''))
  // Ten journeys and nearly all tests that need no browser.
  expect(newcomer.filter((line) => line.startsWith('[e2e]'))).toHaveLength(10)
  expect(newcomer.length).toBeGreaterThan(250)
})

test('a test file that replaces a module shares no worker with others, which may have imported it before', () => {
  const replacing = listTests('').filter((line) => /^\s*vi\.mock\(/m.test(readFileSync(join(ROOT, line.replace(/^\[\w+\] /, '')), 'utf8')))
  expect(replacing.length).toBeGreaterThan(0)
  expect(replacing.filter((line) => !line.startsWith('[isolated] '))).toEqual([])
})
