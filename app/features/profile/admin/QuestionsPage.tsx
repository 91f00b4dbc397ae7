import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { MoveButtons } from '#app/ui/admin/move-buttons.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetProfile, profileQuestionsQuery } from '../profile.queries.ts'
import { countMissingTexts } from './missing-texts.ts'
import type { StandardQuestion } from '../bank/standard-question.ts'
import { EditQuestion } from './EditQuestion.tsx'
import { QuestionBank } from './QuestionBank.tsx'

export type QuestionDocument = Resource<'profile-questions'>

/** What the site asks people about themselves: only its administrators can change it. */
export function QuestionsPage() {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const questions = useSuspenseQuery(profileQuestionsQuery).data
  const [editing, setEditing] = useState<QuestionDocument | StandardQuestion | 'new' | 'bank'>()
  const [told, setTold] = useState('')
  const change = useMutation({
    mutationFn: async (changes: readonly { question: QuestionDocument; attributes: Partial<QuestionDocument> }[]) => {
      for (const { question, attributes } of changes)
        await api.update('profile-questions', question.id, { attributes }, { lockVersion: question.meta.lockVersion })
    },
    onSuccess: () => showToast({ text: t('questions.saved') }),
    onSettled: () => forgetProfile(queryClient),
  })
  const remove = useMutation({
    mutationFn: ({ id }: QuestionDocument) => api.remove('profile-questions', id),
    onSettled: () => forgetProfile(queryClient),
  })
  const { faults } = useEditorTexts(change.error ?? remove.error)
  const move = (from: number, to: number) => {
    const moved = questions[from]
    if (!moved) return
    const order = questions.toSpliced(from, 1).toSpliced(to, 0, moved)
    change.mutate(
      order.flatMap((question, position) => (question.position === position ? [] : [{ question, attributes: { position } }])),
      { onSuccess: () => setTold(t('questions.moved', { name: moved.label, position: to + 1, total: questions.length })) },
    )
  }
  const mayEdit = questions.length === 0 || questions.some(({ meta }) => meta.can.update)
  return (
    <>
      <PageHeader
        title={t('questions.title')}
        meta={<Link to="/admin/people">{admin('nav.people')}</Link>}
        actions={
          mayEdit && (
            <>
              <Button kind="secondary" onClick={() => setEditing('bank')}>
                {t('bank.open')}
              </Button>
              <Button onClick={() => setEditing('new')}>{t('questions.add')}</Button>
            </>
          )
        }
      />
      <div className="admin-stack">
        <p>{t('questions.about')}</p>
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        <output className="visually-hidden">{told}</output>
        {questions.length === 0 && <EmptyState title={t('questions.none')}>{t('questions.none-text')}</EmptyState>}
        <ol className="admin-list">
          {questions.map((question, at) => (
            <li key={question.id} className="admin-panel">
              <div className="grid w-full gap-2">
                <QuestionSummary question={question} />
                {question.meta.can.update && (
                  <div className="row">
                    <MoveButtons
                      labels={{ up: t('questions.up', { name: question.label }), down: t('questions.down', { name: question.label }) }}
                      at={at}
                      count={questions.length}
                      isPending={change.isPending}
                      onMove={(to) => move(at, to)}
                    />
                    <Button
                      kind="plain"
                      size="small"
                      aria-label={t('questions.edit-named', { name: question.label })}
                      onClick={() => setEditing(question)}
                    >
                      {t('questions.edit')}
                    </Button>
                    <Button
                      kind="plain"
                      size="small"
                      pending={change.isPending}
                      onClick={() => change.mutate([{ question, attributes: { status: question.status === 'live' ? 'retired' : 'live' } }])}
                    >
                      {t(`questions.${question.status === 'live' ? 'retire' : question.status === 'retired' ? 'restore' : 'publish'}`)}
                      <span className="visually-hidden"> {question.label}</span>
                    </Button>
                    {question.counts?.length === 0 && question.status !== 'live' && (
                      <Button kind="plain" size="small" pending={remove.isPending} onClick={() => remove.mutate(question)}>
                        {t('questions.delete')}
                        <span className="visually-hidden"> {question.label}</span>
                      </Button>
                    )}
                  </div>
                )}
              </div>
            </li>
          ))}
        </ol>
      </div>
      {editing === 'bank' && (
        <QuestionBank taken={questions.map(({ key }) => key)} onChoose={setEditing} onClose={() => setEditing(undefined)} />
      )}
      {editing && editing !== 'bank' && (
        <EditQuestion
          question={editing !== 'new' && 'id' in editing ? editing : undefined}
          standard={editing !== 'new' && 'origin' in editing ? editing : undefined}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

function QuestionSummary({ question }: { question: QuestionDocument }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const language = useLanguage()
  const choice = useQuery(profileChoicesQuery).data?.find(({ key }) => key === question.key)
  const missing = countMissingTexts(question, site.contentLanguages)
  const nameOption = (id: string) =>
    isAgeGroup(id)
      ? admin(`age-groups.${id}`)
      : getTranslation(choice?.options.find(({ value }) => value === id)?.label, language, site.locale) || id
  return (
    <div className="grid gap-2">
      <strong>{question.label}</strong>
      <p>
        {t('questions.purpose')}
        {format.colon}
        {question.purpose}
      </p>
      <div className="row">
        <Badge hollow={question.status !== 'live'}>{t(`questions.status.${question.status}`)}</Badge>
        {question.required && <Badge>{t('questions.required')}</Badge>}
        {question.sensitive && <Badge tone="warn">{t('questions.sensitive')}</Badge>}
        {missing > 0 && <Badge tone="warn">{t('questions.missing', { count: missing })}</Badge>}
        <span className="meta">
          {[
            t(`questions.kinds.${question.kind}`),
            t(`questions.asked.${question.askedAt}`),
            t('questions.kept', { count: question.retentionMonths }),
          ].join(' · ')}
        </span>
      </div>
      {question.counts && (
        <p className="meta">
          {question.counts.length === 0
            ? t('questions.no-answers')
            : `${t('questions.counts')}${format.colon}${question.counts
                .map(
                  ({ option, people }) =>
                    `${nameOption(option)}${format.colon}${people === null ? t('questions.few') : format.number(people)}`,
                )
                .join(' · ')}`}
        </p>
      )}
    </div>
  )
}
