import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { v7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginUpload, dropUpload } from '#app/features/media/media.uploads.server.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { responseDrafts, responseFiles } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addViewer, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createPicture } from '#tests/support/pictures.ts'
import { listAnswerFiles, type SentFile } from '#app/features/surveys/questionnaire/question-types/files/files.ts'
import { startChange, submitChange } from '../edit-response.server.ts'
import { keepDraft } from '../drafts.server.ts'
import { exportResponses } from '#app/features/surveys/export/export-responses.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { withdrawContribution } from '../receipts.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { submitResponse } from '../submit-response.server.ts'
import type { Definition, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type GivenFile, keepFile } from './keep-file.server.ts'
import { buildStorageKey, removeFilesOf, sweepFiles, takeFileBack } from './response-files.server.ts'
import { openFile } from './sent-files.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const DAYS = 86_400_000
const HOURS = 3_600_000
let runtime: TestRuntime
let site: Site
let other: Site
let jpeg: Buffer

beforeAll(async () => {
  runtime = await createTestRuntime({ MEDIA_QUOTA_MB: '25' })
  site = await addSite(runtime)
  other = await addSite(runtime, { slug: 'elsewhere' })
  const exif = { IFD0: { Artist: 'Jane Doe', Copyright: 'Jane Doe' } }
  jpeg = await createPicture(60, 40).withExif(exif).jpeg().toBuffer()
})
beforeEach(() => runtime.setNow(NOON))
afterAll(() => rm(runtime.env.DATA_DIR, { recursive: true, force: true }))

const as = (viewer?: Viewer, where = site): Ctx => createCtx(runtime, where, viewer ? { viewer } : {})
const asking = (values: Partial<QuestionOf<'file'>> = {}): Definition => ({
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        { id: 'shown', type: 'file', title: inAllLanguages('Show us'), kinds: ['picture', 'pdf'], maxFiles: 2, maxMegabytes: 1, ...values },
        { id: 'name', type: 'short_text', title: inAllLanguages('Name') },
      ],
    },
  ],
})
const find =
  (surveyId: string, ctx = as()) =>
  (tx: Tx) =>
    requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId))
const give = (surveyId: string, sending: Sending, bytes: Buffer = jpeg, more: Partial<GivenFile> = {}, ctx = as()) =>
  keepFile(ctx, find(surveyId, ctx), () => ({}), {
    sending,
    version: 1,
    question: 'shown',
    name: 'kerb.png',
    isCut: false,
    bytes: bytes.length,
    read: () => Promise.resolve(bytes),
    ...more,
  })
const send = (surveyId: string, sending: Sending, files: readonly SentFile[], ctx = as()) =>
  submitResponse(ctx, find(surveyId, ctx), { ...sending, version: 1, answers: { shown: { files: [...files] } } })
const begin = (): Sending => createSending(NOON)
const pathOf = ({ id }: Pick<SentFile, 'id'>) => join(runtime.env.DATA_DIR, 'files', buildStorageKey({ siteId: site.id, id }))
const rows = (surveyId: string) =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(responseFiles)
      .where(and(eq(responseFiles.siteId, site.id), eq(responseFiles.surveyId, surveyId))),
  )
const faulty = (code: string, pointer = '/answers/shown') =>
  expect.objectContaining({ code: 'invalid', faults: [expect.objectContaining({ code, pointer })] }) as Error
const refused = (code: string) => expect.objectContaining({ code }) as Error

test('a picture is stored upright, without metadata, under a harmless name', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  expect((await sharp(jpeg).metadata()).exif?.includes('Jane Doe')).toBe(true)
  const kept = await give(survey.id, begin(), jpeg, { name: 'C:\\me\\../ker\u202Egpj.exe\n b.png' })
  expect(kept).toMatchObject({ name: 'kergpj.exe b.jpg', type: 'image/jpeg' })
  const stored = await sharp(pathOf(kept)).metadata()
  expect([stored.width, stored.exif]).toEqual([60, undefined])
})

