import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionPhotos, contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { FormValues } from '#app/server/forms.ts'
import type { FormFile } from '#app/server/multipart.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createPicture } from '#tests/support/pictures.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { eraseOldOriginals } from '../moderation/masking/erase-originals.server.ts'
import { getOwnContribution, withdrawOwnContribution } from '../own/own-contributions.server.ts'
import { submitContribution } from '../posting/submit-contribution.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { exportActivity } from '../results/activity-export.server.ts'
import { findPhotoBounds, takeFormPhotos } from '../posting/keep-photo.server.ts'
import { openPhoto } from '../posting/serve-photo.server.ts'
import { removeUnsentPhotos, sweepPhotos } from './stored-photos.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const HOURS = 3_600_000
/** Where the place is in a photo’s data: the tag and its type, as `sharp` writes them. */
const GPS_TAG = Buffer.from([0x25, 0x88, 4, 0])
let runtime: TestRuntime
let site: Site
let other: Site
let moderator: Person
/** With a place, an author, a colour profile, and lying on its side. */
let jpeg: Buffer

beforeAll(async () => {
  runtime = await createTestRuntime({ MEDIA_QUOTA_MB: '25' })
  site = await addSite(runtime)
  other = await addSite(runtime, { slug: 'elsewhere' })
  moderator = await addPerson(runtime, site, { role: 'site_admin' })
  const exif = {
    IFD0: { Artist: 'Jane Doe' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 8/1 2652/100', GPSLongitudeRef: 'W', GPSLongitude: '4/1 16/1 3324/100' },
  }
  jpeg = await createPicture(3000, 2000).withMetadata({ orientation: 6 }).withExif(exif).withIccProfile('p3').jpeg().toBuffer()
})
beforeEach(() => runtime.setNow(NOON))
afterAll(() => rm(runtime.env.DATA_DIR, { recursive: true, force: true }))

const asVisitor = (where = site): Ctx => createCtx(runtime, where)
const asPerson = async (person: Person, where = site) =>
  createCtx(runtime, where, {
    viewer: await loadViewer({ db: runtime.database.site(where.id), database: runtime.database }, person.token, new Date()),
  })

type Activity = Awaited<ReturnType<typeof addActivity>>
const addStories = (values: Parameters<typeof addActivity>[2] = {}) => addActivity(runtime, site, { kind: 'stories', ...values })
const addressOf = ({ projectSlug, slug }: Activity) => ({ project: projectSlug, activity: slug })
const toFile = (slot: number, bytes: Buffer, more: Partial<FormFile> = {}): FormFile => ({
  field: `photo-${slot}`,
  name: 'IMG_0001.JPG',
  bytes: bytes.length,
  isCut: false,
  read: () => Promise.resolve(bytes),
  ...more,
})
const begin = (): Sending => createSending(NOON)
const take = (activity: Activity, sending: Sending, values: FormValues, files: FormFile[], ctx = asVisitor()) =>
  takeFormPhotos(ctx, {
    address: addressOf(activity),
    sending,
    browserToken: issueToken(runtime, site, 'the browser that brings it'),
    values,
    files,
  })
const send = async (activity: Activity, sending: Sending, values: FormValues, files: FormFile[] = [], ctx = asVisitor()) =>
  submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, addressOf(activity)), {
    ...sending,
    title: 'The day the ferry came',
    body: 'We all stood on the pier.',
    categories: [],
    shownAs: 'anonymous',
    shownName: '',
    areaId: null,
    placeText: '',
    photos: await take(activity, sending, values, files, ctx),
  })
const rowsOf = (sending: Pick<Sending, 'id'>) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(contributionPhotos).where(eq(contributionPhotos.heldBy, sending.id)))
const idsOf = async (sending: Pick<Sending, 'id'>) => (await rowsOf(sending)).map(({ id }) => id)
const folderOf = (id: string) => join(runtime.env.DATA_DIR, 'files', site.id, 'contributions', id)
const open = (ctx: Ctx, id: string, brought = {}) =>
  openPhoto(ctx, id, 480, brought).then(({ isPublic }) => (isPublic ? 'public' : 'private'))
