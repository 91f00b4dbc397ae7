import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { seedDemo } from '#app/cli/demo/seed.ts'
import { makeSuggestions } from '#app/features/heard/suggesting/make-suggestions.server.ts'
import { selectPhotos } from '#app/features/contributions/photos/stored-photos.server.ts'
import { hashSource, toContributionSource } from '#app/features/contributions/translating/text-sources.server.ts'
import { createId, isId } from '#app/lib/uuid.ts'
import { apiResources } from '#app/root/api-resources.ts'
import { activities, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { square, TOWN } from '#tests/factories/map-files.ts'
import { budgetOverrides } from '#app/server/db/schema/budgets.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { createPicture, uploadFile } from '#tests/support/pictures.ts'

/**
 * Isolation of sites, driven by the registry: every registered resource is tried with the token of another site's administrator and must
 * respond as if it did not exist. Harbour's administrator tries to reach Riverbend.
 */
type Api = ReturnType<typeof createApiClient>
type Document = { id: string; type: string }

let runtime: TestRuntime
let riverbend: Site
let owner: Api
let ownerToken: string
let stranger: Api
let harbour: Site
let participant: Api
let platform: Api

/** Come with the product, the same for every site. */
const OF_THE_PRODUCT = new Set(['project-templates'])
const collections = apiResources.resources.filter(({ shape }) => shape.kind === 'collection' && !OF_THE_PRODUCT.has(shape.type))
const addressed = collections.filter(({ shape }) => shape.operations.some((operation) => operation !== 'list' && operation !== 'create'))

const documents = (answer: ApiAnswer) => (Array.isArray(answer.body?.data) ? answer.body.data : []) as Document[]
/** What a response reveals. */
const learnt = ({ status, codes }: ApiAnswer) => ({ status, codes })

/** The first id that a query of Riverbend's tables finds. */
const found = (query: ReturnType<typeof sql>) => async () => {
  const { rows } = await runtime.database.site(riverbend.id).tx((tx) => tx.execute<{ id: string }>(query))
  return rows[0]?.id
}
/** An example created by its owner, linked to the examples of these types. */
const made = (type: string, attributes: Record<string, unknown> = {}, ties: Record<string, string> = {}) =>
  async function make() {
    const known = Object.entries(ties).map(async ([name, type]) => [name, { type, id: await exampleOf(type) }])
    const to = Object.fromEntries(await Promise.all(known)) as Record<string, Document>
    const answer = await ownerOf(type).post(`/${type}`, buildResourceDocument(type, attributes, { to }))
    if (answer.status >= 300) throw new Error(`${type}: ${JSON.stringify(answer.body)}`)
    return (answer.body?.data as Document | undefined)?.id
  }

async function startDraft(): Promise<string> {
  const id = createId()
  const to = { survey: { type: 'surveys', id: (await EXAMPLES['survey-results']?.()) ?? '' } }
  const document = buildResourceDocument('response-drafts', { answers: {}, sendKey: 'only-the-sender-knows' }, { id, to })
  await owner.put(`/response-drafts/${id}`, document)
  return id
}

/** Changes of a published project: with them, what was published before becomes a version too. */
async function changeProject(): Promise<string | undefined> {
  const id = (await EXAMPLES['publications']?.()) ?? ''
  const text = { en: 'Another title' }
  const content = {
    titleTranslations: text,
    summaryTranslations: {},
    bodyTranslations: {},
    outcomeTranslations: {},
    pictureAltTranslations: {},
    picture: null,
    place: null,
    team: [],
    faqs: [],
    dates: [],
  }
  const document = buildResourceDocument('project-revisions', { content }, { to: { project: { type: 'projects', id } } })
  return ((await owner.post('/project-revisions', document)).body?.data as Document | undefined)?.id
}

/** Changes of a published activity: with them, what was published before becomes a version too. */
async function changeActivity(): Promise<string | undefined> {
  const id = await exampleOf('activities')
  const content = {
    titleTranslations: { en: 'Another title' },
    introTranslations: {},
    stage: null,
    opensAt: null,
    closesAt: null,
    postAccess: 'anyone_once',
    reactAccess: 'anyone_once',
    groupId: null,
    moderation: 'before',
    settings: {},
    fields: [],
  }
  const document = buildResourceDocument('activity-revisions', { content }, { to: { activity: { type: 'activities', id: id ?? '' } } })
  return ((await owner.post('/activity-revisions', document)).body?.data as Document | undefined)?.id
}

/** The owner's ballot in a round for people with an account. */
async function castBallot(): Promise<string | undefined> {
  const times = { opensAt: new Date(Date.now() - 60_000), closesAt: new Date(Date.now() + 3_600_000) }
  const round = await addRound(runtime, riverbend, [{ amount: 100, costs: [50] }], { access: 'confirmed', ...times })
  const attributes = { options: [1], seen: 0, sendingId: createId(), sendKey: 'only-the-sender-knows' }
  const document = buildResourceDocument('budget-ballots', attributes, { to: { round: { type: 'budget-rounds', id: round.id } } })
  return ((await owner.post('/budget-ballots', document)).body?.data as Document | undefined)?.id
}

/** A count of a round whose voting has ended. */
async function requestCount(): Promise<string | undefined> {
  const times = { opensAt: new Date(Date.now() - 7_200_000), closesAt: new Date(Date.now() - 3_600_000) }
  const round = await addRound(runtime, riverbend, [{ amount: 100, costs: [50] }], times)
  const document = buildResourceDocument('budget-counts', {}, { to: { round: { type: 'budget-rounds', id: round.id } } })
  return ((await owner.post('/budget-counts', document)).body?.data as Document | undefined)?.id
}

/** What a body decided about an option of a round. */
async function addOverride(): Promise<void> {
  const round = await addRound(runtime, riverbend, [{ amount: 100, costs: [50] }])
  await runtime.database.site(riverbend.id).tx((tx) =>
    tx.insert(budgetOverrides).values({
      siteId: riverbend.id,
      id: createId(),
      roundId: round.id,
      optionId: round.options[0]?.id ?? '',
      isFunded: true,
      body: { en: 'The council' },
      reason: { en: 'It fits next year’s plans' },
      createdAt: new Date(),
    }),
  )
}

/** Sheets for a round that is voted on on paper. */
let batch: Promise<string | undefined> | undefined
function makeSheets(): Promise<string | undefined> {
  batch ??= (async () => {
    const times = { opensAt: new Date(Date.now() - 60_000), closesAt: new Date(Date.now() + 3_600_000) }
    const round = await addRound(runtime, riverbend, [{ amount: 100, costs: [50] }], { paper: 'sheets', ...times })
    const document = buildResourceDocument(
      'budget-paper-batches',
      { name: 'Central library', sheets: 1 },
      { to: { round: { type: 'budget-rounds', id: round.id } } },
    )
    return ((await owner.post('/budget-paper-batches', document)).body?.data as Document | undefined)?.id
  })()
  return batch
}

/** The translation of a contribution that a reader asked for. */
async function insertTranslation(): Promise<string> {
  const id = createId()
  await runtime.database.site(riverbend.id).tx(async (tx) => {
    const [found] = await tx
      .select({ row: contributions, activity: activities, photos: selectPhotos() })
      .from(contributions)
      .innerJoin(activities, eq(activities.id, contributions.activityId))
      .where(isPublished)
      .limit(1)
    if (!found) throw new Error('The demo has no contribution')
    const source = toContributionSource(found.activity, found.row, found.photos)
    await tx.insert(textTranslations).values({
      siteId: riverbend.id,
      id,
      contributionId: found.row.id,
      sourceType: 'contributions',
      sourceId: found.row.id,
      language: 'cy',
      sourceLanguage: found.row.language,
      sourceHash: hashSource(source),
      texts: source.texts,
      service: 'DeepL',
    })
  })
  return id
}

async function findOwnerId(): Promise<string> {
  const { body } = await owner.get('/current-user')
  return (body?.data as { attributes?: { user: { id: string } } } | undefined)?.attributes?.user.id ?? ''
}

/** A row of Riverbend that hangs on its provider of accounts. */
async function insertForProvider(
  table: 'identities' | 'identity_provider_changes' | 'identity_requests',
  more: Record<string, unknown>,
): Promise<string> {
  const id = createId()
  const row = { site_id: riverbend.id, id, provider_id: await exampleOf('identity-providers'), ...more }
  const names = sql.join(
    Object.keys(row).map((name) => sql.identifier(name)),
    sql`, `,
  )
  const values = sql.join(
    Object.values(row).map((value) => sql`${value}`),
    sql`, `,
  )
  await runtime.database.site(riverbend.id).tx((tx) => tx.execute(sql`insert into ${sql.identifier(table)} (${names}) values (${values})`))
  return id
}

let suggested: Promise<unknown> | undefined
/** Suggestions for the answers that the themes of the demo rest on. */
function foundSuggested(query: ReturnType<typeof sql>): () => Promise<string | undefined> {
  return async () => {
    suggested ??= (async () => {
      const { rows } = await runtime.database.site(riverbend.id).tx((tx) =>
        tx.execute<{ project: string; source: string }>(sql`
          select e.project_id as project, 'question:' || r.survey_id || ':' || e.question as source
          from theme_evidence e join responses r on r.site_id = e.site_id and r.id = e.response_id limit 1`),
      )
      const [first] = rows
      const document = buildResourceDocument(
        'theme-suggestion-runs',
        { source: first?.source, language: 'en' },
        { to: { project: { type: 'projects', id: first?.project ?? '' } } },
      )
      await owner.post('/theme-suggestion-runs', document)
      await makeSuggestions(runtime)
    })()
    await suggested
    return found(query)()
  }
}

/** Examples of types whose list shows none yet. A new type without an example fails below. */
const EXAMPLES: Record<string, () => Promise<string | undefined>> = {
  'budget-ballots': castBallot,
  'budget-counts': requestCount,
  'budget-overrides': async () => {
    await addOverride()
    return found(sql`select id from budget_overrides limit 1`)()
  },
  'budget-paper-batches': makeSheets,
  'budget-paper-sheets': async () => {
    await makeSheets()
    return found(sql`select id from budget_paper_sheets limit 1`)()
  },
  'appearance-publications': found(sql`select id from appearance_revisions where published_at is not null limit 1`),
  'api-tokens': made('api-tokens', { name: 'Export', scopes: ['content:read'], expiresAt: new Date(Date.now() + 864e5).toISOString() }),
  archivals: found(sql`select id from projects where status = 'archived' limit 1`),
  'contribution-translations': insertTranslation,
  'bank-questions': made(
    'bank-questions',
    { question: { id: 'trees', type: 'yes_no', title: { en: 'More trees?' } } },
    { survey: 'surveys' },
  ),
  'city-synchronisations': made('city-synchronisations', {}, { dataset: 'city-datasets' }),
  'draft-links': async () => made('draft-links', { subject: 'homepage', expiresAt: new Date(Date.now() + 864e5).toISOString() })(),
  'code-batches': made('code-batches', { name: 'Spring mailing', level: 'resident', count: 1, validUntil: '2999-01-01T00:00:00Z' }),
  'eligibility-lists': made('eligibility-lists', {
    nameTranslations: { en: 'Library card' },
    level: 'resident',
    fields: ['card-number'],
    validUntil: '2999-01-01T00:00:00Z',
  }),
  verifications: async () => made('verifications', { level: 'resident', validUntil: '2999-01-01T00:00:00Z' }, { user: 'users' })(),
  'theme-suggestion-runs': foundSuggested(sql`select id from theme_suggestion_runs limit 1`),
  'theme-suggestions': foundSuggested(sql`select id from theme_suggestions limit 1`),
  'theme-suggestion-passages': foundSuggested(sql`select id from theme_suggestion_passages limit 1`),
  'activity-reviews': found(sql`
    insert into revision_heads (site_id, subject, scope_id, review_requested_at)
    (select site_id, 'activity', id, now() from activities where status = 'published' order by id limit 1)
    on conflict (site_id, subject, scope_id) do update set review_requested_at = now() returning scope_id as id`),
  'survey-reviews': found(sql`
    update surveys set review_requested_at = now() where id = (select id from surveys where status = 'published' order by id limit 1) returning id`),
  'heard-report-reviews': async () => {
    const { rows } = await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute<{ id: string }>(sql`
        update revision_heads set review_requested_at = now() where site_id = ${riverbend.id} and subject = 'heard-report'
        returning scope_id as id`),
    )
    return rows[0]?.id
  },
  'coding-samples': async () => {
    const id = createId()
    const coder = await findOwnerId()
    await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute(sql`
        insert into coding_samples (site_id, id, project_id, source, seed, size, drawn_from, coder_id, created_at)
        select ${riverbend.id}, ${id}, id, ${`activity:${id}`}, 'seed', 50, 60, ${coder}, now() from projects where status = 'published' limit 1`),
    )
    return id
  },
  exports: made('exports', { format: 'csv' }, { survey: 'surveys' }),
  'feature-switches': async () => `whitelist-embed.${riverbend.id}`,
  groups: made('groups', { name: 'Cyclists' }),
  'profile-answers': found(
    sql`select a.id from profile_answers a join profile_questions q on q.id = a.question_id where not q.sensitive limit 1`,
  ),
  'homepage-publications': found(sql`select id from homepage_revisions where published_at is not null limit 1`),
  identities: async () => insertForProvider('identities', { subject: createId(), user_id: await findOwnerId(), linked_at: new Date() }),
  'identity-providers': made('identity-providers', { name: 'Council account', issuer: 'https://login.example.org', clientId: 'parley' }),
  'identity-provider-changes': async () =>
    insertForProvider('identity_provider_changes', {
      asked_by: await findOwnerId(),
      asked_at: new Date(),
      settings: '{"clientId":"another"}',
    }),
  'identity-requests': async () =>
    insertForProvider('identity_requests', { subject: createId(), email_proven: false, language: 'en', asked_at: new Date() }),
  'map-files': async () => {
    const upload = await uploadFile(runtime, riverbend, ownerToken, Buffer.from(JSON.stringify(TOWN)), 'town.geojson')
    return made('map-files', { upload, credit: 'Riverbend' })()
  },
  'media-assets': async () =>
    made('media-assets', { upload: await uploadFile(runtime, riverbend, ownerToken, await createPicture(40, 30).png().toBuffer()) })(),
  'media-uploads': made('media-uploads', { name: 'bridge.jpg', bytes: 1000 }),
  'project-documents': async () =>
    made(
      'project-documents',
      { upload: await uploadFile(runtime, riverbend, ownerToken, Buffer.from('%PDF-1.7 %%EOF'), 'plan.pdf') },
      { project: 'projects' },
    )(),
  'activity-revisions': changeActivity,
  'activity-revision-publications': async () => {
    await changeActivity()
    return found(sql`select id from activity_revisions where published_at is not null limit 1`)()
  },
  'project-revisions': changeProject,
  'project-revision-publications': async () => {
    await changeProject()
    return found(sql`select id from project_revisions where published_at is not null limit 1`)()
  },
  'project-members': made('project-members', { email: 'let-in@riverbend.example' }, { project: 'projects' }),
  'newsletter-estimates': () => exampleOf('newsletters'),
  'newsletter-sendings': found(sql`select id from campaigns where channel = 'email' and status <> 'draft' limit 1`),
  'mail-addresses': async () => {
    const id = createId()
    await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute(sql`insert into mail_addresses (site_id, id, address, bounced_at, updated_at)
        values (${riverbend.id}, ${id}, 'gone@people.example', now(), now())`),
    )
    return id
  },
  'contribution-links': async () => {
    const { rows } = await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute<{ ids: string[] }>(sql`select (array_agg(id order by number))[1:2] as ids from contributions
        where state = 'published' group by activity_id having count(*) > 1 limit 1`),
    )
    const [contribution, target] = (rows[0]?.ids ?? []).map((id) => ({ type: 'contributions', id }))
    if (!contribution || !target) return undefined
    const link = buildResourceDocument('contribution-links', { kind: 'related' }, { to: { contribution, target } })
    return ((await owner.post('/contribution-links', link)).body?.data as { id: string } | undefined)?.id
  },
  'contribution-notes': made('contribution-notes', { body: 'Ask the school.' }, { contribution: 'contributions' }),
  'team-comments': async () =>
    made('team-comments', {
      targetKind: 'project',
      targetId: await found(sql`select id from projects limit 1`)(),
      body: 'Is the date right?',
    })(),
  tasks: async () =>
    made('tasks', { targetKind: 'project', targetId: await found(sql`select id from projects limit 1`)(), title: 'Call the school' })(),
  'person-notes': made('person-notes', { body: 'Prefers to be called in the evening.' }, { user: 'users' }),
  'official-response-drafts': async () => {
    const id = (await found(sql`select id from contributions where state = 'published' and status_id is not null limit 1`)()) ?? ''
    const draft = buildResourceDocument('official-response-drafts', {}, { to: { contribution: { type: 'contributions', id } } })
    return ((await owner.post('/official-response-drafts', draft)).body?.data as { id: string } | undefined)?.id
  },
  crowds: async () => {
    const [id, survey] = [createId(), (await EXAMPLES['survey-results']?.()) ?? '']
    await runtime.database
      .site(riverbend.id)
      .tx((tx) =>
        tx.execute(
          sql`insert into crowds (site_id, id, survey_id, first_at, last_at) values (${riverbend.id}, ${id}, ${survey}, now(), now())`,
        ),
      )
    return id
  },
  'lost-areas': async () => {
    const [id, dataset] = [createId(), (await exampleOf('city-datasets')) ?? '']
    await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute(sql`insert into areas (site_id, id, dataset_id, slug, name, rings, gone_at)
        values (${riverbend.id}, ${id}, ${dataset}, 'lost-harbour', 'Lost harbour', '[]', now())`),
    )
    return id
  },
  'masked-originals': async () => {
    const [id, contribution] = [createId(), (await found(sql`select id from contributions where state = 'published' limit 1`)()) ?? '']
    await runtime.database
      .site(riverbend.id)
      .tx((tx) =>
        tx.execute(
          sql`insert into masked_originals (site_id, id, contribution_id, texts) values (${riverbend.id}, ${id}, ${contribution}, '{}')`,
        ),
      )
    return contribution
  },
  notifications: async () => {
    const id = (await found(sql`select id from projects where status = 'draft' limit 1`)()) ?? ''
    const { token } = await addPerson(runtime, riverbend, { role: 'project_admin', projectId: id })
    const ask = buildResourceDocument('publications', { waiveTranslations: true }, { to: { project: { type: 'projects', id } } })
    await createApiClient(runtime, riverbend, token).post('/publications', ask)
    return documents(await owner.get('/notifications?page[size]=1'))[0]?.id
  },
  'area-outlines': async () => {
    await runtime.database.site(riverbend.id).tx((tx) => tx.execute(sql`update city_datasets set boundaries = null`))
    const attributes = { nameTranslations: { en: 'Old mills' }, outline: square(-75, 45, 0.1) }
    return made('area-outlines', attributes)()
  },
  'project-placements': found(sql`select id from projects limit 1`),
  publications: found(sql`select id from projects where status = 'published' limit 1`),
  reactions: found(sql`select id from reactions where not by_account limit 1`),
  'response-drafts': startDraft,
  'response-files': async () => {
    const [response] = (
      await runtime.database
        .site(riverbend.id)
        .tx((tx) =>
          tx.execute<{ id: string; survey: string }>(sql`select id, survey_id as survey from responses where withdrawn_at is null limit 1`),
        )
    ).rows
    const id = createId()
    const file = { id, name: 'kerb.jpg', type: 'image/jpeg', bytes: 10 }
    await runtime.database.site(riverbend.id).tx(async (tx) => {
      await tx.execute(sql`insert into response_files (site_id, id, survey_id, question, held_by, key_hash, name, media_type, bytes, touched_at)
        values (${riverbend.id}, ${id}, ${response?.survey}, 'shown', ${response?.id}, 'key', ${file.name}, ${file.type}, ${file.bytes}, now())`)
      await tx.execute(
        sql`update responses set answers = answers || ${JSON.stringify({ shown: { files: [file] } })}::jsonb where id = ${response?.id}`,
      )
    })
    return id
  },
  'report-views': made('report-views', { name: 'Ours', audience: 'self', query: 'days=30', language: 'en' }),
  'report-links': async () => made('report-links', { expiresAt: new Date(Date.now() + 864e5).toISOString() }, { view: 'report-views' })(),
  'saved-sections': made('saved-sections', { name: 'How we decide', content: { schema: 2, blocks: [] } }),
  'calendar-links': made('calendar-links', {}),
  'saved-views': made('saved-views', { table: 'projects', name: 'Drafts', query: 'status=draft' }),
  'site-deletions': async () => {
    const [site] = (
      await runtime.database.global.execute<{ id: string; name: string }>(sql`select id, name from sites where slug = 'dyffryn'`)
    ).rows
    const to = { site: { type: 'sites', id: site?.id ?? '' } }
    await platform.post(
      '/site-deletions',
      buildResourceDocument('site-deletions', { name: site?.name, reason: 'It joined another' }, { to }),
    )
    return site?.id
  },
  'site-administrators': found(sql`select site_id || '.' || user_id as id from memberships where role = 'site_admin' limit 1`),
  'site-domains': found(sql`select id from site_domains where host = 'dyffryn.localhost' limit 1`),
  'site-suspensions': async () => {
    const [site] = (await runtime.database.global.execute<{ id: string }>(sql`select id from sites where slug = 'dyffryn'`)).rows
    const to = { site: { type: 'sites', id: site?.id ?? '' } }
    await platform.post('/site-suspensions', buildResourceDocument('site-suspensions', { reason: 'It did not pay' }, { to }))
    return site?.id
  },
  'sms-estimates': () => exampleOf('sms-campaigns'),
  'sms-sendings': found(sql`select id from campaigns where channel = 'sms' and status <> 'draft' limit 1`),
  'support-grants': made('support-grants', { reason: 'A chart is wrong' }),
  'survey-archivals': async () => {
    const id = (await found(sql`select id from surveys where status <> 'draft' order by id desc limit 1`)()) ?? ''
    await owner.post('/survey-archivals', buildResourceDocument('survey-archivals', {}, { to: { survey: { type: 'surveys', id } } }))
    return id
  },
  'survey-changes': found(sql`select id from surveys where status <> 'draft' order by id limit 1`),
  'survey-invitation-batches': async () => {
    const [id, survey] = [createId(), (await EXAMPLES['survey-results']?.()) ?? '']
    await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute(sql`insert into invitation_batches (site_id, id, survey_id, kind, total)
        values (${riverbend.id}, ${id}, ${survey}, 'codes', 0)`),
    )
    return id
  },
  'activity-invitation-batches': async () => {
    const [id, activity] = [createId(), (await found(sql`select id from activities order by id limit 1`)()) ?? '']
    await runtime.database.site(riverbend.id).tx((tx) =>
      tx.execute(sql`insert into invitation_batches (site_id, id, activity_id, kind, total)
        values (${riverbend.id}, ${id}, ${activity}, 'codes', 0)`),
    )
    return id
  },
  'consultation-duties': async () => {
    // The site of the demo keeps none.
    await runtime.database.global.execute(sql`update sites set duties = 'gunning' where id = ${riverbend.id}`)
    runtime.sites.refresh()
    return found(sql`select id from projects order by id limit 1`)()
  },
  'survey-completions': found(sql`select id from surveys where status <> 'draft' order by id limit 1`),
  'survey-results': found(sql`select id from surveys where status <> 'draft' order by id limit 1`),
  'user-blocks': async () => {
    const id = (await found(sql`select id from users where type = 'participant' limit 1`)()) ?? ''
    await owner.post('/user-blocks', buildResourceDocument('user-blocks', { reason: 'Insults' }, { to: { user: { type: 'users', id } } }))
    return id
  },
}
/** Types owned by the platform: a site's own administrator has no access either. */
const PLATFORMS = ['feature-switches', 'site-administrators', 'site-deletions', 'site-domains', 'site-suspensions']
const ownerOf = (type: string) => (PLATFORMS.includes(type) ? platform : owner)