test('an anonymous survey does not keep the names people gave their files', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking(), anonymous: true })
  const sending = begin()
  const pdf = Buffer.from('%PDF-1.7\n%%EOF')
  const names = [await give(survey.id, sending, jpeg, { name: 'Jane Doe.jpg' }), await give(survey.id, sending, pdf, { name: 'Doe.pdf' })]
  expect(names.map(({ name }) => name)).toEqual(['1.jpg', '2.pdf'])
})

test("a file's type follows from its content, and types that the question does not accept are refused", async () => {
  const survey = await addSurvey(runtime, site, { definition: asking({ kinds: ['document'] }) })
  const web = Buffer.from('<html><script>alert(1)</script>')
  const odt = Buffer.concat([header('mimetype', 'application/vnd.oasis.opendocument.text'), Buffer.alloc(40)])
  const docx = Buffer.concat([header('[Content_Types].xml', ''), Buffer.from('word/document.xml')])
  expect((await give(survey.id, begin(), odt)).name).toBe('kerb.odt')
  expect((await give(survey.id, begin(), docx)).name).toBe('kerb.docx')
  for (const bytes of [web, jpeg, Buffer.alloc(0), Buffer.concat([docx, Buffer.from('vbaProject.bin')])])
    await expect(give(survey.id, begin(), bytes)).rejects.toEqual(faulty('file-type-refused'))
  expect(await rows(survey.id)).toHaveLength(2)
})

/** The header of an archive's first entry, followed by its uncompressed content. */
function header(name: string, content: string): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt32LE(content.length, 18)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name + content)])
}

const pdf = (megabytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(megabytes * 1_000_000 - 9)])

test('refuses a file that is too large, too many together, and more than the site has room for', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking({ maxMegabytes: 20 }) })
  const sending = begin()
  await expect(give(survey.id, sending, pdf(21))).rejects.toEqual(faulty('file-too-large'))
  await expect(give(survey.id, sending, jpeg, { isCut: true })).rejects.toEqual(faulty('file-too-large'))
  const large = await give(survey.id, sending, pdf(20))
  const sendings = [begin(), begin(), begin()]
  const given = await Promise.all(sendings.map(async (each) => [each, await give(survey.id, each, pdf(3))] as const))
  const codes = [(await send(survey.id, sending, [large])).code]
  await warmUpConnections(runtime)
  const together = await Promise.allSettled(given.map(([each, file]) => send(survey.id, each, [file])))
  expect(together.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toEqual([
    faulty('storage-full'),
    faulty('storage-full'),
  ])
  codes.push(...together.flatMap((one) => (one.status === 'fulfilled' ? [one.value.code] : [])))
  await expect(give(survey.id, begin(), pdf(6))).rejects.toEqual(faulty('storage-full'))
  await expect(give(survey.id, sending, jpeg, { bytes: 61_000_000 })).rejects.toEqual(faulty('file-too-large'))
  for (const code of codes) await withdrawContribution(as(), code)
  for (const [each, file] of given) await takeFileBack(as(), each, file.id)
  expect(await rows(survey.id)).toEqual([])
})

test('a response whose files find no room is neither stored nor counted, and can be sent without them', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking({ maxMegabytes: 20 }) })
  const [first, second] = [begin(), begin()]
  const files = [await give(survey.id, first, pdf(20)), await give(survey.id, second, pdf(20))]
  const { code } = await send(survey.id, first, files.slice(0, 1))
  await expect(send(survey.id, second, files.slice(1))).rejects.toEqual(faulty('storage-full'))
  expect((await rows(survey.id)).map(({ sentAt }) => sentAt !== null).toSorted()).toEqual([false, true])
  const input = { ...second, version: 1, answers: { name: 'Fern' } }
  expect(await submitResponse(as(), find(survey.id), input)).toMatchObject({ stored: true })
  const [counted] = await as().db.tx((tx) => tx.select().from(surveys).where(eq(surveys.id, survey.id)))
  expect(counted?.responsesCount).toBe(2)
  await withdrawContribution(as(), code)
})