const refused = (code: string) => expect.objectContaining({ code }) as Error
const faulty = (code: string, pointer: string, values?: object) =>
  expect.objectContaining({ code: 'invalid', faults: [expect.objectContaining({ code, pointer, ...(values && { values }) })] }) as Error

/** A story with one photo in the given state. */
async function addStory(values: Partial<typeof contributions.$inferInsert> = {}, activity?: Activity) {
  const asked = activity ?? (await addStories())
  const sending = begin()
  const { code } = await send(asked, sending, { 'alt-1': 'The ferry at the pier' }, [toFile(1, jpeg)])
  const change = { shownName: '', ...values }
  await runtime.database.site(site.id).tx((tx) => tx.update(contributions).set(change).where(eq(contributions.id, sending.id)))
  const [photo = ''] = await idsOf(sending)
  return { activity: asked, id: sending.id, code, photo }
}

test('a photo is stored upright in two widths, without its place, author and colour profile', async () => {
  const before = await sharp(jpeg).metadata()
  expect([before.exif?.includes('Jane Doe'), before.exif?.includes(GPS_TAG), before.icc !== undefined]).toEqual([true, true, true])
  expect(before.orientation).toBe(6)
  const { photo } = await addStory()
  const names = readdirSync(folderOf(photo)).toSorted()
  expect(names).toEqual(['1280.webp', '480.webp'])
  for (const name of names) {
    const bytes = readFileSync(join(folderOf(photo), name))
    const { format, width, height, exif, icc, xmp } = await sharp(bytes).metadata()
    const wide = Number.parseInt(name, 10)
    expect([format, width, height, exif, icc, xmp]).toEqual(['webp', wide, wide * 1.5, undefined, undefined, undefined])
    expect(bytes.includes('Jane Doe')).toBe(false)
    expect(bytes.includes('EXIF')).toBe(false)
  }
})

test('an animated photo is stored as one picture that does not move', async () => {
  const frames = Buffer.concat([Buffer.alloc(60 * 40 * 3, 10), Buffer.alloc(60 * 40 * 3, 200)])
  const moving = await sharp(frames, { raw: { width: 60, height: 80, channels: 3, pageHeight: 40 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
  expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2)
  const activity = await addStories()
  const sending = begin()
  await take(activity, sending, { 'alt-1': 'A wave' }, [toFile(1, moving)])
  const [row] = await rowsOf(sending)
  expect([row?.width, row?.height]).toEqual([60, 40])
  expect((await sharp(join(folderOf(row?.id ?? ''), '480.webp'), { animated: true }).metadata()).pages ?? 1).toBe(1)
})

describe('a file that cannot be a photo is refused at its field, and the others are kept', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
  /** The head of a photo as iPhones store it. */
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(200)])
  test.each([
    ['a page', () => Buffer.from('<html><script>alert(1)</script>'), 'file-type-refused', undefined],
    ['an SVG', () => svg, 'file-type-refused', undefined],
    ['HEIC', () => heic, 'file-type-refused', undefined],
    ['a GIF', () => createPicture(20, 20).gif().toBuffer(), 'file-type-refused', undefined],
    ['nothing', () => Buffer.alloc(0), 'file-type-refused', undefined],
    ['half a photo', () => jpeg.subarray(0, Math.floor(jpeg.length * 0.6)), 'unreadable-picture', undefined],
    ['51 megapixels', () => createPicture(10_200, 5_000).png().toBuffer(), 'picture-too-large', { max: 50 }],
  ])('%s', async (_name, build, code, values) => {
    const activity = await addStories()
    const sending = begin()
    const form: FormValues = { 'alt-1': 'A pier', 'alt-2': 'A boat' }
    const given = await take(activity, sending, form, [toFile(1, await build()), toFile(2, jpeg)])
    expect(given?.faults).toEqual([expect.objectContaining({ code, pointer: '/photo-1', ...(values && { values }) })])
    expect(given?.photos).toEqual([{ slot: 2, id: (await idsOf(sending))[0], alt: 'A boat' }])
    // What was kept goes with the next press, and is not asked for again.
    expect(form['kept-photo-2']).toBe(given?.photos[0]?.id)
    delete form['alt-1']
    await send(activity, sending, form)
    expect((await rowsOf(sending)).map(({ alt, sentAt }) => [alt, sentAt])).toEqual([['A boat', NOON]])
  })

  test('more than 10 MB', async () => {
    const activity = await addStories()
    const sending = begin()
    for (const more of [{ isCut: true }, { bytes: 10_000_001 }]) {
      const given = await take(activity, sending, {}, [toFile(1, jpeg, more)])
      expect(given?.faults).toEqual([{ code: 'file-too-large', pointer: '/photo-1', values: { max: 10 } }])
    }
    expect(await rowsOf(sending)).toEqual([])
    expect((await take(activity, sending, {}, [toFile(1, jpeg, { bytes: 10_000_000 })]))?.faults).toEqual([])
  })
})

