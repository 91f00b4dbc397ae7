import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireActivityAt } from '#app/features/contributions/record/activities.policy.server.ts'
import { takeFormPhotos } from '#app/features/contributions/posting/keep-photo.server.ts'
import { uploadResponses } from '#app/features/surveys/entry/table-upload.server.ts'
import { uploadSurvey } from '#app/features/surveys/import/import-upload.server.ts'
import { keepFile } from '#app/features/surveys/responses/files/keep-file.server.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createHealthCheck } from '#app/serve/health.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addPerson as addViewer, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { type FakeClamd, startClamd, VIRUS_MARK, VIRUS_NAME } from '#tests/support/clamd.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createPicture, uploadFile } from '#tests/support/pictures.ts'
import { requestContext } from '#tests/support/request-context.ts'

let clamd: FakeClamd
let runtime: TestRuntime
let site: Site
let admin: Person
let viewer: Viewer
let project: { id: string }
let jpeg: Buffer

beforeAll(async () => {
  clamd = await startClamd()
  runtime = await createTestRuntime({ CLAMD_ADDRESS: clamd.address })
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
  project = await addProject(runtime, site)
  jpeg = await createPicture(60, 40).jpeg().toBuffer()
})
beforeEach(() => {
  clamd.answer = undefined
  clamd.scanned.length = 0
})
afterAll(async () => {
  await clamd.stop()
  await rm(runtime.env.DATA_DIR, { recursive: true, force: true })
})

/** `stored`, or the code of the refusal. */
type Upload = (bytes: Buffer, extra: Buffer) => Promise<string>
const toOutcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'stored',
    (error: unknown) => {
      if (!isAppError(error)) throw error
      return error.faults[0]?.code ?? error.code
    },
  )

const toForm = async (path: string, file: Buffer) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(file)], 'file'))
  const form = new Response(body)
  const headers = { 'content-type': form.headers.get('content-type') ?? '' }
  return new Request(`http://${site.host}${path}`, { method: 'POST', headers, body: await form.arrayBuffer() })
}
const toCode = async (answer: Response) => (answer.ok ? 'stored' : ((await answer.json()) as { error: { code: string } }).error.code)

const askThroughApi = async (type: string, attributes: Record<string, unknown>) => {
  const { status, codes } = await createApiClient(runtime, site, admin.token).post(`/${type}`, buildResourceDocument(type, attributes))
  return status === 201 ? 'stored' : codes.join()
}

const give: Record<string, Upload> = {
  'a file in a survey': async (bytes) => {
    const ctx = createCtx(runtime, site, { viewer: await addViewer(runtime, site), address: '198.51.100.7' })
    const question = {
      id: 'shown',
      type: 'file' as const,
      title: inAllLanguages('Show us'),
      kinds: ['picture' as const],
      maxFiles: 2,
      maxMegabytes: 1,
    }
    const survey = await addSurvey(runtime, site, {
      anonymous: true,
      definition: { schema: 1, pages: [{ id: 'p', questions: [question] }] },
    })
    const given = { version: 1, question: 'shown', name: 'kerb.jpg', isCut: false, bytes: bytes.length, read: () => Promise.resolve(bytes) }
    return toOutcome(
      keepFile(
        ctx,
        (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)),
        () => ({}),
        { ...given, sending: createSending(new Date()) },
      ),
    )
  },
  'a photo of a contribution': async (bytes) => {
    const ctx = createCtx(runtime, site, { address: '198.51.100.7' })
    const activity = await addActivity(runtime, site, { kind: 'stories' })
    const address = { project: activity.projectSlug, activity: activity.slug }
    await ctx.db.read((tx) => requireActivityAt(ctx, tx, address))
    const file = { field: 'photo-1', name: 'a.jpg', bytes: bytes.length, isCut: false, read: () => Promise.resolve(bytes) }
    const taken = takeFormPhotos(ctx, {
      address,
      sending: createSending(new Date()),
      browserToken: issueToken(runtime, site, 'b'),
      values: { 'alt-1': 'A pier' },
      files: [file],
    })
    return toOutcome(taken).then(async (outcome) => (outcome === 'stored' ? ((await taken)?.faults[0]?.code ?? 'stored') : outcome))
  },
  'a picture in the library': async (bytes) =>
    askThroughApi('media-assets', { upload: await uploadFile(runtime, site, admin.token, bytes), altTranslations: { en: 'A pier' } }),
  'a document of a project': async (bytes) => {
    const upload = await uploadFile(runtime, site, admin.token, Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]), 'plan.pdf')
    const document = {
      type: 'project-documents',
      attributes: { upload, titleTranslations: { en: 'Plan' } },
      relationships: { project: { data: { type: 'projects', id: project.id } } },
    }
    const { status, codes } = await createApiClient(runtime, site, admin.token).post('/project-documents', { data: document })
    return status === 201 ? 'stored' : codes.join()
  },
  'a survey from a file': async (_, extra) => {
    const file = Buffer.from(JSON.stringify({ elements: [{ type: 'text', name: 'a', title: extra.toString() }] }))
    const request = await toForm(`/admin/surveys/import.json?project=${project.id}`, file)
    return toCode(await uploadSurvey({ context: requestContext(createCtx(runtime, site, { viewer })), request }))
  },
  'a table of responses': async (_, extra) => {
    const survey = await addSurvey(runtime, site)
    const request = await toForm(`/admin/surveys/${survey.id}/responses/import.json`, Buffer.from(`name\r\n${extra.toString()}\r\n`))
    return toCode(
      await uploadResponses({ context: requestContext(createCtx(runtime, site, { viewer })), params: { survey: survey.id }, request }),
    )
  },
}

