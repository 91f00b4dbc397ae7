import type { OutgoingHttpHeaders } from 'node:http'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const db = await createOwnDatabase()
let site: Site
let port = 0
let ideaId: string
const IDEA = '/projects/fern/ideas/1'
const NEW = '/projects/fern/ideas/new'
const SURVEY = '/projects/fern/surveys/once'

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'riverbend' })
  const project = await addProject(db.runtime, site, { slug: 'fern' })
  const activity = await addActivity(db.runtime, site, {
    projectId: project.id,
    slug: 'ideas',
    postAccess: 'anyone',
    reactAccess: 'anyone',
  })
  ideaId = (await addContribution(db.runtime, site, { activityId: activity.id, number: 1, supports: 0 })).id
  const definition = {
    schema: 1 as const,
    pages: [{ id: 'p', questions: [{ id: 'name', type: 'short_text' as const, title: inAllLanguages('Which street?') }] }],
  }
  await addSurvey(db.runtime, site, { projectId: project.id, slug: 'once', definition, access: 'anyone_once' })
  port = (await db.start()).product.port
})

/** A browser without scripts. */
function openBrowser(signedIn?: string) {
  const jar = new Map<string, string>(signedIn ? [['token', signedIn]] : [])
  const ask = async (path: string, fields?: Record<string, string>) => {
    const origin = `http://${site.host}`
    const headers: OutgoingHttpHeaders = { host: site.host, accept: 'text/html' }
    headers['cookie'] = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    if (fields) Object.assign(headers, { origin, 'content-type': 'application/x-www-form-urlencoded' })
    const answer = await sendRequest(port, path, headers, fields ? 'POST' : 'GET', fields ? new URLSearchParams(fields).toString() : '')
    for (const header of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      jar.set(name, value)
    }
    return answer
  }
  return { jar, ask }
}

const countSupports = () =>
  db.database.site(site.id).tx(async (tx) => {
    const { rows } = await tx.execute<{ supports: number; rows: number }>(sql`
      select supports, (select count(*)::int from reactions r where r.contribution_id = c.id) as rows
      from contributions c where id = ${ideaId}`)
    return [rows[0]?.supports, rows[0]?.rows]
  })

describe('without scripts', () => {
  test('the first press sets the cookie and asks to press once more; the second counts', async () => {
    const { ask, jar } = openBrowser()
    const first = await ask(IDEA, { reaction: 'support' })
    expect(first.status).toBe(409)
    expect(first.text).toContain('Press the button once more')
    expect(jar.get('answers_browser')).toMatch(/^[\w-]{22}\.[\w-]{22}$/)
    expect(await countSupports()).toEqual([0, 0])
    expect((await ask(IDEA, { reaction: 'support' })).status).toBe(303)
    expect(await countSupports()).toEqual([1, 1])
    expect((await ask(IDEA, { reaction: 'none' })).status).toBe(303)
    expect(await countSupports()).toEqual([0, 0])
  })

  test('two first presses at once count nobody, and what this browser presses next counts once', async () => {
    const { ask, jar } = openBrowser()
    const both = await Promise.all([ask(IDEA, { reaction: 'support' }), ask(IDEA, { reaction: 'support' })])
    expect(both.map(({ status }) => status)).toEqual([409, 409])
    expect(await countSupports()).toEqual([0, 0])
    expect(jar.size).toBeGreaterThan(0)
    await Promise.all([ask(IDEA, { reaction: 'support' }), ask(IDEA, { reaction: 'support' })])
    expect(await countSupports()).toEqual([1, 1])
    await ask(IDEA, { reaction: 'none' })
    expect(await countSupports()).toEqual([0, 0])
  })

  test('a cookie that the sender made up is none', async () => {
    const { ask, jar } = openBrowser()
    for (let pressed = 0; pressed < 5; pressed++) {
      jar.set('answers_browser', `made-up-${pressed}-browser-token`)
      expect((await ask(IDEA, { reaction: 'support' })).status).toBe(409)
    }
    expect(await countSupports()).toEqual([0, 0])
  })

  test('what was typed is kept for the second press: an idea, a reply, answers to a survey', async () => {
    const idea = { title: 'Lamps on the towpath', body: 'It is dark after four.', shownAs: 'anonymous' }
    const writer = openBrowser()
    const asked = await writer.ask(NEW, idea)
    expect(asked.status).toBe(409)
    for (const typed of [idea.title, idea.body, 'Press the button once more']) expect(asked.text).toContain(typed)
    expect((await writer.ask(NEW, idea)).status).toBe(303)
    const replier = openBrowser()
    const reply = { body: 'Yes, and benches', shownName: 'Ann of Fern Street' }
    const again = await replier.ask(`${IDEA}/reply`, reply)
    expect(again.status).toBe(409)
    for (const typed of Object.values(reply)) expect(again.text).toContain(typed)
    const answerer = openBrowser()
    const answers = { 'q.name': 'Elm Street', shown: 'name', version: '1' }
    const unsent = await answerer.ask(SURVEY, answers)
    expect(unsent.status).toBe(409)
    for (const text of ['Elm Street', 'once more']) expect(unsent.text).toContain(text)
    expect((await answerer.ask(SURVEY, answers)).status).toBe(303)
    expect((await answerer.ask(SURVEY, answers)).status).toBe(409)
  })

  test('people who are signed in press once and get no token', async () => {
    const { token } = await addPerson(db.runtime, site)
    const { ask, jar } = openBrowser(token)
    expect((await ask(IDEA, { reaction: 'support' })).status).toBe(303)
    expect(await countSupports()).toEqual([1, 1])
    expect([...jar.keys()]).not.toContain('answers_browser')
    await ask(IDEA, { reaction: 'none' })
  })
})

test('nothing is set on people who only read', async () => {
  const { ask, jar } = openBrowser()
  for (const path of ['/', '/projects/fern', '/projects/fern/ideas', IDEA, NEW, `${IDEA}/reply`, SURVEY]) {
    expect((await ask(path)).status).toBe(200)
    expect([...jar.keys()]).not.toContain('answers_browser')
  }
})
