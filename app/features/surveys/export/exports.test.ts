import { readdir, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { exportResponses } from './export-responses.server.ts'
import {
  expireExports,
  buildExportFolder,
  buildExportPath,
  loadExports,
  removeExport,
  requestExport,
  takeExport,
} from './exports.server.ts'
import { makeExports } from './make-exports.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer: Viewer = admin) => createCtx(runtime, site, { viewer })

async function answered(count: number, projectId?: string): Promise<string> {
  const survey = await addSurvey(runtime, site, projectId ? { projectId } : {})
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(responses).values(
      Array.from({ length: count }, (_, index) => ({
        siteId: site.id,
        id: createId(),
        surveyId: survey.id,
        version: 1,
        language: 'en' as const,
        answers: { name: `Street ${index}` },
        receiptHash: Buffer.from(createId()),
        submittedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
      })),
    ),
  )
  return survey.id
}

async function bytesOf(file: { pieces: AsyncIterable<Uint8Array> }): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of file.pieces) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const LEASE_MS = 3000
/** What another process would consider abandoned. */
const ABANDONED = sql`select id from ${surveyExports} where state = 'running' and alive_at < now() - ${LEASE_MS} * interval '1 millisecond'`

const stateOf = async (id: string) => (await loadExports(as(), [id]))[0]
const loadLease = async (id: string) => {
  const [row] = await as().db.tx((tx) => tx.select({ lease: surveyExports.lease }).from(surveyExports).where(eq(surveyExports.id, id)))
  return row?.lease
}

