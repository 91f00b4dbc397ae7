import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servePicture } from '#app/features/media/media.files.server.ts'
import { listPagePictures } from '#app/features/media/media.places.server.ts'
import { beginUpload, dropUpload, sweepUploads } from '#app/features/media/media.uploads.server.ts'
import { serveDocument } from '#app/features/projects/documents/documents.files.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { requireItems } from '#tests/support/accounts.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createPicture, sendPiece, uploadFile } from '#tests/support/pictures.ts'
import { requestContext } from '#tests/support/request-context.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let admin: Person
let hubAdmin: Person
let projectAdmin: Person
let jpeg: Buffer

beforeAll(async () => {
  runtime = await createTestRuntime({ MEDIA_QUOTA_MB: '40' })
  site = await addSite(runtime, { slug: 'valley', languages: ['en', 'cy'] })
  other = await addSite(runtime, { slug: 'elsewhere' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })
  projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
  jpeg = await createPicture().jpeg().toBuffer()
})
afterAll(() => rm(runtime.env.DATA_DIR, { recursive: true, force: true }))

const api = (by?: Person, where = site) => createApiClient(runtime, where, by?.token)
const dataOf = (answer: ApiAnswer) =>
  answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number; can: Record<string, boolean> } }
const create = async (by: Person, bytes: Buffer, attributes: Record<string, unknown> = {}, name?: string) =>
  api(by).post(
    '/media-assets',
    buildResourceDocument('media-assets', { upload: await uploadFile(runtime, site, by.token, bytes, name), ...attributes }),
  )
const add = async (attributes: Record<string, unknown> = {}, by = admin) => dataOf(await create(by, jpeg, attributes))
const serve = (path: string, accept = '*/*', where = site) =>
  servePicture({
    context: requestContext(createCtx(runtime, where)),
    params: { _splat: path.split('#', 1)[0]?.replace('/media/', '') ?? '' },
    request: new Request(`http://${where.host}${path}`, { headers: { accept } }),
  })
const bodyOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('an upload', () => {
  test('arrives in chunks and can be resumed', async () => {
    const file = await sharp(Buffer.from(Array.from({ length: 900 * 900 * 3 }, (_, at) => (at * 7919) % 256)), {
      raw: { width: 900, height: 900, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(file.length).toBeGreaterThan(2_000_000)
    const begun = await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', { name: 'noise.png', bytes: file.length }))
    const { id } = dataOf(begun)
    const send = (from: number, to: number, by = admin) =>
      sendPiece(runtime, site, { id, token: by.token, offset: from, bytes: file.subarray(from, to) })
    expect((await send(0, 900_000)).headers.get('upload-offset')).toBe('900000')
    expect((await send(0, 900_000)).status).toBe(409)
    expect((await send(1_000_000, 1_500_000)).status).toBe(409)
    expect(dataOf(await api(admin).get(`/media-uploads/${id}`)).attributes['received']).toBe(900_000)
    const early = await api(admin).post('/media-assets', buildResourceDocument('media-assets', { upload: id }))
    expect([early.status, early.codes]).toEqual([422, ['unknown-reference']])
    expect((await send(900_000, 1_800_000)).status).toBe(204)
    expect((await send(1_800_000, file.length)).status).toBe(204)
    const made = await api(admin).post('/media-assets', buildResourceDocument('media-assets', { upload: id }))
    expect(dataOf(made).attributes).toMatchObject({ name: 'noise.png', mediaType: 'image/png', width: 900, height: 900 })
    expect((await api(admin).get(`/media-uploads/${id}`)).status).toBe(404)
  })

  test('belongs to the uploader, who is authenticated by API token, so that no other page can send to it', async () => {
    const { id } = dataOf(
      await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', { name: 'a.jpg', bytes: jpeg.length })),
    )
    const piece = { id, offset: 0, bytes: jpeg }
    expect((await sendPiece(runtime, site, piece)).status).toBe(404)
    expect((await sendPiece(runtime, site, { ...piece, token: hubAdmin.token })).status).toBe(404)
    expect((await sendPiece(runtime, site, { ...piece, token: admin.token, type: 'text/plain' })).status).toBe(415)
    expect((await sendPiece(runtime, site, { ...piece, token: admin.token, bytes: Buffer.concat([jpeg, jpeg]) })).status).toBe(413)
    const taken = await api(hubAdmin).post('/media-assets', buildResourceDocument('media-assets', { upload: id }))
    expect(taken.codes).toEqual(['unknown-reference'])
  })

  test('is swept if nobody resumes it', async () => {
    const id = await uploadFile(runtime, site, admin.token, jpeg)
    const folder = join(runtime.env.DATA_DIR, 'files', site.id, 'uploads', id)
    expect(existsSync(folder)).toBe(true)
    runtime.setNow(new Date(Date.now() + 72 * 3_600_000))
    expect(await sweepUploads(runtime)).toBeGreaterThan(0)
    runtime.setNow(undefined)
    expect(existsSync(folder)).toBe(false)
  })

  test('that is still going on after two days is left alone', async () => {
    const begun = await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', { name: 'slow.jpg', bytes: jpeg.length }))
    const { id } = dataOf(begun)
    const send = async (offset: number, bytes: number) =>
      (await sendPiece(runtime, site, { id, token: admin.token, offset, bytes: jpeg.subarray(offset, offset + bytes) })).status
    const half = Math.floor(jpeg.length / 2)
    runtime.setNow(new Date(Date.now() + 47 * 3_600_000))
    expect(await send(0, half)).toBe(204)
    runtime.setNow(new Date(Date.now() + 49 * 3_600_000))
    await sweepUploads(runtime)
    expect(await send(half, jpeg.length - half)).toBe(204)
    runtime.setNow(undefined)
    expect((await api(admin).post('/media-assets', buildResourceDocument('media-assets', { upload: id }))).status).toBe(201)
  })
})

describe('a file added to the library', () => {
  test('is identified by its content, whatever its name', async () => {
    const png = await createPicture(40, 40).png().toBuffer()
    expect(dataOf(await create(admin, png, {}, 'really.jpg')).attributes['mediaType']).toBe('image/png')
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const file of [script, Buffer.from('%PDF-1.7 not a picture'), Buffer.from('GIF89a')]) {
      const refused = await create(admin, file, {}, 'innocent.png')
      expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/upload'])
      expect(['file-type-refused', 'unreadable-picture']).toContain(refused.codes[0])
    }
  })

  test('is refused if it is broken or has too many pixels', async () => {
    expect((await create(admin, jpeg.subarray(0, jpeg.length - 200))).codes).toEqual(['unreadable-picture'])
    const vast = await createPicture(10_000, 6_000).png().toBuffer()
    expect((await create(admin, vast)).codes).toEqual(['picture-too-large'])
  })

  test('loses its camera metadata and is turned upright', async () => {
    const told = await createPicture(300, 200)
      .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { attributes } = dataOf(await create(admin, told))
    expect(attributes).toMatchObject({ width: 200, height: 300 })
    const kept = await bodyOf(await serve(String(attributes['shown']), 'image/jpeg'))
    const { exif, orientation } = await sharp(kept).metadata()
    expect([exif, orientation]).toEqual([undefined, undefined])
  })

  test('counts towards the site’s storage quota', async () => {
    const most = { name: 'a.jpg', bytes: 20_000_000 }
    expect((await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', { ...most, bytes: 20_000_001 }))).status).toBe(
      422,
    )
    const first = await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', most))
    const refused = await api(admin).post('/media-uploads', buildResourceDocument('media-uploads', most))
    expect(refused.codes).toEqual(['storage-full'])
    expect((await api(admin).delete(`/media-uploads/${dataOf(first).id}`)).status).toBe(204)
    await warmUpConnections(runtime)
    const ctx = await withViewer(createCtx(runtime, site), admin.token)
    const together = await Promise.allSettled([1, 2, 3, 4].map(() => beginUpload(ctx, most)))
    const refusals = together.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refusals).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ code: 'invalid' }) as unknown))
    for (const one of together) if (one.status === 'fulfilled') await dropUpload(ctx, { id: one.value })
  })
})

