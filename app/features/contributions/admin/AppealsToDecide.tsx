import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { forgetContributions, pendingAppealsQuery } from '../contributions.queries.ts'
import { RuleInput } from './RuleInput.tsx'
import { useFocusOnNext } from './use-focus-on-next.ts'

type AppealDocument = Resource<'moderation-appeals'>

/** Decisions that somebody asks another person to look at again, with who may. */
export function AppealsToDecide() {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  const appeals = useSuspenseQuery(pendingAppealsQuery).data
  if (appeals.data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="appeals">
      <h2 id="appeals" className="queue-all">
        {t('appeals.title')}
      </h2>
      <p>{t('appeals.about')}</p>
      <ul className="admin-list">
        {appeals.data.map((appeal) => {
          const contribution = findLinked(appeals, appeal.relationships.contribution)
          const reply = findLinked(appeals, appeal.relationships.reply)
          const decision = findLinked(appeals, appeal.relationships.decision)
          const text = reply ?? contribution
          return (
            <li key={appeal.id} className="admin-panel moderated" tabIndex={-1}>
              <div className="moderated-text">
                <h3 lang={contribution?.language} dir={getDirection(contribution?.language)}>
                  <Link to="/admin/contributions/$id" params={{ id: contribution?.id ?? '' }}>
                    {contribution?.title}
                  </Link>
                </h3>
                {text && (
                  <blockquote>
                    <PlainText text={text.body} lang={text.language} />
                  </blockquote>
                )}
                {decision && (
                  <p>
                    {t('appeals.decision', {
                      decision: t(`appeals.decisions.${decision.decision}`),
                      date: format.date(decision.decidedAt),
                    })}
                    {decision.reason && `: ${decision.reason}`}
                  </p>
                )}
                <p>
                  {t(`appeals.by-${appeal.appellant}`)} · {format.dateTime(appeal.createdAt)}
                </p>
                <blockquote>
                  <PlainText text={appeal.words} />
                </blockquote>
                <WhoDecides appeal={appeal} />
              </div>
              {appeal.meta.can.decide && <AppealButtons appeal={appeal} name={contribution?.title ?? ''} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function WhoDecides({ appeal: { deciders = [], refusal, openToAllAt, meta } }: { appeal: AppealDocument }) {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  return (
    <>
      {refusal === 'same-person' && <Notice title={t('appeals.same-person')} />}
      {refusal === 'too-early' && <Notice title={t('appeals.too-early', { date: openToAllAt ? format.dateTime(openToAllAt) : '' })} />}
      {!refusal && !meta.can.decide && <Notice title={t('appeals.forbidden')} />}
      {deciders.length > 0 && <p>{t('appeals.who', { names: format.list(deciders) })}</p>}
    </>
  )
}

type Verdict = 'upheld' | 'overturned'

function AppealButtons({ appeal, name }: { appeal: AppealDocument; name: string }) {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const { buttons, findNext } = useFocusOnNext()
  const [asking, setAsking] = useState<Verdict>()
  const [answer, setAnswer] = useState('')
  const [rule, setRule] = useState('')
  const removes = asking === 'overturned' && appeal.appellant === 'reporter'
  const decide = useMutation({
    mutationFn: (state: Verdict) =>
      api.update('moderation-appeals', appeal.id, { attributes: { state, answer, ...(removes && { rule }) } }),
    onSuccess: () => {
      setAsking(undefined)
      showToast({ text: t('appeals.decided') })
    },
    onSettled: async () => {
      const focusNext = findNext()
      await forgetContributions(queryClient)
      focusNext()
    },
  })
  const { faults } = useEditorTexts(decide.error)
  const labels = { upheld: t('appeals.uphold'), overturned: t(`appeals.overturn-${appeal.appellant}`) }
  return (
    <div className="row" ref={buttons}>
      {(['overturned', 'upheld'] as const).map((verdict) => (
        <Button key={verdict} kind="secondary" size="small" onClick={() => setAsking(verdict)}>
          {labels[verdict]}
          <span className="visually-hidden">: {name}</span>
        </Button>
      ))}
      {asking && (
        <ConfirmDialog
          title={t(asking === 'upheld' ? 'appeals.uphold-title' : 'appeals.overturn-title')}
          isOpen
          onClose={() => setAsking(undefined)}
          onConfirm={() => decide.mutateAsync(asking).then(undefined, () => undefined)}
          confirmLabel={labels[asking]}
          cancelLabel={words('common.cancel')}
          confirmDisabled={!answer.trim() || (removes && !rule)}
        >
          {removes && <RuleInput value={rule} onChange={setRule} />}
          <TextAreaInput
            name="answer"
            label={t('appeals.answer')}
            hint={t('appeals.answer-hint')}
            value={answer}
            onChange={setAnswer}
            rows={4}
            error={faults[0]?.message}
            required
          />
        </ConfirmDialog>
      )}
    </div>
  )
}