describe('what a photo shows', () => {
  test('is asked for, and no photo is lost over it', async () => {
    const activity = await addStories()
    const sending = begin()
    const form: FormValues = { 'alt-1': '  ' }
    await expect(send(activity, sending, form, [toFile(1, jpeg)])).rejects.toEqual(faulty('required', '/alt-1'))
    form['alt-1'] = 'x'.repeat(251)
    await expect(send(activity, sending, form)).rejects.toEqual(faulty('too-long', '/alt-1', { max: 250 }))
    form['alt-1'] = 'The ferry at the pier'
    expect(await send(activity, sending, form)).toMatchObject({ stored: true })
    expect((await rowsOf(sending)).map(({ alt }) => alt)).toEqual(['The ferry at the pier'])
  })

  test('without a photo asks for the photo', async () => {
    await expect(send(await addStories(), begin(), { 'alt-2': 'The ferry' })).rejects.toEqual(faulty('required', '/photo-2'))
  })

  test('is looked at like the text: personal data in it holds the contribution', async () => {
    const activity = await addStories({ moderation: 'after' })
    const quiet = await send(activity, begin(), { 'alt-1': 'The ferry' }, [toFile(1, jpeg)])
    const loud = await send(activity, begin(), { 'alt-1': 'My card 4111 1111 1111 1111' }, [toFile(1, jpeg)])
    expect([quiet.state, loud.state]).toEqual(['published', 'held'])
  })
})

