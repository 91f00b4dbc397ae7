import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { reactions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { invitations } from '#app/server/db/schema/surveys.ts'
import { getUnmaskedBodies } from '#app/server/mail/mask-secrets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { listContributions } from '../reading/views.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const inSite: ReturnType<TestRuntime['database']['site']>['tx'] = (work) => runtime.database.site(site.id).tx(work)
const addInvited = (values: Parameters<typeof addActivity>[2] = {}) =>
  addActivity(runtime, site, { postAccess: 'invited', reactAccess: 'invited', moderation: 'after', ...values })
const invite = (activityId: string, attributes: Record<string, unknown>, person: Person = admin) =>
  api(person).post(
    '/activity-invitation-batches',
    buildResourceDocument('activity-invitation-batches', attributes, { to: { activity: { type: 'activities', id: activityId } } }),
  )
const readAttributes = ({ body }: ApiAnswer) => (body?.data as { attributes: Record<string, unknown> } | undefined)?.attributes ?? {}
const makeCodes = async (activityId: string, count: number) =>
  readAttributes(await invite(activityId, { kind: 'codes', count }))['codes'] as string[]
const post = (activityId: string, invitation?: string, person?: Person) =>
  api(person).post(
    '/contributions',
    buildResourceDocument(
      'contributions',
      { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows', ...(invitation && { invitation }) },
      { id: createId(), to: { activity: { type: 'activities', id: activityId } } },
    ),
  )
const react = (contributionId: string, attributes: Record<string, unknown> = {}, id = createId()) =>
  api().put(
    `/reactions/${id}`,
    buildResourceDocument(
      'reactions',
      { value: 'support', browserToken: issueToken(runtime, site), ...attributes },
      { id, to: { contribution: { type: 'contributions', id: contributionId } } },
    ),
  )
const refusedWith = (answer: ApiAnswer) => [answer.status, ...answer.codes]

describe('an activity for invited people', () => {
  test('takes contributions and replies with a code only, as typed, from as many browsers as the person has', async () => {
    const { id } = await addInvited()
    const { id: other } = await addInvited()
    const [code = ''] = await makeCodes(id, 2)
    expect(code).toMatch(/^[\dA-Z]{4}(-[\dA-Z]{4}){3}$/)
    expect(refusedWith(await post(id))).toEqual([403, 'invitation-needed'])
    expect(refusedWith(await post(id, 'AAAA-AAAA-AAAA-AAAA'))).toEqual([403, 'invitation-needed'])
    expect(refusedWith(await post(id, undefined, admin))).toEqual([403, 'invitation-needed'])
    expect(refusedWith(await post(other, code))).toEqual([403, 'invitation-needed'])
    expect((await post(id, code)).status).toBe(201)
    expect((await post(id, code.toLowerCase().replaceAll('-', ' '))).status).toBe(201)
    const { id: contribution } = await addContribution(runtime, site, { activityId: id, number: 9 })
    const reply = (invitation?: string) =>
      api().post(
        '/replies',
        buildResourceDocument(
          'replies',
          { body: 'Yes', sendKey: 'only-the-sender-knows', ...(invitation && { invitation }) },
          { id: createId(), to: { contribution: { type: 'contributions', id: contribution } } },
        ),
      )
    expect(refusedWith(await reply())).toEqual([403, 'invitation-needed'])
    expect((await reply(code)).status).toBe(201)
  })

  test('counts a code as one person, whatever the browser, and takes its reaction back by its id', async () => {
    const { id: activityId } = await addInvited()
    const { id } = await addContribution(runtime, site, { activityId, number: 1 })
    const [one = '', two = ''] = await makeCodes(activityId, 2)
    expect(refusedWith(await react(id))).toEqual([403, 'invitation-needed'])
    const sent = createId()
    expect((await react(id, { invitation: one }, sent)).status).toBe(201)
    expect((await react(id, { invitation: one })).status).toBe(200)
    expect((await react(id, { invitation: two })).status).toBe(201)
    const countReactions = async () => (await inSite((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, id)))).length
    expect(await countReactions()).toBe(2)
    expect((await api().delete(`/reactions/${sent}`)).status).toBe(204)
    expect(await countReactions()).toBe(1)
  })

  test('asks on its page for the code until the viewer has brought one', async () => {
    const activity = await addInvited({ projectId: (await addProject(runtime, site, { slug: 'quay' })).id, slug: 'ideas' })
    const [code = ''] = await makeCodes(activity.id, 1)
    const open = (invitation?: string) =>
      listContributions(createCtx(runtime, site), { project: 'quay', activity: 'ideas' }, {}, () => invitation)
    expect(await open()).toMatchObject({ mayPost: 'invitation', invitation: 'needed' })
    expect(await open(code)).toMatchObject({ mayPost: null, invitation: 'accepted' })
  })
})

describe('invitations to an activity', () => {
  test('are stored as hashes, shown once, counted but never by who used them, and end when they are withdrawn', async () => {
    const { id } = await addInvited()
    const made = await invite(id, { kind: 'codes', count: 3 })
    const batch = (made.body?.data as { id: string } | undefined)?.id ?? ''
    const codes = readAttributes(made)['codes'] as string[]
    const stored = await inSite((tx) => tx.select().from(invitations).where(eq(invitations.activityId, id)))
    expect(stored).toHaveLength(3)
    expect(JSON.stringify(stored)).not.toContain(codes[0])
    const { body } = await api(admin).get(`/activity-invitation-batches?filter[activity]=${id}`)
    expect(body?.data).toMatchObject([{ id: batch, attributes: { kind: 'codes', total: 3, used: null } }])
    expect(JSON.stringify(body)).not.toContain(codes[0])
    expect((await api(admin).delete(`/activity-invitation-batches/${batch}`)).status).toBe(204)
    expect(refusedWith(await post(id, codes[0]))).toEqual([403, 'invitation-needed'])
    const acts = await inSite((tx) =>
      tx
        .select({ action: auditEvents.action })
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.subjectId, id))),
    )
    expect(acts.map(({ action }) => action).toSorted()).toEqual(['activities.make-codes', 'activities.withdraw-invitations'])
  })

  test('are emailed as personal links once to each address, and lead to the activity', async () => {
    const { id, slug } = await addInvited()
    expect(readAttributes(await invite(id, { kind: 'links', emails: ['ana@example.org', 'ben@example.org'] }))).toMatchObject({ total: 2 })
    const again = await invite(id, { kind: 'links', emails: ['ana@example.org'] })
    expect(refusedWith(again)).toEqual([422, 'already-invited'])
    const mails = await inSite((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'activity-invitation')))
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['ana@example.org', 'ben@example.org'])
    const secrets = mails.map((mail) => new RegExp(`/${slug}\\?invitation=([\\w-]{43})`).exec(getUnmaskedBodies(mail).text)?.[1])
    expect(new Set(secrets).size).toBe(2)
    expect((await post(id, secrets[0])).status).toBe(201)
  })

  test('are refused for an activity that is not for invited people, for a draft’s links, and to those who may not edit or send', async () => {
    const { id: open } = await addActivity(runtime, site)
    expect((await invite(open, { kind: 'codes', count: 1 })).status).toBe(409)
    const { id: draft } = await addInvited({ status: 'draft' })
    expect(refusedWith(await invite(draft, { kind: 'links', emails: ['ana@example.org'] }))).toContain('not-published')
    const { id, projectId } = await addInvited()
    const participant = await addPerson(runtime, site)
    expect((await invite(id, { kind: 'codes', count: 1 }, participant)).status).toBe(403)
    const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId })
    expect((await invite(id, { kind: 'codes', count: 1 }, projectAdmin)).status).toBe(201)
    expect((await invite(id, { kind: 'links', emails: ['cy@example.org'] }, projectAdmin)).status).toBe(403)
    expect((await api(participant).get(`/activity-invitation-batches?filter[activity]=${id}`)).status).toBe(403)
  })
})