describe('access', () => {
  test('editors of anything on the site may use its library; others see nothing', async () => {
    const made = await add({}, projectAdmin)
    for (const by of [admin, hubAdmin, projectAdmin]) expect((await api(by).get(`/media-assets/${made.id}`)).status).toBe(200)
    const participant = await addPerson(runtime, site)
    const stranger = await addPerson(runtime, other, { role: 'site_admin' })
    for (const ask of [api(), api(participant), api(stranger, other)]) {
      expect((await ask.get(`/media-assets/${made.id}`)).status).toBe(404)
      expect((await ask.get('/media-assets')).body?.data).toEqual([])
    }
    const announced = buildResourceDocument('media-uploads', { name: 'a.jpg', bytes: 10 })
    expect((await api(participant).post('/media-uploads', announced)).status).toBe(403)
    expect((await api().post('/media-uploads', announced)).status).toBe(401)
  })

  test('only the uploader and editors of the whole site may change a picture', async () => {
    const made = await add({}, projectAdmin)
    const change = buildResourceDocument('media-assets', { name: 'Mine' }, { id: made.id, lockVersion: made.meta.lockVersion })
    expect((await api(hubAdmin).patch(`/media-assets/${made.id}`, change)).status).toBe(403)
    expect((await api(hubAdmin).delete(`/media-assets/${made.id}`)).status).toBe(403)
    expect(dataOf(await api(hubAdmin).get(`/media-assets/${made.id}`)).meta.can).toEqual({ update: false, remove: false })
    expect((await api(projectAdmin).patch(`/media-assets/${made.id}`, change)).status).toBe(200)
    expect((await api(admin).patch(`/media-assets/${made.id}`, change)).status).toBe(409)
    expect((await api(admin).delete(`/media-assets/${made.id}`)).status).toBe(204)
  })
})

