import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { PROFILE_ASKED_AT, PROFILE_QUESTION_TYPES } from '#app/lib/vocabulary/profile.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import type { StandardQuestion } from '../bank/standard-question.ts'
import { MAX_RETENTION_MONTHS, takesOptions } from '../profile.schema.ts'
import { forgetProfile } from '../profile.queries.ts'
import { OptionList } from './OptionList.tsx'
import { QuestionPreview } from './QuestionPreview.tsx'
import { createBankDraft, createQuestionDraft, type QuestionDraft } from './question-draft.ts'
import type { QuestionDocument } from './QuestionsPage.tsx'

interface EditQuestionProps {
  /** Undefined for a new one. */
  question: QuestionDocument | undefined
  /** Of the bank: what a new question begins with. */
  standard?: StandardQuestion | undefined
  onClose: () => void
}

/** Everything about one question, with what people see of it in each language. */
export function EditQuestion({ question, standard, onClose }: EditQuestionProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => (standard ? createBankDraft(standard) : createQuestionDraft(question)))
  const change = (changes: Partial<QuestionDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: async () => {
      const { key, kind, ...attributes } = draft
      if (question) await api.update('profile-questions', question.id, { attributes }, { lockVersion: question.meta.lockVersion })
      else await api.create('profile-questions', { attributes: { key, kind, ...attributes } })
    },
    onSuccess: async () => {
      onClose()
      await forgetProfile(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={question ? t('questions.edit-named', { name: question.label }) : t('questions.add')}
      saveLabel={admin('save.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      {!question && (
        <>
          <TextInput
            name="key"
            label={t('questions.key')}
            hint={t('questions.key-hint')}
            value={draft.key}
            onChange={(key) => change({ key })}
            error={words.messageOf('key')}
            maxLength={40}
            required
          />
          <SelectInput
            name="kind"
            label={t('questions.kind')}
            value={draft.kind}
            onChange={(kind) =>
              change({ kind, options: takesOptions(kind) ? draft.options : [], ...(!takesOptions(kind) && { sensitive: false }) })
            }
            options={PROFILE_QUESTION_TYPES.map((value) => ({ value, label: t(`questions.kinds.${value}`) }))}
          />
        </>
      )}
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'labelTranslations', label: t('questions.label') },
          { name: 'purposeTranslations', label: t('questions.purpose'), hint: t('questions.purpose-hint') },
          { name: 'helpTranslations', label: t('questions.help'), hint: t('questions.help-hint') },
        ]}
        values={draft}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {takesOptions(draft.kind) && (
        <OptionList
          options={draft.options}
          chosen={question?.counts?.map(({ option }) => option) ?? []}
          onChange={(options) => change({ options })}
          messageOf={words.messageOf}
        />
      )}
      <SelectInput
        name="askedAt"
        label={t('questions.asked-at')}
        value={draft.askedAt}
        onChange={(askedAt) => change({ askedAt })}
        options={PROFILE_ASKED_AT.map((value) => ({ value, label: t(`questions.asked.${value}`) }))}
      />
      <NumberInput
        name="retentionMonths"
        label={t('questions.retention')}
        unit={t('questions.months')}
        value={draft.retentionMonths}
        onChange={(retentionMonths) => change({ retentionMonths: retentionMonths ?? 0 })}
        min={1}
        max={MAX_RETENTION_MONTHS}
        error={words.messageOf('retentionMonths')}
      />
      <CheckInput
        name="required"
        label={t('questions.required')}
        hint={t('questions.required-hint')}
        value={draft.required}
        onChange={(required) => change({ required })}
        disabled={draft.sensitive}
        error={words.messageOf('required')}
      />
      {takesOptions(draft.kind) && (
        <CheckInput
          name="sensitive"
          label={t('questions.sensitive')}
          hint={t('questions.sensitive-hint')}
          value={draft.sensitive}
          onChange={(sensitive) => change({ sensitive, ...(sensitive && { required: false }) })}
          error={words.messageOf('sensitive')}
        />
      )}
      <section aria-label={t('questions.preview')}>
        <h3>{t('questions.preview')}</h3>
        {site.contentLanguages.map((language) => (
          <div key={language} className="admin-panel">
            <p className="meta">{getLanguageName(language)}</p>
            <QuestionPreview draft={draft} language={language} />
          </div>
        ))}
      </section>
    </EditDialog>
  )
}