const examples = new Map<string, string>()

async function exampleOf(type: string): Promise<string> {
  const known = examples.get(type) ?? (await EXAMPLES[type]?.()) ?? documents(await owner.get(`/${type}?page[size]=1`))[0]?.id
  if (known) examples.set(type, known)
  return known ?? 'there is no example of this type'
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  await seedDemo(runtime.database)
  const at = async (slug: string) => {
    const site = await runtime.sites.find(`${slug}.localhost`)
    if (!site) throw new Error(`The demo has no ${slug}`)
    const { token } = await addPerson(runtime, site, { role: 'site_admin' })
    return { site, token, api: createApiClient(runtime, site, token) }
  }
  const neighbour = await at('harbour')
  harbour = neighbour.site
  const home = await at('riverbend')
  riverbend = home.site
  ownerToken = home.token
  owner = home.api
  stranger = neighbour.api
  participant = createApiClient(runtime, harbour, (await addPerson(runtime, harbour)).token)
  platform = createApiClient(runtime, home.site, (await addPerson(runtime, home.site, { role: 'platform_admin' })).token)
  for (const { shape } of addressed) await exampleOf(shape.type)
})

describe.each(addressed.map((item) => [item.shape.type, item] as const))('%s of another site', (type, { shape }) => {
  const theirs = () => examples.get(type) ?? ''

  test('are accessible to their owner', async () => {
    expect(theirs(), 'an example').not.toBe('')
    expect((await ownerOf(type).get(`/${type}/${theirs()}`)).status).toBe(200)
  })

  test('cannot be told from nonexistent ones by any method', async () => {
    const nothing = createId()
    const attempts: ((id: string) => Promise<ApiAnswer>)[] = [
      (id) => stranger.get(`/${type}/${id}`),
      (id) => stranger.patch(`/${type}/${id}`, buildResourceDocument(type, {}, { id, lockVersion: 1 })),
      (id) => stranger.delete(`/${type}/${id}`),
      ...Object.keys(shape.relationships).flatMap((name) => [
        (id: string) => stranger.get(`/${type}/${id}/${name}`),
        (id: string) => stranger.get(`/${type}/${id}/relationships/${name}`),
      ]),
    ]
    for (const attempt of attempts) {
      const answer = await attempt(theirs())
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(learnt(answer)).toEqual(learnt(await attempt(nothing)))
    }
    expect((await ownerOf(type).get(`/${type}/${theirs()}`)).status).toBe(200)
  })
})

