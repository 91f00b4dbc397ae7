import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { TEXT_GAP_CODES } from '#app/lib/translated-texts.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { DutyReasonDialog, isDutyRefusal } from '#app/shell/admin/duty-reason.tsx'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { usePageState } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { draftFeedback, readFeedbackText } from '../feedback.functions.ts'
import { decisionPublicationsQuery, decisionsQuery, forgetHeard } from '../heard.queries.ts'
import type { HeardPageProps } from './HeardPage.tsx'

/** The decisions of a project, publishing them, and telling people. */
export function DecisionList({ project, may }: Omit<HeardPageProps, 'report'>) {
  const { t } = useTranslation('heard-admin')
  const { t: heard } = useTranslation('heard')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(decisionsQuery(project.id))
  const newest = useSuspenseQuery(decisionPublicationsQuery(project.id)).data.data[0]
  const [isAsking, setAsking] = useState(false)
  const publish = useMutation({
    mutationFn: ({ waived = [], dutyReason }: { waived?: string[]; dutyReason?: string }) =>
      api.create('decision-publications', {
        attributes: { ...(waived.length > 0 && { waived }), ...(dutyReason && { dutyReason }) },
        relationships: { project: { type: 'projects', id: project.id } },
      }),
    onSuccess: async ({ data: { version } }) => {
      await forgetHeard(queryClient)
      showToast({ text: t('publish.done', { version: format.number(version) }) })
    },
  })
  return (
    <section className="admin-stack" aria-labelledby="decisions-heading">
      <div className="row">
        <h2 id="decisions-heading">{t('decisions.title')}</h2>
        {may.edit && (
          <Link
            to="/admin/projects/$id/heard/decisions/new"
            params={{ id: project.id }}
            className={getButtonClass({ kind: 'secondary', size: 'small' })}
          >
            {t('decisions.new')}
          </Link>
        )}
      </div>
      <Refusal error={publish.error} />
      <DataTable
        caption={t('decisions.title')}
        rows={data.data}
        rowKey={(decision) => decision.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('decisions.none')}>{t('decisions.none-text')}</EmptyState>}
        columns={[
          { id: 'number', head: t('decisions.number'), align: 'end', secondary: true, cell: ({ number }) => format.number(number) },
          {
            id: 'title',
            head: t('decisions.name'),
            names: true,
            cell: (decision) => (
              <Link
                to="/admin/projects/$id/heard/decisions/$decision"
                params={{ id: project.id, decision: decision.id }}
                lang={decision.meta.languages?.title}
                dir={getDirection(decision.meta.languages?.title)}
              >
                {decision.title}
              </Link>
            ),
          },
          { id: 'outcome', head: t('decisions.outcome'), underName: true, cell: ({ outcome }) => heard(`outcomes.${outcome}`) },
          { id: 'delivery', head: t('decisions.delivery'), secondary: true, cell: ({ delivery }) => heard(`deliveries.${delivery}`) },
          {
            id: 'published',
            head: t('decisions.published'),
            cell: ({ publishedAt }) =>
              publishedAt ? <Badge tone="ok">{format.shortDate(publishedAt)}</Badge> : <Badge hollow>{t('decisions.draft')}</Badge>,
          },
        ]}
      />
      {may.publish && data.data.length > 0 && (
        <div className="row">
          <Button onClick={() => setAsking(true)}>{t(newest ? 'publish.again' : 'publish.do')}</Button>
          {newest && <TellPeople project={project.id} />}
          {newest && (
            <Link to="/projects/$slug/decisions" params={{ slug: project.slug }} target="_blank">
              {t('publish.see', { version: format.number(newest.version), date: format.date(newest.publishedAt) })}
            </Link>
          )}
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('publish.title')}
          isOpen
          onClose={() => setAsking(false)}
          onConfirm={() =>
            publish.mutateAsync({}).then(
              () => setAsking(false),
              () => setAsking(false),
            )
          }
          confirmLabel={t('publish.do')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('publish.text')}</p>
        </ConfirmDialog>
      )}
      <LanguageGapsDialog error={publish.error} onPublish={(waived) => publish.mutateAsync({ waived })} onClose={publish.reset} />
      <DutyReasonDialog
        publishing={publish}
        onPublish={(dutyReason) => publish.mutateAsync({ ...publish.variables, dutyReason })}
        onClose={publish.reset}
      />
    </section>
  )
}

/** Why it was not published: each theme without a decision. Texts that are missing are asked about in a dialog. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation('heard-admin')
  const { listFaults } = useFaultTexts()
  if (
    !error ||
    isDutyRefusal(error) ||
    (isAppError(error) && error.faults.length > 0 && error.faults.every(({ code }) => TEXT_GAP_CODES.has(code)))
  )
    return null
  return (
    <Notice kind="error" title={t('publish.refused')}>
      <ul>
        {listFaults(error).map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  )
}

/**
 * Writes an update, or a text message, that leads to the decisions. Publishing the update shows how many are notified, and notifies those who asked
 * for it; the page of the message shows who would get it.
 */
function TellPeople({ project }: { project: string }) {
  const { t } = useTranslation('heard-admin')
  const { describeError } = useFaultTexts()
  const navigate = useNavigate()
  const hasTexts = usePageState().features.features.marketplace_sms_integration.enabled
  const onError = (error: Error) => showToast({ kind: 'error', text: describeError(error) })
  const tell = useMutation({
    mutationFn: () => draftFeedback({ data: { project } }),
    onSuccess: (id) => navigate({ to: '/admin/updates/$id', params: { id } }),
    onError,
  })
  const text = useMutation({
    mutationFn: async () => {
      const attributes = await readFeedbackText({ data: { project } })
      return api.create('sms-campaigns', { attributes, relationships: { project: { type: 'projects', id: project } } })
    },
    onSuccess: ({ data: { id } }) => navigate({ to: '/admin/campaigns/$id', params: { id } }),
    onError,
  })
  return (
    <>
      <Button kind="secondary" pending={tell.isPending} onClick={() => tell.mutate()}>
        {t('publish.tell')}
      </Button>
      {hasTexts && (
        <Button kind="secondary" pending={text.isPending} onClick={() => text.mutate()}>
          {t('publish.tell-by-text')}
        </Button>
      )}
    </>
  )
}
