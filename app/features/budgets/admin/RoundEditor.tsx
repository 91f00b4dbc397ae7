import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets, roundQuery } from '../budgets.queries.ts'
import { EditRound, type VerificationFieldsProps } from './EditRound.tsx'
import { PaperBatches } from './PaperBatches.tsx'
import { RoundCount } from './RoundCount.tsx'
import type { OptionMapProps } from './EditOption.tsx'
import { RoundOptions } from './RoundOptions.tsx'
import { RoundPots } from './RoundPots.tsx'

interface RoundEditorProps {
  id: string
  project: { id: string; slug: string; title: string }
  comments: ReactNode
  renderVerification: (fields: VerificationFieldsProps) => ReactNode
  renderMap: (fields: OptionMapProps) => ReactNode
}

/** A round from its pots to its certified result, on one page. */
export function RoundEditor({ id, project, comments, renderVerification, renderMap }: RoundEditorProps) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data: round } = useSuspenseQuery(roundQuery(id)).data
  const [editing, setEditing] = useState(false)
  const [publishing, setPublishing] = useState(false)
  const publish = useMutation({
    mutationFn: () => api.update('budget-rounds', id, { attributes: { status: 'published' } }, { lockVersion: round.meta.lockVersion }),
    onSettled: async () => {
      setPublishing(false)
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(publish.error)
  const facts: [string, ReactNode][] = [
    [t('settings.ballot-type'), t(`ballot-types.${round.ballotType}`)],
    ...(round.maxPoints === null ? [] : ([[t('settings.max-points'), format.number(round.maxPoints)]] as [string, ReactNode][])),
    [t('settings.rule'), t(`rules.${round.rule}`)],
    [t('settings.access'), t(`access.${round.access}`)],
    [t('settings.paper'), t(`paper-ways.${round.paper}`)],
    [t('settings.opens'), round.opensAt ? format.dateTime(round.opensAt) : t('settings.missing')],
    [t('settings.closes'), round.closesAt ? format.dateTime(round.closesAt) : t('settings.missing')],
    [t('settings.currency'), round.currency],
  ]
  return (
    <>
      <PageHeader
        title={round.title}
        status={
          <Badge tone={round.phase === 'voting' ? 'ok' : 'neutral'} hollow={round.phase === 'draft'}>
            {t(`phases.${round.phase}`)}
          </Badge>
        }
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }}>
            {project.title}
          </Link>
        }
        actions={
          <>
            {comments}
            <ButtonLink kind="secondary" href={toLocalHref(`/projects/${project.slug}/budgets/${round.slug}`)}>
              {t('see')}
            </ButtonLink>
            {round.status === 'draft' && <Button onClick={() => setPublishing(true)}>{t('publish')}</Button>}
          </>
        }
      />
      <div className="admin-stack">
        {words.faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        {round.hasBallots && <Notice title={t('fixed')}>{t('fixed-text')}</Notice>}
        <section className="admin-stack" aria-labelledby="settings-heading">
          <h2 id="settings-heading">{t('settings.title')}</h2>
          <dl className="budget-facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <div className="row">
            <Button kind="secondary" onClick={() => setEditing(true)}>
              {t('settings.edit')}
            </Button>
          </div>
        </section>
        <RoundPots round={round} />
        <RoundOptions round={round} renderMap={renderMap} />
        {round.paper !== 'none' && <PaperBatches round={round} project={project.id} />}
        <RoundCount round={round} />
      </div>
      {editing && <EditRound round={round} onClose={() => setEditing(false)} renderVerification={renderVerification} />}
      {publishing && (
        <ConfirmDialog
          title={t('publish-title')}
          isOpen
          onClose={() => setPublishing(false)}
          onConfirm={() => publish.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('publish')}
          cancelLabel={t('cancel')}
        >
          <p>{t('publish-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
