import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addSurvey } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson as addPersonWithToken } from '#tests/support/people.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { type ResponseInput, submitResponse } from '../submit-response.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const MINUTE_AGO = NOON.getTime() - 60_000
const LIBRARY = '198.51.100.7'
let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => runtime.setNow(NOON))

const from = (address: string, viewer?: Viewer): Ctx => createCtx(runtime, site, { address, ...(viewer && { viewer }) })
const newId = (openedAt = MINUTE_AGO) => v7({ msecs: openedAt })
const send = (ctx: Ctx, surveyId: string, input: Partial<ResponseInput> = {}) =>
  submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
    id: newId(),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street' },
    ...input,
  })
const doubts = async (surveyId: string) => {
  const where = and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))
  const rows = await from(LIBRARY).db.tx((tx) => tx.select({ id: responses.id, doubt: responses.doubt }).from(responses).where(where))
  return {
    all: rows.length,
    doubted: rows.filter((row) => row.doubt !== null).length,
    of: (id: string) => rows.find((row) => row.id === id)?.doubt,
  }
}

test('an answer sent faster than anyone can read is accepted and flagged, unless it comes from a program that says so', async () => {
  const survey = await addSurvey(runtime, site)
  const [hasty, program, restored] = [newId(NOON.getTime() - 500), newId(NOON.getTime()), newId(NOON.getTime() - 2000)]
  await send(from('203.0.113.22'), survey.id, { id: hasty })
  await send(from('203.0.113.22'), survey.id, { id: program, source: 'api' })
  await send(from('203.0.113.22'), survey.id, { id: restored })
  const { of } = await doubts(survey.id)
  expect([of(hasty), of(program), of(restored)]).toEqual(['haste', null, null])
})

test('flags are visible to people who may see responses, who can filter by them', async () => {
  const survey = await addSurvey(runtime, site)
  const person = await addPerson(runtime, site)
  const [hasty, calm] = [newId(NOON.getTime()), newId()]
  await send(from('203.0.113.23', person), survey.id, { id: hasty })
  await send(from('203.0.113.23', person), survey.id, { id: calm })
  const admin = createApiClient(runtime, site, (await addPersonWithToken(runtime, site, { role: 'site_admin' })).token)
  const found = async (doubtful: boolean) =>
    (await admin.get(`/responses?filter[survey]=${survey.id}&filter[doubtful]=${String(doubtful)}`)).body?.data
  expect(await found(true)).toMatchObject([{ id: hasty, attributes: { doubt: 'haste' } }])
  expect(await found(false)).toMatchObject([{ id: calm, attributes: { doubt: null } }])
})
