import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyColumn } from 'drizzle-orm'
import { AGE_GROUPS, findAgeGroup, isAgeGroup, listBirthYears } from '#app/lib/age-groups.ts'
import { findSuppressedCells, SUPPRESSION_THRESHOLD, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseProfileFilter } from './profile-answers.schema.ts'

export type ProfileQuestionRow = typeof profileQuestions.$inferSelect

interface QueryInput {
  siteId: string
  now: Date
  /** As the parameter `filter[profile]` has it. */
  filter: string
  /** Figures in which small numbers are suppressed may be counted by sensitive questions too; lists of people may not. */
  includesSensitive: boolean
}

interface ConditionInput extends QueryInput {
  /** Holds the id of an account. */
  column: AnyColumn
}

/** Matches people as `buildProfileQuery` finds them. */
export const buildProfileCondition = ({ column, ...query }: ConditionInput): SQL => sql`${column} in (${buildProfileQuery(query)})`

/**
 * Ids of the people who gave one of the options to each of the questions, as `user_id`. A question that the site does not have, or that people may
 * not be listed by, finds no one. It reads no other table first, and looks at no row of `users` until all questions have narrowed the people down:
 * of a million people, the few who said three things are found within some tens of milliseconds.
 * @throws {AppError} `invalid-parameter` if the filter is malformed
 */
export function buildProfileQuery({ siteId, now, filter, includesSensitive }: QueryInput): SQL {
  const matches = parseProfileFilter(filter)
  if (!matches) throw new AppError('invalid-parameter', { parameter: 'filter[profile]' })
  const given = matches.map(({ question, options }) => ({
    question,
    ages: options.every(isAgeGroup),
    options: listStoredOptions(options, now),
  }))
  // Accounts with one option come in the order of the index, so that those of two questions are merged rather than looked up one by one.
  const [first, ...others] = given.toSorted((a, b) => Math.min(a.options.length, 2) - Math.min(b.options.length, 2))
  const isGiven = (table: SQL, { question, ages, options }: (typeof given)[number]) => {
    // A single year is no option: nobody is asked for by their year of birth.
    const asked = sql`${includesSensitive ? sql`` : sql` and not sensitive`}${ages ? sql`` : sql` and type <> 'year-of-birth'`}`
    const id = sql`(select id from ${profileQuestions} where site_id = ${siteId} and key = ${question}${asked})`
    const option = options.length === 1 ? sql`= ${options[0]}` : sql`= any(${sql.param([...options])}::text[])`
    return sql`${table}.site_id = ${siteId} and ${table}.question_id = ${id} and ${table}.option ${option}`
  }
  const isAlsoGiven = (one: (typeof given)[number]) =>
    sql`exists (select from ${profileAnswerOptions} also where ${isGiven(sql`also`, one)} and also.user_id = told.user_id)`
  if (!first) return sql`select null::uuid as user_id where false`
  const [second, ...rest] = others
  const pair = sql`select told.user_id from ${profileAnswerOptions} told where ${isGiven(sql`told`, first)}${second ? sql` and ${isAlsoGiven(second)}` : sql``}`
  // Each offset keeps the planner, which cannot know how few are left, from beginning elsewhere.
  const narrowed = rest.reduce((found, one) => sql`select told.user_id from (${found} offset 0) told where ${isAlsoGiven(one)}`, pair)
  return sql`select user_id from (${narrowed} offset 0) everybody`
}

/** As answers are stored: an age group stands for its years of birth, which no other question has as options. */
const listStoredOptions = (options: readonly string[], now: Date): string[] =>
  options.flatMap((option) => {
    if (!isAgeGroup(option)) return [option]
    const { first, last } = listBirthYears(option, now.getUTCFullYear())
    return [option, ...Array.from({ length: last - first + 1 }, (_, index) => String(first + index))]
  })

/**
 * Whether the people who gave an option are too few to show figures of them, or their number would give away that of another option.
 * @param people SQL for the ids of those who took part, each once
 * @param all how many took part, with those who said nothing about themselves
 */
export async function isOptionSuppressed(
  tx: Tx,
  { siteId, now, filter, people, all }: { siteId: string; now: Date; filter: string; people: SQL; all: number },
): Promise<boolean> {
  const [match] = parseProfileFilter(filter) ?? []
  const [question] = await tx
    .select({ id: profileQuestions.id, type: profileQuestions.type })
    .from(profileQuestions)
    .where(and(eq(profileQuestions.siteId, siteId), eq(profileQuestions.key, match?.question ?? '')))
  if (!match || !question) return true
  const given = await tx
    .select({ option: profileAnswerOptions.option, people: count() })
    .from(profileAnswerOptions)
    .where(
      and(
        eq(profileAnswerOptions.siteId, siteId),
        eq(profileAnswerOptions.questionId, question.id),
        sql`${profileAnswerOptions.userId} in (${people})`,
      ),
    )
    .groupBy(profileAnswerOptions.option)
  const { cells, hidden } = hideSmallCells(question.type, given, all, now)
  const cell = cells.find(({ option }) => option === match.options[0])
  return cell === undefined || hidden.has(cell)
}

/**
 * Matches rows of people who chose the given option when asked about themselves; no sensitive questions. It matches nothing if so few of the
 * people chose the option that they could be identified, or if their number would reveal how many chose another option.
 * @param filter one option of one question, `age:65-74`; any other filter matches nothing
 * @param column holds the id of an account
 * @param people a query with one column, the ids of all people in question: small numbers are judged among them
 */
