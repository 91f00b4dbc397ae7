import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { forgetContributions, moderationRulesQuery, reportedCasesQuery, reportsQuery } from '../contributions.queries.ts'
import { DecisionButtons } from './DecisionButtons.tsx'
import { useFocusOnNext } from './use-focus-on-next.ts'
import { useUndoOffer } from './use-undo-offer.ts'

/** What readers reported, with the reports and the decisions. */
export function ReportedTexts() {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  const cases = useSuspenseQuery(reportedCasesQuery).data
  if (cases.data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="reported">
      <h2 id="reported" className="queue-all">
        {t('reports.title')}
      </h2>
      <p>{t('reports.about')}</p>
      <ul className="admin-list">
        {cases.data.map(({ id, reports, dueAt, heldUntil, relationships }) => {
          const contribution = findLinked(cases, relationships.contribution)
          const reply = findLinked(cases, relationships.reply)
          const text = reply ?? contribution
          const name = contribution?.title ?? ''
          return (
            <li key={id} className="admin-panel moderated" tabIndex={-1}>
              <div className="moderated-text">
                <h3 lang={contribution?.language} dir={getDirection(contribution?.language)}>
                  <Link to="/admin/contributions/$id" params={{ id: contribution?.id ?? '' }}>
                    {name}
                  </Link>
                </h3>
                <p>
                  <Badge tone="warn">{t('reports.count', { count: reports, number: format.number(reports) })}</Badge>{' '}
                  {reply && `${t('reports.reply')} · `}
                  {t('reports.due', { date: format.dateTime(dueAt) })}
                  {heldUntil && ` · ${t('reports.held', { date: format.dateTime(heldUntil) })}`}
                </p>
                {text && <PlainText text={text.body} lang={text.language} />}
                <CaseReports id={id} name={name} />
              </div>
              <div className="row">
                {text && (text.state === 'published' || text.state === 'merged') && <KeepButton id={id} name={name} />}
                {text && (
                  <DecisionButtons
                    type={reply ? 'replies' : 'contributions'}
                    state={text.state}
                    name={name}
                    wasPublic={!reply}
                    text={text}
                  />
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function CaseReports({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const reports = useQuery({ ...reportsQuery(id), enabled: isOpen }).data
  const rules = useSuspenseQuery(moderationRulesQuery).data.data
  return (
    <>
      <Button kind="plain" size="small" aria-expanded={isOpen} aria-controls={listId} onClick={() => setIsOpen(!isOpen)}>
        {t('reports.read')}
        <span className="visually-hidden">: {name}</span>
      </Button>
      <ul id={listId} hidden={!isOpen}>
        {reports?.data.map((report) => (
          <li key={report.id}>
            {t('reports.rule', {
              rule: rules.find(({ code }) => code === report.rule)?.label ?? report.rule,
              name: report.reporterName ?? t('reports.visitor'),
              date: format.dateTime(report.createdAt),
            })}
            {report.words && <PlainText text={report.words} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function KeepButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('moderation-admin')
  const queryClient = useQueryClient()
  const offerUndo = useUndoOffer()
  const { buttons, findNext } = useFocusOnNext()
  const keep = useMutation({
    mutationFn: () =>
      api.create('moderation-decisions', {
        attributes: { decision: 'keep' },
        relationships: { case: { type: 'moderation-cases', id } },
      }),
    onSuccess: ({ data }) => offerUndo(t('reports.kept'), [data.id]),
    onSettled: async () => {
      const focusNext = findNext()
      await forgetContributions(queryClient)
      focusNext()
    },
  })
  const { faults } = useEditorTexts(keep.error)
  return (
    <div className="row" ref={buttons}>
      {faults[0] && <Notice kind="error" title={faults[0].message} />}
      <Button size="small" pending={keep.isPending} onClick={() => keep.mutate()}>
        {t('reports.keep')}
        <span className="visually-hidden">: {name}</span>
      </Button>
    </div>
  )
}