describe('unsent files', () => {
  const from = (address: string, where = site) => createCtx(runtime, where, { address })
  const flood = async (ctx: Ctx, surveyId: string) => {
    const sent: [Sending, SentFile][] = []
    for (let count = 0; count < 12; count++) {
      const sending = begin()
      try {
        sent.push([sending, await give(surveyId, sending, pdf(20), {}, ctx)])
      } catch (error) {
        return { sent, refused: error }
      }
    }
    return { sent, refused: undefined }
  }

  test('from one address are limited across all surveys, and use none of the site’s storage', async () => {
    const definition = asking({ maxMegabytes: 20 })
    const [one, another] = [await addSurvey(runtime, site, { definition }), await addSurvey(runtime, site, { definition })]
    const attacker = from('203.0.113.7')
    const { sent, refused: refusal } = await flood(attacker, one.id)
    expect(sent).toHaveLength(6)
    expect(refusal).toEqual(faulty('too-many-unsent-files'))
    await expect(give(another.id, begin(), jpeg, {}, attacker)).rejects.toEqual(faulty('too-many-unsent-files'))
    const editor = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
    const upload = await beginUpload(as(editor), { name: 'large.jpg', bytes: 20_000_000 })
    await dropUpload(as(editor), { id: upload })
    expect(await give(one.id, begin(), jpeg, {}, from('203.0.113.8'))).toMatchObject({ type: 'image/jpeg' })
    const [[sending, file] = [begin(), undefined]] = sent
    const { code } = await send(one.id, sending, file ? [file] : [], attacker)
    expect((await rows(one.id)).find(({ id }) => id === file?.id)).toMatchObject({ giverHash: null, sentAt: NOON })
    await withdrawContribution(as(), code)
    const again = await give(another.id, begin(), pdf(19), {}, attacker)
    expect(existsSync(pathOf(again))).toBe(true)
    runtime.setNow(new Date(NOON.getTime() + 25 * HOURS))
    expect(await sweepFiles(runtime)).toBeGreaterThanOrEqual(7)
    expect([...(await rows(one.id)), ...(await rows(another.id))]).toEqual([])
    expect(existsSync(pathOf(again))).toBe(false)
  })

  test('of one survey have their own limit, which does not affect other surveys', async () => {
    const [full, other] = [
      await addSurvey(runtime, site, { definition: asking() }),
      await addSurvey(runtime, site, { definition: asking() }),
    ]
    const kept = await give(full.id, begin(), jpeg, {}, from('198.51.100.1'))
    await as().db.tx((tx) => tx.update(responseFiles).set({ bytes: 1_000_000_000 }).where(eq(responseFiles.id, kept.id)))
    await expect(give(full.id, begin(), jpeg, {}, from('198.51.100.2'))).rejects.toEqual(faulty('too-many-unsent-files'))
    expect(await give(other.id, begin(), jpeg, {}, from('198.51.100.2'))).toMatchObject({ type: 'image/jpeg' })
    await as().db.tx((tx) => tx.delete(responseFiles).where(eq(responseFiles.id, kept.id)))
  })

  test('are deleted after a day, even if a draft without an account references them', async () => {
    const survey = await addSurvey(runtime, site, { definition: asking() })
    const person = await addViewer(runtime, site)
    const [sent, kept, drafted, forgotten] = [begin(), begin(), begin(), begin()]
    const files = [
      await give(survey.id, sent),
      await give(survey.id, kept, jpeg, {}, as(person)),
      await give(survey.id, drafted),
      await give(survey.id, forgotten),
    ]
    const there = () => files.map((file) => existsSync(pathOf(file)))
    await send(survey.id, sent, files.slice(0, 1))
    const draftOf = (sending: Sending, file: SentFile | undefined) => ({
      ...sending,
      survey: survey.id,
      version: 1,
      answers: { shown: { files: file ? [file] : [] } },
    })
    await keepDraft(as(person), draftOf(kept, files[1]))
    await keepDraft(as(), draftOf(drafted, files[2]))
    runtime.setNow(new Date(NOON.getTime() + 23 * HOURS))
    await sweepFiles(runtime)
    expect(there()).toEqual([true, true, true, true])
    runtime.setNow(new Date(NOON.getTime() + 25 * HOURS))
    expect(await sweepFiles(runtime)).toBeGreaterThanOrEqual(2)
    expect(there()).toEqual([true, true, false, false])
    await as().db.tx((tx) => tx.delete(responseDrafts).where(eq(responseDrafts.siteId, site.id)))
    await sweepFiles(runtime)
    expect(there()).toEqual([true, false, false, false])
  })
})