describe('a picture', () => {
  test('is found by its name, its text, and missing alternative text', async () => {
    const whole = await add({ name: 'Heron', altTranslations: { en: 'A heron in the reeds', cy: 'Crëyr yn yr hesg' } })
    const half = await add({ name: 'Bridge', altTranslations: { en: 'A bridge' } })
    const found = async (query: string) => ((await api(admin).get(`/media-assets?${query}`)).body?.data ?? []) as { id: string }[]
    const ids = async (query: string) => (await found(query)).map(({ id }) => id)
    expect(await ids('filter[q]=hesg')).toEqual([whole.id])
    expect(await ids('filter[q]=bridge')).toEqual([half.id])
    expect(await ids('filter[missingAlternative]=true&page[size]=100')).toContain(half.id)
    expect(await ids('filter[missingAlternative]=false')).toEqual([whole.id])
  })

  test('is served in the requested type and width, cached forever, and runs no scripts', async () => {
    const { attributes } = await add()
    const shown = String(attributes['shown'])
    expect(shown).toMatch(/\/1\/1280#1600x900,50,50$/)
    const avif = await serve(shown, 'image/avif,image/webp,*/*')
    expect(Object.fromEntries(avif.headers)).toMatchObject({
      'content-type': 'image/avif',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox') as string,
      vary: 'Accept',
    })
    expect((await sharp(await bodyOf(avif)).metadata()).width).toBe(1280)
    const small = await serve(shown.replace('/1280', '/320'), 'image/webp')
    expect([small.headers.get('content-type'), (await sharp(await bodyOf(small)).metadata()).width]).toEqual(['image/webp', 320])
    expect((await serve(shown)).headers.get('content-type')).toBe('image/jpeg')
    expect((await serve(shown.replace('/1280', '/321'))).status).toBe(404)
    expect((await serve(shown.replace('/1280', ''))).status).toBe(404)
    expect((await serve(shown, '*/*', other)).status).toBe(404)
    expect((await serve(`/media/${createId()}/1/320`)).status).toBe(404)
  })

  test('is replaced everywhere at a new address, and keeps its permanent one', async () => {
    const project = await addProject(runtime, site)
    const { id, attributes } = await add({ altTranslations: { en: 'A bridge' } })
    const saved = await api(admin).patch(
      `/projects/${project.id}`,
      buildResourceDocument('projects', { picture: attributes['address'] }, { id: project.id, lockVersion: 1 }),
    )
    expect(saved.status).toBe(200)
    const onPage = async () => (await getProject(createCtx(runtime, site), { slug: project.slug })).picture
    expect((await onPage())?.src).toBe(String(attributes['shown']).split('#')[0])
    const one = await api(admin).get(`/media-assets/${id}`)
    const version = (await runtime.sites.find(site.host))?.contentVersion ?? 0
    const next = await uploadFile(runtime, site, admin.token, await createPicture(800, 600, '#883322').png().toBuffer())
    const replaced = await api(admin).patch(
      `/media-assets/${id}`,
      buildResourceDocument(
        'media-assets',
        { upload: next, focalPoint: { x: 20, y: 80 } },
        { id, lockVersion: dataOf(one).meta.lockVersion },
      ),
    )
    expect(dataOf(replaced).attributes).toMatchObject({ version: 2, address: attributes['address'], mediaType: 'image/png' })
    expect(await onPage()).toEqual({
      src: `/media/${id}/2/800`,
      srcSet: `/media/${id}/2/320 320w, /media/${id}/2/640 640w, /media/${id}/2/800 800w`,
      sizes: '(min-width: 60rem) 36rem, 100vw',
      style: { objectPosition: '20% 80%' },
    })
    expect((await serve(`/media/${id}/2/800`, 'image/png')).headers.get('content-type')).toBe('image/png')
    expect((await serve(String(attributes['shown']))).headers.get('cache-control')).toBe('public, no-cache')
    expect(await readdir(join(runtime.env.DATA_DIR, 'files', site.id, 'media', id))).toEqual(['2'])
    const rows = await runtime.database.global.execute<{ content_version: string }>(
      `select content_version from sites where id = '${site.id}'`,
    )
    expect(Number(rows.rows[0]?.content_version)).toBeGreaterThan(version)
  })

  test('that is in use cannot be deleted, and its places are listed', async () => {
    const project = await addProject(runtime, site, { title: { en: 'Fern Street' } })
    const { id, attributes } = await add()
    await api(admin).patch(
      `/projects/${project.id}`,
      buildResourceDocument('projects', { picture: attributes['address'] }, { id: project.id, lockVersion: 1 }),
    )
    const block = { id: 'a', type: 'picture_text', picture: { file: attributes['address'], alt: { en: 'A bridge' } } }
    const revision = buildResourceDocument('homepage-revisions', { content: { schema: 2, blocks: [block] } })
    expect((await api(admin).post('/homepage-revisions', revision)).status).toBe(201)
    const places = [
      { kind: 'homepage', id: site.id, title: '' },
      { kind: 'project', id: project.id, title: 'Fern Street' },
    ]
    const refused = await api(admin).delete(`/media-assets/${id}`)
    expect([refused.status, refused.codes, refused.body?.errors]).toMatchObject([409, ['in-use'], [{ meta: { places } }]])
    expect(dataOf(await api(admin).get(`/media-assets/${id}`)).attributes['places']).toEqual(places)
    // People who may not edit a place learn that the picture is used there, but not its title.
    expect(dataOf(await api(projectAdmin).get(`/media-assets/${id}`)).attributes['places']).toEqual(
      places.map((place) => ({ ...place, title: null })),
    )
  })

  test('counts as used where the text of a page or an update shows it', async () => {
    const { id, attributes } = await add()
    const body = { en: `![A bridge](${String(attributes['address'])})` }
    const page = dataOf(
      await api(admin).post('/pages', buildResourceDocument('pages', { titleTranslations: { en: 'Bridges' }, bodyTranslations: body })),
    )
    expect((await api(admin).delete(`/media-assets/${id}`)).codes).toEqual(['in-use'])
    expect(dataOf(await api(admin).get(`/media-assets/${id}`)).attributes['places']).toEqual([
      { kind: 'page', id: page.id, title: 'Bridges' },
    ])
  })

  test('shown by its address is listed beside the library, with the places that show it', async () => {
    const project = await addProject(runtime, site, { title: { en: 'Mill Lane' }, picture: '/demo/valley/mill.svg' })
    const body = { en: 'The mill:\n\n![A mill](/demo/valley/mill.svg)' }
    const page = dataOf(
      await api(admin).post('/pages', buildResourceDocument('pages', { titleTranslations: { en: 'Mills' }, bodyTranslations: body })),
    )
    const list = async (person: Person) => listPagePictures(await withViewer(createCtx(runtime, site), person.token))
    expect(await list(admin)).toEqual([
      {
        address: '/demo/valley/mill.svg',
        places: [
          { kind: 'page', id: page.id, title: 'Mills' },
          { kind: 'project', id: project.id, title: 'Mill Lane' },
        ],
      },
    ])
    expect((await list(projectAdmin))[0]?.places.map(({ title }) => title)).toEqual([null, null])
    await expect(listPagePictures(createCtx(runtime, site))).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('leaves no files when it is deleted', async () => {
    const { id, attributes } = await add()
    await serve(String(attributes['shown']), 'image/webp')
    const folder = join(runtime.env.DATA_DIR, 'files', site.id, 'media', id)
    expect((await readdir(join(folder, '1'))).toSorted()).toEqual(['1280.webp', 'original'])
    expect((await api(admin).delete(`/media-assets/${id}`)).status).toBe(204)
    expect(existsSync(folder)).toBe(false)
    expect((await serve(String(attributes['shown']))).status).toBe(404)
  })
})

describe('documents of a project', () => {
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF')
  const offer = async (project: string, bytes: Buffer, name: string, by = admin) =>
    api(by).post(
      '/project-documents',
      buildResourceDocument(
        'project-documents',
        { upload: await uploadFile(runtime, site, by.token, bytes, name) },
        { to: { project: { type: 'projects', id: project } } },
      ),
    )
  const open = async (address: string, by?: Person, where = site) => {
    const ctx = createCtx(runtime, where)
    return serveDocument({
      context: requestContext(by ? await withViewer(ctx, by.token) : ctx),
      params: { _splat: address.replace('/media/documents/', '') },
      request: new Request(`http://${where.host}${address}`),
    })
  }
  /** Builds a zip file of empty entries. */
  const zip = (...names: string[]) => {
    const heads = names.map((name) => {
      const head = Buffer.alloc(30)
      head.writeUInt32BE(0x504b0304)
      head.writeUInt16LE(name.length, 26)
      return Buffer.concat([head, Buffer.from(name)])
    })
    const entries = names.map((name) => {
      const entry = Buffer.alloc(46)
      entry.writeUInt32LE(0x02014b50)
      entry.writeUInt16LE(name.length, 28)
      return Buffer.concat([entry, Buffer.from(name)])
    })
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50)
    end.writeUInt16LE(names.length, 10)
    end.writeUInt32LE(Buffer.concat(heads).length, 16)
    return Buffer.concat([...heads, ...entries, end])
  }

  test('are identified by content, downloaded under their name, and gone once deleted', async () => {
    const { id } = await addProject(runtime, site)
    const made = dataOf(await offer(id, pdf, 'Plan of the bridge.exe'))
    expect(made.attributes).toMatchObject({ title: 'Plan of the bridge', mediaType: 'application/pdf', bytes: pdf.length, position: 0 })
    const address = String(made.attributes['address'])
    expect(address).toMatch(/\.pdf$/)
    const answer = await open(address)
    expect(await bodyOf(answer)).toEqual(pdf)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; .*''Plan%20of%20the%20bridge\.pdf$/) as string,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect((await open(address, undefined, other)).status).toBe(404)

    const word = zip('[Content_Types].xml', 'word/document.xml')
    const second = dataOf(await offer(id, word, 'minutes.docx'))
    expect(second.attributes['position']).toBe(1)
    const first = buildResourceDocument(
      'project-documents',
      { position: 0, titleTranslations: { en: 'Minutes', cy: 'Cofnodion' } },
      { id: second.id },
    )
    expect((await api(admin).patch(`/project-documents/${second.id}`, first)).status).toBe(200)
    const listed = await api(admin).get(`/project-documents?filter[project]=${id}`)
    expect(requireItems(listed).map(({ attributes }) => attributes['title'])).toEqual(['Minutes', 'Plan of the bridge'])

    // The editor needs all languages, so that saving one loses no other.
    expect(requireItems(listed)[0]?.attributes['titleTranslations']).toEqual({ en: 'Minutes', cy: 'Cofnodion' })

    expect((await api(admin).delete(`/project-documents/${made.id}`)).status).toBe(204)
    expect((await open(address)).status).toBe(404)
  })

  test('are refused if they are not what they seem: markup, programs, macros, broken archives', async () => {
    const { id } = await addProject(runtime, site)
    const refused = [
      Buffer.from('<html><script>alert(1)</script>'),
      Buffer.from('MZ\u0000\u0001program'),
      zip('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'),
      zip('anything.txt'),
      zip('[Content_Types].xml', 'xl/workbook.xml').subarray(0, 60),
    ]
    for (const bytes of refused) expect((await offer(id, bytes, 'report.pdf')).codes).toEqual(['file-type-refused'])
    expect(dataOf(await offer(id, Buffer.from('ward,votes\nElm,3\n'), 'votes.csv')).attributes['mediaType']).toBe('text/csv')
  })

  test('follow the project’s visibility; a copy has its own, and keeps it when the original is replaced', async () => {
    const project = await addProject(runtime, site, { visibility: 'members' })
    const member = await addPerson(runtime, site)
    const stranger = await addPerson(runtime, site)
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: project.id, userId: member.id }))
    const made = dataOf(await offer(project.id, pdf, 'Plan.pdf'))
    const address = String(made.attributes['address'])
    const seen = async (by?: Person) => (await open(address, by)).status
    expect([await seen(), await seen(stranger), await seen(member), await seen(admin)]).toEqual([404, 404, 200, 200])

    const copied = dataOf(
      await api(admin).post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Copy' }, copyOf: project.id })),
    )
    const [copy] = requireItems(await api(admin).get(`/project-documents?filter[project]=${copied.id}`))
    const copyAddress = String(copy?.attributes['address'])
    expect(copyAddress).not.toBe(address)
    const upload2 = await uploadFile(runtime, site, admin.token, Buffer.concat([pdf, pdf]), 'Plan.pdf')
    await api(admin).patch(
      `/project-documents/${made.id}`,
      buildResourceDocument('project-documents', { upload: upload2 }, { id: made.id }),
    )
    expect((await bodyOf(await open(address, member))).length).toBe(2 * pdf.length)
    expect(await bodyOf(await open(copyAddress, admin))).toEqual(pdf)
    expect((await open(copyAddress, member)).status).toBe(404)

    expect((await offer(project.id, pdf, 'Plan.pdf', projectAdmin)).status).toBe(404)
    expect((await api(projectAdmin).delete(`/project-documents/${made.id}`)).status).toBe(404)
  })
})
