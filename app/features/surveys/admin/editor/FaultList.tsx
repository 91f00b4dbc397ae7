import { useTranslation } from 'react-i18next'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import type { Definition } from '../../surveys.schema.ts'
import { findQuestion } from './definition-edits.ts'
import type { PlacedFault } from './draft-faults.ts'

interface FaultListProps {
  faults: readonly PlacedFault[]
  definition: Definition
  onGo: (fault: PlacedFault) => void
}

/** Everything that is wrong, each linked to the field where it can be fixed. */
export function FaultList({ faults, definition, onGo }: FaultListProps) {
  const { t } = useTranslation('survey-admin')
  const { t: errors } = useTranslation('errors')
  const { locale } = useSite()
  const language = useLanguage()
  const format = useFormat()
  const more = faults.length - MOST_SHOWN
  const whereOf = ({ id, pageNumber, field }: PlacedFault): string => {
    const question = id === undefined ? undefined : findQuestion(definition, id)?.question
    if (question) return getTranslation(question.title, language, locale) || t('outline.untitled')
    if (pageNumber !== undefined) return t('outline.page', { number: pageNumber })
    const ending = definition.endings?.find((each) => each.id === id)
    if (ending) return getTranslation(ending.title, language, locale) || t('ending.untitled')
    if (definition.quotas?.some((each) => each.id === id)) return t('quota.one')
    const name = SURVEY_FIELDS.find((each) => field.startsWith(each))
    return name ? t(`fields.${name}`) : t('fields.definition')
  }
  return (
    <ul className="fault-list">
      {faults.slice(0, MOST_SHOWN).map((each, index) => (
        <li key={`${each.id} ${each.field} ${index}`}>
          <button type="button" className="link-button" onClick={() => onGo(each)}>
            {whereOf(each)}
          </button>
          <span>
            {each.language && `${getLanguageName(each.language)}: `}
            {each.field === WHOLE_QUESTIONNAIRE ? t('publish.no-questions') : errors(...toFaultTitle(each.fault))}
          </span>
        </li>
      ))}
      {more > 0 && <li>{t('more-entries', { count: more, number: format.number(more) })}</li>}
    </ul>
  )
}

/** The place of the one fault that no page has: that there are no questions. */
const WHOLE_QUESTIONNAIRE = 'pages'

/** Once these are fixed, the others follow. */
const MOST_SHOWN = 100

const SURVEY_FIELDS = [
  'titleTranslations',
  'introTranslations',
  'thanksTranslations',
  'slug',
  'access',
  'anonymous',
  'variant',
  'resultsPublic',
  'opensAt',
  'closesAt',
  'minutes',
] as const
