import { useTranslation } from 'react-i18next'
import type { Translated } from '#app/lib/translated.ts'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionOf, Row } from '../../surveys.schema.ts'
import { createItemId } from '../editor/definition-edits.ts'
import { ItemsField } from './ItemsField.tsx'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'

type GridQuestion = QuestionOf<'likert' | 'matrix_one' | 'matrix_several'>

const createRows = (letter: string, labels: readonly Translated[]): Row[] => labels.map((label) => ({ id: createItemId(letter), label }))

/** The usual agreement scale; each survey can change it. */
const AGREEMENT: readonly Translated[] = [
  { en: 'Strongly disagree', 'fr-CA': 'Tout à fait en désaccord', cy: 'Anghytuno’n gryf' },
  { en: 'Disagree', 'fr-CA': 'En désaccord', cy: 'Anghytuno' },
  { en: 'Neither agree nor disagree', 'fr-CA': 'Ni en accord ni en désaccord', cy: 'Ddim yn cytuno nac yn anghytuno' },
  { en: 'Agree', 'fr-CA': 'En accord', cy: 'Cytuno' },
  { en: 'Strongly agree', 'fr-CA': 'Tout à fait en accord', cy: 'Cytuno’n gryf' },
]

const createGridEditor = <T extends GridQuestion['type']>(columns: readonly Translated[]) =>
  ({
    blank: () => ({ rows: createRows('r', [{}, {}]), columns: createRows('c', columns) }),
    Form: GridForm,
  }) as unknown as QuestionEditor<T>

export const likert = createGridEditor<'likert'>(AGREEMENT)
export const matrixOne = createGridEditor<'matrix_one'>([{}, {}])
export const matrixSeveral = createGridEditor<'matrix_several'>([{}, {}])

function GridForm({ question, change, language, messageOf }: QuestionFormProps<GridQuestion>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <ItemsField
        name="rows"
        items={question.rows}
        onChange={(rows, key) => change({ rows }, key)}
        language={language}
        messageOf={messageOf}
        words={{ title: t('question.rows'), one: (number) => t('question.row', { number }), add: t('question.add-row') }}
      />
      <ItemsField
        name="columns"
        items={question.columns}
        onChange={(columns, key) => change({ columns }, key)}
        language={language}
        messageOf={messageOf}
        words={{ title: t('question.columns'), one: (number) => t('question.column', { number }), add: t('question.add-column') }}
      />
      <CheckInput
        name="shuffle"
        label={t('question.shuffle')}
        value={question.shuffle === true}
        onChange={(shuffle) => change({ shuffle: shuffle || undefined })}
      />
    </>
  )
}
