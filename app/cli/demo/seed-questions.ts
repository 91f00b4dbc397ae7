import { and, eq, sql } from 'drizzle-orm'
import { buildStartingStatuses } from '#app/features/contributions/managing/activities.editing.server.ts'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import { addWorkingDays } from '#app/features/contributions/questions/due-date.server.ts'
import { loadSiteRules } from '#app/features/contributions/moderation/rules.server.ts'
import { enterContribution, findActivityLedger } from '#app/features/contributions/record/contribution-ledger.server.ts'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import { appendWaiting } from '#app/features/ledger/ledger.server.ts'
import { chooseHolidays } from '#app/lib/public-holidays.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { activities, contributions, contributionStatuses, officialResponses, reactions } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { insertContributions, makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const WORKING_DAYS = 10
const READ_AFTER_MS = 3 * 3_600_000

type DemoQuestion = NonNullable<SeedContext['content']['questions']>['questions'][number]

function findState({ answer, isDeclined, isHeld }: DemoQuestion) {
  const isPublic = !answer?.isPrivate && !isDeclined && !isHeld
  const state: 'published' | 'declined' | 'held' = isPublic ? 'published' : isDeclined ? 'declined' : 'held'
  return { isPublic, state }
}

/** Questions to a project's team: answered to everybody or to one person, given to somebody, late, declined and waiting. */
export async function seedQuestions({ tx, siteId, content, calendar }: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  const given = content.questions
  const project = placed.projects.find((one) => one.project.slug === given?.project)
  if (!given || !project) return
  const activityId = createId()
  const settings = requireValid(getKind('questions').settings, {
    categories: given.activity.categories,
    answerDays: WORKING_DAYS,
    ledger: true,
  })
  await tx.insert(activities).values({
    siteId,
    id: activityId,
    projectId: project.id,
    kind: 'questions',
    slug: given.activity.slug,
    title: given.activity.title,
    intro: given.activity.intro,
    status: 'published',
    settings,
    position: 1,
    hasOpened: true,
    numbered: given.questions.length,
    ...buildSearchFields(given.activity.title, given.activity.intro),
  })
  const statuses = buildStartingStatuses({ site: { id: siteId } }, activityId, 'questions')
  await tx.insert(contributionStatuses).values(statuses)
  const findStatus = (code: string) => statuses.find((status) => status.code === code)?.id ?? null
  const { hubAdmin, participant, projectAdmin } = people.accounts
  const asked = given.questions.map((question, index) => {
    const { answer, title, body, language } = question
    const { isPublic, state } = findState(question)
    const submittedAt = calendar.at(question.day, 9 + index, (index * 19) % 60)
    const text = { title, body, placeText: '' }
    const isGiven = question.isAssigned || question.isLate || answer !== undefined
    const row = {
      ...text,
      siteId,
      id: createId(),
      activityId,
      number: index + 1,
      authorId: question.isFromDemoParticipant ? participant.id : (people.participants[index + 20]?.id ?? null),
      shownAs: question.name ? ('first_name' as const) : ('anonymous' as const),
      shownName: question.name ?? '',
      language,
      categories: [question.category],
      source: 'web' as const,
      state,
      reason: question.isDeclined ? (given.declinedReason[language] ?? '') : '',
      version: 1,
      statusId: findStatus(answer ? 'answered' : isGiven ? 'under_review' : 'received'),
      supports: question.joined,
      receiptHash: makeUpHash(`question ${index}`),
      assigneeId: isGiven ? (index % 2 === 0 ? hubAdmin.id : projectAdmin.id) : null,
      dueAt: addWorkingDays(submittedAt, WORKING_DAYS, { timeZone: content.timeZone, holidays: chooseHolidays(content.region) }),
      answered: answer ? (answer.isPrivate ? ('private' as const) : ('public' as const)) : null,
      submittedAt,
      publishedAt: isPublic ? new Date(submittedAt.getTime() + READ_AFTER_MS) : null,
      ...(isPublic ? buildContributionSearch(text) : { searchTitle: '', searchText: '' }),
    }
    return { question, row }
  })
  await insertContributions(
    tx,
    asked.map(({ row }) => row),
  )
  const activity = { siteId, id: activityId, kind: 'questions', settings }
  for (const { row } of asked) await enterContribution(tx, activity, row, row.submittedAt)
  const ledger = await findActivityLedger(tx, activity)
  if (ledger) while ((await appendWaiting(tx, ledger)) > 0);
  await insertAll(
    tx,
    officialResponses,
    asked.flatMap(({ question: { answer }, row }) =>
      answer
        ? {
            siteId,
            id: createId(),
            contributionId: row.id,
            statusId: findStatus('answered'),
            text: answer.text,
            team: given.team,
            version: 1,
            visibility: answer.isPrivate ? ('private' as const) : ('public' as const),
            createdBy: row.assigneeId,
            createdAt: calendar.at(answer.day, 14),
          }
        : [],
    ),
  )
  await insertAll(
    tx,
    reactions,
    asked.flatMap(({ question, row }) =>
      Array.from({ length: question.joined }, (_, at) => ({
        siteId,
        id: createId(),
        contributionId: row.id,
        personHash: makeUpHash(`asks the same ${at}`),
        byAccount: at % 3 === 0,
        value: 'support' as const,
        // People who were notified no longer wait.
        tellUserId: at % 3 === 0 && !question.answer ? (people.participants[at + 40]?.id ?? null) : null,
        createdAt: row.submittedAt,
      })),
    ),
  )
  await seedCases(
    { tx, siteId },
    asked.map(({ row }) => row),
  )
  const frequent = asked.flatMap(({ question: { isFrequentlyAsked, answer }, row }) =>
    isFrequentlyAsked && answer ? { question: { [row.language]: row.title }, answer: answer.text } : [],
  )
  await tx
    .update(projects)
    .set({ faqs: sql`${projects.faqs} || ${JSON.stringify(frequent)}::jsonb` })
    .where(and(eq(projects.siteId, siteId), eq(projects.id, project.id)))
}

/** Each question was read by a moderator, unless it waits for one. */
async function seedCases(
  { tx, siteId }: Pick<SeedContext, 'tx' | 'siteId'>,
  rows: readonly (typeof contributions.$inferInsert & { submittedAt: Date })[],
): Promise<void> {
  const personalData = (await loadSiteRules(siteId, tx)).find(({ code }) => code === 'personal-data')
  const cases = rows.map(({ id, state, answered, reason = '', submittedAt }) => {
    const waits = state === 'held' && !answered
    return {
      case: {
        siteId,
        id: createId(),
        contributionId: id,
        openedBy: 'before' as const,
        openedAt: submittedAt,
        dueAt: new Date(submittedAt.getTime() + 3 * 86_400_000),
        state: waits ? ('open' as const) : state === 'held' ? ('closed' as const) : ('decided' as const),
        decidedAt: state === 'held' ? null : new Date(submittedAt.getTime() + READ_AFTER_MS),
      },
      decision: state === 'declined' ? ('decline' as const) : ('publish' as const),
      words: reason,
    }
  })
  await insertAll(
    tx,
    moderationCases,
    cases.map((each) => each.case),
  )
  await insertAll(
    tx,
    moderationDecisions,
    cases.flatMap(({ case: { id, decidedAt }, decision, words }) => {
      const rule = decision === 'decline' ? personalData : undefined
      const named = { ruleId: rule?.id ?? null, ruleVersion: rule?.version ?? null }
      return decidedAt ? [{ siteId, id: createId(), caseId: id, decision, words, decidedAt, ...named }] : []
    }),
  )
}
