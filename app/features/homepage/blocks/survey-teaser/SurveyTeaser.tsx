import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getButtonClass } from '#app/ui/button.tsx'
import { Text } from '#app/ui/text.tsx'
import type { BlockProps } from '../../block-parts.tsx'

export default function SurveyTeaser({ block }: BlockProps<'survey_teaser'>) {
  const { t } = useTranslation('participant')
  const { survey } = block.data
  if (!survey) return null
  const look = { params: { slug: survey.project, survey: survey.slug }, className: getButtonClass() }
  return (
    <section className="section" aria-labelledby={block.id}>
      <div className="wrap">
        <div className="band band-wash">
          <p className="eyebrow">{survey.isOpen ? t('have-your-say') : t('phase.closed')}</p>
          <h2 id={block.id}>
            <Text words={block.title.text ? block.title : survey.title} />
          </h2>
          <p>
            <Text words={block.text.text ? block.text : survey.intro} />
          </p>
          <div className="row">
            {survey.isOpen ? (
              <Link to="/projects/$slug/surveys/$survey" {...look}>
                {t('project.answer')}
              </Link>
            ) : (
              <Link to="/projects/$slug" {...look}>
                {t('see-project')}
              </Link>
            )}
            {survey.isOpen && survey.minutes && <span className="meta">{t('minutes', { count: survey.minutes })}</span>}
          </div>
        </div>
      </div>
    </section>
  )
}
