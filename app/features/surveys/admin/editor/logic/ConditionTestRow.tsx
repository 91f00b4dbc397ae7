import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { ConditionTest, OtherAnswer, RelativeDay } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import { isOtherAnswer } from '#app/features/surveys/questionnaire/conditions.ts'
import { isRelativeDay } from '#app/features/surveys/questionnaire/relative-days.ts'
import type { Question, Row } from '../../../surveys.schema.ts'
import {
  listChoices,
  listTestableRows,
  isOptionTest,
  isValueTest,
  canMatchCase,
  createTest,
  listTestKinds,
  getValueKind,
  changeTestKind,
  createDay,
  DAY_MEASURES,
  getDayMeasure,
  canAdd,
  createOtherAnswer,
  listComparable,
  MOMENT_TESTS,
} from './condition-edits.ts'
import { useConditionWords } from './use-condition-words.ts'

interface ConditionTestRowProps {
  at: string
  test: ConditionTest
  sources: readonly Question[]
  onChange: (test: ConditionTest | undefined, key?: string) => void
  messageOf: (field: string) => string | undefined
}

/** One test of a condition: a question, an operator, and a value. */
export function ConditionTestRow({ at, test, sources, onChange, messageOf }: ConditionTestRowProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const id = useId()
  const question = sources.find((each) => each.id === test.question)
  const rows = question ? listTestableRows(question) : []
  const isGrid = question !== undefined && 'rows' in question
  const faults = ['question', 'row', 'options', 'value'].flatMap((part) => messageOf(`${at}.${part}`) ?? [])
  const moment = question?.type === 'date' || question?.type === 'time'
  const formatTestKind = (is: ConditionTest['is']) => t(`logic.is.${(moment ? MOMENT_TESTS[is] : undefined) ?? is}`)
  const comparable = question ? listComparable(question, test.is, sources) : []
  const other = isOtherAnswer(test.value) ? test.value : undefined
  const setMeasure = (next: string) => {
    const [first] = comparable.slice(-1)
    const measure = DAY_MEASURES.find((each) => each === next) ?? 'date'
    const count = isRelativeDay(test.value) ? Math.abs(test.value.ago) : 1
    if (next === 'answer' && first) onChange({ ...test, value: createOtherAnswer(first) })
    else onChange({ ...test, value: measure === 'date' ? undefined : createDay(measure, count) })
  }
  return (
    <div className="condition-test" data-invalid={faults.length > 0 ? true : undefined}>
      <InlineSelect
        id={`${at}.question`}
        label={t('logic.question')}
        value={question ? question.id : ''}
        describedBy={faults.length > 0 ? `${id}-fault` : undefined}
        onChange={(next) => {
          const other = sources.find((each) => each.id === next)
          if (other) onChange(createTest(other))
        }}
        options={[
          ...(question ? [] : [{ value: '', label: t('logic.gone') }]),
          ...sources.map((each) => ({ value: each.id, label: words.nameOf(each) })),
        ]}
      />
      <div className="condition-asks">
        {question && rows.length > 0 && (
          <InlineSelect
            id={`${at}.row`}
            label={t('logic.row')}
            value={test.row ?? ''}
            onChange={(next) => onChange(withRow(test, next))}
            options={[
              ...(isGrid ? [{ value: '', label: t('logic.any-row') }] : []),
              ...rows.map((row) => ({ value: row.id, label: words.choiceName(row) })),
            ]}
          />
        )}
        {question && (
          <InlineSelect
            id={`${at}.is`}
            label={t('logic.asks')}
            value={test.is}
            onChange={(next) => onChange(changeTestKind(test, listTestKinds(question).find((is) => is === next) ?? 'answered'))}
            options={listTestKinds(question).map((is) => ({ value: is, label: formatTestKind(is) }))}
          />
        )}
        {/* Before its measure, as it is read: 18, years ago. */}
        {question && isValueTest(test.is) && isRelativeDay(test.value) && (
          <DayCount
            id={`${at}.value`}
            label={t('logic.value')}
            value={test.value}
            onChange={(value) => onChange({ ...test, value }, `${at}.value`)}
          />
        )}
        {question && isValueTest(test.is) && getValueKind(question, test.is) === 'date' ? (
          <InlineSelect
            id={`${at}.measure`}
            label={t('logic.day')}
            value={other ? 'answer' : getDayMeasure(test.value)}
            onChange={setMeasure}
            options={[...DAY_MEASURES, ...(comparable.length > 0 || other ? (['answer'] as const) : [])].map((value) => ({
              value,
              label: t(`logic.days.${value}`),
            }))}
          />
        ) : (
          (comparable.length > 0 || other) && (
            <InlineSelect
              id={`${at}.measure`}
              label={t('logic.with')}
              value={other ? 'answer' : 'value'}
              onChange={setMeasure}
              options={(['value', 'answer'] as const).map((value) => ({ value, label: t(`logic.compared-with.${value}`) }))}
            />
          )
        )}
        {question && other && (
          <OtherAnswerFields at={at} value={other} sources={comparable} onChange={(value, key) => onChange({ ...test, value }, key)} />
        )}
        {question && isValueTest(test.is) && !isRelativeDay(test.value) && !isOtherAnswer(test.value) && (
          <ValueInput
            id={`${at}.value`}
            label={t('logic.value')}
            kind={getValueKind(question, test.is)}
            value={test.value}
            onChange={(value) => onChange({ ...test, value }, `${at}.value`)}
          />
        )}
        {question && canMatchCase(question, test.is) && (
          <label className="condition-option">
            <input
              type="checkbox"
              checked={test.caseSensitive ?? false}
              onChange={({ currentTarget }) => onChange(withCase(test, currentTarget.checked))}
            />
            {t('logic.match-case')}
          </label>
        )}
      </div>
      <button type="button" className="icon-button condition-remove" aria-label={t('logic.remove')} onClick={() => onChange(undefined)}>
        <AdminIcon name="trash" />
      </button>
      {question && isOptionTest(test.is) && <OptionChecks at={at} test={test} question={question} onChange={onChange} />}
      {faults.map((fault) => (
        <p className="field-error" id={`${id}-fault`} key={fault}>
          <Icon name="error" />
          {fault}
        </p>
      ))}
    </div>
  )
}

