import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { CrowdDecision } from '#app/lib/vocabulary/crowds.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { CROWDS_KEY, CROWDS_PER_PAGE, crowdsQuery } from '../crowds.queries.ts'

type Crowds = Awaited<ReturnType<NonNullable<ReturnType<typeof crowdsQuery>['queryFn']>>>
type Crowd = Crowds['data'][number]

/** Unusually many supports or answers from one place, and whether they count. */
export function CrowdsPage({ page }: { page: number }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const query = useQuery(crowdsQuery(page))
  const list = useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/contributions/unusual', search }))
  const findSubject = (crowd: Crowd) => {
    const { survey, activity } = crowd.relationships
    return query.data && (survey ? findLinked(query.data, survey) : findLinked(query.data, activity))
  }
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('unusual.title')}
        meta={t('unusual.about')}
        actions={<Link to="/admin/contributions">{t('unusual.back')}</Link>}
      />
      <ListScreen
        list={list}
        caption={t('unusual.title')}
        query={query}
        pageSize={CROWDS_PER_PAGE}
        none={<EmptyState title={t('unusual.none')}>{t('unusual.none-text')}</EmptyState>}
        columns={[
          {
            id: 'subject',
            head: t('unusual.subject'),
            names: true,
            cell: (crowd) => <SubjectLink crowd={crowd} title={findSubject(crowd)?.title ?? ''} />,
          },
          {
            id: 'number',
            head: t('unusual.number'),
            underName: true,
            cell: (crowd) =>
              t(crowd.relationships.survey ? 'unusual.answers' : 'unusual.supports', {
                count: crowd.number,
                number: format.number(crowd.number),
              }),
          },
          {
            id: 'firstAt',
            head: t('unusual.time'),
            underName: true,
            cell: (crowd) => t('unusual.from-to', { from: format.dateTime(crowd.firstAt), to: format.dateTime(crowd.lastAt) }),
          },
          {
            id: 'decision',
            head: t('unusual.decision'),
            acts: true,
            cell: (crowd) => <CrowdDecisionCell crowd={crowd} title={findSubject(crowd)?.title ?? ''} />,
          },
        ]}
      />
    </div>
  )
}

function SubjectLink({ crowd, title }: { crowd: Crowd; title: string }) {
  const { survey, activity } = crowd.relationships
  if (survey)
    return (
      <Link to="/admin/surveys/$survey/responses" params={{ survey: survey.id }}>
        {title}
      </Link>
    )
  return (
    <Link to="/admin/contributions/activities/$activity" params={{ activity: activity?.id ?? '' }}>
      {title}
    </Link>
  )
}

function CrowdDecisionCell({ crowd, title }: { crowd: Crowd; title: string }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const decide = useMutation({
    mutationFn: (decision: CrowdDecision) => api.update('crowds', crowd.id, { attributes: { decision } }),
    onSuccess: (_, decision) => showToast({ kind: 'success', text: t(`unusual.done.${decision}`, { title }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: CROWDS_KEY }),
  })
  const buttonFor = (decision: CrowdDecision) =>
    crowd.decision !== decision && (
      <Button
        kind="secondary"
        size="small"
        pending={decide.isPending && decide.variables === decision}
        disabled={decide.isPending}
        onClick={() => decide.mutate(decision)}
      >
        {t(`unusual.decide.${decision}`)}
        <span className="visually-hidden">: {title}</span>
      </Button>
    )
  return (
    <div className="admin-stack">
      <span>
        {crowd.decision === null ? (
          <Badge tone="warn">{t('unusual.waiting')}</Badge>
        ) : (
          <Badge tone={crowd.decision === 'counted' ? 'ok' : 'bad'}>{t(`unusual.decided.${crowd.decision}`)}</Badge>
        )}
        {crowd.decidedAt && (
          <div className="meta">
            {crowd.decidedByName
              ? t('unusual.decided-by', { name: crowd.decidedByName, date: format.dateTime(crowd.decidedAt) })
              : format.dateTime(crowd.decidedAt)}
          </div>
        )}
      </span>
      <span className="row">
        {buttonFor('counted')}
        {buttonFor('not-counted')}
      </span>
      <Refusal error={decide.error} />
    </div>
  )
}