describe.each(collections.map((item) => [item.shape.type, item] as const))('%s', (type, { shape }) => {
  test.runIf(shape.operations.includes('list'))('of another site are in no list, whatever the filter', async () => {
    const foreign = [...examples.values()]
    const byId = Object.entries(shape.filters).filter(([, { schema }]) => v.is(schema, createId()) && !v.is(schema, 'a word'))
    const queries = ['', ...byId.flatMap(([name]) => foreign.map((id) => `&filter[${name}]=${id}`))]
    // One at a time: hundreds at once would wait for a connection longer than the request timeout.
    for (const query of queries) {
      const answer = await stranger.get(`/${type}?page[size]=100${query}`)
      expect(answer.status, query).toBeLessThan(500)
      const ids = documents(answer).map(({ id }) => id)
      expect(ids.filter((id) => foreign.includes(id))).toEqual([])
    }
  })

  test.runIf('profile' in shape.filters)('are not found by what people on another site said about themselves', async () => {
    const said = await found(sql`
      select q.key || ':' || o.option as id
      from profile_answer_options o join profile_questions q on q.site_id = o.site_id and q.id = o.question_id
      where not q.sensitive and q.type <> 'year-of-birth' group by 1 order by count(*) desc limit 1`)()
    expect(said).toContain(':')
    const within = 'survey' in shape.filters ? `&filter[survey]=${examples.get('surveys')}` : ''
    const answer = await stranger.get(`/${type}?filter[profile]=${said}${within}`)
    expect(answer.status).toBeLessThan(500)
    expect(documents(answer)).toEqual([])
  })

  test.runIf(shape.operations.includes('create'))('cannot be linked to things of another site', async () => {
    const ties = Object.entries(shape.relationships).filter(([, { target }]) => examples.has(target))
    for (const [name, { target }] of ties) {
      const tied = (id: string) => stranger.post(`/${type}`, buildResourceDocument(type, {}, { to: { [name]: { type: target, id } } }))
      const answer = await tied(examples.get(target) ?? '')
      expect([name, answer.status >= 400]).toEqual([name, true])
      expect(learnt(answer)).toEqual(learnt(await tied(createId())))
    }
  })
})

test('ids of another site never enter the audit trail, whoever tries them', async () => {
  const foreign = [...examples.values()].filter(isId)
  for (const [type, id] of examples) {
    if (!isId(id)) continue
    await participant.patch(`/${type}/${id}`, buildResourceDocument(type, {}, { id, lockVersion: 1 }))
    await participant.delete(`/${type}/${id.toUpperCase()}`)
    await participant.get(`/${type}/${id}`)
  }
  const { rows } = await runtime.database
    .site(harbour.id)
    .tx((tx) => tx.execute<{ text: string }>(sql`select a::text as text from audit_events a where site_id = ${harbour.id}`))
  const trail = rows.map(({ text }) => text.toLowerCase()).join('\n')
  expect(trail).toContain('refusals.create')
  expect(foreign.filter((id) => trail.includes(id.toLowerCase()))).toEqual([])
})
