import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { readAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import type { FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { ProfileField } from '../ProfileField.tsx'
import { toQuestion } from '../profile-questions.ts'
import type { ProfileAnswer } from '../profile.schema.ts'
import { forgetProfile } from '../profile.queries.ts'
import type { QuestionDocument } from './QuestionsPage.tsx'

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

interface EnterAnswerProps {
  person: string
  /** What can be entered; at least one. */
  questions: readonly QuestionDocument[]
  onClose: () => void
}

/** An answer that a person gave to the team, with the field that the person would have. */
export function EnterAnswer({ person, questions, onClose }: EnterAnswerProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const language = useLanguage()
  const format = useFormat()
  const queryClient = useQueryClient()
  const choices = useQuery(profileChoicesQuery).data
  const fields = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(questions[0]?.key)
  const question = questions.find(({ key }) => key === chosen)
  const areas =
    question?.kind === 'area'
      ? (choices?.find(({ key }) => key === question.key)?.options ?? []).map(({ value, label }) => ({
          slug: value,
          name: getTranslation(label, language, site.locale),
        }))
      : []
  const asked =
    question &&
    toQuestion({ ...question, type: question.kind, label: { [language]: question.label }, required: false }, areas, {
      [language]: `${t('questions.purpose')}${format.colon}${question.purpose}`,
    })
  const save = useMutation({
    mutationFn: async () => {
      const answer = asked && readAnswers([asked], readFields(fields.current))[asked.id]
      if (!asked || answer === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/answer' }] })
      await api.create('profile-answers', {
        attributes: { question: asked.id, answer: answer as ProfileAnswer },
        relationships: { user: { type: 'users', id: person } },
      })
    },
    onSuccess: async () => {
      onClose()
      await forgetProfile(queryClient)
    },
  })
  const { faults } = useEditorTexts(save.error)
  return (
    <EditDialog title={t('questions.enter')} saveLabel={admin('save.save')} save={save} faults={faults} onClose={onClose} size="medium">
      <p>{t('questions.enter-text')}</p>
      <SelectInput<string>
        name="question"
        label={t('questions.label')}
        value={chosen ?? ''}
        onChange={setChosen}
        options={questions.map(({ key, label }) => ({ value: key, label }))}
      />
      {asked && question && (
        <div ref={fields} key={asked.id}>
          <Suspense>
            <ProfileField
              asked={{ id: question.id, key: asked.id, type: question.kind, question: asked, field: '', label: { text: '' } }}
              values={{}}
              errors={NO_ERRORS}
            />
          </Suspense>
        </div>
      )}
    </EditDialog>
  )
}

/** What is filled in, as a form would send it. */
function readFields(fields: HTMLElement | null): FormValues {
  const form = fields?.closest('form')
  if (!form) return {}
  const sent = [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []))
  return Object.fromEntries(
    [...Map.groupBy(sent, ({ name }) => name)].map(([name, entries]) => [
      name,
      entries.length === 1 ? entries[0]?.value : entries.map(({ value }) => value),
    ]),
  )
}
