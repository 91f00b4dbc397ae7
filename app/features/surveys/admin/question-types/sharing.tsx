import { useTranslation } from 'react-i18next'
import { NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { BUDGET_MEASURES } from '../../questionnaire/question-types/budget/budget.schema.ts'
import type { QuestionOf } from '../../surveys.schema.ts'
import { OptionsField, createTwoOptions } from './OptionsField.tsx'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'

export const ranking: QuestionEditor<'ranking'> = { blank: () => ({ options: createTwoOptions() }), Form: RankingForm }
export const budget: QuestionEditor<'budget'> = {
  blank: () => ({ options: createTwoOptions(), measure: 'percent', total: 100 }),
  Form: BudgetForm,
}

function RankingForm({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'ranking'>>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} />
      <NumberInput
        name="maxRanked"
        label={t('question.max-ranked')}
        hint={t('question.max-ranked-hint')}
        value={question.maxRanked}
        onChange={(maxRanked) => change({ maxRanked }, 'maxRanked')}
        min={1}
        max={question.options.length}
        error={messageOf('maxRanked')}
      />
    </>
  )
}

function BudgetForm({ question, change, language, messageOf, published }: QuestionFormProps<QuestionOf<'budget'>>) {
  const { t } = useTranslation('survey-admin')
  const { measure } = question
  return (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} />
      <div className="field-row">
        <SelectInput
          name="measure"
          label={t('question.measure')}
          hint={published ? t('question.scale-fixed') : undefined}
          disabled={published}
          value={measure}
          onChange={(next) =>
            change({
              measure: next,
              total: next === 'money' ? Math.max(1000, question.total) : 100,
              currency: next === 'money' ? question.currency : undefined,
            })
          }
          options={BUDGET_MEASURES.map((value) => ({ value, label: t(`measure.${value}`) }))}
        />
        {measure !== 'percent' && (
          <NumberInput
            name="total"
            label={t('question.total')}
            disabled={published}
            value={question.total}
            onChange={(total) => change({ total: Math.max(1, Math.round(total ?? 1)) }, 'total')}
            min={1}
            error={messageOf('total')}
          />
        )}
        {measure === 'money' && (
          <TextInput
            name="currency"
            label={t('question.currency')}
            hint={t('question.currency-hint')}
            disabled={published}
            value={question.currency ?? ''}
            onChange={(currency) => change({ currency: currency.toUpperCase() || undefined }, 'currency')}
            maxLength={3}
            error={messageOf('currency')}
          />
        )}
      </div>
    </>
  )
}