describe('sending', () => {
  test('again, also with the files, stores nothing twice', async () => {
    const activity = await addStories()
    const sending = begin()
    const alts = { 'alt-1': 'The ferry', 'alt-2': 'The pier' }
    const first = await send(activity, sending, { ...alts }, [toFile(1, jpeg), toFile(2, jpeg)])
    const ids = await idsOf(sending)
    const second = await send(activity, sending, { ...alts }, [toFile(1, jpeg), toFile(2, jpeg)])
    expect([second.code, second.stored]).toEqual([first.code, false])
    expect(await idsOf(sending)).toEqual(ids)
    expect(readdirSync(join(runtime.env.DATA_DIR, 'files', site.id, 'contributions')).filter((id) => ids.includes(id))).toHaveLength(2)
  })

  test('twice at once stores one contribution with its photos once', async () => {
    const activity = await addStories()
    const sending = begin()
    const press = async () => {
      const sent = await send(activity, sending, { 'alt-1': 'The ferry' }, [toFile(1, jpeg)])
      await removeUnsentPhotos(asVisitor(), sending)
      return sent
    }
    const sent = await Promise.all([press(), press()])
    expect(sent.filter(({ stored }) => stored)).toHaveLength(1)
    expect(await rowsOf(sending)).toHaveLength(1)
  })

  test('a new file replaces the one that its place had', async () => {
    const activity = await addStories()
    const sending = begin()
    const form: FormValues = { 'alt-1': 'The ferry' }
    await take(activity, sending, form, [toFile(1, jpeg)])
    const [before = ''] = await idsOf(sending)
    await send(activity, sending, form, [toFile(1, await createPicture(300, 200).png().toBuffer())])
    expect((await rowsOf(sending)).map(({ width }) => width)).toEqual([300])
    expect(existsSync(folderOf(before))).toBe(false)
  })

  test('somebody else’s photo, or one that was sent already, is not taken', async () => {
    const activity = await addStories()
    const [mine, theirs] = [begin(), begin()]
    const form: FormValues = { 'alt-1': 'The ferry' }
    await take(activity, theirs, form, [toFile(1, jpeg)])
    await expect(send(activity, mine, form)).rejects.toEqual(faulty('file-gone', '/photo-1'))
    await expect(send(activity, { ...mine, sendKey: 'another-key-than-theirs' }, form)).rejects.toEqual(faulty('file-gone', '/photo-1'))
    await send(activity, theirs, form)
    await expect(send(activity, begin(), form)).rejects.toEqual(faulty('file-gone', '/photo-1'))
    const rows = await runtime.database.site(site.id).tx((tx) => tx.select().from(contributions).where(eq(contributions.id, mine.id)))
    expect(rows).toEqual([])
  })

  test('an activity takes as many as it says, and none unless it says so', async () => {
    const one = await addStories({ settings: { photos: 1 } })
    const alts = { 'alt-1': 'The ferry', 'alt-2': 'The pier' }
    await expect(send(one, begin(), alts, [toFile(1, jpeg), toFile(2, jpeg)])).rejects.toEqual(faulty('too-many', '/photo-2', { max: 1 }))
    const photosOf = async (kind: 'stories' | 'places' | 'questions' | 'ideas') => {
      const activity = await addActivity(runtime, site, { kind })
      return (await listContributions(asVisitor(), addressOf(activity), {})).activity.tools.photos
    }
    expect([await photosOf('stories'), await photosOf('places'), await photosOf('questions')]).toEqual([3, 3, 0])
    const none = await addStories({ settings: { photos: 0 } })
    expect(await findPhotoBounds(asVisitor(), addressOf(none))).toBeUndefined()
    const given = await take(none, begin(), {}, [toFile(1, jpeg)])
    expect(given?.faults).toEqual([{ code: 'too-many', pointer: '/photo-1', values: { max: 0 } }])
  })

  test('files are not read from those who may not post', async () => {
    const members = await addStories({ postAccess: 'members' })
    const open = await addStories()
    expect(await findPhotoBounds(asVisitor(), addressOf(members))).toBeUndefined()
    expect(await findPhotoBounds(asVisitor(), addressOf(open))).toEqual({ files: 3, fileBytes: 10_000_001 })
    await expect(take(members, begin(), {}, [toFile(1, jpeg)])).rejects.toEqual(refused('unauthenticated'))
    const closed = await addStories({ closesAt: new Date('2026-05-01T00:00:00Z') })
    await expect(take(closed, begin(), {}, [toFile(1, jpeg)])).rejects.toEqual(refused('activity-closed'))
  })
})

