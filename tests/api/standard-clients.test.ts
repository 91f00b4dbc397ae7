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
import { addProject } from '#tests/factories/surveys.ts'

/**
 * Published clients that know nothing of Parley, as their documentation says to use them: each creates a project and an update about a
 * project, changes them and deletes them, over the network.
 */
let server: Server
let base = ''
let headers: Record<string, string> = {}
let api: ReturnType<typeof createApiClient>

const find = async (type: 'projects' | 'project-updates', id: string) => {
  const answer: ApiAnswer = await api.get(`/${type}/${id}${type === 'projects' ? '' : '?include=project'}`)
  return answer.body?.data as { attributes: Record<string, unknown>; relationships?: Record<string, { data: unknown }> } | undefined
}
const findProject = (id: string) => find('projects', id)

/** A project for the updates that the clients write. */
let project: { type: 'projects'; id: string }

beforeAll(async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const { token } = await addPerson(runtime, site, { role: 'site_admin' })
  api = createApiClient(runtime, site, token)
  project = { type: 'projects', id: (await addProject(runtime, site, { slug: 'high-street' })).id }
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

    const texts = { titleTranslations: { en: 'Works begin' }, bodyTranslations: { en: 'On Monday.' } }
    const update = (await client.create('project-updates', { ...texts, project: { data: project } })) as { data: { id: string } }
    expect((await find('project-updates', update.data.id))?.relationships?.['project']?.data).toEqual(project)
    await client.update('project-updates', { id: update.data.id, titleTranslations: { en: 'Works began' } })
    expect((await find('project-updates', update.data.id))?.attributes['title']).toBe('Works began')
    await client.delete('project-updates', update.data.id)
    expect(await find('project-updates', update.data.id)).toBeUndefined()
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

    client.define(
      'project-updates',
      { slug: '', title: '', titleTranslations: {}, bodyTranslations: {}, project: { jsonApi: 'hasOne', type: 'projects' } },
      { collectionPath: 'project-updates' },
    )
    const texts = { titleTranslations: { en: 'Works begin' }, bodyTranslations: { en: 'On Monday.' } }
    const update = (await client.create('project-updates', { ...texts, project: { id: project.id } })).data as { id: string }
    expect((await find('project-updates', update.id))?.relationships?.['project']?.data).toEqual(project)
    const { data: whole } = await client.find('project-updates', update.id)
    await client.update('project-updates', { ...whole, titleTranslations: { en: 'Works began' } })
    expect((await find('project-updates', update.id))?.attributes['title']).toBe('Works began')
    await client.destroy('project-updates', update.id)
    expect(await find('project-updates', update.id)).toBeUndefined()
  })

  test('coloquent', async () => {
    abstract class OwnModel extends Model {
      getJsonApiBaseUrl() {
        return base
      }
      set = (name: string, value: unknown) => this.setAttribute(name, value)
    }
    class Project extends OwnModel {
      readonly jsonApiType = 'projects'
    }
    class ProjectUpdate extends OwnModel {
      readonly jsonApiType = 'project-updates'
      about = (value: Project) => this.setRelation('project', value)
    }
    // Clients of coloquent configure its one HTTP client: it exists from the first model on.
    const made = new Project()
    const http = Project.getHttpClient().getImplementingClient() as { defaults: { headers: { common: Record<string, string> } } }
    Object.assign(http.defaults.headers.common, headers)
    made.set('slug', 'by-coloquent')
    made.set('titleTranslations', { en: 'Coloquent' })
    const id = (await made.save()).getModelId() ?? ''
    const found = (await Project.find(id)).getData() as Project
    found.set('titleTranslations', { en: 'Coloquent again' })
    await found.save()
    expect((await findProject(id))?.attributes['title']).toBe('Coloquent again')
    await found.delete()
    expect(await findProject(id)).toBeUndefined()

    const update = new ProjectUpdate()
    update.set('titleTranslations', { en: 'Works begin' })
    update.set('bodyTranslations', { en: 'On Monday.' })
    update.about((await Project.find(project.id)).getData() as Project)
    const updateId = (await update.save()).getModelId() ?? ''
    expect((await find('project-updates', updateId))?.relationships?.['project']?.data).toEqual(project)
    const foundUpdate = (await ProjectUpdate.find(updateId)).getData() as ProjectUpdate
    foundUpdate.set('titleTranslations', { en: 'Works began' })
    await foundUpdate.save()
    expect((await find('project-updates', updateId))?.attributes['title']).toBe('Works began')
    await foundUpdate.delete()
    expect(await find('project-updates', updateId)).toBeUndefined()
  })
})
