import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { ACTORS, PERMISSIONS, type Action, type Actor, type Rule } from '#app/features/permissions/permissions.schema.ts'
import { exportAudit } from '#app/features/audit/audit.export.server.ts'
import { exportMailConsents } from '#app/features/accounts/mail-consents.server.ts'
import { exportPerson } from '#app/features/people/people.activity.server.ts'
import { exportPeople } from '#app/features/people/people.export.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { openArchive } from '#app/features/sites/deletion/deletions.server.ts'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { supportGrants } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { hubs, projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteDeletions, siteFeatures } from '#app/server/db/schema/sites.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { castBallot } from '#app/features/budgets/voting/cast-ballot.server.ts'
import { requireEventAt } from '#app/features/events/events.policy.server.ts'
import { signUp } from '#app/features/events/signing-up/sign-up.server.ts'
import { addCards, addRound } from '#tests/factories/budgets.ts'
import { addEvent as addMeeting } from '#tests/factories/events.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { requireItems } from '#tests/support/accounts.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { SPECIFIED_PERMISSIONS } from '#tests/support/role-table.ts'

type Where = 'inside' | 'outside'
type Attempt = (actor: Actor, where: Where) => Promise<boolean>

let runtime: TestRuntime
let site: Site
const people = {} as Record<Exclude<Actor, 'visitor'>, Person>
/** `inside` is the hub and project that the administrators are assigned to. */
const hub = { inside: createId(), outside: createId() }
const assigned = { inside: createId(), outside: createId() }
const title = { en: 'Title', 'fr-CA': 'Titre', cy: 'Teitl' }

const api = (actor: Actor) => createApiClient(runtime, site, actor === 'visitor' ? undefined : people[actor].token)

/** Refusals are 401, 403 or 404; any other failure is a bug in the test or in the product. */
function allowed(answer: ApiAnswer): boolean {
  if ([401, 403, 404].includes(answer.status)) return false
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return true
}

async function addProject(where: Where, values: Partial<typeof projects.$inferInsert> = {}): Promise<{ id: string; slug: string }> {
  const id = values.id ?? createId()
  await runtime.database
    .site(site.id)
    .tx((tx) =>
      tx.insert(projects).values({ siteId: site.id, id, slug: id, title, summary: title, hubId: hub[where], status: 'draft', ...values }),
    )
  return { id, slug: id }
}

/** Creates a project for one attempt; `inside` is within the scope of hub and project administrators. */
async function scopedProject(actor: Actor, where: Where, values: Partial<typeof projects.$inferInsert> = {}): Promise<string> {
  const { id } = await addProject(where, values)
  if (actor === 'project_admin' && where === 'inside') {
    people.project_admin = await addPerson(runtime, site, { role: 'project_admin', projectId: id })
  }
  return id
}

function sendResponse(actor: Actor, surveyId: string, id = createId()): Promise<ApiAnswer> {
  const attributes = { answers: { name: 'Elm' }, sendKey: 'only-the-sender-knows' }
  return api(actor).post(
    '/responses',
    buildResourceDocument('responses', attributes, { id, to: { survey: { type: 'surveys', id: surveyId } } }),
  )
}

const publishActivity = (actor: Actor, id: string): Promise<ApiAnswer> =>
  api(actor).patch(`/activities/${id}`, buildResourceDocument('activities', { status: 'published' }, { id, lockVersion: 1 }))

async function addPublishedContribution(projectId: string, state: 'published' | 'held' = 'published') {
  const activity = await addActivity(runtime, site, { projectId, reactAccess: 'anyone' })
  const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1, state })
  return { id, status: activity.statuses[1]?.id ?? '' }
}

const PROVIDER = { name: 'Council account', issuer: 'https://login.example.org', clientId: 'parley' }

const ctxOf = (actor: Actor) =>
  withViewer(createCtx(runtime, site, { reason: 'The data officer asks' }), actor === 'visitor' ? undefined : people[actor].token)

const isOpened = (open: () => Promise<unknown>): Promise<boolean> =>
  open().then(
    () => true,
    () => false,
  )

const buildDownload = (ctx: Ctx, path: string) => ({ context: requestContext(ctx), request: new Request(`http://${site.host}${path}`) })

const publicProject = { status: 'published' as const, publishedAt: new Date() }

