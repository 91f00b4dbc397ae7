import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import type { Condition } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import type { Question } from '../../../surveys.schema.ts'
import { createTest } from './condition-edits.ts'
import { ConditionField } from './ConditionField.tsx'

interface ShowWhenProps {
  of: 'question' | 'page' | 'item'
  at: string
  condition: Condition | undefined
  sources: readonly Question[]
  onChange: (condition: Condition | undefined, key?: string) => void
  messageOf: (field: string) => string | undefined
}

/** Whether something is shown always or under a condition. */
export function ShowWhen({ of, at, condition, sources, onChange, messageOf }: ShowWhenProps) {
  const { t } = useTranslation('survey-admin')
  const [last] = sources.slice(-1)
  if (condition)
    return (
      <ConditionField
        lead={t(`logic.show-${of}`)}
        at={at}
        condition={condition}
        sources={sources}
        onChange={onChange}
        messageOf={messageOf}
      />
    )
  return (
    <div className="condition-none">
      <p>{last ? t(`logic.always-${of}`) : t(`logic.first-${of}`)}</p>
      {last && (
        <Button
          type="button"
          kind="secondary"
          size="small"
          onClick={() => {
            onChange(createTest(last))
            requestAnimationFrame(() => document.getElementById(`${at}.question`)?.focus())
          }}
        >
          {t('logic.only-when')}
        </Button>
      )}
    </div>
  )
}
