import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Model } from 'coloquent'
import JsonApi from 'devour-client'
import Kitsu from 'kitsu'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handleApi } from '#app/root/api-handler.ts'
import { createApiClient, type ApiAnswer } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

/**
 * Published clients that know nothing of Parley, as their documentation says to use them: each creates a project, changes it and deletes it,
 * over the network.
 */
let server: Server
let base = ''
let headers: Record<string, string> = {}
let api: ReturnType<typeof createApiClient>

const findProject = async (id: string) => {
  const answer: ApiAnswer = await api.get(`/projects/${id}`)
  return answer.body?.data as { attributes: Record<string, unknown> } | undefined
}

beforeAll(async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const { token } = await addPerson(runtime, site, { role: 'site_admin' })
  api = createApiClient(runtime, site, token)
  const respond = async (sent: Request, response: ServerResponse) => {
    const answer = await handleApi(sent, runtime, { address: '127.0.0.1' })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sent = new Request(`http://${site.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { ...(request.headers as Record<string, string>), host: site.host },
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      void respond(sent, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  headers = { 'x-api-token': `Bearer ${token}` }
})
afterAll(() => server.close())

describe('a standard client creates, changes and deletes', () => {
  test('kitsu', async () => {
    const client = new Kitsu({ baseURL: base, headers, pluralize: false, camelCaseTypes: false, resourceCase: 'none' })
    const made = (await client.create('projects', { slug: 'by-kitsu', titleTranslations: { en: 'Kitsu' } })) as { data: { id: string } }
    const { id } = made.data
    await client.update('projects', { id, titleTranslations: { en: 'Kitsu again' } })
    expect((await findProject(id))?.attributes['title']).toBe('Kitsu again')
    const trail = (await api.get('/audit-events')).body?.data as { attributes: { action: string; detail: Record<string, unknown> } }[]
    const saved = trail.find(({ attributes }) => attributes.action === 'projects.update')
    expect(saved?.attributes.detail).toMatchObject({ withoutVersion: true })
    await client.delete('projects', id)
    expect(await findProject(id)).toBeUndefined()
  })

  test('devour-client, which sends whole resources back', async () => {
    const client = new JsonApi({ apiUrl: base, pluralize: false, logger: false })
    client.headers = headers
    client.define('projects', { slug: '', title: '', titleTranslations: {}, status: '', participants: 0 }, { collectionPath: 'projects' })
    const made = await client.create('projects', { slug: 'by-devour', titleTranslations: { en: 'Devour' } })
    const { id } = made.data as { id: string }
    const { data: read } = await client.find('projects', id)
    expect(read).toMatchObject({ title: 'Devour', status: 'draft', participants: 0 })
    await client.update('projects', { ...read, slug: 'by-devour-again' })
    expect((await findProject(id))?.attributes).toMatchObject({ slug: 'by-devour-again', title: 'Devour' })
    await client.destroy('projects', id)
    expect(await findProject(id)).toBeUndefined()
  })

  test('coloquent', async () => {
    class Project extends Model {
      readonly jsonApiType = 'projects'
      getJsonApiBaseUrl() {
        return base
      }
      set = (name: string, value: unknown) => this.setAttribute(name, value)
    }
    // Clients of coloquent configure its one HTTP client: it exists from the first model on.
    const project = new Project()
    const http = Project.getHttpClient().getImplementingClient() as { defaults: { headers: { common: Record<string, string> } } }
    Object.assign(http.defaults.headers.common, headers)
    project.set('slug', 'by-coloquent')
    project.set('titleTranslations', { en: 'Coloquent' })
    const id = (await project.save()).getModelId() ?? ''
    const found = (await Project.find(id)).getData() as Project
    found.set('titleTranslations', { en: 'Coloquent again' })
    await found.save()
    expect((await findProject(id))?.attributes['title']).toBe('Coloquent again')
    await found.delete()
    expect(await findProject(id)).toBeUndefined()
  })
})
