import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { referencePopulations } from '#app/server/db/schema/reference-populations.ts'
import { inAllLanguages } from './surveys.ts'

/** A question about people with one answer, and how many who would give each live here. */
export async function addCensus(ctx: Ctx, key: string, lives: Record<string, number>): Promise<string> {
  const id = createId()
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    await tx.insert(profileQuestions).values({
      siteId,
      id,
      key,
      type: 'one-choice',
      label: inAllLanguages(`Their ${key}`),
      purpose: inAllLanguages('To see whom we hear.'),
      options: [...Object.keys(lives), 'no-answer'].map((option) => ({ id: option, label: inAllLanguages(option) })),
      askedAt: 'sign-up',
      retentionMonths: 24,
      status: 'live',
    })
    await tx.insert(referencePopulations).values({
      siteId,
      questionId: id,
      source: 'Census table 7',
      year: 2021,
      licence: 'Open Government Licence',
      cells: Object.entries(lives).map(([option, people]) => ({ category: option, option, area: null, people })),
    })
  })
  return id
}

/** What a person said to such a question. */
export async function sayAboutPerson(ctx: Ctx, questionId: string, userId: string, option: string): Promise<void> {
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    await tx.insert(profileAnswers).values({ siteId, id: createId(), userId, questionId, answer: { choice: option }, source: 'person' })
    await tx.insert(profileAnswerOptions).values({ siteId, questionId, option, userId })
  })
}
