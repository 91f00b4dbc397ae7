import { useTranslation } from 'react-i18next'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionEditor } from './question-editor.ts'

export const place: QuestionEditor<'place'> = { blank: () => ({}), Form: null }

export const address: QuestionEditor<'address'> = {
  blank: () => ({ ask: 'postcode' }),
  Form: function AddressForm({ question, change, messageOf }) {
    const { t } = useTranslation('survey-admin')
    return (
      <SelectInput
        name="ask"
        label={t('question.ask')}
        value={question.ask}
        onChange={(ask) => change({ ask })}
        options={(['postcode', 'address'] as const).map((value) => ({ value, label: t(`ask.${value}`) }))}
        error={messageOf('ask')}
      />
    )
  },
}