/** PRODUCT 2.2 tested cell by cell through the API: each actor tries each action on something inside their scope and outside it. */
const ATTEMPTS: Partial<Record<Action, Attempt>> = {
  'projects.see-published': async (actor, where) =>
    allowed(await api(actor).get(`/projects/${(await addProject(where, publicProject)).id}`)),

  'projects.see-members-only': async (actor, where) => {
    const id = await scopedProject(actor, where, { ...publicProject, visibility: 'members' })
    if (actor === 'participant' && where === 'inside') {
      await runtime.database
        .site(site.id)
        .tx((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: id, userId: people.participant.id }))
    }
    return allowed(await api(actor).get(`/projects/${id}`))
  },

  'projects.see-draft': async (actor, where) => {
    const id = await scopedProject(actor, where)
    if (SPECIFIED_PERMISSIONS['projects.see-draft'][actor] !== 'link') return allowed(await api(actor).get(`/projects/${id}`))
    // A preview link opens the page, not the API.
    expect(allowed(await api(actor).get(`/projects/${id}`))).toBe(false)
    const expiresAt = new Date(Date.now() + 1e6).toISOString()
    const link = buildResourceDocument('draft-links', { subject: 'project', expiresAt }, { to: { project: { type: 'projects', id } } })
    const { body } = where === 'inside' ? await api('site_admin').post('/draft-links', link) : {}
    const path = (body?.data as { attributes: { path: string } } | undefined)?.attributes.path ?? ''
    const token = path.split('?preview=')[1] ?? 'none'
    const viewer = await loadViewer(
      { db: runtime.database.site(site.id), database: runtime.database },
      actor === 'visitor' ? undefined : people[actor].token,
      new Date(),
    )
    return getProject(createCtx(runtime, site, { viewer }), { slug: id, preview: token }).then(
      () => true,
      () => false,
    )
  },

  'projects.create': async (actor, where) =>
    allowed(
      await api(actor).post(
        '/projects',
        buildResourceDocument('projects', { titleTranslations: title }, { to: { hub: { type: 'hubs', id: hub[where] } } }),
      ),
    ),

  'projects.edit': async (actor, where) => {
    const id = await scopedProject(actor, where, publicProject)
    return allowed(await api(actor).patch(`/projects/${id}`, buildResourceDocument('projects', { featured: true }, { id, lockVersion: 1 })))
  },

  'projects.publish': async (actor, where) => {
    const id = await scopedProject(actor, where)
    const answer = await api(actor).post(
      '/publications',
      buildResourceDocument('publications', {}, { to: { project: { type: 'projects', id } } }),
    )
    const published = allowed(answer)
    const status = (answer.body?.data as { attributes?: { status?: string } } | undefined)?.attributes?.status
    if (published) expect(status).toBe(SPECIFIED_PERMISSIONS['projects.publish'][actor] === 'review' ? 'in_review' : 'published')
    return published
  },

  'projects.delete': async (actor, where) => {
    const rule: Rule = SPECIFIED_PERMISSIONS['projects.delete'][actor]
    if (rule === 'never-published' && where === 'inside') {
      expect(allowed(await api(actor).delete(`/projects/${await scopedProject(actor, where, publicProject)}`))).toBe(false)
    }
    return allowed(await api(actor).delete(`/projects/${await scopedProject(actor, where)}`))
  },

  'hubs.create': async (actor) => allowed(await api(actor).post('/hubs', buildResourceDocument('hubs', { titleTranslations: title }))),

  'hubs.edit-homepage': async (actor, where) => {
    const id = createId()
    await runtime.database.site(site.id).tx((tx) => tx.insert(hubs).values({ siteId: site.id, id, slug: id, title }))
    if (actor === 'hub_admin' && where === 'inside') people.hub_admin = await addPerson(runtime, site, { role: 'hub_admin', hubId: id })
    const answer = await api(actor).patch(
      `/hubs/${id}`,
      buildResourceDocument('hubs', { contactEmail: 'roads@example.org' }, { id, lockVersion: 1 }),
    )
    if (actor === 'hub_admin') people.hub_admin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.inside })
    return allowed(answer)
  },

  'surveys.answer': async (actor, where) => {
    const { id } = await addProject(where, publicProject)
    const survey = await addSurvey(runtime, site, { projectId: id })
    return allowed(await sendResponse(actor, survey.id))
  },

  'responses.see': async (actor, where) => {
    const survey = await addSurvey(runtime, site, { projectId: await scopedProject(actor, where, publicProject) })
    return allowed(await api(actor).get(`/survey-results/${survey.id}`))
  },

  'responses.export-personal': async (actor, where) => {
    const projectId = await scopedProject(actor, where, publicProject)
    const survey = await addSurvey(runtime, site, { projectId })
    const responseId = createId()
    expect(allowed(await sendResponse('participant', survey.id, responseId))).toBe(true)
    const tellsWho = async () => JSON.stringify((await api(actor).get(`/responses/${responseId}`)).body).includes('"participant"')
    if (SPECIFIED_PERMISSIONS['responses.export-personal'][actor] === 'granted' && where === 'inside') {
      expect(await tellsWho()).toBe(false)
      people.project_admin = await addPerson(runtime, site, { role: 'project_admin', projectId, mayExportPersonalData: true })
    }
    return tellsWho()
  },

  'activities.edit': async (actor, where) => {
    const activity = await addActivity(runtime, site, { projectId: await scopedProject(actor, where, publicProject) })
    const edit = buildResourceDocument('activities', { moderation: 'after' }, { id: activity.id, lockVersion: 1 })
    const done = allowed(await api(actor).patch(`/activities/${activity.id}`, edit))
    const to = { activity: { type: 'activities', id: activity.id } }
    const category = buildResourceDocument('categories', { titleTranslations: title }, { to })
    expect(allowed(await api(actor).post('/categories', category))).toBe(done)
    return done
  },

  'activities.publish': async (actor, where) => {
    // Like a survey's: before the project is public, everyone who may edit it may publish.
    const activity = await addActivity(runtime, site, { projectId: await scopedProject(actor, where), status: 'draft' })
    return allowed(await publishActivity(actor, activity.id))
  },

  'contributions.post': async (actor, where) => {
    const activity = await addActivity(runtime, site, { projectId: (await addProject(where, publicProject)).id, postAccess: 'anyone' })
    const attributes = { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows' }
    const to = { activity: { type: 'activities', id: activity.id } }
    return allowed(await api(actor).post('/contributions', buildResourceDocument('contributions', attributes, { id: createId(), to })))
  },

  'contributions.react': async (actor, where) => {
    const { id: contributionId } = await addPublishedContribution((await addProject(where, publicProject)).id)
    const id = createId()
    const to = { contribution: { type: 'contributions', id: contributionId } }
    const attributes = { value: 'support', browserToken: issueToken(runtime, site) }
    return allowed(await api(actor).put(`/reactions/${id}`, buildResourceDocument('reactions', attributes, { id, to })))
  },

  'budgets.vote': async (actor, where) => {
    const { id: projectId, slug: project } = await addProject(where, publicProject)
    const times = { opensAt: new Date(Date.now() - 60_000), closesAt: new Date(Date.now() + 60_000) }
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId, ...times })
    const ctx = await ctxOf(actor)
    const sending = { id: createId(), sendKey: 'only-the-sender-knows' }
    const card = `card ${round.id}`
    const { verify } = await addCards(runtime, site, people.site_admin, [card])
    const secret = await verify(card)
    const cast = () =>
      castBallot(
        ctx,
        { project, round: round.slug },
        {
          ...sending,
          options: [1],
          seen: 0,
          readInvitation: () => secret,
        },
      )
    return isOpened(cast)
  },

  'budgets.edit': async (actor, where) => {
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }], {
      projectId: await scopedProject(actor, where, publicProject),
    })
    const edit = buildResourceDocument('budget-rounds', { threshold: 2 }, { id: round.id, lockVersion: 1 })
    return allowed(await api(actor).patch(`/budget-rounds/${round.id}`, edit))
  },

  'budgets.certify': async (actor, where) => {
    const past = { opensAt: new Date(Date.now() - 3 * 3_600_000), closesAt: new Date(Date.now() - 3_600_000) }
    const projectId = await scopedProject(actor, where, publicProject)
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId, ...past })
    const officer = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    const to = { round: { type: 'budget-rounds', id: round.id } }
    const { body } = await officer.post('/budget-results', buildResourceDocument('budget-results', {}, { to }))
    const id = (body?.data as { id: string } | undefined)?.id ?? ''
    return allowed(await api(actor).patch(`/budget-results/${id}`, buildResourceDocument('budget-results', { state: 'certified' }, { id })))
  },

  'events.sign-up': async (actor, where) => {
    const { id: projectId, slug: project } = await addProject(where, publicProject)
    const event = await addMeeting(runtime, site, {
      projectId,
      startsAt: new Date(Date.now() + 3_600_000),
      endsAt: new Date(Date.now() + 7_200_000),
    })
    const ctx = await ctxOf(actor)
    return isOpened(() =>
      signUp(ctx, (tx) => requireEventAt(ctx, tx, { project, event: event.slug }), {
        id: createId(),
        sendKey: 'only-the-sender-knows',
        name: 'Ada',
        email: `${event.id}@example.org`,
        readAnswers: () => ({}),
      }),
    )
  },

  'events.edit': async (actor, where) => {
    const event = await addMeeting(runtime, site, { projectId: await scopedProject(actor, where, publicProject) })
    const edit = buildResourceDocument('events', { capacity: 2 }, { id: event.id, lockVersion: 1 })
    return allowed(await api(actor).patch(`/events/${event.id}`, edit))
  },

  'contributions.answer': async (actor, where) => {
    const { id, status } = await addPublishedContribution(await scopedProject(actor, where, publicProject))
    const to = { contribution: { type: 'contributions', id }, status: { type: 'contribution-statuses', id: status } }
    return allowed(await api(actor).post('/official-responses', buildResourceDocument('official-responses', {}, { to })))
  },

  'contributions.moderate': async (actor, where) => {
    const { id } = await addPublishedContribution(await scopedProject(actor, where, publicProject), 'held')
    return allowed(await api(actor).patch(`/contributions/${id}`, buildResourceDocument('contributions', { state: 'published' }, { id })))
  },

  'moderation.appeals': async (actor, where) => {
    const { id } = await addPublishedContribution(await scopedProject(actor, where, publicProject), 'held')
    const author = await addPerson(runtime, site)
    await runtime.database.site(site.id).tx((tx) => tx.update(contributions).set({ authorId: author.id }).where(eq(contributions.id, id)))
    const first = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    const decline = buildResourceDocument('contributions', { state: 'declined', rule: 'abuse', reason: 'An insult' }, { id })
    expect(allowed(await first.patch(`/contributions/${id}`, decline))).toBe(true)
    const { body } = await first.get('/moderation-decisions?page[size]=1')
    const [decision] = (body?.data ?? []) as { id: string }[]
    const appeal = buildResourceDocument(
      'moderation-appeals',
      { words: 'It is no insult' },
      { id: createId(), to: { decision: { type: 'moderation-decisions', id: decision?.id ?? '' } } },
    )
    expect(allowed(await createApiClient(runtime, site, author.token).post('/moderation-appeals', appeal))).toBe(true)
    const upheld = buildResourceDocument('moderation-appeals', { state: 'upheld', answer: 'It is one' }, { id: appeal.data.id })
    return allowed(await api(actor).patch(`/moderation-appeals/${appeal.data.id}`, upheld))
  },
  'contributions.see-original': async (actor, where) => {
    const { id } = await addPublishedContribution(await scopedProject(actor, where, publicProject))
    const passages = [{ field: 'body', start: 0, end: 4 }]
    const attributes = { decision: 'mask', textVersion: 1, passages, rule: 'personal-data', reason: 'Names a neighbour' }
    const to = { contribution: { type: 'contributions', id } }
    allowed(await api('site_admin').post('/moderation-decisions', buildResourceDocument('moderation-decisions', attributes, { to })))
    return allowed(await api(actor).get(`/masked-originals/${id}`))
  },

  'moderation.rules': async (actor) => {
    const { body } = await api('visitor').get('/moderation-rules')
    const [rule] = (body?.data ?? []) as { id: string }[]
    const lockVersion = (await api('visitor').get(`/moderation-rules/${rule?.id}`)).body?.data as
      | { meta?: { lockVersion?: number } }
      | undefined
    const document = buildResourceDocument(
      'moderation-rules',
      { position: 0 },
      { id: rule?.id ?? '', lockVersion: lockVersion?.meta?.lockVersion ?? 1 },
    )
    const done = allowed(await api(actor).patch(`/moderation-rules/${rule?.id}`, document))
    const { body: lists } = await api(actor).get('/moderation-word-lists')
    expect((lists?.data as unknown[] | undefined)?.length ?? 0).toBe(done ? site.languages.length : 0)
    return done
  },

  'eligibility-lists.edit': async (actor) => {
    const attributes = {
      nameTranslations: title,
      level: 'resident',
      fields: ['card-number'],
      validUntil: '2999-01-01T00:00:00Z',
      csv: 'card-number\n1\n',
    }
    const made = await api(actor).post('/eligibility-lists', buildResourceDocument('eligibility-lists', attributes))
    const done = allowed(made)
    const { body } = await api('site_admin').post('/eligibility-lists', buildResourceDocument('eligibility-lists', attributes))
    const id = (body?.data as { id: string } | undefined)?.id ?? ''
    const change = buildResourceDocument('eligibility-lists', { level: 'identity' }, { id, lockVersion: 1 })
    expect(allowed(await api(actor).patch(`/eligibility-lists/${id}`, change))).toBe(done)
    expect(allowed(await api(actor).delete(`/eligibility-lists/${id}`))).toBe(done)
    const letters = { name: 'Spring mailing', level: 'resident', count: 1, validUntil: '2999-01-01T00:00:00Z' }
    expect(allowed(await api(actor).post('/code-batches', buildResourceDocument('code-batches', letters)))).toBe(done)
    const batch = await api('site_admin').post('/code-batches', buildResourceDocument('code-batches', letters))
    const batchId = (batch.body?.data as { id: string } | undefined)?.id ?? ''
    const postcodes = await api('site_admin').get('/postcode-settings')
    const { id: ofSite, meta } = (postcodes.body?.data as { id: string; meta: { lockVersion: number } }[] | undefined)?.[0] ?? {
      id: '',
      meta: { lockVersion: 0 },
    }
    const areas = buildResourceDocument('postcode-settings', { usesAreas: true }, { id: ofSite, lockVersion: meta.lockVersion })
    expect(allowed(await api(actor).patch(`/postcode-settings/${ofSite}`, areas))).toBe(done)
    const ending = buildResourceDocument('code-batches', { isEnded: true }, { id: batchId })
    expect(allowed(await api(actor).patch(`/code-batches/${batchId}`, ending))).toBe(done)
    expect(allowed(await api(actor).get('/code-batches'))).toBe(done)
    expect(allowed(await api(actor).delete(`/code-batches/${batchId}`))).toBe(done)
    return done
  },

  'verifications.confirm': async (actor) => {
    const to = { user: { type: 'users', id: (await addPerson(runtime, site)).id } }
    const attributes = { level: 'resident', validUntil: '2999-01-01T00:00:00Z' }
    const done = allowed(await api(actor).post('/verifications', buildResourceDocument('verifications', attributes, { to })))
    const { body } = await api('site_admin').post('/verifications', buildResourceDocument('verifications', attributes, { to }))
    const id = (body?.data as { id: string } | undefined)?.id ?? ''
    expect(allowed(await api(actor).get(`/verifications/${id}`))).toBe(done)
    expect(allowed(await api(actor).delete(`/verifications/${id}`))).toBe(done)
    return done
  },

  'features.switch': async (actor) => {
    const id = `whitelist-embed.${site.id}`
    const { body } = await api(actor).get('/feature-switches')
    const done = allowed(
      await api(actor).patch(`/feature-switches/${id}`, buildResourceDocument('feature-switches', { setting: 'on' }, { id })),
    )
    expect(body?.data !== undefined).toBe(done)
    return done
  },

  'site.edit': async (actor) =>
    allowed(await api(actor).post('/pages', buildResourceDocument('pages', { titleTranslations: title, bodyTranslations: title }))),

  'account.own-data': async (actor, where) =>
    allowed(await api(actor).get(where === 'inside' ? '/own-data' : `/own-data/${(await addPerson(runtime, site)).id}`)),

  'audit.see': async (actor, where) => {
    const platform = actor === 'platform_admin'
    if (actor === 'project_admin') people[actor] = await addPerson(runtime, site, { role: actor, projectId: assigned.inside })
    // Platform administrators see the platform's trail, and on a site only their own actions.
    if (platform) expect(allowed(await api(actor).get(`/audit-events/${await addEvent(site.id, people.site_admin)}`))).toBe(false)
    const trail = platform && where === 'outside' ? PLATFORM_SITE_ID : site.id
    const id = await addEvent(trail, platform ? people.platform_admin : people.site_admin, where)
    return allowed(await api(actor).get(`/audit-events/${id}`))
  },

  'sites.manage': async (actor) => {
    const attributes = {
      name: 'Sable',
      region: 'Canada',
      locale: 'en',
      languages: ['en'],
      timeZone: 'America/Halifax',
      adminEmail: 'first@sable.example',
    }
    return allowed(await api(actor).post('/sites', buildResourceDocument('sites', { ...attributes, host: `s${createId()}.example` })))
  },

  'support.enter': async (actor) => allowed(await api(actor).post('/support-entries', buildResourceDocument('support-entries', {}))),

  'support.grant': async (actor) => {
    const answer = await api(actor).post('/support-grants', buildResourceDocument('support-grants', { reason: 'A chart is wrong' }))
    await runtime.database.site(site.id).tx((tx) => tx.delete(supportGrants))
    return allowed(answer)
  },

  'campaigns.send': async (actor, where) => {
    const projectId = await scopedProject(actor, where, publicProject)
    const bodyTranslations = { en: 'Come and see', 'fr-CA': 'Venez voir', cy: 'Dewch i weld' }
    const made = await api(actor).post(
      '/sms-campaigns',
      buildResourceDocument(
        'sms-campaigns',
        { name: 'Open day', bodyTranslations },
        { to: { project: { type: 'projects', id: projectId } } },
      ),
    )
    const drafted = allowed(made)
    if (!drafted) return false
    const id = (made.body?.data as { id: string } | undefined)?.id ?? ''
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() }))
    const sent = allowed(
      await api(actor).post(
        '/sms-sendings',
        buildResourceDocument('sms-sendings', {}, { to: { campaign: { type: 'sms-campaigns', id } } }),
      ),
    )
    await runtime.database.site(site.id).tx((tx) => tx.delete(installations))
    // Drafters cannot send.
    expect(sent).toBe(SPECIFIED_PERMISSIONS['campaigns.send'][actor] !== 'drafts')
    return drafted
  },

  'marketplace.configure': async (actor) => {
    const seen = allowed(await api(actor).get('/integrations'))
    const made = await api(actor).post(
      '/installations',
      buildResourceDocument('installations', { integration: 'sms-sandbox', settings: { sender: 'Riverbend' } }),
    )
    const installed = allowed(made)
    if (installed) await runtime.database.site(site.id).tx((tx) => tx.delete(installations))
    // Platform administrators see the catalogue, but no installations.
    expect(installed).toBe(SPECIFIED_PERMISSIONS['marketplace.configure'][actor] === 'yes')
    expect(allowed(await api(actor).get('/installations'))).toBe(installed)
    return seen
  },

  'participants.manage': async (actor, where) => {
    const user = await addFollower(where)
    return allowed(
      await api(actor).post(
        '/user-blocks',
        buildResourceDocument('user-blocks', { reason: 'Insults' }, { to: { user: { type: 'users', id: user } } }),
      ),
    )
  },

  'participants.erase': async (actor, where) => {
    const user = await addFollower(where)
    return allowed(
      await api(actor).post(
        '/account-deletions',
        buildResourceDocument('account-deletions', { reason: 'Asked for it' }, { to: { user: { type: 'users', id: user } } }),
      ),
    )
  },

  'project-admins.add': async (actor, where) => {
    const { id } = await addProject(where)
    const to = { user: { type: 'users', id: await addFollower(where) }, project: { type: 'projects', id } }
    return allowed(await api(actor).post('/memberships', buildResourceDocument('memberships', { role: 'project_admin' }, { to })))
  },

  'hub-admins.add': async (actor) => {
    const to = { user: { type: 'users', id: (await addPerson(runtime, site)).id }, hub: { type: 'hubs', id: hub.inside } }
    return allowed(await api(actor).post('/memberships', buildResourceDocument('memberships', { role: 'hub_admin' }, { to })))
  },

  'site-admins.add': async (actor) => {
    const attributes = { role: 'site_admin', email: `${createId()}@sable.example` }
    return allowed(await api(actor).post('/memberships', buildResourceDocument('memberships', attributes)))
  },

  'sites.delete': async (actor) => {
    const { id, name } = await addSite(runtime, { slug: `s${createId()}` })
    const to = { site: { type: 'sites', id } }
    return allowed(await api(actor).post('/site-deletions', buildResourceDocument('site-deletions', { name, reason: 'It moved' }, { to })))
  },

  'sites.invite-first-admin': async (actor) => {
    const bare = await addSite(runtime, { slug: `s${createId()}` })
    const there = createApiClient(runtime, bare, actor === 'visitor' ? undefined : people[actor].token)
    const attributes = { role: 'site_admin', email: 'first@sable.example' }
    return allowed(await there.post('/memberships', buildResourceDocument('memberships', attributes)))
  },

  'sites.export': async (actor) => {
    const { id, name } = await addSite(runtime, { slug: `s${createId()}` })
    const to = { site: { type: 'sites', id } }
    await api('platform_admin').post('/site-deletions', buildResourceDocument('site-deletions', { name, reason: 'It moved' }, { to }))
    await runtime.database.global
      .update(siteDeletions)
      .set({ exportState: 'done', exportPieces: 0, exportBytes: 1, exportExpiresAt: new Date(Date.now() + 864e5) })
      .where(eq(siteDeletions.id, id))
    return isOpened(async () => openArchive(await ctxOf(actor), id))
  },

  'participants.export': async (actor, where) => {
    const user = await addFollower(where)
    const file = await exportPeople(buildDownload(await ctxOf(actor), '/admin/people.csv'))
    return (await file.text()).includes(user)
  },

  'participants.export-one': async (actor) => {
    const { id } = await addPerson(runtime, site)
    return isOpened(async () => exportPerson(await ctxOf(actor), id))
  },

  'consents.export': async (actor) =>
    (await exportMailConsents(buildDownload(await ctxOf(actor), '/admin/mail-consents.csv'))).status === 200,

  'audit.export': async (actor, where) => {
    if (actor === 'project_admin') people[actor] = await addPerson(runtime, site, { role: actor, projectId: assigned.inside })
    const subject = await addEvent(site.id, people[actor === 'platform_admin' ? actor : 'site_admin'], where)
    // Platform administrators get the platform's trail, wherever they are.
    const trail = actor === 'platform_admin' ? await addEvent(PLATFORM_SITE_ID, people.platform_admin) : subject
    const file = await exportAudit(buildDownload(await ctxOf(actor), '/admin/audit.csv'))
    const { rows } = await runtime.database
      .site(actor === 'platform_admin' ? PLATFORM_SITE_ID : site.id)
      .tx((tx) => tx.execute<{ action: string }>(sql`select action from audit_events where id = ${trail}`))
    return (await file.text()).includes(rows[0]?.action ?? 'nothing')
  },

  'participants.merge': async (actor) => {
    const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const to = { from: { type: 'users', id: from.id }, into: { type: 'users', id: into.id } }
    return allowed(await api(actor).post('/user-merges', buildResourceDocument('user-merges', {}, { to })))
  },

  'profile-questions.edit': async (actor) => {
    const texts = { labelTranslations: title, purposeTranslations: title }
    const attributes = { key: `q${createId().slice(-12)}`, kind: 'short-text', ...texts, askedAt: 'account-only', retentionMonths: 12 }
    return allowed(await api(actor).post('/profile-questions', buildResourceDocument('profile-questions', attributes)))
  },

  'profile-answers.see-sensitive': async (actor) => {
    const to = { user: { type: 'users', id: (await addPerson(runtime, site)).id } }
    return allowed(await api(actor).post('/profile-answer-looks', buildResourceDocument('profile-answer-looks', {}, { to })))
  },

  'eligibility-lists.see': async (actor) => allowed(await api(actor).get('/code-batches')),

  'account.secure': async (actor, where) => {
    const ctx = await ctxOf(actor)
    const ownerId = where === 'inside' && ctx.viewer.kind === 'user' ? ctx.viewer.id : createId()
    return isOpened(async () => requirePermission(ctx, 'account.secure', { ownerId }))
  },

  'second-steps.require': async (actor) => {
    const change = buildResourceDocument('sites', { requiresSecondStep: true }, { id: site.id })
    // Those who may are told that they need a second step of their own first.
    return (await api(actor).patch(`/sites/${site.id}`, change)).codes.includes('own-second-step-missing')
  },

  'second-steps.reset': async (actor) => {
    const { id } = await addPerson(runtime, site, { role: 'site_admin' })
    const reset = buildResourceDocument('second-step-resets', {}, { to: { user: { type: 'users', id } } })
    // Those who may are told that there is none.
    return (await api(actor).post('/second-step-resets', reset)).codes.includes('conflict')
  },

  'api-tokens.create': async (actor) => {
    const attributes = { name: 'Export', scopes: ['content:read'], expiresAt: new Date(Date.now() + 864e5).toISOString() }
    return allowed(await api(actor).post('/api-tokens', buildResourceDocument('api-tokens', attributes)))
  },

  'city-connectors.set-token': async (actor) => {
    const id = createId()
    const row = { siteId: site.id, id, name: 'City data', portalUrl: 'https://data.example.org', kind: 'ckan' as const }
    await runtime.database.site(site.id).tx((tx) => tx.insert(cityConnectors).values(row))
    const change = buildResourceDocument('city-connectors', { token: 'a token' }, { id, lockVersion: 1 })
    return allowed(await api(actor).patch(`/city-connectors/${id}`, change))
  },

  'marketplace.connect': async (actor) => {
    const made = buildResourceDocument('installations', { integration: 'sms-sandbox', settings: { sender: 'Riverbend' } })
    const done = allowed(await api(actor).post('/installations', made))
    await runtime.database.site(site.id).tx((tx) => tx.delete(installations))
    return done
  },

  'identity.see': async (actor) => allowed(await api(actor).get('/identity-providers')),

  'identity.configure': async (actor) => {
    const made = await api(actor).post('/identity-providers', buildResourceDocument('identity-providers', PROVIDER))
    await runtime.database.site(site.id).tx((tx) => tx.delete(identityProviders))
    return allowed(made)
  },

  'support.revoke': async (actor) => {
    const { body } = await api('site_admin').post(
      '/support-grants',
      buildResourceDocument('support-grants', { reason: 'A chart is wrong' }),
    )
    const id = (body?.data as { id: string } | undefined)?.id ?? ''
    const answer = await api(actor).delete(`/support-grants/${id}`)
    await runtime.database.site(site.id).tx((tx) => tx.delete(supportGrants))
    return allowed(answer)
  },
}

