import pg from 'pg'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginAppSetup, removeApp, renewRecoveryCodes } from '#app/features/accounts/second-step/second-step.server.ts'
import { beginPasskeySetup, removePasskey } from '#app/features/accounts/second-step/passkeys.server.ts'
import { exportPerson } from '#app/features/people/people.activity.server.ts'
import { exportActivity } from '#app/features/contributions/results/activity-export.server.ts'
import { beginSignIn } from '#app/features/identity/sign-in.server.ts'
import { PERMISSIONS, type Action, type FreshAction } from '#app/features/permissions/permissions.schema.ts'
import { exportResponses } from '#app/features/surveys/export/export-responses.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { handleApi } from '#app/root/api-handler.ts'
import { apiResources } from '#app/root/api-resources.ts'
import { ATOMIC_TYPES } from '#app/server/api/operations/atomic-types.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { identityProviderChanges, identityRequests } from '#app/server/db/schema/identity.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addAccount, requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { SPECIFIED_PERMISSIONS } from '#tests/support/role-table.ts'

/**
 * All actions of the table that need a fresh sign-in, tried with an old session and with a fresh one: by the API, as an atomic operation and,
 * where the API has no such resource, through the use-case. `tests/e2e/fresh-acts.test.ts` tries the pages' own transports.
 */
let runtime: TestRuntime
let site: Site
let admin: Person
let platform: Person
let owner: pg.Client
let hubId: string
let projectId: string

type Ties = Record<string, { type: string; id: string }>
interface ApiAct {
  what: string
  op: 'create' | 'update' | 'remove'
  type: string
  /** Prepares what is acted on, with a fresh session. */
  prepare: () => Promise<{ id?: string; attributes?: Record<string, unknown>; to?: Ties; lockVersion?: number }>
}
interface UseCaseAct {
  what: string
  use: (ctx: Ctx) => Promise<unknown>
  /** What a fresh session is refused with, if the act needs more than that. */
  freshFault?: string
}
type Act = ApiAct | UseCaseAct

const tie = (type: string, id: string) => ({ type, id })
const create = (what: string, type: string, attributes: Record<string, unknown>, to?: () => Ties | Promise<Ties>): ApiAct => ({
  what,
  op: 'create',
  type,
  prepare: async () => ({ attributes, ...(to && { to: await to() }) }),
})

/** Makes a resource, which later acts change. */
async function make(type: string, attributes: Record<string, unknown>, to?: Ties): Promise<{ id: string; lockVersion: number }> {
  const answer = await as(admin).post(`/${type}`, buildResourceDocument(type, attributes, to ? { to } : {}))
  const data = answer.body?.data as { id: string; meta?: { lockVersion?: number } } | undefined
  if (!data) throw new Error(`${type}: ${JSON.stringify(answer.body)}`)
  return { id: data.id, lockVersion: data.meta?.lockVersion ?? 1 }
}
const update = (
  what: string,
  type: string,
  made: () => Promise<{ id: string; lockVersion?: number }>,
  attributes: Record<string, unknown>,
): ApiAct => ({ what, op: 'update', type, prepare: async () => ({ ...(await made()), attributes }) })
const remove = (what: string, type: string, made: () => Promise<{ id: string }>): ApiAct => ({
  what,
  op: 'remove',
  type,
  prepare: async () => ({ id: (await made()).id }),
})

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString()
const PROVIDER = { name: 'Council account', issuer: 'https://login.example.org', clientId: 'parley' }
const RULES = [{ group: 'staff', role: 'site_admin', hub: null, project: null }]
const LIST = { nameTranslations: { en: 'Library card' }, level: 'resident', fields: ['card-number'], validUntil: '2999-01-01T00:00:00Z' }
const BATCH = { name: 'Spring mailing', level: 'resident', count: 1, validUntil: '2999-01-01T00:00:00Z' }

const WEBHOOK = { address: 'https://hooks.example.org/parley', events: 'responses' }

const addProvider = (more: Record<string, unknown> = {}) => make('identity-providers', { ...PROVIDER, ...more })
const findMembership = async (userId: string) => {
  const { body } = await as(admin).get(`/memberships?filter[user]=${userId}`)
  return { id: (body?.data as { id: string }[] | undefined)?.[0]?.id ?? '' }
}
const addProjectAdmin = async () => findMembership((await addPerson(runtime, site, { role: 'project_admin', projectId })).id)