describe('who sees a photo', () => {
  test('before it is sent: the browser that brought it', async () => {
    const activity = await addStories()
    const sending = begin()
    await take(activity, sending, {}, [toFile(1, jpeg)])
    const [id = ''] = await idsOf(sending)
    expect(await open(asVisitor(), id, { browserToken: issueToken(runtime, site, 'the browser that brings it') })).toBe('private')
    for (const ctx of [asVisitor(), await asPerson(moderator)]) await expect(open(ctx, id)).rejects.toEqual(refused('not-found'))
    await expect(open(asVisitor(), id, { browserToken: issueToken(runtime, site, 'another-browser') })).rejects.toEqual(
      refused('not-found'),
    )
  })

  test('while it waits: its author and moderators; then everybody', async () => {
    const author = await addPerson(runtime, site)
    const stranger = await addPerson(runtime, site)
    const { id, photo, code, activity } = await addStory({ authorId: author.id })
    for (const ctx of [await asPerson(author), await asPerson(moderator)]) expect(await open(ctx, photo)).toBe('private')
    expect(await open(asVisitor(), photo, { receipt: code })).toBe('private')
    for (const ctx of [asVisitor(), await asPerson(stranger)]) await expect(open(ctx, photo)).rejects.toEqual(refused('not-found'))
    await expect(
      open(asVisitor(), photo, { receipt: 'AAAA-AAAA-AAAA-AAAA', browserToken: issueToken(runtime, site, 'the browser that brings it') }),
    ).rejects.toEqual(refused('not-found'))
    const api = createApiClient(runtime, site, moderator.token)
    await api.patch(`/contributions/${id}`, buildResourceDocument('contributions', { state: 'published' }, { id }))
    expect(await open(asVisitor(), photo)).toBe('public')
    const { entries } = await listContributions(asVisitor(), addressOf(activity), {})
    const shown = [{ id: photo, alt: 'The ferry at the pier', width: 1280, height: 1920 }]
    expect(entries.map(({ photos }) => photos)).toEqual([shown])
    const { contribution } = await getContribution(asVisitor(), addressOf(activity), 1, undefined)
    expect(contribution?.photos).toEqual(shown)
  })

  test('of a declined or removed one: its author and moderators; others are told that it is gone', async () => {
    for (const state of ['declined', 'removed'] as const) {
      const { photo, code } = await addStory({ state })
      await expect(open(asVisitor(), photo)).rejects.toEqual(refused('gone'))
      expect(await open(asVisitor(), photo, { receipt: code })).toBe('private')
      expect(await open(await asPerson(moderator), photo)).toBe('private')
    }
  })

  test('in a project for members: its members, in no shared cache', async () => {
    const { photo, activity } = await addStory({ state: 'published', publishedAt: NOON })
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.update(projects).set({ visibility: 'members' }).where(eq(projects.id, activity.projectId)))
    await expect(open(asVisitor(), photo)).rejects.toThrow()
    expect(await open(await asPerson(moderator), photo)).toBe('private')
  })

  test('another site does not: neither its visitors nor its administrators', async () => {
    const { photo, code } = await addStory({ state: 'published', publishedAt: NOON })
    const admin = await addPerson(runtime, other, { role: 'site_admin' })
    for (const ctx of [asVisitor(other), await asPerson(admin, other)])
      await expect(open(ctx, photo, { receipt: code })).rejects.toEqual(refused('not-found'))
    const rows = await runtime.database
      .site(other.id)
      .tx((tx) => tx.select().from(contributionPhotos).where(eq(contributionPhotos.id, photo)))
    expect(rows).toEqual([])
  })
})