/** Saved, or refused as stale because another draft exists: only those with access get that far. */
const mayDraft = (answer: ApiAnswer): boolean => answer.codes.includes('stale') || allowed(answer)

/** Further cells of an action, tested like its first attempt. */
const ALSO: readonly [Action, string, Attempt][] = [
  [
    'account.own-data',
    'is deleted',
    async (actor, where) => {
      const to = where === 'inside' ? undefined : { to: { user: { type: 'users', id: (await addPerson(runtime, site)).id } } }
      // With a wrong password, those with access are asked for the right one.
      const answer = await api(actor).post(
        '/account-deletions',
        buildResourceDocument('account-deletions', { password: 'not-the-password' }, to),
      )
      return answer.codes.includes('wrong-password')
    },
  ],
  [
    'projects.edit',
    'a survey of it is edited',
    async (actor, where) => {
      const { id } = await addSurvey(runtime, site, { projectId: await scopedProject(actor, where, publicProject) })
      return allowed(await api(actor).patch(`/surveys/${id}`, buildResourceDocument('surveys', { minutes: 4 }, { id, lockVersion: 1 })))
    },
  ],
  [
    'projects.edit',
    'a stage is added',
    async (actor, where) => {
      const to = { project: { type: 'projects', id: await scopedProject(actor, where, publicProject) } }
      const attributes = { titleTranslations: title, startsAt: '2026-01-01T00:00:00Z' }
      return allowed(await api(actor).post('/project-stages', buildResourceDocument('project-stages', attributes, { to })))
    },
  ],
  [
    'activities.publish',
    'in a public project',
    async (actor, where) => {
      const activity = await addActivity(runtime, site, { projectId: await scopedProject(actor, where, publicProject), status: 'draft' })
      const done = allowed(await publishActivity(actor, activity.id))
      // Those who may only request publication cannot publish, and there is nothing to request.
      if (SPECIFIED_PERMISSIONS['activities.publish'][actor] !== 'review') return done
      expect(done).toBe(false)
      return where === 'inside'
    },
  ],
  [
    'contributions.moderate',
    'a case is decided',
    async (actor, where) => {
      const projectId = await scopedProject(actor, where, publicProject)
      await addPublishedContribution(projectId, 'held')
      const { body } = await api('site_admin').get(`/moderation-cases?filter[project]=${projectId}`)
      const [opened] = (body?.data ?? []) as { id: string }[]
      const to = { case: { type: 'moderation-cases', id: opened?.id ?? '' } }
      return allowed(
        await api(actor).post('/moderation-decisions', buildResourceDocument('moderation-decisions', { decision: 'publish' }, { to })),
      )
    },
  ],
  [
    'participants.erase',
    'a contribution is erased',
    async (actor, where) => {
      const { id } = await addPublishedContribution(await scopedProject(actor, where, publicProject))
      const erased = buildResourceDocument('contributions', { state: 'erased', reason: 'Names a neighbour' }, { id })
      return allowed(await api(actor).patch(`/contributions/${id}`, erased))
    },
  ],
  [
    'projects.publish',
    'it is scheduled',
    async (actor, where) => {
      const to = { project: { type: 'projects', id: await scopedProject(actor, where) } }
      const at = buildResourceDocument('publications', { publishAt: '2999-01-01T00:00:00Z' }, { to })
      const answer = await api(actor).post('/publications', at)
      const done = allowed(answer)
      const status = (answer.body?.data as { attributes?: { status?: string } } | undefined)?.attributes?.status
      if (done) expect(status).toBe(SPECIFIED_PERMISSIONS['projects.publish'][actor] === 'review' ? 'in_review' : 'scheduled')
      return done
    },
  ],
  [
    'projects.publish',
    'it is archived',
    async (actor, where) => {
      const to = { project: { type: 'projects', id: await scopedProject(actor, where, publicProject) } }
      const done = allowed(await api(actor).post('/archivals', buildResourceDocument('archivals', {}, { to })))
      // Those who may only request publication cannot archive, nor request archiving.
      if (SPECIFIED_PERMISSIONS['projects.publish'][actor] !== 'review') return done
      expect(done).toBe(false)
      return where === 'inside'
    },
  ],
  [
    'participants.erase',
    'a response is erased',
    async (actor, where) => {
      const survey = await addSurvey(runtime, site, { projectId: await scopedProject(actor, where, publicProject) })
      const id = createId()
      expect(allowed(await sendResponse('participant', survey.id, id))).toBe(true)
      const to = { response: { type: 'responses', id } }
      expect(
        (await api(actor).post('/response-erasures', buildResourceDocument('response-erasures', { reason: ' ' }, { to }))).status,
      ).not.toBe(201)
      const done = allowed(
        await api(actor).post('/response-erasures', buildResourceDocument('response-erasures', { reason: 'Names a neighbour' }, { to })),
      )
      expect((await api('site_admin').get(`/responses/${id}`)).status).toBe(done ? 404 : 200)
      return done
    },
  ],
  [
    'campaigns.send',
    'by mail',
    async (actor, where) => {
      const to = { project: { type: 'projects', id: await scopedProject(actor, where, publicProject) } }
      return allowed(await api(actor).post('/newsletters', buildResourceDocument('newsletters', { name: 'Open day' }, { to })))
    },
  ],
  [
    'hubs.edit-homepage',
    'a draft of it is kept',
    async (actor, where) => {
      const to = { hub: { type: 'hubs', id: hub[where] } }
      const draft = buildResourceDocument('homepage-revisions', { content: { schema: 2, blocks: [] } }, { to })
      return mayDraft(await api(actor).post('/homepage-revisions', draft))
    },
  ],
  [
    'site.edit',
    'the homepage',
    async (actor) => {
      return mayDraft(
        await api(actor).post('/homepage-revisions', buildResourceDocument('homepage-revisions', { content: { schema: 2, blocks: [] } })),
      )
    },
  ],
  [
    'site.edit',
    'its settings',
    async (actor) => {
      const change = buildResourceDocument('sites', { taglineTranslations: title }, { id: site.id })
      return allowed(await api(actor).patch(`/sites/${site.id}`, change))
    },
  ],
  [
    'site.edit',
    'the appearance',
    async (actor) => {
      const tokens = { primary: '#14516b', accent: '#d94f35', paper: '#faf8f3', ink: '#16202a', corner: '0rem' }
      return mayDraft(await api(actor).post('/appearance-revisions', buildResourceDocument('appearance-revisions', { tokens })))
    },
  ],
  [
    'sites.manage',
    'one is suspended',
    async (actor) => {
      const to = { site: { type: 'sites', id: (await addSite(runtime, { slug: `s${createId()}` })).id } }
      return allowed(await api(actor).post('/site-suspensions', buildResourceDocument('site-suspensions', { reason: 'Unpaid' }, { to })))
    },
  ],
  [
    'site-admins.add',
    'one is removed',
    async (actor) => {
      const { id } = await addPerson(runtime, site, { role: 'site_admin' })
      const [held] = requireItems(await api('site_admin').get(`/memberships?filter[user]=${id}`))
      return allowed(await api(actor).delete(`/memberships/${held?.id}`))
    },
  ],
  [
    'sites.manage',
    'one gets an address',
    async (actor) => {
      const to = { site: { type: 'sites', id: site.id } }
      return allowed(
        await api(actor).post('/site-domains', buildResourceDocument('site-domains', { host: `d${createId()}.example` }, { to })),
      )
    },
  ],
]

