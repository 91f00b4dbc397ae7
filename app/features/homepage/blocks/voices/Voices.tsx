import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { Quote } from '#app/ui/quote.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export function Voices({ block }: BlockProps<'voices'>) {
  const { t, i18n } = useTranslation('participant')
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.voices')} wash>
      <div className="quotes">
        {block.quotes.map((quote) => {
          const project = block.data.projects.find(({ id }) => id === quote.projectId)
          return (
            <Quote
              key={quote.id}
              {...(quote.language === i18n.language ? {} : { language: quote.language })}
              source={
                project && (
                  <Link
                    to="/projects/$slug"
                    params={{ slug: project.slug }}
                    lang={project.title.lang}
                    dir={getDirection(project.title.lang)}
                  >
                    {t('home.voice-on', { project: project.title.text })}
                  </Link>
                )
              }
            >
              {quote.text}
            </Quote>
          )
        })}
      </div>
    </BlockSection>
  )
}