describe('the API and files', () => {
  test('name the addresses of photos to those who may see the contribution', async () => {
    const { id, photo, activity } = await addStory({ state: 'published', publishedAt: NOON })
    const { body } = await createApiClient(runtime, site).get(`/contributions/${id}`)
    expect(body?.data).toHaveProperty('attributes.photos', [
      { id: photo, address: `/media/photos/${photo}/1280`, alt: 'The ferry at the pier', width: 1280, height: 1920 },
    ])
    const file = await exportActivity(await asPerson(moderator), activity.id, { format: 'json', personal: false })
    const pieces: Uint8Array[] = []
    for await (const piece of file.pieces) pieces.push(piece)
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({
      contributions: [{ photos: [expect.stringMatching(new RegExp(`^https?://.*/media/photos/${photo}/1280$`))] }],
    })
  })

  test('a held one is in no public answer', async () => {
    const { id, photo } = await addStory()
    expect((await createApiClient(runtime, site).get(`/contributions/${id}`)).status).toBe(404)
    const { text } = await readAll(`/contributions?filter[state]=held`)
    expect(text.includes(photo)).toBe(false)
    const own = await createApiClient(runtime, site, moderator.token).get(`/contributions/${id}`)
    expect(JSON.stringify(own.body)).toContain(photo)
  })
  const readAll = async (path: string) => ({ text: JSON.stringify((await createApiClient(runtime, site).get(path)).body) })

  test('a person’s own data has them', async () => {
    const author = await addPerson(runtime, site)
    const { photo } = await addStory({ authorId: author.id })
    const { contributionPhotos: own } = await readOwnData(await asPerson(author))
    expect(own).toEqual([expect.objectContaining({ alt: 'The ferry at the pier', address: expect.stringContaining(photo) as string })])
  })
})

describe('photos are deleted', () => {
  test('when the author withdraws it; their address says so', async () => {
    const { activity, photo, code } = await addStory({ state: 'published', publishedAt: NOON })
    await withdrawOwnContribution(asVisitor(), addressOf(activity), { code })
    expect(existsSync(folderOf(photo))).toBe(false)
    for (const brought of [{}, { receipt: code }]) await expect(open(asVisitor(), photo, brought)).rejects.toEqual(refused('gone'))
    await expect(open(await asPerson(moderator), photo)).rejects.toEqual(refused('gone'))
  })

  test('when it is erased', async () => {
    const { id, photo } = await addStory({ state: 'published', publishedAt: NOON })
    const api = createApiClient(runtime, site, moderator.token)
    const erasing = buildResourceDocument('contributions', { state: 'erased', reason: 'Shows a child' }, { id })
    expect((await api.patch(`/contributions/${id}`, erasing)).status).toBe(200)
    expect(existsSync(folderOf(photo))).toBe(false)
    await expect(open(await asPerson(moderator), photo)).rejects.toEqual(refused('gone'))
  })

  test('when their author’s account is erased, also those that were declined', async () => {
    const author = await addPerson(runtime, site)
    const stories = [
      await addStory({ authorId: author.id, state: 'published' }),
      await addStory({ authorId: author.id, state: 'declined' }),
    ]
    const ctx = asVisitor()
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, author.id))
    for (const { photo } of stories) await expect(open(await asPerson(moderator), photo)).rejects.toEqual(refused('gone'))
    await sweepPhotos(runtime)
    expect(stories.map(({ photo }) => existsSync(folderOf(photo)))).toEqual([false, false])
  })

  test('a day after they were brought and never sent; not before, and never those that were', async () => {
    const activity = await addStories()
    const [late, sent] = [begin(), begin()]
    await take(activity, late, { 'alt-1': 'The pier' }, [toFile(1, jpeg)])
    await send(activity, sent, { 'alt-1': 'The ferry' }, [toFile(1, jpeg)])
    const [unsent = '', kept = ''] = [...(await idsOf(late)), ...(await idsOf(sent))]
    runtime.setNow(new Date(NOON.getTime() + 23 * HOURS))
    await sweepPhotos(runtime)
    expect(existsSync(folderOf(unsent))).toBe(true)
    runtime.setNow(new Date(NOON.getTime() + 25 * HOURS))
    expect(await sweepPhotos(runtime)).toBeGreaterThanOrEqual(1)
    expect([existsSync(folderOf(unsent)), existsSync(folderOf(kept))]).toEqual([false, true])
    expect(await rowsOf(late)).toEqual([])
  })

  test('with their activity', async () => {
    const { photo, id } = await addStory()
    await runtime.database.site(site.id).tx((tx) => tx.delete(contributions).where(eq(contributions.id, id)))
    await sweepPhotos(runtime)
    expect(existsSync(folderOf(photo))).toBe(false)
    expect(await rowsOf({ id })).toEqual([])
  })
})