/** A change that a colleague asked for. */
async function addWaitingChange(): Promise<string> {
  const [id, provider, colleague] = [createId(), await addProvider(), await addPerson(runtime, site, { role: 'site_admin' })]
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(identityProviderChanges).values({
      siteId: site.id,
      providerId: provider.id,
      id,
      askedBy: colleague.id,
      askedAt: new Date(),
      settings: { roleRules: RULES },
    }),
  )
  return id
}

async function addAccessRequest(): Promise<string> {
  const id = createId()
  const provider = await addProvider()
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(identityRequests).values({
      siteId: site.id,
      id,
      providerId: provider.id,
      subject: id,
      email: `${id}@example.org`,
      emailProven: true,
      language: 'en',
      askedAt: new Date(),
    }),
  )
  return id
}

async function addConnector(): Promise<{ id: string; lockVersion: number }> {
  const id = createId()
  const row = { siteId: site.id, id, name: 'City data', portalUrl: 'https://data.example.org', kind: 'ckan' as const }
  await runtime.database.site(site.id).tx((tx) => tx.insert(cityConnectors).values(row))
  return { id, lockVersion: 1 }
}

async function addResponse(): Promise<{ survey: string; response: string }> {
  const survey = await addSurvey(runtime, site, { projectId })
  const id = createId()
  const to = { survey: tie('surveys', survey.id) }
  const attributes = { answers: { name: 'Elm' }, sendKey: 'only-the-sender-knows' }
  const answer = await as(await addPerson(runtime, site)).post('/responses', buildResourceDocument('responses', attributes, { id, to }))
  expect(answer.status).toBe(201)
  return { survey: survey.id, response: id }
}

async function addPublishedContribution(): Promise<string> {
  const activity = await addActivity(runtime, site, { projectId, reactAccess: 'anyone' })
  return (await addContribution(runtime, site, { activityId: activity.id, number: 1, state: 'published' })).id
}

const postcodeSettings = async () => {
  const { body } = await as(admin).get('/postcode-settings')
  const [row] = (body?.data ?? []) as { id: string; meta: { lockVersion: number } }[]
  return { id: row?.id ?? '', lockVersion: row?.meta.lockVersion ?? 0 }
}

/** A site without administrators, which the platform may give its first. */
const addBareSite = (): Promise<Site> => addSite(runtime, { slug: `s${createId()}` })
const invited = async () => {
  const bare = await addBareSite()
  const document = buildResourceDocument(
    'site-administrators',
    { email: `${createId()}@bare.example` },
    { to: { site: tie('sites', bare.id) } },
  )
  const answer = await as(platform).post('/site-administrators', document)
  return requireItem(answer).id
}
const invitedEditor = async () => {
  const email = `${createId()}@people.example`
  await make('memberships', { role: 'hub_admin', email }, { hub: tie('hubs', hubId) })
  const { rows } = await owner.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]?.id ?? ''
}
const anybody = async () => ({ user: tie('users', (await addPerson(runtime, site)).id) })

