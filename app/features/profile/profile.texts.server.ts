import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { selectQuestions } from './asked-questions.server.ts'
import { mayEditQuestions, updateQuestion } from './edit-questions.server.ts'
import type { profileQuestionShape } from './profile.api.schema.ts'
import { listQuestionTexts } from './profile.schema.ts'

/** Questions about people with their purposes and options, for the language desk. Retired questions are left out, because they are no longer asked. */
export const loadQuestionSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  if (!mayEditQuestions(ctx)) return []
  const rows = await selectQuestions(ctx, tx, { drafts: true, ...(id && { ids: [id] }) })
  return rows
    .filter(({ status }) => status !== 'retired')
    .map((row) => ({
      id: row.id,
      title: row.label,
      project: null,
      isPublic: row.status === 'live',
      editor: '/admin/people/questions',
      content: {
        labelTranslations: row.label,
        helpTranslations: row.help,
        purposeTranslations: row.purpose,
        options: row.options,
      },
      texts: listQuestionTexts(row),
      save: (content: unknown) => updateQuestion(ctx, row.id, content as UpdateInput<typeof profileQuestionShape>, row.lockVersion),
    }))
}