describe('a file made in the background', () => {
  test('is identical to a direct download', async () => {
    const surveyId = await answered(2500)
    const id = await requestExport(as(), { surveyId, format: 'csv', personal: false })
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', total: 2500, done: 0 })
    expect(await makeExports(runtime)).toBe(1)
    const direct = await bytesOf(await exportResponses(as(), { surveyId, format: 'csv', personal: false }))
    expect(await bytesOf(await takeExport(as(), { surveyId, id }))).toBe(direct)
    expect(await stateOf(id)).toMatchObject({ state: 'done', done: 2500, bytes: Buffer.byteLength(direct) })
  })

  test('contains what had arrived when it was requested', async () => {
    const surveyId = await answered(3)
    runtime.setNow(new Date('2026-01-01T00:00:01Z'))
    const id = await requestExport(as(), { surveyId, format: 'json', personal: false })
    await makeExports(runtime)
    expect(JSON.parse(await bytesOf(await takeExport(as(), { surveyId, id }))).responses).toHaveLength(2)
    runtime.setNow(undefined)
  })

  test('stops when it is cancelled, and leaves nothing on disk', async () => {
    const surveyId = await answered(5)
    const id = await requestExport(as(), { surveyId, format: 'csv', personal: false })
    const row = await stateOf(id)
    if (row) await removeExport(as(), row)
    expect(await makeExports(runtime)).toBe(0)
    expect(await stateOf(id)).toBeUndefined()
    const files: string[] = await readdir(buildExportFolder(runtime, site.id)).catch(() => [])
    expect(files.filter((file) => file.startsWith(id))).toEqual([])
  })

  test('is restarted if its worker has died', async () => {
    const surveyId = await answered(5)
    const id = await requestExport(as(), { surveyId, format: 'csv', personal: false })
    const set = (ago: number) =>
      runtime.database.site(site.id).tx((tx) =>
        tx
          .update(surveyExports)
          .set({ state: 'running', aliveAt: sql`now() - ${`${ago} seconds`}::interval` })
          .where(eq(surveyExports.id, id)),
      )
    await set(10)
    expect(await makeExports(runtime)).toBe(0)
    await set(100)
    expect(await makeExports(runtime)).toBe(1)
  })

  test('is not finished by a worker that was considered dead, once another has started it again', async () => {
    const surveyId = await answered(5)
    const id = await requestExport(as(), { surveyId, format: 'csv', personal: false })
    const owner = new pg.Client({ connectionString: runtime.ownerUrl })
    await owner.connect()
    try {
      await owner.query('begin; lock table responses in access exclusive mode')
      const first = makeExports(runtime, 60_000)
      await expect.poll(async () => (await stateOf(id))?.state).toBe('running')
      // Silent for longer than its lease, as a process that was paused.
      const stale = { aliveAt: sql`now() - interval '100 seconds'` }
      await runtime.database.site(site.id).tx((tx) => tx.update(surveyExports).set(stale).where(eq(surveyExports.id, id)))
      const lease = await loadLease(id)
      const second = makeExports(runtime, 60_000)
      await expect.poll(() => loadLease(id)).not.toBe(lease)
      await owner.query('commit')
      expect([await first, await second]).toEqual([0, 1])
    } finally {
      await owner.end()
    }
    expect(await stateOf(id)).toMatchObject({ state: 'done', done: 5 })
    const files: string[] = await readdir(buildExportFolder(runtime, site.id))
    expect(files.filter((file) => file.startsWith(id))).toEqual([id])
  }, 30_000)

  test('is left to a worker that waits for the database longer than the lease', async () => {
    const surveyId = await answered(5)
    await requestExport(as(), { surveyId, format: 'csv', personal: false })
    const owner = new pg.Client({ connectionString: runtime.ownerUrl })
    await owner.connect()
    const seen: (string | undefined)[] = []
    try {
      await owner.query('begin; lock table responses in access exclusive mode')
      const first = makeExports(runtime, LEASE_MS)
      for (let look = 0; look < 6; look++) {
        await wait(LEASE_MS / 4)
        const rows = await runtime.database.site(site.id).tx((tx) => tx.execute(ABANDONED))
        seen.push(...rows.rows.map(({ id }) => String(id)))
      }
      await owner.query('commit')
      expect(await first).toBe(1)
    } finally {
      await owner.end()
    }
    expect(seen).toEqual([])
  }, 30_000)

  test('can be seen, made and downloaded only by people who may see the responses, and with names only if they may see names', async () => {
    const project = await addProject(runtime, site)
    const surveyId = await answered(5, project.id)
    const inProject = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    const elsewhere = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: createId() }] })
    await expect(requestExport(as(elsewhere), { surveyId, format: 'csv', personal: false })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(requestExport(as(inProject), { surveyId, format: 'csv', personal: true })).rejects.toMatchObject({ code: 'forbidden' })
    for (const reason of [undefined, '  ', 'x'.repeat(401)])
      await expect(requestExport(as(), { surveyId, format: 'csv', personal: true, ...(reason && { reason }) })).rejects.toMatchObject({
        code: 'invalid',
        faults: [{ code: 'reason-required', pointer: '/reason' }],
      })
    const named = await requestExport(as(), { surveyId, format: 'csv', personal: true, reason: ' To write to those who asked ' })
    const plain = await requestExport(as(inProject), { surveyId, format: 'csv', personal: false })
    await makeExports(runtime)
    expect(await bytesOf(await takeExport(as(inProject), { surveyId, id: plain }))).toContain('Street 4')
    await expect(takeExport(as(inProject), { surveyId, id: named })).rejects.toMatchObject({ code: 'not-found' })
    await expect(takeExport(as(elsewhere), { surveyId, id: plain })).rejects.toMatchObject({ code: 'not-found' })
    await expect(takeExport(as({ kind: 'visitor' }), { surveyId, id: plain })).rejects.toMatchObject({ code: 'not-found' })
    // Another person who may see names says why; who asked for the file has said it.
    const other = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
    await expect(takeExport(as(other), { surveyId, id: named })).rejects.toMatchObject({ code: 'reason-required' })
    await takeExport({ ...as(other), reason: 'To check it' }, { surveyId, id: named })
    await takeExport(as(), { surveyId, id: named })
    const trail = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, surveyId)).orderBy(auditEvents.sequence))
    expect(trail.map(({ action, detail }) => [action, detail])).toEqual([
      ['responses.export', { personal: true, format: 'csv', export: named, reason: 'To write to those who asked' }],
      ['responses.export', { personal: false, format: 'csv', export: plain }],
      ['responses.export', { personal: false, format: 'csv', export: plain, taken: true }],
      ['responses.export', { personal: true, format: 'csv', export: named, taken: true, reason: 'To check it' }],
      ['responses.export', { personal: true, format: 'csv', export: named, taken: true, reason: 'To write to those who asked' }],
    ])
  })

  test('expires after a week', async () => {
    const surveyId = await answered(1)
    const id = await requestExport(as(), { surveyId, format: 'csv', personal: false })
    await makeExports(runtime)
    // As a killed worker leaves it.
    await writeFile(`${buildExportPath(runtime, { siteId: site.id, id })}.half`, 'response,')
    runtime.setNow(new Date(Date.now() + 8 * 86_400_000))
    await expect(takeExport(as(), { surveyId, id })).rejects.toMatchObject({ code: 'not-found' })
    expect(await expireExports(runtime)).toBeGreaterThan(0)
    expect((await readdir(buildExportFolder(runtime, site.id))).filter((file) => file.startsWith(id))).toEqual([])
    runtime.setNow(undefined)
  })
})
