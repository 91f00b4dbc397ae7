import { Suspense } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { ProfileField } from '../ProfileField.tsx'
import { toQuestion } from '../profile-questions.ts'
import type { QuestionDraft } from './question-draft.ts'

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

/** A question as people see it in one of the site's languages. */
export function QuestionPreview({ draft, language }: { draft: QuestionDraft; language: ContentLanguage }) {
  const shown = useLanguage()
  // The fields speak the page's language, so its texts are replaced by those of the language looked at.
  const inLanguage = (text: Translated): Translated => ({ [shown]: text[language]?.trim() || '…' })
  const question = toQuestion(
    {
      ...draft,
      // Several questions of the same page need names of their own.
      key: `preview-${language}`,
      type: draft.kind,
      label: inLanguage(draft.labelTranslations),
      options: draft.options.map((option) => ({ ...option, label: inLanguage(option.label) })),
    },
    [],
    { [shown]: [draft.helpTranslations[language], draft.purposeTranslations[language]].filter(Boolean).join(' ') },
  )
  return (
    <div lang={language} dir={getDirection(language)} inert>
      <Suspense>
        <ProfileField
          asked={{ id: question.id, key: question.id, type: draft.kind, question, field: '', label: { text: '' } }}
          values={{}}
          errors={NO_ERRORS}
        />
      </Suspense>
    </div>
  )
}