/** An audit event about the project inside or outside the scope. */
async function addEvent(siteId: string, by: Person, where: Where = 'inside'): Promise<string> {
  const action = `tests.${createId()}`
  const place = siteId === site.id ? { hubId: hub[where], projectId: assigned[where] } : {}
  const own = runtime.database.site(siteId)
  await own.tx((tx) =>
    recordAudit(createCtx(runtime, site), tx, {
      action: action as AuditAction,
      siteId,
      actor: { id: by.id, role: 'site_admin' },
      ...place,
    }),
  )
  const [event] = await own.read((tx) => tx.select({ id: auditEvents.id }).from(auditEvents).where(eq(auditEvents.action, action)))
  return event?.id ?? ''
}

/** A person who follows a project inside or outside the scope. */
async function addFollower(where: Where): Promise<string> {
  const { id } = await addPerson(runtime, site)
  const follow = { siteId: site.id, projectId: assigned[where], userId: id }
  await runtime.database.site(site.id).tx((tx) => tx.insert(projectFollows).values(follow))
  return id
}

/** Expected outcome for a cell, inside the scope and outside it. */
const EXPECTED: Record<Rule, Record<Where, boolean>> = {
  yes: { inside: true, outside: true },
  no: { inside: false, outside: false },
  survey: { inside: true, outside: true },
  activity: { inside: true, outside: true },
  catalogue: { inside: true, outside: true },
  'own-acts': { inside: true, outside: true },
  scope: { inside: true, outside: false },
  hub: { inside: true, outside: false },
  own: { inside: true, outside: false },
  member: { inside: true, outside: false },
  link: { inside: true, outside: false },
  'never-published': { inside: true, outside: false },
  granted: { inside: true, outside: false },
  review: { inside: true, outside: false },
  drafts: { inside: true, outside: false },
  grant: { inside: true, outside: false },
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(hubs).values([
      { siteId: site.id, id: hub.inside, slug: 'inside', title },
      { siteId: site.id, id: hub.outside, slug: 'outside', title },
    ]),
  )
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
  await addProject('inside', { id: assigned.inside })
  await addProject('outside', { id: assigned.outside })
  people.participant = await addPerson(runtime, site)
  people.project_admin = await addPerson(runtime, site, { role: 'project_admin', projectId: assigned.inside })
  people.hub_admin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.inside })
  people.site_admin = await addPerson(runtime, site, { role: 'site_admin' })
  people.platform_admin = await addPerson(runtime, site, { role: 'platform_admin' })
})