test('only people who may answer can upload, and only to file questions', async () => {
  const open = await addSurvey(runtime, site, { definition: asking() })
  await expect(give(open.id, begin(), jpeg, { question: 'name' })).rejects.toEqual(refused('not-found'))
  const closed = await addSurvey(runtime, site, { definition: asking(), closesAt: new Date(NOON.getTime() - DAYS) })
  await expect(give(closed.id, begin())).rejects.toEqual(refused('survey-closed'))
  const members = await addSurvey(runtime, site, { definition: asking(), access: 'signed_in' })
  await expect(give(members.id, begin())).rejects.toEqual(refused('sign-in-to-answer'))
})

test('an answer can reference only its own files, and what we know about them overrides what it claims', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const [mine, theirs] = [begin(), begin()]
  const [kept, foreign] = [await give(survey.id, mine), await give(survey.id, theirs)]
  await expect(send(survey.id, mine, [kept, foreign])).rejects.toEqual(faulty('file-gone'))
  await expect(send(survey.id, { ...theirs, sendKey: 'x'.repeat(22) }, [foreign])).rejects.toEqual(faulty('file-gone'))
  const unwanted = await give(survey.id, mine)
  const receipt = await send(survey.id, mine, [{ ...kept, name: 'lie.exe', bytes: 1 }])
  expect(receipt.response.answers).toEqual({ shown: { files: [kept] } })
  expect((await send(survey.id, mine, [kept])).stored).toBe(false)
  expect((await rows(survey.id)).map(({ id }) => id).toSorted()).toEqual([kept.id, foreign.id].toSorted())
  expect([existsSync(pathOf(kept)), existsSync(pathOf(unwanted))]).toEqual([true, false])
})

test('a file opens for its owner, for the receipt holder and for people who see responses, and is deleted with its response', async () => {
  const participant = await addViewer(runtime, site)
  const admin = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
  const stranger = await addViewer(runtime, site)
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const sending = begin()
  const kept = await give(survey.id, sending, jpeg, {}, as(participant))
  expect(await openFile(as(admin), kept.id, undefined)).toBeUndefined()
  const { code } = await send(survey.id, sending, [kept], as(participant))
  for (const [ctx, receipt] of [
    [as(participant), undefined],
    [as(), code],
    [as(admin), undefined],
  ] as const)
    expect(await openFile(ctx, kept.id, receipt)).toMatchObject({ name: 'kerb.jpg', mediaType: 'image/jpeg' })
  // Only what the team opens leaves a trace.
  const traces = await as().db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'responses.file')))
  expect(traces.filter(({ detail }) => (detail as { file?: string }).file === kept.id).map(({ actorId }) => actorId)).toEqual([admin.id])
  const elsewhere = await addViewer(runtime, other, { roles: [{ role: 'site_admin' }] })
  for (const ctx of [as(), as(stranger), as(elsewhere, other)]) expect(await openFile(ctx, kept.id, 'AAAA-AAAA-AAAA-AAAA')).toBeUndefined()
  await withdrawContribution(as(), code)
  expect(await openFile(as(admin), kept.id, undefined)).toBeUndefined()
  expect(existsSync(pathOf(kept))).toBe(false)
  expect(await rows(survey.id)).toEqual([])
})

