import { eq, sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sweepAccounts } from '#app/features/accounts/sweep-accounts.server.ts'
import { APPEARANCE } from '#app/features/appearance/appearance.server.ts'
import { eraseOldOriginals } from '#app/features/contributions/moderation/masking/erase-originals.server.ts'
import { sendAnswerSets } from '#app/features/contributions/desk/send-answer-sets.server.ts'
import { sweepPhotos } from '#app/features/contributions/photos/stored-photos.server.ts'
import { HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { sweepCalls } from '#app/features/marketplace/service-calls.server.ts'
import { sweepWebhooks } from '#app/features/marketplace/webhooks/deliver-webhooks.server.ts'
import { sweepUploads } from '#app/features/media/media.uploads.server.ts'
import { PROJECT_CONTENT } from '#app/features/projects/project-revisions.server.ts'
import { thinRevisions } from '#app/features/revisions/thin-revisions.server.ts'
import { expireExports } from '#app/features/surveys/export/exports.server.ts'
import { HEARD_REPORT } from '#app/features/heard-reports/publish-report.server.ts'
import { ACTIVITY_CONTENT } from '#app/features/contributions/managing/activity-revisions.server.ts'
import { SURVEY_HISTORY } from '#app/features/surveys/managing/survey-revisions.server.ts'
import { sweepDrafts } from '#app/features/surveys/responses/draft-limits.server.ts'
import { sweepFiles } from '#app/features/surveys/responses/files/response-files.server.ts'
import { sweepVerifications } from '#app/features/verifications/verifications.server.ts'
import { JOBS } from '#app/root/jobs.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { NOW, ROWS_TO_SWEEP, type SweepGround, type SweepJob } from '#tests/factories/rows-to-sweep.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { sites } from '../db/schema/sites.ts'
import { loadSitesWithWork, runWithSiteIds } from './sites-with-work.ts'

const MINUTE = 60_000

/** The use-case of each job, on all sites. */
const SWEEPS = {
  'sweep-calls': sweepCalls,
  'sweep-webhooks': sweepWebhooks,
  'sweep-verifications': sweepVerifications,
  'sweep-uploads': sweepUploads,
  'sweep-contribution-photos': sweepPhotos,
  'erase-originals': eraseOldOriginals,
  'sweep-response-files': sweepFiles,
  'sweep-response-drafts': sweepDrafts,
  'expire-exports': expireExports,
  'send-answers': (runtime) => sendAnswerSets(runtime),
  'thin-revisions': (runtime) =>
    thinRevisions(runtime, [HOMEPAGE, APPEARANCE, PROJECT_CONTENT, ACTIVITY_CONTENT, HEARD_REPORT, SURVEY_HISTORY]),
  sweep: async (runtime) => {
    const all = await runtime.database.global.select({ id: sites.id }).from(sites)
    const ids = all.map(({ id }) => id)
    await sweepAccounts(runtime.database, runtime.now(), ids)
  },
} satisfies Record<SweepJob, (runtime: Runtime) => Promise<unknown>>

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
})

let added = 0
async function addGround(): Promise<SweepGround> {
  const site = await addSite(runtime, { slug: `site-${++added}` })
  const person = await addPerson(runtime, site)
  const project = await addProject(runtime, site)
  const survey = await addSurvey(runtime, site, { projectId: project.id })
  const activity = await addActivity(runtime, site, { projectId: project.id })
  const contribution = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
  const rows = await run(
    site.id,
    sql`with installed as (
          insert into installations (site_id, id, integration, last_used_at) values (${site.id}, gen_random_uuid(), 'webhooks', ${NOW.toISOString()}) returning id),
        connected as (
          insert into identity_providers (site_id, id, preset, name, audience, issuer, client_id, client_auth, claims, created_at, updated_at)
          values (${site.id}, gen_random_uuid(), '', '', 'staff', '', '', '', '{}', now(), now()) returning id)
        select installed.id as installation, connected.id as provider from installed, connected`,
  )
  const [{ installation, provider } = {}] = rows
  return {
    siteId: site.id,
    userId: person.id,
    projectId: project.id,
    activityId: activity.id,
    surveyId: survey.id,
    contributionId: contribution.id,
    installationId: String(installation),
    providerId: String(provider),
  }
}

