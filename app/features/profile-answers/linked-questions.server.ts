import { and, eq, inArray } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import type { Answer } from '#app/features/surveys/surveys.schema.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'

/** A question about people that is asked now, for a survey that is linked to it. */
export interface LinkedQuestion {
  id: string
  key: string
  type: ProfileQuestionType
  sensitive: boolean
  /** Options or areas that can be chosen now; undefined if the answer is written. */
  offered: ReadonlySet<string> | undefined
  /** What the person said; undefined if nothing. */
  answer: Answer | undefined
}

/**
 * Questions about people by key, without drafts and retired ones.
 * @param userId whose answers to read, if any
 */
export async function loadLinkedQuestions(ctx: Ctx, tx: Tx, keys: readonly string[], userId?: string): Promise<LinkedQuestion[]> {
  if (keys.length === 0) return []
  const site = eq(profileQuestions.siteId, ctx.site.id)
  const questions = await tx
    .select()
    .from(profileQuestions)
    .where(and(site, inArray(profileQuestions.key, [...keys]), eq(profileQuestions.status, 'live')))
  const ids = questions.map(({ id }) => id)
  const said =
    userId === undefined || ids.length === 0
      ? []
      : await tx
          .select({ question: profileAnswers.questionId, answer: profileAnswers.answer })
          .from(profileAnswers)
          .where(and(eq(profileAnswers.siteId, ctx.site.id), eq(profileAnswers.userId, userId), inArray(profileAnswers.questionId, ids)))
  const areas = questions.some(({ type }) => type === 'area') ? await listAreas(ctx, tx) : []
  return questions.map(({ id, key, type, sensitive, options }) => ({
    id,
    key,
    type,
    sensitive,
    offered: listOffered(type, options, areas),
    answer: said.find(({ question }) => question === id)?.answer as Answer | undefined,
  }))
}

function listOffered(
  type: ProfileQuestionType,
  options: readonly { id: string; retired?: true | undefined }[],
  areas: readonly { slug: string }[],
): LinkedQuestion['offered'] {
  if (type === 'area') return new Set(areas.map(({ slug }) => slug))
  const isChoice = type === 'one-choice' || type === 'several-choices'
  return isChoice ? new Set(options.filter(({ retired }) => !retired).map(({ id }) => id)) : undefined
}
