import { useTranslation } from 'react-i18next'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { listEveryItem } from '../../questionnaire/item-lists.ts'
import type { Definition, Question } from '../../surveys.schema.ts'
import type { surveyChangesQuery } from '../../surveys.queries.ts'
import { findQuestion } from './definition-edits.ts'
import { useConditionWords } from './logic/use-condition-words.ts'

type Changes = Awaited<ReturnType<NonNullable<ReturnType<typeof surveyChangesQuery>['queryFn']>>>
type Effect = Changes['effects'][number]

/** Limits the list: changing a long list of options can have thousands of effects. */
const MOST_SHOWN = 100

interface ChangeListProps {
  changes: Pick<Changes, 'effects' | 'unfinished'>
  draft: Definition
  published: Definition | undefined
  onSelect: (id: string) => void
}

/** The effects of publishing on existing answers in plain words, each linked to what it affects. */
export function ChangeList({ changes, draft, published, onSelect }: ChangeListProps) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const format = useFormat()
  const words = useConditionWords()
  const more = changes.effects.length - MOST_SHOWN

  const questionOf = (id: string | undefined): Question | undefined =>
    id === undefined ? undefined : (findQuestion(draft, id) ?? (published && findQuestion(published, id)))?.question
  const itemName = ({ question, item }: Effect): string => {
    const known = [draft, published].flatMap((definition) => {
      const found = definition && question ? findQuestion(definition, question)?.question : undefined
      return found ? listEveryItem(found) : []
    })
    return getTranslation(known.find((each) => each.id === item)?.label, language, locale) || t('logic.unnamed')
  }
  const nameOf = (effect: Effect): string => {
    if (effect.of === 'page') return words.pageName(draft, effect.item ?? '')
    if (effect.of === 'ending') return t('ending.list')
    if (effect.of === 'quota') return t('quota.list')
    return words.nameOf(questionOf(effect.question))
  }
  const describeEffect = (effect: Effect): string => {
    const counted = { count: effect.answers, number: format.number(effect.answers) }
    if (effect.of === 'ending') return t('effects.endings')
    if (effect.of === 'quota') return t('effects.quotas')
    if (effect.of === 'page') return t(effect.kind === 'worded' ? 'effects.page-worded' : 'effects.ruled')
    if (effect.kind === 'ruled') return t('effects.ruled')
    if (effect.of === 'option') {
      const item = itemName(effect)
      if (effect.kind === 'added') return t('effects.option-added', { item })
      return effect.kind === 'removed' ? t('effects.option-removed', { item, ...counted }) : t('effects.option-worded', { item })
    }
    return t(`effects.${effect.kind}`, counted)
  }
  const findTarget = (effect: Effect) =>
    effect.of === 'page' ? effect.item : findQuestion(draft, effect.question ?? '') && effect.question
  return (
    <>
      <ul className="fault-list">
        {changes.effects.slice(0, MOST_SHOWN).map((effect) => {
          const to = findTarget(effect)
          const name = nameOf(effect)
          return (
            <li key={`${effect.kind} ${effect.of} ${effect.question} ${effect.item}`}>
              {to ? (
                <button type="button" className="link-button" onClick={() => onSelect(to)}>
                  {name}
                </button>
              ) : (
                <strong>{name}</strong>
              )}
              <span>{describeEffect(effect)}</span>
            </li>
          )
        })}
        {more > 0 && <li>{t('more-entries', { count: more, number: format.number(more) })}</li>}
      </ul>
      {changes.unfinished > 0 && <p>{t('effects.unfinished', { count: changes.unfinished, number: format.number(changes.unfinished) })}</p>}
    </>
  )
}