const ACTS: Record<FreshAction, Act[]> = {
  'identity.configure': [
    create('adding a provider', 'identity-providers', { ...PROVIDER, roleRules: RULES }),
    update('changing its rules', 'identity-providers', addProvider, { roleRules: RULES }),
    update('changing its secret', 'identity-providers', addProvider, { clientSecret: 'another secret' }),
    update('changing its claims', 'identity-providers', addProvider, { claims: { email: 'mail', name: 'cn', groups: 'memberOf' } }),
    update('testing it', 'identity-providers', addProvider, { state: 'testing' }),
    remove('removing it', 'identity-providers', addProvider),
    create('changing its keys', 'identity-provider-keys', {}, async () => ({
      provider: tie('identity-providers', (await addProvider({ clientAuth: 'private-key' })).id),
    })),
    create('agreeing to a change', 'identity-provider-agreements', {}, async () => ({
      change: tie('identity-provider-changes', await addWaitingChange()),
    })),
    remove('refusing a change', 'identity-provider-changes', async () => ({ id: await addWaitingChange() })),
    create('letting somebody in', 'identity-admissions', {}, async () => ({ request: tie('identity-requests', await addAccessRequest()) })),
    remove('refusing somebody', 'identity-requests', async () => ({ id: await addAccessRequest() })),
  ],
  'project-admins.add': [
    create('giving the role', 'memberships', { role: 'project_admin' }, async () => ({
      ...(await anybody()),
      project: tie('projects', projectId),
    })),
    update('letting export', 'memberships', addProjectAdmin, { mayExportPersonalData: true }),
    remove('taking the role', 'memberships', addProjectAdmin),
  ],
  'hub-admins.add': [
    create('giving the role', 'memberships', { role: 'hub_admin' }, async () => ({ ...(await anybody()), hub: tie('hubs', hubId) })),
    create('inviting again', 'invitations', {}, async () => ({ user: tie('users', await invitedEditor()) })),
    create('a link of an invitation', 'invitation-links', {}, async () => ({ user: tie('users', await invitedEditor()) })),
  ],
  'site-admins.add': [create('giving the role', 'memberships', { role: 'site_admin' }, anybody)],
  'sites.invite-first-admin': [
    create('inviting', 'site-administrators', { email: 'first@bare.example' }, async () => ({
      site: tie('sites', (await addBareSite()).id),
    })),
    create('inviting again', 'site-invitations', {}, async () => ({ administrator: tie('site-administrators', await invited()) })),
  ],
  'support.grant': [create('letting the platform in', 'support-grants', { reason: 'A chart is wrong' })],
  'api-tokens.create': [create('making one', 'api-tokens', { name: 'Export', scopes: ['content:read'], expiresAt: inAWeek() })],
  'marketplace.connect': [
    create('installing', 'installations', { integration: 'segment', settings: { writeKey: 'abcdefgh' } }),
    update(
      'changing credentials',
      'installations',
      () => make('installations', { integration: 'intercom', settings: { appId: 'abcdefgh' } }),
      {
        settings: { appId: 'ijklmnop' },
      },
    ),
    create('a new signing secret', 'webhook-secrets', {}, async () => ({
      installation: tie('installations', (await make('installations', { integration: 'webhooks', settings: WEBHOOK })).id),
    })),
  ],
  'city-connectors.set-token': [update('setting a token', 'city-connectors', addConnector, { token: 'a token of the portal' })],
  'eligibility-lists.edit': [
    create('a list', 'eligibility-lists', LIST),
    update('changing it', 'eligibility-lists', () => make('eligibility-lists', LIST), { level: 'identity' }),
    remove('removing it', 'eligibility-lists', () => make('eligibility-lists', LIST)),
    create('codes for letters', 'code-batches', BATCH),
    update('ending them', 'code-batches', () => make('code-batches', BATCH), { isEnded: true }),
    remove('removing them', 'code-batches', () => make('code-batches', BATCH)),
    update('which postcodes count', 'postcode-settings', postcodeSettings, { usesAreas: true }),
  ],
  'verifications.confirm': [
    create('confirming in person', 'verifications', { level: 'resident', validUntil: '2999-01-01T00:00:00Z' }, anybody),
  ],
  'responses.export-personal': [
    create('a file of answers', 'exports', { format: 'csv', personal: true, reason: 'The data officer asks' }, async () => ({
      survey: tie('surveys', (await addResponse()).survey),
    })),
    {
      what: 'a download of answers',
      use: async (ctx) => exportResponses(ctx, { surveyId: (await addResponse()).survey, personal: true, format: 'csv' }),
    },
    {
      what: 'a download of contributions',
      use: async (ctx) => exportActivity(ctx, (await addActivity(runtime, site, { projectId })).id, { personal: true, format: 'csv' }),
    },
  ],
  // Only files, which the pages' test downloads.
  'participants.export': [],
  'consents.export': [],
  'audit.export': [],
  'sites.export': [],
  'participants.export-one': [{ what: 'the file of a person', use: async (ctx) => exportPerson(ctx, (await addPerson(runtime, site)).id) }],
  'participants.erase': [
    create('a person', 'account-deletions', { reason: 'They asked' }, anybody),
    create('a response', 'response-erasures', { reason: 'Names a neighbour' }, async () => ({
      response: tie('responses', (await addResponse()).response),
    })),
    update('a contribution', 'contributions', async () => ({ id: await addPublishedContribution() }), {
      state: 'erased',
      reason: 'Names a neighbour',
    }),
  ],
  'participants.merge': [
    create('two accounts', 'user-merges', {}, async () => ({
      from: tie('users', (await addPerson(runtime, site)).id),
      into: tie('users', (await addPerson(runtime, site)).id),
    })),
  ],
  'profile-answers.see-sensitive': [create('looking at sensitive answers', 'profile-answer-looks', {}, anybody)],
  'sites.delete': [
    {
      what: 'asking for it',
      op: 'create',
      type: 'site-deletions',
      prepare: async () => {
        const { id, name } = await addBareSite()
        return { attributes: { name, reason: 'It moved' }, to: { site: tie('sites', id) } }
      },
    },
  ],
  'second-steps.require': [update('asking it of the staff', 'sites', async () => ({ id: site.id }), { requiresSecondStep: true })],
  'second-steps.reset': [
    create('of a colleague', 'second-step-resets', {}, async () => ({ user: tie('users', await addPersonWithStep()) })),
  ],
  'account.secure': [
    { what: 'an authenticator app', use: async (ctx) => beginAppSetup(ctx) },
    {
      what: 'linking an account elsewhere',
      use: async (ctx) => beginSignIn(ctx, { provider: createId(), purpose: 'link', next: null }),
      freshFault: 'not-active',
    },
    { what: 'a passkey', use: beginPasskeySetup },
    { what: 'removing a passkey', use: (ctx) => removePasskey(ctx, createId()), freshFault: 'not-found' },
    { what: 'removing the app', use: removeApp, freshFault: 'not-found' },
    { what: 'new recovery codes', use: renewRecoveryCodes, freshFault: 'conflict' },
  ],
}

