import { eq } from 'drizzle-orm'
import { hashPhone } from '#app/features/sms/answering/texter.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import * as people from '#app/server/db/schema/accounts.ts'
import * as administration from '#app/server/db/schema/administration.ts'
import { homeAreas } from '#app/server/db/schema/areas.ts'
import { contributions, officialResponses, reactions } from '#app/server/db/schema/contributions.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import * as identity from '#app/server/db/schema/identity.ts'
import { mailAddresses, outboxMails } from '#app/server/db/schema/mail.ts'
import * as texts from '#app/server/db/schema/messages.ts'
import { maskedOriginals, moderationAppeals, moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'
import { teamComments, teamMails, teamMentions } from '#app/server/db/schema/teamwork.ts'
import * as updates from '#app/server/db/schema/updates.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import type { TestRuntime } from '#tests/support/database.ts'
import { addAreas } from './areas.ts'
import { BUSY } from './busy-person.ts'

interface Places {
  surveyId: string
  projectId: string
  activityId: string
  /** Ids of the person's own contribution, and of one by another person. */
  own: string
  other: string
}

const AT = new Date('2026-05-04T12:00:00Z')
const LATER = new Date('2027-05-04T12:00:00Z')
const bytes = () => Buffer.from(createId())

/** What the product stores about a person besides what they send: one row at least of every table that has an account's id. */
export async function addRowsAbout(runtime: TestRuntime, site: Site, userId: string, places: Places): Promise<void> {
  const areas = await addAreas(runtime, site, [{ name: 'Northside', west: 0, south: 0, side: 1 }])
  await runtime.database.site(site.id).tx(async (tx) => {
    const own = { siteId: site.id, userId }
    await addSignIns(tx, own)
    await addProviders(tx, own)
    await addMessages(runtime, site, tx, userId, places)
    await addModeration(tx, own, places)
    await tx.insert(verifications).values({
      ...own,
      id: createId(),
      subjectHash: bytes(),
      method: 'in_person',
      level: 'resident',
      validUntil: LATER,
      createdAt: AT,
    })
    await tx.insert(homeAreas).values({ ...own, areaId: areas['Northside'] ?? '', consentedAt: AT })
    await addProfileAnswer(tx, own)
    const groupId = createId()
    await tx.insert(people.peopleGroups).values({ siteId: site.id, id: groupId, name: 'Panel' })
    await tx.insert(people.peopleGroupMembers).values({ ...own, groupId })
    await tx.insert(people.personNotes).values({ ...own, id: createId(), body: BUSY.note, readBy: 'site-administrators', createdAt: AT })
    const commentId = createId()
    const about = { targetKind: 'project' as const, targetId: places.projectId, projectId: places.projectId }
    await tx.insert(teamComments).values({ siteId: site.id, id: commentId, ...about, body: 'Ask them.', createdAt: AT })
    await tx.insert(teamMentions).values({ ...own, commentId, mentionedAt: AT })
    await tx.insert(teamMails).values(own)
    await tx.insert(people.memberships).values({ ...own, id: createId(), role: 'project_admin', projectId: places.projectId })
    await addSignUp(tx, own, places.projectId)
    await tx.insert(projectMembers).values({ ...own, projectId: places.projectId })
    await tx.insert(updates.projectFollows).values({ ...own, projectId: places.projectId })
    await tx
      .insert(updates.emailFollows)
      .values({ siteId: site.id, id: createId(), projectId: places.projectId, email: BUSY.email, locale: 'en' })
    const updateId = createId()
    const update = { siteId: site.id, id: updateId, projectId: places.projectId, slug: 'news', title: { en: 'News' }, body: { en: '' } }
    await tx.insert(updates.projectUpdates).values(update)
    await tx.insert(updates.followDigestItems).values({ ...own, updateId, dueAt: LATER })
    await tx.insert(updates.contributionDigestItems).values({ ...own, activityId: places.activityId, since: AT, dueAt: LATER })
    await tx
      .insert(administration.savedViews)
      .values({ ...own, id: createId(), table: 'projects', name: BUSY.view, query: 'q=park', createdAt: AT })
    await tx.insert(reportViews).values({
      ...own,
      id: createId(),
      audience: 'self',
      name: BUSY.view,
      query: 'days=30',
      language: 'en',
      recipients: [BUSY.email],
      createdAt: AT,
    })
    await tx.insert(administration.calendarLinks).values({ ...own, id: createId(), secretHash: Buffer.from(createId()), createdAt: AT })
    await tx.insert(administration.readNotifications).values({ ...own, notificationId: createId(), readAt: AT })
    const presence = { subject: 'project', scopeId: places.projectId, editorId: createId(), seenAt: AT } as const
    await tx.insert(administration.editorPresences).values({ ...own, ...presence })
    await tx.update(people.users).set({ blockedReason: BUSY.blocked }).where(eq(people.users.id, userId))
  })
}

/** What they said about themselves. */
async function addProfileAnswer(tx: Tx, own: { siteId: string; userId: string }): Promise<void> {
  const id = createId()
  await tx.insert(profileQuestions).values({
    siteId: own.siteId,
    id,
    key: 'hobby',
    type: 'short-text',
    label: { en: 'What do you like?' },
    purpose: { en: 'To plan.' },
    askedAt: 'account-only',
    retentionMonths: 12,
    status: 'live',
  })
  await tx.insert(profileAnswers).values({ ...own, id: createId(), questionId: id, answer: BUSY.about, answeredAt: AT, source: 'person' })
  await tx.insert(profileAnswerOptions).values({ ...own, questionId: id, option: BUSY.about })
}

/** A place at an event. */
async function addSignUp(tx: Tx, own: { siteId: string; userId: string }, projectId: string): Promise<void> {
  const eventId = createId()
  const event = { siteId: own.siteId, id: eventId, projectId, slug: 'walk', title: { en: 'Walk' }, status: 'published' as const }
  await tx.insert(events).values({ ...event, startsAt: AT, endsAt: LATER, going: 1 })
  await tx.insert(eventSignUps).values({
    ...own,
    id: createId(),
    eventId,
    name: BUSY.about,
    email: BUSY.email,
    language: 'en',
    answers: { meal: BUSY.about },
    state: 'going',
    receiptHash: bytes(),
    sealedReceipt: 'sealed',
    createdAt: AT,
  })
}

async function addSignIns(tx: Tx, own: { siteId: string; userId: string }): Promise<void> {
  const row = () => ({ ...own, id: createId(), createdAt: AT })
  await tx.update(people.sessions).set({ userAgent: BUSY.device, address: BUSY.address }).where(eq(people.sessions.userId, own.userId))
  await tx.insert(people.authenticatorApps).values({ ...row(), sealedKey: 'sealed', lastUsedStep: 0 })
  const key = { name: BUSY.passkey, host: 'riverbend.localhost', credentialId: createId(), publicKey: bytes(), counter: 0, transports: [] }
  await tx.insert(people.passkeys).values({ ...row(), ...key })
  const asked = { boundTo: createId(), purpose: 'add', challenge: createId(), expiresAt: LATER } as const
  await tx.insert(people.passkeyChallenges).values({ ...own, id: createId(), ...asked })
  await tx.insert(people.recoveryCodes).values({ ...row(), codeHash: bytes() })
  await tx.insert(people.pendingSignIns).values({ ...row(), tokenHash: bytes(), expiresAt: LATER })
  await tx.insert(people.apiTokens).values({ ...row(), name: BUSY.token, scopes: [], tokenHash: bytes(), expiresAt: LATER })
  const link = { purpose: 'change-email', email: BUSY.formerEmail, tokenHash: bytes(), expiresAt: LATER }
  await tx.insert(people.oneTimeLinks).values({ ...row(), ...link })
}

async function addProviders(tx: Tx, own: { siteId: string; userId: string }): Promise<void> {
  const provider = { siteId: own.siteId, id: createId() }
  await tx.insert(identity.identityProviders).values({
    ...provider,
    preset: 'generic',
    name: 'Town hall',
    audience: 'residents',
    issuer: 'https://id.example',
    clientId: 'parley',
    clientAuth: 'client-secret',
    claims: {} as never,
    createdAt: AT,
    updatedAt: AT,
  })
  const at = { siteId: own.siteId, providerId: provider.id }
  await tx
    .insert(identity.identities)
    .values({ ...at, id: createId(), userId: own.userId, subject: BUSY.providerSubject, email: BUSY.email, linkedAt: AT })
  const request = { email: BUSY.email, name: BUSY.name, emailProven: false, language: 'en', askedAt: AT } as const
  await tx.insert(identity.identityRequests).values({ ...at, id: createId(), subject: 'asked-before', ...request })
  await tx
    .insert(identity.identityProviderTests)
    .values({ ...at, id: createId(), userId: own.userId, at: AT, claims: { name: BUSY.name, sub: BUSY.providerSubject } })
  await tx.insert(identity.identityProviderChanges).values({ ...at, id: createId(), askedBy: own.userId, askedAt: AT, settings: {} })
}

async function addMessages(runtime: TestRuntime, site: Site, tx: Tx, userId: string, { surveyId }: Places): Promise<void> {
  const own = { siteId: site.id, userId }
  await tx.insert(texts.userPhones).values({ ...own, phone: BUSY.phone, confirmedAt: AT })
  await tx.insert(texts.phoneCodes).values({ ...own, phone: BUSY.phone, codeHash: bytes(), createdAt: AT, expiresAt: LATER })
  const consent = { phone: BUSY.phone, given: true, words: 'Texts from the town', language: 'en', source: 'account', at: AT } as const
  await tx.insert(texts.smsConsents).values({ ...own, id: createId(), address: BUSY.address, ...consent })
  const text = { direction: 'in', purpose: 'survey', status: 'received', phone: BUSY.phone, language: 'en', createdAt: AT } as const
  await tx.insert(texts.smsMessages).values([
    { ...own, id: createId(), ...text, body: BUSY.text },
    { siteId: site.id, id: createId(), ...text, body: `${BUSY.text} before the number was known` },
  ])
  await tx.insert(texts.textConversations).values({
    siteId: site.id,
    phoneHash: hashPhone(createCtx(runtime, site), BUSY.phone),
    surveyId,
    id: createId(),
    version: 1,
    language: 'en',
    answers: { opinion: BUSY.textAnswer },
    question: 'opinion',
    updatedAt: AT,
    expiresAt: LATER,
  })
  const mail = { siteId: site.id, language: 'en', subject: 'News', bodyHtml: '', createdAt: AT } as const
  await tx.insert(outboxMails).values([
    { ...mail, id: createId(), userId, recipient: BUSY.email, bodyText: `Hello ${BUSY.name}`, recipientName: BUSY.name },
    { ...mail, id: createId(), userId, recipient: BUSY.formerEmail, bodyText: `Hello ${BUSY.name}` },
    { ...mail, id: createId(), recipient: BUSY.email, bodyText: 'Your receipt' },
    { ...mail, id: createId(), recipient: 'team@riverbend.example', bodyText: `Somebody wrote. Answer to ${BUSY.email}.` },
  ])
  await tx.insert(mailAddresses).values({ siteId: site.id, address: BUSY.email, reason: `550 ${BUSY.email} unknown`, updatedAt: AT })
}

async function addModeration(tx: Tx, { siteId, userId }: { siteId: string; userId: string }, { own, other }: Places): Promise<void> {
  const [caseId, decisionId] = [createId(), createId()]
  await tx.insert(moderationCases).values({ siteId, id: caseId, contributionId: own, openedBy: 'before', dueAt: LATER, assigneeId: userId })
  await tx.insert(moderationDecisions).values({ siteId, id: decisionId, caseId, decision: 'remove' })
  await tx
    .insert(moderationAppeals)
    .values({ siteId, id: createId(), caseId, decisionId, appellant: 'author', appellantId: userId, words: BUSY.appeal })
  await tx
    .insert(maskedOriginals)
    .values({ siteId, id: createId(), contributionId: own, texts: { body: BUSY.original }, passages: [BUSY.original] })
  const answer = { text: { en: BUSY.question }, version: 1, visibility: 'private' } as const
  await tx.insert(officialResponses).values({ siteId, id: createId(), contributionId: own, ...answer })
  await tx.update(contributions).set({ assigneeId: userId }).where(eq(contributions.id, other))
  await tx.update(reactions).set({ tellUserId: userId }).where(eq(reactions.contributionId, other))
}
