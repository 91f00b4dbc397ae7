import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { DocumentContent } from '#app/server/documents/document.schema.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import type { Site } from '#app/server/site-directory.ts'
import { requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { createPicture, uploadFile } from '#tests/support/pictures.ts'
import { readZip } from '#tests/support/read-zip.ts'
import { addSiteMark } from './document-mark.server.ts'

const CONTENT: DocumentContent = {
  language: 'en',
  title: 'Streets',
  subtitle: 'May',
  facts: [],
  organisation: 'Riverbend',
  runningHead: '',
  color: '#14516b',
  madeAt: 1_795_000_000,
  smallPrint: '',
  words: { contents: 'Contents', table: 'Table', figure: 'Figure', page: 'Page', of: 'of', mark: 'The mark of Riverbend' },
  sections: [{ heading: 'In short', blocks: [{ kind: 'text', text: 'Shade.' }] }],
}

let runtime: TestRuntime
let site: Site
let picture: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  picture = await addPicture(site)
})

async function addPicture(at: Site): Promise<string> {
  const { token } = await addPerson(runtime, at, { role: 'site_admin' })
  const upload = await uploadFile(runtime, at, token, await createPicture(900, 300, '#c02020').png().toBuffer(), 'logo.png')
  const client = createApiClient(runtime, at, token)
  return requireItem(
    await client.post('/media-assets', buildResourceDocument('media-assets', { upload, altTranslations: { en: 'Our logo' } })),
  ).id
}

const withMark = (mark: string | null): Ctx => createCtx(runtime, { ...site, theme: { mark } })
const marked = (mark: string | null) => addSiteMark(withMark(mark), CONTENT)
const isRed = async (file: Buffer): Promise<boolean> => {
  const { channels } = await sharp(file).stats()
  const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean)
  return red > 180 && green < 60 && blue < 60
}

test('a document has the logo of the site’s library on its cover, with an alternative text', async () => {
  const content = await marked(`/media/${picture}`)
  expect(content.mark?.ratio).toBe(3)
  const pictures = [...readZip(Buffer.from(await makeDocument('a', 'docx', content)))].filter(([name]) => name.startsWith('word/media/'))
  expect(pictures).toHaveLength(1)
  expect(await isRed(pictures[0]?.[1] ?? Buffer.alloc(0))).toBe(true)
  const pdf = Buffer.from(await makeDocument('a', 'pdf', content))
  expect(pdf.includes('/Subtype /Image') || pdf.includes('/Subtype/Image')).toBe(true)
  expect(pdf.equals(Buffer.from(await makeDocument('a', 'pdf', await marked(`/media/${picture}`))))).toBe(true)
})

test('the demo’s own drawing is its logo', async () => {
  const content = await marked('/demo/riverbend/mark.svg')
  expect(content.mark?.svg).toBe(readFileSync('public/demo/riverbend/mark.svg', 'utf8'))
  await makeDocument('a', 'pdf', content)
})

test.each([
  ['no logo', () => null],
  ['a picture that is gone', () => '/media/0190c0de-0000-7000-8000-000000000000'],
  ['a file that is none of ours', () => '/../package.svg'],
  ['a file that is not there', () => '/demo/none/mark.svg'],
])('with %s, it has the mark in the site’s colour', async (_, find) => {
  expect(await marked(find())).toBe(CONTENT)
})

test('no picture of another site is shown', async () => {
  const other = await addSite(runtime, { slug: 'other' })
  const theirs = await addPicture(other)
  expect(await marked(`/media/${theirs}`)).toBe(CONTENT)
})