/** Grants the platform's support access while `work` runs. */
async function withGrant<T>(granted: boolean, work: () => Promise<T>): Promise<T> {
  if (!granted) return work()
  const id = createId()
  const grant = { siteId: site.id, id, grantedBy: people.site_admin.id, expiresAt: new Date(Date.now() + 864e5) }
  await runtime.database.site(site.id).tx((tx) => tx.insert(supportGrants).values(grant))
  try {
    return await work()
  } finally {
    await runtime.database.site(site.id).tx((tx) => tx.delete(supportGrants))
  }
}

describe('every cell of the role table, through the API', () => {
  const first = (Object.entries(ATTEMPTS) as [Action, Attempt][]).map(([action, attempt]) => [action, '', attempt] as const)
  for (const [action, what, attempt] of [...first, ...ALSO]) {
    for (const actor of ACTORS) {
      const rule: Rule = SPECIFIED_PERMISSIONS[action][actor]
      for (const where of ['inside', 'outside'] as const) {
        test(`${action}${what && `, ${what}`}: ${actor} (${rule}), ${where}: ${EXPECTED[rule][where] ? 'may' : 'may not'}`, async () => {
          const done = await withGrant(rule === 'grant' && where === 'inside', () => attempt(actor, where))
          expect(done).toBe(EXPECTED[rule][where])
        })
      }
    }
  }

  test('covers every action', () => {
    expect(Object.keys(ATTEMPTS).toSorted()).toEqual(Object.keys(PERMISSIONS).toSorted())
  })
})
