import { type ReactNode, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { Condition } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import type { Question } from '../../../surveys.schema.ts'
import { joinConditions, splitCondition, createTest } from './condition-edits.ts'
import { ConditionTestRow } from './ConditionTestRow.tsx'

interface ConditionFieldProps {
  /** Start of the sentence: "Show this question when". */
  lead: ReactNode
  /** Path of the condition, which faults refer to. */
  at: string
  condition: Condition
  /** Questions it may refer to. */
  sources: readonly Question[]
  /** Called with undefined once nothing is left. @param key the field, so that continuous typing is one undo step */
  onChange: (condition: Condition | undefined, key?: string) => void
  messageOf: (field: string) => string | undefined
}

const DEEPEST_GROUP = 3

/** A condition as an editable sentence; nested groups are separate sentences. */
export function ConditionField(props: ConditionFieldProps) {
  return <GroupField {...props} depth={1} />
}

function GroupField({ lead, at, condition, sources, onChange, messageOf, depth }: ConditionFieldProps & { depth: number }) {
  const { t } = useTranslation('survey-admin')
  const id = useId()
  const box = useRef<HTMLFieldSetElement>(null)
  const { join: how, parts, at: atPart } = splitCondition(condition, at)
  const fault = messageOf(at)
  const setPart = (index: number, next: Condition | undefined, key?: string) => {
    if (next === undefined) {
      onChange(joinConditions(how, parts.toSpliced(index, 1)))
      // The focused element is gone: focus the button that adds another.
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(':scope > .condition-add > button')?.focus())
    } else
      onChange(
        parts.length === 1 && !('all' in condition) && !('any' in condition) ? next : joinConditions(how, parts.with(index, next)),
        key,
      )
  }
  const last = sources.at(-1)
  const addPart = (part: Condition) => {
    onChange(joinConditions(how, [...parts, part]))
    requestAnimationFrame(() => {
      const items = box.current?.querySelectorAll<HTMLElement>(':scope > ol > li')
      items?.[items.length - 1]?.querySelector<HTMLElement>('select')?.focus()
    })
  }
  return (
    <fieldset
      className="condition"
      id={at}
      tabIndex={-1}
      ref={box}
      data-invalid={fault ? true : undefined}
      aria-describedby={fault ? `${id}-fault` : undefined}
    >
      <legend>{lead}</legend>
      {fault && (
        <p className="field-error" id={`${id}-fault`}>
          <Icon name="error" />
          {fault}
        </p>
      )}
      {parts.length > 1 && (
        <SelectInput
          name={`${at}.join`}
          label={<span className="visually-hidden">{t('logic.join')}</span>}
          value={how}
          onChange={(next) => onChange(joinConditions(next, parts))}
          options={[
            { value: 'all', label: t('logic.all') },
            { value: 'any', label: t('logic.any') },
          ]}
        />
      )}
      <ol>
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts have no ids; each shows only what it is handed
          <li key={index}>
            {'all' in part || 'any' in part ? (
              <GroupField
                lead={t('logic.group')}
                at={atPart(index)}
                condition={part}
                sources={sources}
                onChange={(next, key) => setPart(index, next, key)}
                messageOf={messageOf}
                depth={depth + 1}
              />
            ) : (
              <ConditionTestRow
                at={atPart(index)}
                test={part}
                sources={sources}
                onChange={(next, key) => setPart(index, next, key)}
                messageOf={messageOf}
              />
            )}
          </li>
        ))}
      </ol>
      <div className="condition-add">
        {last && (
          <Button type="button" kind="plain" size="small" onClick={() => addPart(createTest(last))}>
            {t('logic.add')}
          </Button>
        )}
        {last && depth < DEEPEST_GROUP && (
          <Button
            type="button"
            kind="plain"
            size="small"
            onClick={() => addPart({ [how === 'all' ? 'any' : 'all']: [createTest(last)] } as Condition)}
          >
            {t('logic.add-group')}
          </Button>
        )}
        {depth > 1 && (
          <button type="button" className="icon-button" aria-label={t('logic.remove-group')} onClick={() => onChange(undefined)}>
            <AdminIcon name="trash" />
          </button>
        )}
      </div>
    </fieldset>
  )
}