function withRow({ row: _row, ...test }: ConditionTest, row: string): ConditionTest {
  return row ? { ...test, row } : test
}

function withCase({ caseSensitive: _before, ...test }: ConditionTest, matters: boolean): ConditionTest {
  return matters ? { ...test, caseSensitive: true } : test
}

/** More options than this are found by typing. */
const MOST_CHECKS = 50

/** Checkboxes for the options that match. An option that no longer exists can only be removed. */
function OptionChecks({ at, test, question, onChange }: Pick<ConditionTestRowProps, 'at' | 'test' | 'onChange'> & { question: Question }) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const chosen = test.options ?? []
  const offered = listChoices(question).filter((choice) => !choice.removed || chosen.includes(choice.id))
  const known = new Set(offered.map((choice) => choice.id))
  const gone = chosen.filter((id) => !known.has(id)).map((id) => ({ id, label: {} }))
  const isLong = offered.length > MOST_CHECKS
  const [typed, setTyped] = useState('')
  const wanted = normaliseText(typed)
  const isFound = (choice: Row) => wanted !== '' && normaliseText(words.choiceName(choice)).includes(wanted)
  const ticked = isLong ? offered.filter((choice) => chosen.includes(choice.id)) : offered
  const found = isLong ? offered.filter((choice) => !chosen.includes(choice.id) && isFound(choice)).slice(0, MOST_CHECKS) : []
  return (
    <fieldset className="condition-options" id={`${at}.options`} tabIndex={-1}>
      <legend className="visually-hidden">{t('logic.options')}</legend>
      {isLong && (
        <input
          type="search"
          className="input"
          aria-label={t('logic.find-option')}
          placeholder={t('logic.find-option')}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {[...ticked, ...found, ...gone].map((choice) => (
        <label key={choice.id} className="condition-option">
          <input
            type="checkbox"
            checked={chosen.includes(choice.id)}
            onChange={({ currentTarget }) =>
              onChange({
                ...test,
                options: currentTarget.checked ? [...chosen, choice.id] : chosen.filter((id) => id !== choice.id),
              })
            }
          />
          {gone.includes(choice) ? t('logic.gone-option') : words.choiceName(choice)}
        </label>
      ))}
    </fieldset>
  )
}

interface ValueInputProps {
  id: string
  label: string
  kind: ReturnType<typeof getValueKind>
  value: string | number | undefined
  onChange: (value: string | number | undefined) => void
}

function ValueInput({ id, label, kind, value, onChange }: ValueInputProps) {
  return (
    <input
      id={id}
      aria-label={label}
      className={kind === 'number' ? 'input input-width-4' : 'input'}
      type={kind}
      step={kind === 'number' ? 'any' : undefined}
      autoComplete="off"
      maxLength={500}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        const number = currentTarget.valueAsNumber
        onChange(kind === 'number' ? (Number.isFinite(number) ? number : undefined) : currentTarget.value || undefined)
      }}
    />
  )
}

