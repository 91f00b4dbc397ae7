import { useTranslation } from 'react-i18next'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { ReorderableList } from '#app/ui/admin/reorderable-list.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Definition, QuestionType } from '../../surveys.schema.ts'
import { OFFERED_TYPES } from '../question-types/registry.ts'
import { useReorderWords } from '../use-reorder-words.ts'
import { reorderOutline } from './definition-edits.ts'
import type { PlacedFault } from './draft-faults.ts'

interface OutlineProps {
  definition: Definition
  faults: readonly PlacedFault[]
  selected: string | undefined
  onSelect: (id: string) => void
  onReorder: (edit: (definition: Definition) => Definition) => void
  onAdd: (type: QuestionType) => void
  onAddPage: () => void
  onBank: () => void
  onDuplicate: (id: string) => void
  onRemove: (id: string) => void
}

/** Pages and questions as one list, reordered by dragging, keyboard or menu. */
export function Outline({
  definition,
  faults,
  selected,
  onSelect,
  onReorder,
  onAdd,
  onAddPage,
  onBank,
  onDuplicate,
  onRemove,
}: OutlineProps) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const words = useReorderWords()
  const faulty = new Set(faults.map((fault) => fault.id))
  const items = definition.pages.flatMap((page, p) => [
    {
      id: page.id,
      name: getTranslation(page.title, language, locale) || t('outline.page', { number: p + 1 }),
      note: t('outline.page-of', { number: p + 1, total: definition.pages.length }),
      page: true,
      required: false,
      ruled: page.showIf !== undefined,
    },
    ...page.questions
      .filter((question) => !question.removed)
      .map((question) => ({
        id: question.id,
        name: getTranslation(question.title, language, locale) || t('outline.untitled'),
        note: t(`types.${question.type}.name`),
        page: false,
        required: question.required === true,
        ruled: question.showIf !== undefined,
      })),
  ])
  return (
    <nav className="survey-outline" aria-label={t('outline.label')}>
      <ReorderableList
        label={t('outline.label')}
        items={items}
        selected={selected}
        onSelect={onSelect}
        onReorder={(ids, moved) => onReorder((now) => reorderOutline(now, ids, moved))}
        words={words}
        actions={(item) => [
          { id: 'duplicate', label: t('outline.duplicate'), icon: 'copy', onAction: () => onDuplicate(item.id) },
          {
            id: 'remove',
            label: item.page ? t('outline.remove-page') : t('outline.remove'),
            icon: 'trash',
            danger: true,
            disabled: item.page && definition.pages.length < 2,
            onAction: () => onRemove(item.id),
          },
        ]}
      >
        {(item) => (
          <div className={item.page ? 'outline-page' : 'outline-question'}>
            {item.name}
            <small>
              {item.note}
              {item.required && ` · ${t('outline.required')}`}
              {item.ruled && ` · ${t('outline.shown-when')}`}
              {faulty.has(item.id) && <span className="outline-fault"> · {t('outline.fault')}</span>}
            </small>
          </div>
        )}
      </ReorderableList>
      <div className="survey-outline-add">
        <Menu
          label={t('outline.add')}
          look={{ kind: 'primary', size: 'small' }}
          groups={OFFERED_TYPES.map((types) =>
            types.map((type) => ({ id: type, label: t(`types.${type}.name`), onAction: () => onAdd(type) })),
          )}
        />
        <Button type="button" kind="secondary" size="small" onClick={onBank}>
          {t('bank.open')}
        </Button>
        <Button type="button" kind="secondary" size="small" onClick={onAddPage}>
          {t('outline.add-page')}
        </Button>
      </div>
    </nav>
  )
}