/** Changes of the same types that need no fresh sign-in: they take a power away, or were always the sender's own. */
const OPEN = [
  'api-tokens remove',
  'city-connectors create',
  'city-connectors remove',
  'contributions create',
  'exports remove',
  'installations remove',
  'site-deletions remove',
  'sites create',
  'support-grants remove',
  'verifications remove',
]

async function addPersonWithStep(): Promise<string> {
  const { id } = await addAccount(runtime, site, { role: 'hub_admin', hubId })
  await owner.query('update users set second_step_since = now() where site_id = $1 and id = $2', [site.id, id])
  return id
}

const as = (person: Person) => createApiClient(runtime, site, person.token)
const actorOf = (action: Action): Person => (SPECIFIED_PERMISSIONS[action].site_admin === 'no' ? platform : admin)

/** @param minutes since the person signed in or confirmed who they are */
async function setConfirmed(person: Person, minutes: number): Promise<void> {
  const siteId = person === platform ? PLATFORM_SITE_ID : site.id
  const confirmedAt = new Date(Date.now() - minutes * 60_000)
  await runtime.database.site(siteId).tx((tx) =>
    tx
      .update(sessions)
      .set({ confirmedAt })
      .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, person.id))),
  )
}

/** What only counts requests, notes that a session was used, or records the refusal. */
const MAY_CHANGE = ['sessions', 'rate_limits', 'audit_chains', 'audit_events']

/** A digest of each other table. */
async function readTables(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const digests: Record<string, string> = {}
  for (const { name } of rows.filter(({ name }) => !MAY_CHANGE.includes(name))) {
    const found = await owner.query<{ digest: string }>(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from "${name}" t`,
    )
    digests[name] = found.rows[0]?.digest ?? ''
  }
  return digests
}

async function send(
  person: Person,
  act: ApiAct,
  prepared: Awaited<ReturnType<ApiAct['prepare']>>,
): Promise<{ status: number; codes: string[] }> {
  const { id, attributes = {}, to, lockVersion } = prepared
  const document = buildResourceDocument(act.type, attributes, {
    ...(id && { id }),
    ...(to && { to }),
    ...(lockVersion !== undefined && { lockVersion }),
  })
  if (act.op === 'create') return as(person).post(`/${act.type}`, document)
  if (act.op === 'update') return as(person).patch(`/${act.type}/${id}`, document)
  return as(person).delete(`/${act.type}/${id}`)
}

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

async function sendAtomic(person: Person, act: ApiAct, prepared: Awaited<ReturnType<ApiAct['prepare']>>): Promise<string[]> {
  const { id, attributes = {}, to = {}, lockVersion } = prepared
  const relationships = Object.fromEntries(Object.entries(to).map(([name, data]) => [name, { data }]))
  const data = { type: act.type, ...(id && { id }), attributes, relationships, ...(lockVersion !== undefined && { meta: { lockVersion } }) }
  const operation =
    act.op === 'remove' ? { op: 'remove', ref: { type: act.type, id } } : { op: act.op === 'create' ? 'add' : 'update', data }
  const response = await handleApi(
    new Request(`http://${site.host}/api/v2/operations`, {
      method: 'POST',
      headers: { host: site.host, accept: ATOMIC, 'content-type': ATOMIC, 'x-api-token': `Bearer ${person.token}` },
      body: JSON.stringify({ 'atomic:operations': [operation] }),
    }),
    runtime,
    { address: '127.0.0.1' },
  )
  const { errors = [] } = (await response.json()) as { errors?: { code: string }[] }
  return errors.map(({ code }) => code)
}

