import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import type { Definition } from '../../../surveys.schema.ts'
import type { PlacedFault } from '../draft-faults.ts'
import { useConditionWords } from './use-condition-words.ts'

interface EndingsAndQuotasProps {
  definition: Definition
  faults: readonly PlacedFault[]
  selected: string | undefined
  onSelect: (id: string) => void
  onAddEnding: () => void
  onAddQuota: () => void
}

/** Below the outline: closing pages and quotas, which have no place among the questions. */
export function EndingsAndQuotas({ definition, faults, selected, onSelect, onAddEnding, onAddQuota }: EndingsAndQuotasProps) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const words = useConditionWords()
  const faulty = new Set(faults.map((fault) => fault.id))
  const { endings = [], quotas = [] } = definition
  const renderEntry = (id: string, name: ReactNode, note?: ReactNode) => (
    <li key={id}>
      <button type="button" aria-current={selected === id || undefined} onClick={() => onSelect(id)}>
        {name}
        {(note ?? faulty.has(id)) && (
          <small>
            {note}
            {faulty.has(id) && <span className="outline-fault"> · {t('outline.fault')}</span>}
          </small>
        )}
      </button>
    </li>
  )
  return (
    <details className="outline-more" open={endings.length + quotas.length > 0 || undefined}>
      <summary>{t('outline.more')}</summary>
      <h2>{t('ending.list')}</h2>
      {endings.length > 0 && <ul>{endings.map(({ id }) => renderEntry(id, words.endingName(definition, id)))}</ul>}
      <Button type="button" kind="secondary" size="small" onClick={onAddEnding}>
        {t('ending.add')}
      </Button>
      <h2>{t('quota.list')}</h2>
      {quotas.length > 0 && (
        <ul>
          {quotas.map(({ id, when, limit }) =>
            renderEntry(id, words.sentence(when, definition), t('quota.at-most', { count: limit, number: format.number(limit) })),
          )}
        </ul>
      )}
      <Button type="button" kind="secondary" size="small" onClick={onAddQuota}>
        {t('quota.add')}
      </Button>
    </details>
  )
}
