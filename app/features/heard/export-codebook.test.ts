import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { themes } from '#app/server/db/schema/heard.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { serveCodebook } from './export-codebook.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
})

const open = (ctx: Ctx, id: string) => serveCodebook({ context: { ctx } as Parameters<typeof serveCodebook>[0]['context'], params: { id } })
async function addTheme(projectId: string, title: string, more: Partial<typeof themes.$inferInsert> = {}): Promise<string> {
  const id = createId()
  await admin.db.tx((tx) => tx.insert(themes).values({ siteId: site.id, id, projectId, title: { en: title }, stance: 'concern', ...more }))
  return id
}

const NAMESPACE = 'urn:QDA-XML:codebook:1.0'
const childrenOf = (element: Element, name: string): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeName === name)
/** As the schema of REFI-QDA 1.0 for codebooks has them: a description first, then the codes below. */
const readCode = (code: Element): unknown[] => [
  code.getAttribute('guid'),
  code.getAttribute('name'),
  code.getAttribute('isCodable'),
  childrenOf(code, 'Description').map(({ textContent }) => textContent),
  childrenOf(code, 'Code').map(readCode),
]

test('a codebook has every theme below its parent, and a set for each stance', async () => {
  const { id } = await addProject(runtime, site)
  const trees = await addTheme(id, 'Trees & "shade" <cool>', { description: { en: 'Heat in summer' }, position: 1 })
  const roots = await addTheme(id, 'Roots', { parentId: trees, stance: 'for', position: 2 })
  await addTheme(id, 'Bark', { mergedInto: roots, position: 3 })
  const response = await open(admin, id)
  expect([response.status, response.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/\.qdc"$/)])
  const text = await response.text()
  const book = (await parseDomFromString(text)).documentElement
  expect([book.nodeName, book.namespaceURI]).toEqual(['CodeBook', NAMESPACE])
  expect(
    childrenOf(book, 'Codes')
      .flatMap((codes) => childrenOf(codes, 'Code'))
      .map(readCode),
  ).toEqual([[trees, 'Trees & "shade" <cool>', 'true', ['Heat in summer'], [[roots, 'Roots', 'true', [], []]]]])
  const sets = childrenOf(book, 'Sets').flatMap((one) => childrenOf(one, 'Set'))
  expect(sets.map((set) => childrenOf(set, 'MemberCode').map((member) => member.getAttribute('guid')))).toEqual([[roots], [trees]])
  // Programs recognise the codes of an earlier file.
  expect(await (await open(admin, id)).text()).toBe(text)
})

test('nobody else gets it, and a project without themes has none', async () => {
  const { id } = await addProject(runtime, site)
  expect((await open(admin, id)).status).toBe(404)
  await addTheme(id, 'Trees')
  expect((await open(createCtx(runtime, site, { viewer: await addPerson(runtime, site) }), id)).status).toBe(403)
})