const run = async (siteId: string, statement: SQL): Promise<Record<string, unknown>[]> =>
  (await runtime.database.site(siteId).tx((tx) => tx.execute(statement))).rows

const readTable = (siteId: string, table: string) =>
  run(siteId, sql`select to_jsonb(t) as row from ${sql.identifier(table)} t where site_id = ${siteId} order by t::text`)

describe('a site is found if something on it is due, and the sweep leaves nothing that is', () => {
  test.each(Object.entries(ROWS_TO_SWEEP))('%s', async (_, { job, table, keptFor = 0, insert }) => {
    const [busy, waits] = [await addGround(), await addGround()]
    const insertAt = (ground: SweepGround, isDue: boolean) => {
      const at = new Date(NOW.getTime() - keptFor + (isDue ? -MINUTE : MINUTE)).toISOString()
      return run(ground.siteId, insert(ground, sql`${at}::timestamptz`, isDue))
    }
    const before = [await readTable(busy.siteId, table), await readTable(waits.siteId, table)]
    await insertAt(busy, true)
    await insertAt(waits, false)
    const kept = await readTable(waits.siteId, table)
    expect(kept).not.toEqual(before[1])
    const rows = await readTable(busy.siteId, table)
    const found = await loadSitesWithWork(runtime, job)
    expect(found).toContain(busy.siteId)
    expect(found).not.toContain(waits.siteId)

    await SWEEPS[job](runtime)
    expect(await readTable(busy.siteId, table)).not.toEqual(rows)
    expect(await readTable(waits.siteId, table)).toEqual(kept)
    // The one autosave that is left may still be looked at for some hours.
    if (job !== 'thin-revisions') expect(await loadSitesWithWork(runtime, job)).toEqual([])
  })
})

test('administrators are warned of certificates only where somebody signs in by them', async () => {
  const [active, draft, openid] = [await addGround(), await addGround(), await addGround()]
  const change = ({ siteId, providerId }: SweepGround, protocol: string, state: string) =>
    run(
      siteId,
      sql`update identity_providers set protocol = ${protocol}, state = ${state} where site_id = ${siteId} and id = ${providerId}`,
    )
  await change(active, 'saml', 'active')
  await change(draft, 'saml', 'testing')
  await change(openid, 'openid', 'active')
  expect(await loadSitesWithWork(runtime, 'remind-of-certificates')).toEqual([active.siteId])
})

test('what is stored for a time only is deleted on suspended sites, too', async () => {
  const ground = await addGround()
  const { siteId } = ground
  const { insert, table } = ROWS_TO_SWEEP['a session'] ?? expect.unreachable()
  const kept = await readTable(siteId, table)
  await run(siteId, insert(ground, sql`'2026-01-01'::timestamptz`, true))
  expect(await readTable(siteId, table)).not.toEqual(kept)
  await runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, siteId))
  expect(await loadSitesWithWork(runtime, 'sweep')).toEqual([siteId])
  const { run: sweep } = JOBS.find(({ name }) => name === 'sweep') ?? expect.unreachable()
  await sweep(runtime, new AbortController().signal)
  expect(await readTable(siteId, table)).toEqual(kept)
  expect(await loadSitesWithWork(runtime, 'sweep')).toEqual([])
})

test('a job may take longer to go round all sites', async () => {
  const total = await runtime.database.global.$count(sites)
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const seen: string[] = []
    const turn = runWithSiteIds('sweep-uploads', async (_, __, ids) => seen.push(...ids), 24)
    vi.advanceTimersByTime(6 * 3_600_000)
    await turn(runtime, new AbortController().signal)
    expect(seen).toHaveLength(Math.floor(total / 4))
  } finally {
    vi.useRealTimers()
  }
})