export async function loadOptionCondition(
  tx: Tx,
  { people, ...given }: { siteId: string; now: Date; filter: string; column: AnyColumn; people: SQL },
): Promise<SQL> {
  const [match, ...others] = parseProfileFilter(given.filter) ?? []
  // `isOptionSuppressed` checks one option at a time.
  if (match?.options.length !== 1 || others.length > 0) return sql`false`
  const counted = await tx.execute<{ all: number }>(sql`select count(distinct id)::int as all from (${people}) counted(id)`)
  if (await isOptionSuppressed(tx, { ...given, people, all: counted.rows[0]?.all ?? 0 })) return sql`false`
  return buildProfileCondition({ ...given, includesSensitive: false })
}

interface CountedOption {
  option: string
  people: number
}

/** Options as they are shown, and which of their numbers could identify a person. The last one, without a name, counts people without an answer. */
function hideSmallCells(type: ProfileQuestionRow['type'], given: readonly CountedOption[], all: number, now: Date) {
  const counted = type === 'year-of-birth' ? countAgeGroups(given, now) : given
  // Somebody may give several options, so their numbers do not add up to everybody.
  const sums = type === 'several-choices' ? [] : ['all']
  const rest = all - counted.reduce((sum, one) => sum + one.people, 0)
  const cells = [...counted, ...(rest > 0 ? [{ option: '', people: rest }] : [])].map((one) => ({ ...one, count: one.people, sums }))
  return { cells, hidden: findSuppressedCells(cells) }
}

/** What some people said to one question about themselves. */
export interface SaidByPeople {
  question: Pick<ProfileQuestionRow, 'key' | 'type' | 'label' | 'options'>
  /** To the nearest five people; null if the number could identify a person. */
  options: { option: string; people: SuppressibleCount }[]
  /** People who said nothing, in the same way. */
  silent: SuppressibleCount
}

/**
 * How many of some people gave each option of each question that is asked now, sensitive ones included, since small numbers are never shown.
 * @param people SQL for their ids, each once
 * @param all how many they are, with those who said nothing about themselves
 */
export async function countPeopleByOption(
  tx: Tx,
  { siteId, now, people, all }: { siteId: string; now: Date; people: SQL; all: number },
): Promise<SaidByPeople[]> {
  const questions = await tx
    .select()
    .from(profileQuestions)
    .where(and(eq(profileQuestions.siteId, siteId), eq(profileQuestions.status, 'live')))
    .orderBy(asc(profileQuestions.position), asc(profileQuestions.id))
  if (questions.length === 0 || all < SUPPRESSION_THRESHOLD) return []
  const given = await tx
    .select({ question: profileAnswerOptions.questionId, option: profileAnswerOptions.option, people: count() })
    .from(profileAnswerOptions)
    .where(and(eq(profileAnswerOptions.siteId, siteId), sql`${profileAnswerOptions.userId} in (${people})`))
    .groupBy(profileAnswerOptions.questionId, profileAnswerOptions.option)
    .orderBy(desc(count()), asc(profileAnswerOptions.option))
  return questions.flatMap((question) => {
    const own = given.filter((one) => one.question === question.id)
    const { cells, hidden } = hideSmallCells(question.type, own, all, now)
    const shown = cells.map((cell) => ({ option: cell.option, people: hidden.has(cell) ? null : Math.round(cell.people / 5) * 5 }))
    const options = shown.filter(({ option }) => option !== '')
    const silent = shown.find(({ option }) => option === '')
    return options.length > 0 ? [{ question, options, silent: silent ? silent.people : 0 }] : []
  })
}

/** Years of birth with how many people gave each, as age groups in their order. */
export function countAgeGroups(years: readonly { option: string; people: number }[], now: Date): { option: string; people: number }[] {
  const groups = Map.groupBy(years, ({ option }) => findAgeGroup(Number(option), now.getUTCFullYear()))
  return AGE_GROUPS.flatMap((option) => {
    const people = groups.get(option)?.reduce((sum, one) => sum + one.people, 0)
    return people ? [{ option, people }] : []
  })
}

/** Deletes answers that are older than their question's retention. */
export async function sweepProfileAnswers(tx: Tx, siteId: string, now: Date): Promise<void> {
  await tx.execute(sql`delete from ${profileAnswers} given using ${profileQuestions} asked
    where given.site_id = ${siteId} and asked.site_id = ${siteId} and asked.id = given.question_id
      and given.answered_at < ${now.toISOString()}::timestamptz - make_interval(months => asked.retention_months)`)
}

/** Moves the answers of an account to another of the same person. Of two answers to one question, the newer one stays. */
export async function moveProfileAnswers(tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  await tx.execute(sql`delete from ${profileAnswers} older using ${profileAnswers} newer
    where older.site_id = ${siteId} and newer.site_id = ${siteId} and older.question_id = newer.question_id
      and ((older.user_id = ${from} and newer.user_id = ${into} and older.answered_at <= newer.answered_at)
        or (older.user_id = ${into} and newer.user_id = ${from} and older.answered_at < newer.answered_at))`)
  await tx
    .update(profileAnswers)
    .set({ userId: into })
    .where(and(eq(profileAnswers.siteId, siteId), eq(profileAnswers.userId, from)))
}

/** What a person said about themselves, with each question and why it is asked, for their download. */
export const readOwnProfileAnswers = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({
      key: profileQuestions.key,
      question: profileQuestions.label,
      purpose: profileQuestions.purpose,
      answer: profileAnswers.answer,
      answeredAt: profileAnswers.answeredAt,
      source: profileAnswers.source,
      retentionMonths: profileQuestions.retentionMonths,
    })
    .from(profileAnswers)
    .innerJoin(profileQuestions, and(eq(profileQuestions.siteId, siteId), eq(profileQuestions.id, profileAnswers.questionId)))
    .where(and(eq(profileAnswers.siteId, siteId), eq(profileAnswers.userId, userId)))
    .orderBy(asc(profileAnswers.answeredAt), asc(profileAnswers.id))
