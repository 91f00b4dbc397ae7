import { useTranslation } from 'react-i18next'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import { isTranslated } from '../../questionnaire/definition-texts.ts'
import type { Definition, QuestionType, Row } from '../../surveys.schema.ts'
import { listDefinitionDifferences, type PartDifference, type ShownField } from './definition-differences.ts'
import { useConditionWords } from './logic/use-condition-words.ts'

/** Limits the list: two versions of a question can differ in thousands of options. */
const MOST_ITEMS = 20

interface DefinitionDifferencesProps {
  before: Definition
  after: Definition
  labels: { before: string; after: string }
}

/** Compares two versions of a survey's questions, part by part and field by field. */
export function DefinitionDifferences({ before, after, labels }: DefinitionDifferencesProps) {
  const { t } = useTranslation('survey-admin')
  const { t: editor } = useTranslation('editor')
  const { locale } = useSite()
  const language = useLanguage()
  const format = useFormat()
  const words = useConditionWords()
  const differences = listDefinitionDifferences(before, after)
  if (differences.length === 0) return <p>{editor('compare.same')}</p>

  const nameOf = ({ kind, id, before: was, after: is }: PartDifference): string => {
    if (kind === 'page') return words.pageName(is ? after : before, id)
    if (kind === 'quota') return t('quota.one')
    const title = getTranslation((is ?? was)?.['title'] as Translated | undefined, language, locale)
    return title || t(kind === 'ending' ? 'ending.untitled' : 'outline.untitled')
  }
  const nameField = (kind: PartDifference['kind'], name: ShownField): string => {
    if (name === 'options') return t('options.title')
    if (name === 'limit' || kind === 'quota') return t('quota.limit')
    if (kind === 'page') return t(name === 'title' ? 'page.title' : 'page.intro')
    if (kind === 'ending') return t(name === 'title' ? 'ending.title' : 'ending.text')
    return name === 'patternHelp' ? t('question.pattern-help') : name === 'intro' ? t('question.text') : t(`question.${name}`)
  }
  const formatItems = (items: readonly Row[], others: readonly Row[]): string => {
    const known = new Map(others.map((item) => [item.id, item]))
    const different = items.filter((item) => !isJsonEqual(item, known.get(item.id)))
    // All of them are the same: only their order differs.
    const shown = different.length > 0 ? different : items.length === others.length ? items : []
    const more = shown.length - MOST_ITEMS
    const names = shown.slice(0, MOST_ITEMS).map((item) => getTranslation(item.label, language, locale) || t('logic.unnamed'))
    return [...names, ...(more > 0 ? [t('more-entries', { count: more, number: format.number(more) })] : [])].join(' · ') || '–'
  }
  const formatField = (name: ShownField, value: unknown, other: unknown): string => {
    if (name === 'options' || name === 'rows' || name === 'columns') return formatItems((value ?? []) as Row[], (other ?? []) as Row[])
    if (name === 'type') return t(`types.${value as QuestionType}.name`)
    if (typeof value === 'boolean') return value ? '✓' : '–'
    if (typeof value === 'number') return format.number(value)
    return isTranslated(value) ? formatText(value, isTranslated(other) ? other : {}, format.colon) : '–'
  }
  return (
    <ul className="differences">
      {differences.map((difference) => {
        const { kind, id, before: was, after: is, isMoved, fields, hasOthers } = difference
        return (
          <li key={`${kind} ${id}`}>
            <strong>{nameOf(difference)}</strong>
            {!was && <p>{editor('compare.added', { side: labels.after })}</p>}
            {!is && <p>{editor('compare.added', { side: labels.before })}</p>}
            {isMoved && <p>{editor('compare.moved')}</p>}
            {hasOthers && <p>{t('differences.ruled')}</p>}
            {was && is && fields.length > 0 && (
              <DifferenceTable
                names={fields}
                labels={{ field: editor('compare.field'), ...labels }}
                nameOf={(name) => nameField(kind, name)}
                renderBefore={(name) => formatField(name, was[name], is[name])}
                renderAfter={(name) => formatField(name, is[name], was[name])}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** A text in each language in which it differs. */
const formatText = (text: Translated, other: Translated, colon: string): string =>
  CONTENT_LANGUAGES.filter((code) => (text[code] ?? '') !== (other[code] ?? ''))
    .map((code) => `${getLanguageName(code)}${colon}${text[code] || '–'}`)
    .join(' · ') || '–'