interface DayCountProps {
  id: string
  label: string
  value: RelativeDay
  onChange: (value: RelativeDay) => void
}

function DayCount({ id, label, value, onChange }: DayCountProps) {
  const measure = getDayMeasure(value)
  return (
    <input
      id={id}
      aria-label={label}
      className="input input-width-4"
      type="number"
      min={value.ago < 0 ? 1 : 0}
      step={1}
      autoComplete="off"
      value={Math.abs(value.ago)}
      onChange={({ currentTarget }) => {
        if (measure !== 'date') onChange(createDay(measure, currentTarget.valueAsNumber || 0))
      }}
    />
  )
}

interface OtherAnswerFieldsProps {
  at: string
  value: OtherAnswer
  /** Questions to compare with. */
  sources: readonly Question[]
  onChange: (value: OtherAnswer, key?: string) => void
}

/** The other question, its item if it has some, and what is added to its answer. */
function OtherAnswerFields({ at, value, sources, onChange }: OtherAnswerFieldsProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const question = sources.find((each) => each.id === value.question)
  const rows = question && value.row !== undefined ? listTestableRows(question) : []
  return (
    <>
      <InlineSelect
        id={`${at}.value`}
        label={t('logic.other')}
        value={question?.id ?? ''}
        onChange={(next) => {
          const other = sources.find((each) => each.id === next)
          if (other) onChange(createOtherAnswer(other, value.plus))
        }}
        options={[
          ...(question ? [] : [{ value: '', label: t('logic.gone') }]),
          ...sources.map((each) => ({ value: each.id, label: words.nameOf(each) })),
        ]}
      />
      {rows.length > 0 && (
        <InlineSelect
          id={`${at}.other-item`}
          label={t('logic.other-item')}
          value={value.row ?? ''}
          onChange={(row) => onChange({ ...value, row })}
          options={rows.map((row) => ({ value: row.id, label: words.choiceName(row) }))}
        />
      )}
      {question && canAdd(question) && (
        <label className="condition-plus">
          {t(question.type === 'date' ? 'logic.plus-days' : 'logic.plus')}
          <input
            className="input input-width-4"
            type="number"
            step={question.type === 'date' ? 1 : 'any'}
            autoComplete="off"
            value={value.plus ?? ''}
            onChange={({ currentTarget }) => {
              const { plus: _plus, ...plain } = value
              onChange(currentTarget.valueAsNumber ? { ...plain, plus: currentTarget.valueAsNumber } : plain, `${at}.plus`)
            }}
          />
        </label>
      )}
    </>
  )
}

interface InlineSelectProps {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
  describedBy?: string | undefined
}

/** A select inside the sentence: its label is only for screen readers. */
function InlineSelect({ id, label, value, onChange, options, describedBy }: InlineSelectProps): ReactNode {
  return (
    <span className="select">
      <select
        id={id}
        className="input"
        aria-label={label}
        aria-describedby={describedBy}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}
