import { eq } from 'drizzle-orm'
import { listAnswerOptions } from '#app/features/profile-answers/store-answers.server.ts'
import type { ProfileAnswer } from '#app/features/profile/profile.schema.ts'
import { createRandom, type Random } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { peopleGroups } from '#app/server/db/schema/accounts.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import type { DemoProfileQuestion } from './content/types.ts'
import { insertAll } from './insert-rows.ts'
import type { People, SeedContext } from './seed-context.ts'

/** Questions about people, which many have answered, and groups by their answers. */
export async function seedProfile({ tx, siteId, content, calendar }: SeedContext, { participants, residents }: People): Promise<void> {
  const asked = content.aboutPeople ?? []
  if (asked.length === 0) return
  const random = createRandom(`${content.slug} about people`)
  const places = await tx.select({ slug: areas.slug }).from(areas).where(eq(areas.siteId, siteId)).orderBy(areas.slug)
  const slugs = places.map(({ slug }) => slug)
  const people = [...participants.map(({ id }) => id), ...residents]
  const answers: (typeof profileAnswers.$inferInsert)[] = []
  const options: (typeof profileAnswerOptions.$inferInsert)[] = []
  for (const [position, question] of asked.entries()) {
    const questionId = createId()
    const { key, type, label, purpose, retentionMonths, sensitive = false } = question
    await tx.insert(profileQuestions).values({
      siteId,
      id: questionId,
      key,
      type,
      label,
      purpose,
      options: (question.options ?? []).map((option) => ({ id: option.id, label: option.label })),
      position,
      sensitive,
      askedAt: 'sign-up',
      retentionMonths,
      status: 'live',
    })
    for (const userId of people) {
      const answer = random.chance(question.answered)
        ? chooseAnswer(question, { random, year: calendar.at(0, 12).getUTCFullYear(), slugs })
        : undefined
      if (answer === undefined) continue
      const own = { siteId, userId, questionId }
      answers.push({ ...own, id: createId(), answer, answeredAt: calendar.at(-random.int(1, 300), 20), source: 'person' })
      options.push(...listAnswerOptions(type, answer).map((option) => ({ ...own, option })))
    }
  }
  await insertAll(tx, profileAnswers, answers)
  await insertAll(tx, profileAnswerOptions, options)
  await insertAll(
    tx,
    peopleGroups,
    (content.groups ?? []).map(({ name, profile }) => ({ siteId, id: createId(), name, rule: { profile } })),
  )
}

function chooseAnswer(
  { type, years, options = [] }: DemoProfileQuestion,
  { random, year, slugs }: { random: Random; year: number; slugs: readonly string[] },
): ProfileAnswer | undefined {
  if (type === 'year-of-birth') return years && year - random.int(years.youngest, years.oldest)
  if (type === 'area') return slugs.length > 0 ? { choice: random.pick(slugs) } : undefined
  const choice = random.weighted(Object.fromEntries(options.map(({ id, share }) => [id, share])))
  return type === 'several-choices' ? { choices: [choice] } : { choice }
}