const readCode = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String((error as { code?: unknown }).code),
  )

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  owner = new pg.Client({ connectionString: runtime.ownerUrl })
  await owner.connect()
  admin = await addAccount(runtime, site, { role: 'site_admin' })
  platform = await addAccount(runtime, site, { role: 'platform_admin' })
  hubId = (await addHub(runtime, site)).id
  projectId = (await addProject(runtime, site, { hubId })).id
  await owner.query('update users set second_step_since = null')
  const on = ['marketplace_sms_integration'].map((name) => ({ siteId: site.id, name, enabled: true }))
  await runtime.database.site(site.id).tx((tx) => tx.insert(siteFeatures).values(on as never))
  return () => owner.end()
})

describe('an old session', () => {
  const all = Object.entries(ACTS).flatMap(([action, acts]) => acts.map((act) => [action as FreshAction, act.what, act] as const))

  test.each(all)('%s, %s: is refused and changes nothing, and a fresh one may', async (action, _, act) => {
    const person = actorOf(action)
    await setConfirmed(person, 0)
    if ('use' in act) {
      const ctx = () => withViewer(createCtx(runtime, site, { reason: 'The data officer asks' }), person.token)
      await setConfirmed(person, 16)
      expect(await readCode(act.use(await ctx()))).toBe('fresh-sign-in-required')
      await setConfirmed(person, 14)
      expect(await readCode(act.use(await ctx()))).toBe(act.freshFault ?? 'done')
      return
    }
    const prepared = await act.prepare()
    await setConfirmed(person, 16)
    const before = await readTables()
    const refused = await send(person, act, prepared)
    expect([refused.status, refused.codes]).toEqual([403, ['fresh-sign-in-required']])
    expect(await sendAtomic(person, act, prepared)).toEqual([ATOMIC_TYPES.has(act.type) ? 'fresh-sign-in-required' : 'forbidden'])
    expect(await readTables()).toEqual(before)
    await setConfirmed(person, 14)
    const done = await send(person, act, prepared)
    expect([...done.codes, done.status < 300]).toEqual(DONE[`${action} ${act.what}`] ?? [true])
  })

  test('may still read all lists, and is offered what it may do once confirmed', async () => {
    await addProvider()
    await setConfirmed(admin, 60)
    for (const { shape } of apiResources.resources)
      if (shape.kind === 'collection' && shape.operations.includes('list'))
        expect((await as(admin).get(`/${shape.type}`)).codes, shape.type).not.toContain('fresh-sign-in-required')
    const { body } = await as(admin).get('/identity-providers')
    expect(((body?.data ?? []) as { meta: { can: unknown } }[])[0]?.meta.can).toEqual({ update: true })
  })

  test('there is an act for every action of the table that needs a fresh sign-in', () => {
    const fresh = (Object.keys(PERMISSIONS) as Action[]).filter((action) => SPECIFIED_PERMISSIONS[action].freshSignIn)
    expect(Object.keys(ACTS).toSorted()).toEqual(fresh.toSorted())
  })

  test('every change of these types of resources is tried, or known to need none', () => {
    const tried = new Set(all.flatMap(([, , act]) => ('op' in act ? [`${act.type} ${act.op}`] : [])))
    const types = new Set(all.flatMap(([, , act]) => ('op' in act ? [act.type] : [])))
    const changes = apiResources.resources
      .filter(({ shape }) => types.has(shape.type))
      .flatMap(({ shape }) => shape.operations.map((operation) => `${shape.type} ${operation}`))
      .filter((change) => / (create|update|remove|put)$/.test(change))
    expect(changes.filter((change) => !tried.has(change)).toSorted()).toEqual(OPEN.toSorted())
  })
})

/** Acts for which a fresh sign-in is not enough. */
const DONE: Record<string, (string | boolean)[]> = {
  // Nobody may ask of others what they have not done themselves.
  'second-steps.require asking it of the staff': ['own-second-step-missing', false],
}