test('a list of contributions without photos has none', async () => {
  const activity = await addActivity(runtime, site, { kind: 'ideas' })
  await addContribution(runtime, site, { activityId: activity.id, number: 1 })
  const { entries } = await listContributions(asVisitor(), addressOf(activity), {})
  expect(entries.map(({ photos }) => photos)).toEqual([[]])
})

interface Found {
  id: string
  attributes: { photos?: unknown }
}
const readAll = (body: { data?: unknown } | undefined) => [body?.data ?? []].flat() as Found[]

describe('one photo', () => {
  const decide = (by: Person, id: string, attributes: Record<string, unknown>) =>
    createApiClient(runtime, site, by.token).post(
      '/moderation-decisions',
      buildResourceDocument('moderation-decisions', attributes, { to: { contribution: { type: 'contributions', id } } }),
    )
  const remove = (by: Person, id: string, photos: readonly string[], more: object = {}) =>
    decide(by, id, { decision: 'mask', textVersion: 1, photos, rule: 'personal-data', reason: 'It shows a neighbour.', ...more })
  const countLooks = async (id: string) =>
    (
      await runtime.database.site(site.id).tx((tx) =>
        tx
          .select()
          .from(auditEvents)
          .where(and(eq(auditEvents.action, 'contributions.see-original'), eq(auditEvents.subjectId, id))),
      )
    ).length

  /** A published story with two photos, of which the second is removed. */
  async function addWithoutSecond() {
    const author = await addPerson(runtime, site)
    const project = await addProject(runtime, site)
    const team = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
    const activity = await addStories({ projectId: project.id })
    const where = { project: project.slug, activity: activity.slug }
    const sending = begin()
    const ctx = await asPerson(author)
    const alts = { 'alt-1': 'The ferry at the pier', 'alt-2': 'My neighbour in her garden' }
    await submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, where), {
      ...sending,
      title: 'The day the ferry came',
      body: 'We all stood on the pier.',
      categories: [],
      shownAs: 'anonymous',
      shownName: '',
      areaId: null,
      placeText: '',
      photos: await takeFormPhotos(ctx, {
        address: where,
        sending,
        browserToken: issueToken(runtime, site, 'the browser that brings it'),
        values: alts,
        files: [toFile(1, jpeg), toFile(2, jpeg)],
      }),
    })
    const ids = (await rowsOf(sending)).toSorted((one, other) => one.position - other.position).map(({ id }) => id)
    const { status } = await remove(team, sending.id, ids.slice(1))
    expect(status).toBe(201)
    return { author, team, where, id: sending.id, kept: ids[0] ?? '', removed: ids[1] ?? '' }
  }

  test('is removed with a reason, and its text stays', async () => {
    const { author, team, where, id, kept, removed } = await addWithoutSecond()
    const publicPage = JSON.stringify([
      await getContribution(asVisitor(), where, 1, undefined),
      await listContributions(asVisitor(), where, {}),
      (await createApiClient(runtime, site).get(`/contributions/${id}`)).body,
    ])
    expect(publicPage).toContain('We all stood on the pier.')
    expect(publicPage).toContain(kept)
    expect(publicPage).not.toContain(removed)
    expect(publicPage).not.toContain('neighbour')
    expect(await open(asVisitor(), kept)).toBe('public')
    for (const ctx of [asVisitor(), await asPerson(author), await asPerson(team)])
      await expect(open(ctx, removed)).rejects.toEqual(refused('gone'))
    const own = await getOwnContribution(await asPerson(author), where, { number: 1 })
    expect([own.masked, own.reason, own.photos.map(({ id: photo }) => photo)]).toEqual([
      ['Photo: My neighbour in her garden'],
      'It shows a neighbour.',
      [kept],
    ])
    const mails = await runtime.database.site(site.id).tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, author.id)))
    const told = JSON.stringify(mails.filter(({ kind }) => kind === 'contribution-masked'))
    expect(told).toContain('A photo of your contribution')
    expect(told).toContain('My neighbour in her garden')
    expect(told).not.toContain('Passages of your')
  })

  test('is seen by those who may see originals, and each look is recorded', async () => {
    const { id, removed } = await addWithoutSecond()
    const api = createApiClient(runtime, site, moderator.token)
    const { body } = await api.get(`/masked-originals/${id}`)
    const seen = readAll(body)[0]?.attributes.photos
    expect(seen).toEqual([{ id: removed, address: `/media/photos/${removed}/1280`, alt: 'My neighbour in her garden' }])
    expect(await countLooks(id)).toBe(1)
    expect(await open(await asPerson(moderator), removed)).toBe('private')
    expect(await countLooks(id)).toBe(2)
  })

  test('comes back when it is put back, and when its author’s appeal was right', async () => {
    const back = await addWithoutSecond()
    expect((await decide(moderator, back.id, { decision: 'unmask' })).status).toBe(201)
    expect(await open(asVisitor(), back.removed)).toBe('public')

    const { author, team, id, removed } = await addWithoutSecond()
    const made = await createApiClient(runtime, site, team.token).get(`/moderation-decisions?filter[decision]=mask`)
    const decision = readAll(made.body)[0]?.id ?? ''
    const appeal = await createApiClient(runtime, site, author.token).post(
      '/moderation-appeals',
      buildResourceDocument(
        'moderation-appeals',
        { words: 'She asked me to show it.' },
        { to: { decision: { type: 'moderation-decisions', id: decision } } },
      ),
    )
    expect(appeal.status).toBe(201)
    const appealId = readAll(appeal.body)[0]?.id ?? ''
    const verdict = buildResourceDocument('moderation-appeals', { state: 'overturned', answer: 'You are right.' }, { id: appealId })
    expect((await createApiClient(runtime, site, moderator.token).patch(`/moderation-appeals/${appealId}`, verdict)).status).toBe(200)
    expect(await open(asVisitor(), removed)).toBe('public')
    expect(JSON.stringify((await createApiClient(runtime, site).get(`/contributions/${id}`)).body)).toContain(removed)
  })

  test('is deleted with what removed passages said, after the site’s time for it', async () => {
    const { removed, id } = await addWithoutSecond()
    const { database } = runtime
    runtime.setNow(new Date(NOON.getTime() + 364 * 24 * HOURS))
    await eraseOldOriginals(runtime)
    await sweepPhotos(runtime)
    expect(existsSync(folderOf(removed))).toBe(true)
    runtime.setNow(new Date(NOON.getTime() + 366 * 24 * HOURS))
    await eraseOldOriginals(runtime)
    await sweepPhotos(runtime)
    expect(existsSync(folderOf(removed))).toBe(false)
    await expect(open(await asPerson(moderator), removed)).rejects.toEqual(refused('gone'))
    const [row] = await database.site(site.id).tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    expect(row).toMatchObject({ state: 'published', body: 'We all stood on the pier.' })
  })

  test('is removed by those who may moderate, from what shows it, and never from a reply', async () => {
    const { author, id, kept, removed } = await addWithoutSecond()
    const other = await addStory()
    expect((await remove(author, id, [kept], { textVersion: 2 })).status).toBe(403)
    const codesOf = async (photos: readonly string[], more = {}) => {
      const { status, codes } = await remove(moderator, id, photos, { textVersion: 2, ...more })
      return [status, ...codes]
    }
    expect(await codesOf([removed])).toEqual([422, 'not-a-choice'])
    expect(await codesOf([other.photo])).toEqual([422, 'not-a-choice'])
    expect(await codesOf([])).toEqual([422, 'required'])
    expect(await codesOf([kept], { reason: ' ' })).toEqual([422, 'required'])
    expect(await codesOf([kept], { textVersion: 1 })).toEqual([409, 'conflict'])
    expect(await open(asVisitor(), kept)).toBe('public')
  })
})
