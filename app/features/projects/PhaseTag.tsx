import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Tag, type TagKind } from '#app/ui/tag.tsx'
import type { ProjectCardView } from './projects.schema.ts'

type PhasedProject = Pick<ProjectCardView, 'phase' | 'opensAt' | 'closesAt'>

const SOON_DAYS = 7
const DAYS_UP_TO = 13
const WEEKS_UP_TO = 59

/** A project's phase in words: closes in 9 days, opens on 3 March, results published. */
export function usePhaseWords(now: string): (project: PhasedProject) => { words: string; kind: TagKind } {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const describeOpen = (closesAt: string | null): { words: string; kind: TagKind } => {
    if (!closesAt) return { words: t('phase.open'), kind: 'open' }
    const days = format.daysUntil(closesAt, now)
    const kind = days <= SOON_DAYS ? 'soon' : 'open'
    if (days <= 0) return { words: t('phase.closes-today'), kind }
    if (days === 1) return { words: t('phase.closes-tomorrow'), kind }
    if (days <= DAYS_UP_TO) return { words: t('phase.closes-days', { count: days }), kind }
    if (days <= WEEKS_UP_TO) return { words: t('phase.closes-weeks', { count: Math.floor(days / 7) }), kind }
    return { words: t('phase.open-until', { date: format.day(closesAt, now) }), kind }
  }
  const describeUpcoming = (opensAt: string | null): string => {
    if (!opensAt) return t('phase.upcoming')
    const days = format.daysUntil(opensAt, now)
    if (days <= 0) return t('phase.opens-today')
    if (days === 1) return t('phase.opens-tomorrow')
    return days <= DAYS_UP_TO ? t('phase.opens-days', { count: days }) : t('phase.opens-on', { date: format.day(opensAt, now) })
  }
  return ({ phase, opensAt, closesAt }) => {
    switch (phase) {
      case 'open':
        return describeOpen(closesAt)
      case 'upcoming':
        return { words: describeUpcoming(opensAt), kind: 'plain' }
      case 'closed':
        return { words: t('phase.closed'), kind: 'closed' }
      case 'results':
        return { words: t('phase.results'), kind: 'results' }
    }
  }
}

export function PhaseTag({ project, now }: { project: PhasedProject; now: string }) {
  const { words, kind } = usePhaseWords(now)(project)
  return <Tag kind={kind}>{words}</Tag>
}
