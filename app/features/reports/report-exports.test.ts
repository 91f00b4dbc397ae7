import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildExportPath, expireExports } from '#app/features/surveys/export/exports.server.ts'
import { makeExports } from '#app/features/surveys/export/make-exports.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createId } from '#app/lib/uuid.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { cancelReportFile, downloadReportFile, readReportFile } from './report-exports.server.ts'
import { serveReportFile, showReport } from './report-files.server.ts'

const NOW = new Date('2026-05-15T12:00:00Z')
const DAY_MS = 86_400_000
/** Two years by day are a table of more than thirty pages. */
const LONG = { from: '2024-05-15', until: '2026-05-14', by: 'day' } as const
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let hubAdmin: SignedInViewer
let hubId: string

const as = (viewer = admin) => createCtx(runtime, site, { viewer })
const context = (viewer = admin) => ({ ctx: as(viewer) }) as never
const take = (id: string, viewer = admin) => downloadReportFile({ context: context(viewer), params: { id } })

async function requestPdf(search: Record<string, string>, viewer = admin): Promise<Response> {
  const request = new Request(`http://x/admin/reports/download/pdf?${new URLSearchParams({ language: 'en', ...search })}`)
  return serveReportFile({ context: context(viewer), params: { format: 'pdf' }, request })
}

async function askForLong(viewer = admin): Promise<string> {
  const answer = await requestPdf(LONG, viewer)
  expect(answer.status).toBe(303)
  const [, id = ''] = /^\/en\/report-files\/([\da-f-]{36})$/.exec(answer.headers.get('location') ?? '') ?? []
  return id
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  hubId = createId()
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: inAllLanguages('Roads') }))
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  hubAdmin = await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId }] })
  await addProject(runtime, site, { title: inAllLanguages('A faster bus'), hubId })
})

describe('the PDF of a long report', () => {
  test('is made by the job of exports, with the figures of when it was asked for', async () => {
    const id = await askForLong()
    expect(await readReportFile(as(), id)).toMatchObject({ state: 'waiting', done: 1, total: 3, bytes: null })
    expect((await take(id)).status).toBe(404)
    const view = await showReport(as(), LONG)
    await addProject(runtime, site, { title: inAllLanguages('Opened later'), hubId, status: 'draft', publishedAt: null })
    const begun = performance.now()
    expect(await makeExports(runtime)).toBe(1)
    const seconds = (performance.now() - begun) / 1000
    const file = await readReportFile(as(), id)
    expect(file).toMatchObject({ state: 'done', done: 3, total: 3, expiresAt: new Date(NOW.getTime() + 7 * DAY_MS) })
    const answer = await take(id)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="report-2026-05-15.pdf"')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(bytes.length).toBe(file.bytes)
    const read = await readPdf(bytes)
    expect(read).toMatchObject({ language: 'en', title: view.title })
    expect(read.texts('H1').slice(1, -1)).toEqual(view.parts.map(({ heading }, index) => `${index + 1} ${heading}`))
    process.stdout.write(`a PDF of ${bytes.length} bytes took ${seconds.toFixed(1)} s\n`)
  })

  test('is only for the person who asked, as long as they see its projects', async () => {
    const id = await askForLong(hubAdmin)
    await makeExports(runtime)
    expect((await take(id)).status).toBe(404)
    await expect(readReportFile(as(), id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(cancelReportFile(as(), id)).rejects.toMatchObject({ code: 'not-found' })
    expect((await take(id, hubAdmin)).status).toBe(200)
    const moveTo = (hub: string | null) =>
      as().db.tx((tx) => tx.update(projects).set({ hubId: hub }).where(eq(projects.status, 'published')))
    await moveTo(null)
    expect((await take(id, hubAdmin)).status).toBe(404)
    await moveTo(hubId)
    await expect(readReportFile(as(await addPerson(runtime, site)), id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(readReportFile(createCtx(runtime, site), id)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('can be cancelled, and is deleted after a week', async () => {
    const cancelled = await askForLong()
    expect(await cancelReportFile(as(), cancelled)).toContain('by=day')
    expect(await makeExports(runtime)).toBe(0)
    await expect(readReportFile(as(), cancelled)).rejects.toMatchObject({ code: 'not-found' })
    const kept = await askForLong()
    await makeExports(runtime)
    const path = buildExportPath(runtime, { siteId: site.id, id: kept })
    expect((await stat(path)).size).toBeGreaterThan(1000)
    runtime.setNow(new Date(NOW.getTime() + 7 * DAY_MS + 1))
    await expect(readReportFile(as(), kept)).rejects.toMatchObject({ code: 'not-found' })
    await expireExports(runtime)
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    runtime.setNow(NOW)
  })

  test('that could not be made says so', async () => {
    const id = await askForLong()
    await as().db.tx((tx) =>
      tx
        .update(surveyExports)
        .set({ report: { title: 'X', query: '', projects: [], content: { language: 'en', sections: 'none' } as never } })
        .where(eq(surveyExports.id, id)),
    )
    expect(await makeExports(runtime)).toBe(0)
    expect((await readReportFile(as(), id)).state).toBe('failed')
    expect((await take(id)).status).toBe(404)
  })
})

test('a short report is a file at once', async () => {
  const answer = await requestPdf({ days: '30' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
})
