import { createHash } from 'node:crypto'
import { loadSiteRules, type RuleRow, storeDefaultRules } from '#app/features/contributions/moderation/rules.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { contributions } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals, moderationCases, moderationDecisions, moderationReports } from '#app/server/db/schema/moderation.ts'
import type { DemoIdeas } from './content/types.ts'
import { insertAll } from './insert-rows.ts'
import type { People, SeedContext } from './seed-context.ts'

type Seeding = Pick<SeedContext, 'tx' | 'siteId' | 'calendar'>
type SeededContribution = typeof contributions.$inferInsert & { submittedAt: Date }

const DECIDED_AFTER_MS = 5 * 3_600_000
const DAY_MS = 86_400_000

/**
 * The case of each idea: the published ones were read and published, those that wait are open. Then what readers reported, and an appeal
 * against what was declined.
 */
export async function seedModeration(
  seeding: Seeding,
  people: People,
  given: DemoIdeas,
  rows: readonly SeededContribution[],
): Promise<void> {
  await seedDecisions(seeding, people, rows, given.appeal)
  await seedReports(seeding, people, given, rows, await loadSiteRules(seeding.siteId, seeding.tx))
}

/** What was declined names a person. */
export async function seedDecisions(
  { tx, siteId, calendar }: Seeding,
  people: People,
  rows: readonly SeededContribution[],
  appeal?: DemoIdeas['appeal'],
): Promise<void> {
  await storeDefaultRules(tx, siteId, calendar.at(-30, 9))
  const personalData = (await loadSiteRules(siteId, tx)).find(({ code }) => code === 'personal-data')
  const decided = rows.map((row) => {
    const { state, submittedAt } = row
    const isAppealed = state === 'declined' && appeal !== undefined
    const decidedAt = state === 'held' ? null : new Date(submittedAt.getTime() + DECIDED_AFTER_MS)
    return {
      row,
      decidedAt,
      decisionId: createId(),
      case: {
        siteId,
        id: createId(),
        contributionId: row.id,
        openedBy: 'before' as const,
        openedAt: submittedAt,
        dueAt: new Date(submittedAt.getTime() + 3 * DAY_MS),
        state: state === 'held' ? ('open' as const) : isAppealed ? ('appealed' as const) : ('decided' as const),
        decidedAt,
      },
    }
  })
  await insertAll(
    tx,
    moderationCases,
    decided.map((each) => each.case),
  )
  await insertAll(
    tx,
    moderationDecisions,
    decided.flatMap(({ row, decisionId, decidedAt, case: { id: caseId } }) => {
      const isDeclined = row.state === 'declined'
      const rule = isDeclined ? personalData : undefined
      const named = { ruleId: rule?.id ?? null, ruleVersion: rule?.version ?? null }
      const decision = isDeclined ? ('decline' as const) : ('publish' as const)
      const words = row.reason ?? ''
      const decidedBy = people.accounts.hubAdmin.id
      return decidedAt ? [{ siteId, id: decisionId, caseId, decision, words, decidedAt, decidedBy, ...named }] : []
    }),
  )
  await insertAll(
    tx,
    moderationAppeals,
    decided.flatMap(({ row: { authorId }, decisionId, case: { id: caseId, state } }) => {
      const { words = '', day = 0 } = appeal ?? {}
      const appellant = 'author' as const
      const createdAt = calendar.at(day, 16)
      return state === 'appealed'
        ? [{ siteId, id: createId(), caseId, decisionId, appellant, appellantId: authorId, words, createdAt }]
        : []
    }),
  )
}

async function seedReports(
  { tx, siteId, calendar }: Seeding,
  people: People,
  { reports = [] }: DemoIdeas,
  rows: readonly SeededContribution[],
  rules: readonly RuleRow[],
): Promise<void> {
  const cases = [...new Set(reports.map(({ of }) => of))].map((title) => {
    const contributionId = rows.find((row) => row.title === title)?.id
    if (!contributionId) throw new Error(`The demo has no idea ${title}`)
    const openedAt = calendar.at(Math.min(...reports.filter(({ of }) => of === title).map(({ day }) => day)), 13)
    return { title, row: { siteId, id: createId(), contributionId, openedBy: 'report' as const, openedAt } }
  })
  await insertAll(
    tx,
    moderationCases,
    cases.map(({ row }) => ({ ...row, dueAt: new Date(row.openedAt.getTime() + 3 * DAY_MS) })),
  )
  await insertAll(
    tx,
    moderationReports,
    reports.flatMap(({ of, rule: code, words, day, hasAccount = false }, index) => {
      const opened = cases.find(({ title }) => title === of)?.row
      const rule = rules.find((one) => one.code === code)
      if (!opened || !rule) return []
      return {
        siteId,
        id: createId(),
        caseId: opened.id,
        contributionId: opened.contributionId,
        version: 1,
        personHash: createHash('sha256').update(`reporter ${index}`).digest(),
        byAccount: hasAccount,
        reporterId: hasAccount ? (people.participants[index + 1]?.id ?? null) : null,
        ruleId: rule.id,
        ruleVersion: rule.version,
        words,
        createdAt: calendar.at(day, 13, index),
      }
    }),
  )
}
