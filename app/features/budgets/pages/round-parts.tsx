import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import type { RoundCardView, RoundView } from '../budgets.schema.ts'

/** A round's address, as links of this page write it. */
export const buildRoundPath = ({ slug, project }: Pick<RoundView, 'slug' | 'project'>, rest = ''): string =>
  `/projects/${project.slug}/budgets/${slug}${rest}`

/** Home, the project, and the round unless it is the page itself. */
export function RoundBreadcrumbs({ round, current }: { round: RoundView; current?: ReactNode }) {
  return (
    <ProjectBreadcrumbs
      project={round.project}
      links={
        current
          ? [
              <a key="round" href={toLocalHref(buildRoundPath(round))}>
                <Text words={round.title} />
              </a>,
            ]
          : []
      }
      current={current ?? <Text words={round.title} />}
    />
  )
}

/** Until when people can vote, or what comes next. */
export function PhaseTag({ round, now }: { round: Pick<RoundCardView, 'phase' | 'opensAt' | 'closesAt'>; now: string }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const { phase, opensAt, closesAt } = round
  if (phase === 'voting')
    return <Tag kind="open">{closesAt ? t('phase.voting-until', { date: format.dateTime(closesAt) }) : t('phase.voting')}</Tag>
  if (phase === 'announced') return <Tag>{opensAt ? t('phase.opens-on', { date: format.day(opensAt, now) }) : t('phase.announced')}</Tag>
  return <Tag kind={phase === 'decided' ? 'results' : phase === 'draft' ? 'draft' : 'closed'}>{t(`phase.${phase}`)}</Tag>
}

/** Why somebody may not vote, with the way out if there is one. @param next the page to come back to */
export function VotingRefusal({ refusal, next }: { refusal: AccessRefusal; next: string }) {
  const { t } = useTranslation('budgets')
  const address = refusal === 'sign-in' ? '/sign-in' : refusal === 'verification' ? '/verify' : undefined
  const kind = refusal === 'sign-in' || refusal === 'verification' || refusal === 'confirm' ? refusal : 'other'
  return (
    <Notice title={t(`refusals.${kind}.title`)}>
      <p>{t(`refusals.${kind}.text`)}</p>
      {address && (
        <p>
          <a
            className={getButtonClass({ kind: 'secondary' })}
            href={`${toLocalHref(address)}?${new URLSearchParams({ next: toLocalHref(next) })}`}
          >
            {t(`refusals.${refusal === 'sign-in' ? 'sign-in' : 'verification'}.action`)}
          </a>
        </p>
      )}
    </Notice>
  )
}