test('a change keeps the files it references and deletes the others', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const sending = begin()
  const [first, second] = [await give(survey.id, sending), await give(survey.id, sending)]
  const { code } = await send(survey.id, sending, [first, second])
  const change = await startChange(as(), code)
  const third = await give(survey.id, change.sending)
  await takeFileBack(as(), change.sending, first.id)
  expect(existsSync(pathOf(first))).toBe(true)
  const input = { ...change.sending, version: 1, answers: { shown: { files: [second, third] } } }
  const changed = await submitChange(as(), find(survey.id), input)
  expect(listAnswerFiles(changed?.response.answers['shown'])).toEqual([second, third])
  expect([first, second, third].map((file) => existsSync(pathOf(file)))).toEqual([false, true, true])
  expect(await openFile(as(), third.id, code)).toBeDefined()
})

test('files are listed for people who see responses, and exports include their addresses', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const sending = begin()
  const kept = await give(survey.id, sending)
  await send(survey.id, sending, [kept])
  const admin = await addPerson(runtime, site, { role: 'site_admin' })
  const reader = await addPerson(runtime, site)
  const list = async (by?: Person, where = site) => {
    const { status, body } = await createApiClient(runtime, where, by?.token).get(`/response-files?filter[survey]=${survey.id}`)
    return [status, (body?.data as { id: string; attributes: unknown }[] | undefined)?.map(({ id }) => id)]
  }
  expect(await list(admin)).toEqual([200, [kept.id]])
  expect(await list(reader)).toEqual([200, []])
  const file = await createApiClient(runtime, site, admin.token).get(`/response-files/${kept.id}`)
  expect(file.body?.data).toMatchObject({
    attributes: { name: 'kerb.jpg', question: 'shown', mediaType: 'image/jpeg', address: `/answer-files/${kept.id}` },
    relationships: { response: { data: { id: sending.id } } },
  })
  expect((await createApiClient(runtime, site, reader.token).get(`/response-files/${kept.id}`)).status).toBe(404)
  const viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
  const { pieces } = await exportResponses(as(viewer), { surveyId: survey.id, format: 'csv', personal: false })
  let csv = ''
  for await (const piece of pieces) csv += Buffer.from(piece).toString()
  expect(csv).toContain('[shown.names]')
  expect(csv).toMatch(new RegExp(`kerb\\.jpg,https?://[^,]+/answer-files/${kept.id}`))
})

test('a file that is deleted while it is being written leaves neither a row nor an object', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const outcomes = new Set<string>()
  for (let round = 0; round < 40 && outcomes.size < 2; round++) {
    const sending = begin()
    const finished = { isFinished: false }
    const given = give(survey.id, sending)
      .catch((error: unknown) => error)
      .finally(() => (finished.isFinished = true))
    let ids: string[] = []
    // Deletes it as soon as its row exists, as the same form does that was sent twice.
    while (ids.length === 0 && !finished.isFinished) ids = (await rows(survey.id)).map(({ id }) => id)
    await removeFilesOf(as(), sending.id)
    const outcome = await given
    if (outcome instanceof Error) expect(outcome).toEqual(faulty('file-gone'))
    outcomes.add(outcome instanceof Error ? 'deleted meanwhile' : 'deleted afterwards')
    expect(await rows(survey.id)).toEqual([])
    for (const id of ids) expect(existsSync(pathOf({ id }))).toBe(false)
  }
  expect(outcomes).toContain('deleted meanwhile')
})

test('a sending that references no file of the site stores nothing', async () => {
  const survey = await addSurvey(runtime, site, { definition: asking() })
  const file = { id: v7(), name: 'a.jpg', type: 'image/jpeg', bytes: 3 }
  await expect(send(survey.id, begin(), [file])).rejects.toEqual(faulty('file-gone'))
})
