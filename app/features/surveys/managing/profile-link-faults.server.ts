import { loadLinkedQuestions } from '#app/features/profile-answers/linked-questions.server.ts'
import type { Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { fitsProfileType, listProfileLinks } from '../questionnaire/profile-links.ts'
import type { Definition } from '../surveys.schema.ts'

/**
 * Links to questions about people that the site does not ask, or asks in another way; and links to sensitive ones in a survey that stores who
 * answered. Pointers are like `/definition/pages/0/questions/2/profile`.
 */
export async function listProfileLinkFaults(
  ctx: Ctx,
  tx: Tx,
  { anonymous }: { anonymous: boolean },
  definition: Definition,
): Promise<Fault[]> {
  const keys = listProfileLinks(definition).map(({ profile }) => profile)
  const asked = await loadLinkedQuestions(ctx, tx, keys)
  return definition.pages.flatMap(({ questions }, p) =>
    questions.flatMap((question, q): Fault[] => {
      if (question.removed || question.profile === undefined) return []
      const found = asked.find(({ key }) => key === question.profile)
      const pointer = `/definition/pages/${p}/questions/${q}/profile`
      if (!found || !fitsProfileType(question, found.type)) return [{ code: 'profile-link-broken', pointer }]
      return found.sensitive && !anonymous ? [{ code: 'profile-link-sensitive', pointer }] : []
    }),
  )
}
