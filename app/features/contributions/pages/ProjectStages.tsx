import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Text } from '#app/ui/text.tsx'
import type { StageView } from '../record/contributions.schema.ts'

/** A project's stages in order. Several can be current at the same time. */
export function ProjectStages({ project, stages, now }: { project: string; stages: readonly StageView[]; now: string }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  if (stages.length === 0) return null
  return (
    <section aria-labelledby="stages">
      <h2 id="stages">{t('stages.title')}</h2>
      <ol className="stage-list">
        {stages.map((stage) => (
          <li key={stage.id} className={`stage stage-${stage.state}`} aria-current={stage.state === 'current' ? 'step' : undefined}>
            <p className="stage-state">{t(`stages.${stage.state}`)}</p>
            <h3>
              <Text words={stage.title} />
            </h3>
            <p className="stage-time">
              {stage.endsAt
                ? t('stages.between', { from: format.day(stage.startsAt, now), until: format.day(stage.endsAt, now) })
                : t('stages.from', { from: format.day(stage.startsAt, now) })}
            </p>
            {stage.summary.text && (
              <p>
                <Text words={stage.summary} />
              </p>
            )}
            {stage.activities.length > 0 && (
              <ul className="stage-activities">
                {stage.activities.map((activity) => (
                  <li key={activity.slug}>
                    <a href={toLocalHref(`/projects/${project}/${activity.slug}`)}>
                      <Text words={activity.title} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
