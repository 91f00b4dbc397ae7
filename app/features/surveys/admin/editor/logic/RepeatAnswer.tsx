import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { listPipedQuestions } from '#app/features/surveys/questionnaire/piped-answers.ts'
import { useLogicSources } from './logic-sources.ts'
import { useConditionWords } from './use-condition-words.ts'

interface RepeatAnswerProps {
  /** The field's name; its control's id is `name.language`. */
  name: string
  values: Translated
  language: ContentLanguage
  onChange: (values: Translated, key?: string) => void
}

/** Inserts an earlier answer into a text at the caret, and explains each placeholder in the text. */
export function RepeatAnswer({ name, values, language, onChange }: RepeatAnswerProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const sources = useLogicSources()
  const text = values[language] ?? ''
  const marks = listPipedQuestions(text)
  if (sources.length === 0 && marks.length === 0) return null
  const insert = (id: string) => {
    const control = document.getElementById(`${name}.${language}`)
    const field = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : undefined
    const at = field?.selectionEnd ?? text.length
    onChange({ ...values, [language]: `${text.slice(0, at)}{{${id}}}${text.slice(at)}` })
    requestAnimationFrame(() => field?.focus())
  }
  return (
    <div className="repeat-answer">
      {sources.length > 0 && (
        <Menu
          label={t('repeat.insert')}
          look={{ kind: 'plain', size: 'small' }}
          groups={[sources.map((source) => ({ id: source.id, label: words.nameOf(source), onAction: () => insert(source.id) }))]}
        />
      )}
      {marks.map((id) => (
        <p className="field-hint" key={id}>
          {t('repeat.stands-for', { mark: `{{${id}}}`, question: words.nameOf(sources.find((source) => source.id === id)) })}
        </p>
      ))}
    </div>
  )
}
