import { useEffect } from 'react'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { SurveyView } from '../surveys.views.ts'

/**
 * Names the step in the page's title, and whether it has an error. The server's own title does so too; here steps change without the server.
 * @param label of the step; empty for the survey itself
 */
export function useStepTitle({ title: { text } }: SurveyView, label: string, hasError = false): void {
  const { t } = useSurveyWords()
  useEffect(() => {
    // What stands after the survey's title is the site's name.
    const site = document.title.split(text).at(-1) ?? ''
    const title = label ? `${label} · ${text}` : text
    document.title = (hasError ? t('error-title', { title }) : title) + site
  }, [t, text, label, hasError])
}
