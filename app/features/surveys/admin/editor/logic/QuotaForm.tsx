import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import type { Definition } from '../../../surveys.schema.ts'
import { surveyCompletionQuery } from '../../../surveys.queries.ts'
import { listEveryQuestion } from './condition-edits.ts'
import { ConditionField } from './ConditionField.tsx'
import { listQuotaCells, type Quota } from './logic-edits.ts'
import { useConditionWords } from './use-condition-words.ts'

interface QuotaFormProps {
  surveyId: string
  quota: Quota
  definition: Definition
  change: (edit: (quota: Quota) => Quota, key?: string) => void
  messageOf: (field: string) => string | undefined
  onSplit: () => void
  onRemove: () => void
}

/** The maximum number of responses of one kind, and what later participants are told. */
export function QuotaForm({ surveyId, quota, definition, change, messageOf, onSplit, onRemove }: QuotaFormProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const at = `quotas.${definition.quotas?.findIndex((each) => each.id === quota.id)}`
  const cells = listQuotaCells(quota).length
  return (
    <div className="admin-form">
      <p>{t('quota.text')}</p>
      <QuotaFill survey={surveyId} quota={quota} />
      <ConditionField
        lead={t('quota.when')}
        at={`${at}.when`}
        condition={quota.when}
        sources={listEveryQuestion(definition)}
        // An empty quota stays, to be filled in: a separate button removes it.
        onChange={(when, key) => change((now) => ({ ...now, when: when ?? { all: [] } }), key)}
        messageOf={messageOf}
      />
      {cells > 1 && (
        <div>
          <Button type="button" kind="secondary" size="small" onClick={onSplit}>
            {t('quota.split', { count: cells })}
          </Button>
        </div>
      )}
      <NumberInput
        name={`${at}.limit`}
        label={t('quota.limit')}
        value={quota.limit}
        onChange={(limit) => change((now) => ({ ...now, limit: Math.max(1, Math.round(limit ?? 1)) }), `${quota.id}.limit`)}
        min={1}
        max={10_000_000}
        unit={t('quota.responses')}
        error={messageOf(`${at}.limit`)}
      />
      <SelectInput
        name={`${at}.end`}
        label={t('quota.full')}
        value={quota.end ?? ''}
        onChange={(end) =>
          change((now) => {
            const { end: _end, ...rest } = now
            return end ? { ...rest, end } : rest
          })
        }
        options={[
          { value: '', label: t('quota.usual') },
          ...(definition.endings ?? []).map(({ id }) => ({ value: id, label: words.endingName(definition, id) })),
        ]}
        error={messageOf(`${at}.end`)}
      />
      <div>
        <Button type="button" kind="secondary" size="small" onClick={onRemove}>
          {t('quota.remove')}
        </Button>
      </div>
    </div>
  )
}

/** How many of its places are taken, for people who may see it. */
function QuotaFill({ survey, quota: { id, limit } }: { survey: string; quota: Quota }) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const { data } = useQuery(surveyCompletionQuery(survey))
  const taken = data?.quotas.find((each) => each.id === id)?.taken
  if (taken === undefined || taken === null) return null
  return (
    <ProgressBar
      label={t('quota.taken', { count: limit, taken: format.number(taken), limit: format.number(limit) })}
      value={Math.min(taken, limit)}
      max={limit}
    />
  )
}
