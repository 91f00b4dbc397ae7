import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { linkableQuestionsQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { copyBankQuestion } from '../../bank/bank.schema.ts'
import { buildLinkedQuestion } from '../../bank/linked-questions.ts'
import { STANDARD_QUESTIONS } from '../../bank/standard-questions.ts'
import { bankQuery } from '../../surveys.queries.ts'
import type { Question } from '../../surveys.schema.ts'
import { createItemId } from './definition-edits.ts'
import { listChoices } from './logic/condition-edits.ts'

interface QuestionBankProps {
  onClose: () => void
  onInsert: (question: Question) => void
}

/** Reusable questions: standard demographic ones, and those the site has saved. */
export function QuestionBank({ onClose, onInsert }: QuestionBankProps) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const queryClient = useQueryClient()
  const kept = useQuery(bankQuery)
  const asked = useQuery(linkableQuestionsQuery(language))
  const [search, setSearch] = useState('')
  const drop = useMutation({
    mutationFn: (id: string) => api.remove('bank-questions', id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: bankQuery.queryKey }),
  })
  const matches = (question: Question) => normaliseText(getTranslation(question.title, language, locale)).includes(normaliseText(search))
  const linked = (asked.data ?? []).map(buildLinkedQuestion).filter(matches)
  const standard = STANDARD_QUESTIONS.filter(matches)
  const own = (kept.data ?? []).filter((row) => matches(row.question))
  const insert = (question: Question) => onInsert(copyBankQuestion(question, createItemId('q')))
  return (
    <Dialog title={t('bank.title')} isOpen onClose={onClose} closeLabel={t('close')} size="large">
      <div className="question-bank">
        <TextInput name="bank-search" type="search" label={t('bank.search')} value={search} onChange={setSearch} />
        <h3 id="bank-own">{t('bank.own')}</h3>
        {drop.isError && <Notice kind="error" title={t('load-failed')} />}
        {kept.isError ? (
          <p>{t('load-failed')}</p>
        ) : kept.isPending ? (
          <Skeleton label={t('bank.own')} />
        ) : own.length === 0 ? (
          <p className="field-hint">{t(kept.data.length === 0 ? 'bank.none' : 'bank.none-match')}</p>
        ) : (
          <ul aria-labelledby="bank-own">
            {own.map((row) => (
              <BankEntry key={row.id} question={row.question} onInsert={insert}>
                {row.meta.can.remove && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('bank.drop', { name: getTranslation(row.question.title, language, locale) })}
                    onClick={() => drop.mutate(row.id)}
                  >
                    <AdminIcon name="trash" />
                  </button>
                )}
              </BankEntry>
            ))}
          </ul>
        )}
        {linked.length > 0 && (
          <>
            <h3 id="bank-profile">{t('bank.profile')}</h3>
            <p className="field-hint">{t('bank.profile-text')}</p>
            <ul aria-labelledby="bank-profile">
              {linked.map((question) => (
                <BankEntry key={question.id} question={question} onInsert={insert} />
              ))}
            </ul>
          </>
        )}
        <h3 id="bank-standard">{t('bank.standard')}</h3>
        <p className="field-hint">{t('bank.standard-text')}</p>
        {standard.length === 0 && <p className="field-hint">{t('bank.none-match')}</p>}
        <ul aria-labelledby="bank-standard">
          {standard.map((question) => (
            <BankEntry key={question.id} question={question} onInsert={insert} />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

function BankEntry({ question, onInsert, children }: { question: Question; onInsert: (question: Question) => void; children?: ReactNode }) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const language = useLanguage()
  const format = useFormat()
  const name = getTranslation(question.title, language, locale)
  const choices = listChoices(question)
    .map((choice) => getTranslation(choice.label, language, locale))
    .filter(Boolean)
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <small>
          {t(`types.${question.type}.name`)}
          {choices.length > 0 && ` · ${format.list(choices)}`}
        </small>
      </div>
      <Button type="button" kind="secondary" size="small" aria-label={t('bank.insert-named', { name })} onClick={() => onInsert(question)}>
        {t('bank.insert')}
      </Button>
      {children}
    </li>
  )
}
