import { Fragment, type ReactNode } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import { RichText } from '#app/ui/RichText.tsx'
import type { Page } from '../surveys.schema.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface SurveySectionProps {
  page: Page
  /** Its number and the total; shown if there is more than one. */
  number?: number
  total?: number
  /** `part` of a page, the `whole` page's own heading, or a `line` above a question that is the heading itself. */
  title?: 'part' | 'whole' | 'line'
  /** False on later steps, which do not repeat it. */
  intro?: boolean
  children: ReactNode
}

/** One page of a survey, with its title and introduction. */
export function SurveySection({
  page,
  number = 1,
  total = 1,
  title: place = 'part',
  intro: withIntro = true,
  children,
}: SurveySectionProps) {
  const { t, say } = useSurveyWords()
  const title = say(page.title)
  const intro = withIntro ? say(page.intro) : { text: '' }
  if (!title.text && !intro.text) return <Fragment>{children}</Fragment>
  const id = `part-${page.id}`
  const Heading = place === 'whole' ? 'h1' : 'h2'
  return (
    <section className="survey-section" aria-labelledby={title.text ? id : undefined}>
      <header>
        {title.text && total > 1 && <p className="eyebrow">{t('part', { number, total })}</p>}
        {title.text &&
          (place === 'line' ? (
            <p className="eyebrow" id={id} lang={title.lang} dir={getDirection(title.lang)}>
              {title.text}
            </p>
          ) : (
            <Heading id={id} lang={title.lang}>
              {title.text}
            </Heading>
          ))}
        {intro.text && <RichText text={intro.text} level={3} lang={intro.lang} />}
      </header>
      {children}
    </section>
  )
}
