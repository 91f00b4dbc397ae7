import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import type { RoundDocument } from './EditRound.tsx'
import type { PaperBatchDocument } from './PaperBatches.tsx'
import { PaperDifferences } from './PaperDifferences.tsx'
import { TypeSheet } from './TypeSheet.tsx'

interface PaperBatchPageProps {
  round: RoundDocument
  batch: PaperBatchDocument
  /** Its id. */
  project: string
}

/** A batch from its printed sheets to its acceptance. */
export function PaperBatchPage({ round, batch, project }: PaperBatchPageProps) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const site = useSite()
  const isOpen = batch.state === 'open'
  const figures: [string, number][] = [
    [t('paper.sheets'), batch.sheets],
    [t('paper.returned'), batch.returned],
    ...(isOpen
      ? ([
          [t('paper.typed-once'), batch.typedOnce],
          [t('paper.differing'), batch.differing],
        ] as [string, number][])
      : ([
          [t('paper.counted'), batch.counted],
          [t('paper.voted-before'), batch.votedBefore],
        ] as [string, number][])),
    [t('paper.spoilt-count'), batch.spoilt],
  ]
  const file = (language: Language) => toLocalHref(`/admin/projects/${project}/budgets/${round.id}/paper/${batch.id}/${language}.pdf`)
  return (
    <>
      <PageHeader
        title={`${t('paper.title')}: ${batch.name}`}
        status={
          <Badge tone={isOpen ? 'neutral' : 'ok'} hollow={isOpen}>
            {t(isOpen ? 'paper.open-state' : 'paper.accepted')}
          </Badge>
        }
        meta={
          <Link to="/admin/projects/$id/budgets/$round" params={{ id: project, round: round.id }}>
            {round.title}
          </Link>
        }
        actions={
          isOpen &&
          site.languages.map((language) => (
            <a key={language} className={getButtonClass({ kind: 'secondary' })} href={file(language)} download>
              {t('paper.print', { language: LANGUAGE_NAMES[language] })}
            </a>
          ))
        }
      />
      <div className="admin-stack">
        <section aria-labelledby="progress-heading">
          <h2 id="progress-heading">{t('paper.progress')}</h2>
          <dl className="budget-facts">
            {figures.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{format.number(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
        {isOpen ? (
          <>
            <TypeSheet round={round} batch={batch.id} />
            <PaperDifferences round={round} batch={batch.id} />
            <CloseBatch round={round.id} batch={batch} project={project} />
          </>
        ) : (
          <Notice kind="success" title={t('paper.accepted')}>
            {t('paper.accepted-text')}
          </Notice>
        )}
      </div>
    </>
  )
}

/** The number of sheets that came back, with which the batch is accepted. */
function CloseBatch({ round, batch, project }: { round: string; batch: PaperBatchDocument; project: string }) {
  const { t } = useTranslation('budgets-admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [stated, setStated] = useState<number | undefined>(batch.stated ?? undefined)
  const [asking, setAsking] = useState<'accept' | 'delete'>()
  const accept = useMutation({
    mutationFn: () =>
      api.update(
        'budget-paper-batches',
        batch.id,
        { attributes: { stated: stated ?? null, state: 'accepted' } },
        { lockVersion: batch.meta.lockVersion },
      ),
    onSettled: async () => {
      setAsking(undefined)
      await forgetBudgets(queryClient)
    },
  })
  const remove = useMutation({
    mutationFn: () => api.remove('budget-paper-batches', batch.id),
    onSuccess: async () => {
      await navigate({ to: '/admin/projects/$id/budgets/$round', params: { id: project, round } })
      await forgetBudgets(queryClient)
    },
    onError: () => setAsking(undefined),
  })
  const words = useEditorTexts(accept.error ?? remove.error)
  return (
    <section className="admin-form" aria-labelledby="accept-heading">
      <h2 id="accept-heading">{t('paper.accept')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <NumberInput
        name="stated"
        label={t('paper.stated')}
        hint={t('paper.stated-hint')}
        value={stated}
        onChange={setStated}
        min={0}
        max={batch.sheets}
        error={words.messageOf('stated')}
      />
      <div className="row">
        <Button onClick={() => setAsking('accept')}>{t('paper.accept')}</Button>
        <Button kind="plain" onClick={() => setAsking('delete')}>
          {t('paper.delete')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t(`paper.${asking}-title`)}
          isOpen
          onClose={() => setAsking(undefined)}
          onConfirm={() => (asking === 'accept' ? accept : remove).mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t(`paper.${asking}`)}
          cancelLabel={t('cancel')}
          danger={asking === 'delete'}
        >
          <p>{t(`paper.${asking}-text`)}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