/** Everything in storage. */
const readStored = (): Buffer[] => {
  const dir = join(runtime.env.DATA_DIR, 'files')
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
}
const loadEvents = () =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'infected-files.refuse')))

describe.each(Object.entries(give))('%s', (_, upload) => {
  test('with a virus is refused, and nothing of it is kept but its name in the log and the trail', async () => {
    const before = (await loadEvents()).length
    runtime.logged.length = 0
    expect(await upload(Buffer.concat([jpeg, Buffer.from(VIRUS_MARK)]), Buffer.from(VIRUS_MARK))).toBe('file-infected')
    expect(readStored().filter((file) => file.includes(VIRUS_MARK))).toEqual([])
    const events = await loadEvents()
    expect(events).toHaveLength(before + 1)
    expect(events.at(-1)?.detail).toMatchObject({ virus: VIRUS_NAME })
    expect(runtime.logged.join('\n')).toContain(VIRUS_NAME)
    expect(JSON.stringify(events) + runtime.logged.join('\n')).not.toContain(VIRUS_MARK)
  })

  test('without one is stored once it was scanned', async () => {
    expect(await upload(jpeg, Buffer.from('Fern Street'))).toBe('stored')
    expect(clamd.scanned).toHaveLength(1)
  })

  test.each(['', 'INSTREAM size limit exceeded. ERROR'])('is refused for now if the scanner answers %j', async (answer) => {
    clamd.answer = answer
    const before = readStored().length
    expect(await upload(jpeg, Buffer.from('Fern Street'))).toBe('unavailable')
    clamd.answer = undefined
    // A resumable upload stays in storage until it is scanned, but its parts cannot be opened.
    expect(readStored().length - before).toBeLessThanOrEqual(1)
  })
})

test('the trail does not say which participant brought a virus: their survey may be anonymous', async () => {
  const before = new Set((await loadEvents()).map(({ id }) => id))
  await give['a file in a survey']?.(Buffer.from(VIRUS_MARK), Buffer.alloc(0))
  await give['a photo of a contribution']?.(Buffer.from(VIRUS_MARK), Buffer.alloc(0))
  const events = (await loadEvents()).filter(({ id }) => !before.has(id))
  expect(events).toMatchObject([
    { subjectType: 'surveys', actorId: null, address: null },
    { subjectType: 'activities', actorId: null, address: null },
  ])
})

test('health says whether the scanner answers, and stays in service without it', async () => {
  const check = createHealthCheck(runtime, [], () => false)
  expect(await check('/readyz')).toEqual({ status: 200, body: { status: 'ready', database: 'up', virusScanner: 'up' } })
  clamd.answer = 'no'
  expect(await check('/readyz')).toEqual({ status: 200, body: { status: 'ready', database: 'up', virusScanner: 'unreachable' } })
})

test('a refusal for now says in the API when to try again, and why', async () => {
  const upload = await uploadFile(runtime, site, admin.token, jpeg)
  clamd.answer = 'no'
  const answer = await createApiClient(runtime, site, admin.token).post('/media-assets', buildResourceDocument('media-assets', { upload }))
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(JSON.stringify(answer.body)).toContain('cannot be checked for viruses')
  clamd.answer = undefined
  const again = await createApiClient(runtime, site, admin.token).post('/media-assets', buildResourceDocument('media-assets', { upload }))
  expect(again.status).toBe(201)
})
