import { useTranslation } from 'react-i18next'
import { CheckInput, NumberInput } from '#app/ui/admin/inputs.tsx'
import { FieldGroup } from '#app/ui/field.tsx'
import { FILE_KINDS, MAX_FILES, MAX_MEGABYTES } from '../../questionnaire/question-types/files/file-kinds.ts'
import type { QuestionEditor } from './question-editor.ts'

export const file: QuestionEditor<'file'> = {
  blank: () => ({ kinds: ['picture', 'pdf'], maxFiles: 3, maxMegabytes: 10 }),
  Form: function FileForm({ question, change, messageOf }) {
    const { t } = useTranslation('survey-admin')
    const { kinds } = question
    return (
      <>
        <FieldGroup field={{ name: 'kinds', label: t('question.file-kinds'), error: messageOf('kinds') }}>
          {FILE_KINDS.map((kind) => (
            <CheckInput
              key={kind}
              name={`kinds-${kind}`}
              label={t(`file-kinds.${kind}`)}
              value={kinds.includes(kind)}
              onChange={(on) => change({ kinds: FILE_KINDS.filter((each) => (each === kind ? on : kinds.includes(each))) })}
            />
          ))}
        </FieldGroup>
        <div className="field-row">
          <NumberInput
            name="maxFiles"
            label={t('question.most-files')}
            value={question.maxFiles}
            onChange={(most) => change({ maxFiles: clampCount(most, MAX_FILES) }, 'maxFiles')}
            min={1}
            max={MAX_FILES}
            error={messageOf('maxFiles')}
          />
          <NumberInput
            name="maxMegabytes"
            label={t('question.file-size')}
            value={question.maxMegabytes}
            onChange={(most) => change({ maxMegabytes: clampCount(most, MAX_MEGABYTES) }, 'maxMegabytes')}
            min={1}
            max={MAX_MEGABYTES}
            unit={t('question.megabytes')}
            error={messageOf('maxMegabytes')}
          />
        </div>
      </>
    )
  },
}

const clampCount = (value: number | undefined, most: number): number => Math.min(most, Math.max(1, Math.round(value ?? 1)))
