/**
 * `npm test` runs what a newcomer wants to know within a few minutes. `npm run test:rest` runs every other test file, and `npm run test:all`
 * both. Each test file belongs to exactly one of the two (`tests/architecture/suites.test.ts`).
 */
export type Suite = 'newcomer' | 'rest'

/** The journeys of `npm test`. Together they touch every part of the product. */
export const NEWCOMER_JOURNEYS = [
  'tests/e2e/appearance.test.ts',
  'tests/e2e/city-data.test.ts',
  'tests/e2e/consultation.test.ts',
  'tests/e2e/contributions.test.ts',
  'tests/e2e/first-day.test.ts',
  'tests/e2e/homepage-editor.test.ts',
  'tests/e2e/marketplace.test.ts',
  'tests/e2e/moderation.test.ts',
  'tests/e2e/people-admin.test.ts',
  'tests/e2e/reach.test.ts',
]

/** Server tests that take longest. `npm test` leaves them out, as it leaves out what starts the real command (`tests/run`). */
export const LONG_SERVER_TESTS = [
  'app/cli/site-move/site-move.test.ts',
  'app/features/contributions/layers/map-layers.api.test.ts',
  'app/features/contributions/photos/photos.test.ts',
  'app/features/sites/deletion/deletion.test.ts',
  'app/features/surveys/entry/entry.test.ts',
  'app/features/surveys/import/import.test.ts',
  'tests/api/response-figures.test.ts',
  'tests/api/saml.test.ts',
  'tests/api/strangers.test.ts',
  'tests/architecture/recipes.test.ts',
]

/** The suite that this run is of: `TEST_SUITE`, or undefined for all test files. */
export function readSuite(value: string | undefined): Suite | undefined {
  if (value === undefined || value === '') return undefined
  if (value === 'newcomer' || value === 'rest') return value
  throw new Error(`TEST_SUITE is neither newcomer nor rest: ${value}`)
}
