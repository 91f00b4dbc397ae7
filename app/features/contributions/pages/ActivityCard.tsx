import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useActivityState } from '../parts/contribution-parts.tsx'
import type { ActivityCardView } from '../record/contributions.schema.ts'

/** An activity among a project's surveys. */
export function ActivityCard({ project, activity, now }: { project: string; activity: ActivityCardView; now: string }) {
  const { t } = useTranslation('contributions')
  const { t: participant } = useTranslation('participant')
  const format = useFormat()
  const describeState = useActivityState()
  const address = toLocalHref(`/projects/${project}/${activity.slug}`)
  const isOpen = activity.state === 'open'
  const { contributions } = activity
  return (
    <div className="card-body">
      <Tag kind={isOpen ? 'open' : activity.state === 'closed' ? 'closed' : 'plain'}>{describeState(activity, now)}</Tag>
      <h3 lang={activity.title.lang} dir={getDirection(activity.title.lang)}>
        {activity.title.text}
      </h3>
      {activity.intro.text && (
        <p lang={activity.intro.lang} dir={getDirection(activity.intro.lang)}>
          {activity.intro.text}
        </p>
      )}
      <Meta
        items={[
          ...(contributions > 0
            ? [
                <>
                  <Icon name="people" />
                  {t(`kinds.${activity.kind}.count`, { count: contributions, number: format.number(contributions) })}
                </>,
              ]
            : []),
          ...(activity.needsAccount && isOpen
            ? [
                <>
                  <Icon name="lock" />
                  {participant('project.needs-account')}
                </>,
              ]
            : []),
        ]}
      />
      <div className="row">
        {isOpen && (
          <a className={getButtonClass()} href={`${address}/new`}>
            {t(`kinds.${activity.kind}.add`)}
            <span className="visually-hidden">: {activity.title.text}</span>
          </a>
        )}
        <a className={getButtonClass({ kind: 'secondary' })} href={address}>
          {t(`kinds.${activity.kind}.read`)}
          <span className="visually-hidden">: {activity.title.text}</span>
        </a>
      </div>
    </div>
  )
}
