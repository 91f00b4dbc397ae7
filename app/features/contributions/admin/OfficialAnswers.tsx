import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { forgetContributions, moderationSettingsQuery, officialResponsesQuery, statusesQuery } from '../contributions.queries.ts'
import { AnswerFields, type AnswerTexts, useMissingTexts } from './answer-fields.tsx'
import { NewAnswer, type NewAnswerProps } from './NewAnswer.tsx'

interface OfficialAnswersProps extends NewAnswerProps {
  /** It can get another answer; those it has can always be edited. */
  mayAdd: boolean
}

type OfficialResponse = Resource<'official-responses'>

/** The team’s answers to a contribution: write another one, edit one, withdraw one. Needs `officialResponsesQuery` and what `NewAnswer` needs. */
export function OfficialAnswers(props: OfficialAnswersProps) {
  const { t } = useTranslation('contributions-admin')
  const answers = useSuspenseQuery(officialResponsesQuery(props.contribution)).data
  const current = useSuspenseQuery(statusesQuery(props.activity)).data.data.find(({ id }) => id === props.status)?.title
  const needsAgreement = useSuspenseQuery(moderationSettingsQuery).data.data[0]?.answersNeedAgreement ?? false
  if (!props.mayAdd && answers.data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="answer">
      <h2 id="answer">{t('answer.title')}</h2>
      {props.mayAdd && <NewAnswer {...props} />}
      {answers.data.length > 0 && (
        <>
          <h3>{t('answer.earlier')}</h3>
          <ul className="admin-list">
            {answers.data.map((answer) => (
              <li key={answer.id} className="admin-panel">
                <GivenAnswer
                  answer={answer}
                  status={findLinked(answers, answer.relationships.status)?.title}
                  current={current}
                  mayEdit={!needsAgreement}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface GivenAnswerProps {
  answer: OfficialResponse
  status: string | undefined
  current: string | undefined
  /** Where a colleague agrees to each answer, another wording is another answer. */
  mayEdit: boolean
}

function GivenAnswer({ answer, status, current, mayEdit }: GivenAnswerProps) {
  const { t } = useTranslation('contributions-admin')
  const { contentLanguages: languages } = useSite()
  const format = useFormat()
  const [acting, setActing] = useState<'edit' | 'withdraw'>()
  const close = () => setActing(undefined)
  return (
    <div className="admin-stack">
      <div>
        <strong>{status}</strong> {format.dateTime(answer.createdAt)}{' '}
        {answer.visibility === 'private' && <Badge tone="info">{t('question.private')}</Badge>}{' '}
        {answer.withdrawnAt && <Badge tone="info">{t('answer.withdrawn')}</Badge>}
        <PlainText text={answer.text} />
        {answer.withdrawnAt && (
          <Notice title={t('answer.withdrawn-on', { date: format.dateTime(answer.withdrawnAt) })}>
            <PlainText text={answer.withdrawalReason} />
          </Notice>
        )}
        {answer.former.length > 0 && (
          <details>
            <summary>{t('answer.former', { count: answer.former.length })}</summary>
            {answer.former.map((wording) => (
              <div key={wording.at}>
                <p className="meta">{t('answer.former-until', { date: format.dateTime(wording.at) })}</p>
                {languages
                  .filter((language) => wording.text[language])
                  .map((language) => (
                    <PlainText key={language} text={wording.text[language] ?? ''} lang={language} />
                  ))}
              </div>
            ))}
          </details>
        )}
      </div>
      {acting === 'edit' && <EditAnswer answer={answer} onDone={close} />}
      {!acting && !answer.withdrawnAt && answer.meta.can.update && (
        <div className="row">
          {mayEdit && (
            <Button kind="secondary" size="small" onClick={() => setActing('edit')}>
              {t('answer.edit')}
              <span className="visually-hidden">: {format.dateTime(answer.createdAt)}</span>
            </Button>
          )}
          <Button kind="secondary" size="small" onClick={() => setActing('withdraw')}>
            {t('answer.withdraw')}
            <span className="visually-hidden">: {format.dateTime(answer.createdAt)}</span>
          </Button>
        </div>
      )}
      {acting === 'withdraw' && <WithdrawAnswer answer={answer} status={current} onDone={close} />}
    </div>
  )
}

function EditAnswer({ answer, onDone }: { answer: OfficialResponse; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [fields, setFields] = useState<AnswerTexts>({
    textTranslations: answer.textTranslations ?? {},
    teamTranslations: answer.teamTranslations ?? {},
  })
  const [notify, setNotify] = useState(false)
  const isPublic = answer.visibility === 'public'
  const missing = useMissingTexts(isPublic ? { text: fields.textTranslations, team: fields.teamTranslations } : {})
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'official-responses',
        answer.id,
        { attributes: { ...fields, notify, waived: missing.waived } },
        { lockVersion: answer.meta.lockVersion },
      ),
    onSuccess: async () => {
      showToast({ text: t('answer.edited') })
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <div className="admin-form">
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>{t(isPublic ? 'answer.edit-about' : 'answer.edit-about-private')}</p>
      <AnswerFields fields={fields} onChange={setFields} isPublic={isPublic} words={words} prefix={`${answer.id}-`} />
      <CheckInput
        name={`${answer.id}-notify`}
        label={t(isPublic ? 'answer.notify' : 'answer.notify-private')}
        value={notify}
        onChange={setNotify}
      />
      {missing.choice}
      <div className="row">
        <Button pending={save.isPending} disabled={missing.isOpen} onClick={() => save.mutate()}>
          {t('answer.save-edit')}
        </Button>
        <Button kind="secondary" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}

function WithdrawAnswer({ answer, status, onDone }: { answer: OfficialResponse; status: string | undefined; onDone: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState<Translated>({})
  const missing = useMissingTexts(answer.visibility === 'public' ? { withdrawalReason: reason } : {})
  const withdraw = useMutation({
    mutationFn: () =>
      api.update(
        'official-responses',
        answer.id,
        { attributes: { withdrawalReasonTranslations: reason, waived: missing.waived } },
        { lockVersion: answer.meta.lockVersion },
      ),
    onSuccess: async () => {
      showToast({ text: t('answer.withdrawn-now') })
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(withdraw.error)
  return (
    <ConfirmDialog
      title={t('answer.withdraw-title')}
      isOpen
      onClose={onDone}
      onConfirm={() => withdraw.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t('answer.withdraw')}
      cancelLabel={t('common.cancel')}
      confirmDisabled={!hasText(reason) || missing.isOpen}
      danger
    >
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>
        {t('answer.withdraw-about')} {status && t('answer.status-stays', { status })}
      </p>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'withdrawalReasonTranslations', label: t('queue.reason'), hint: t('answer.withdraw-hint'), rows: 3 }]}
        values={{ withdrawalReasonTranslations: reason }}
        onChange={(_, text) => setReason(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {missing.choice}
    </ConfirmDialog>
  )
}
