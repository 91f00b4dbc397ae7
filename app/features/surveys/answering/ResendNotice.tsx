import type { FormState } from '#app/server/request-context.ts'
import type { Translated } from '#app/lib/translated.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { SurveyView } from '../surveys.views.ts'
import { isMapShown } from '../questionnaire/question-types/places/place-map.schema.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

export const buildSignInHref = (path: '/sign-in' | '/register' | '/verify', next: string) =>
  `${toLocalHref(path)}?next=${encodeURIComponent(toLocalHref(next))}`

interface ResendNoticeProps {
  survey: SurveyView
  form: FormState
  /** The closing page of the full quota. */
  ending?: { title: Translated; text?: Translated | undefined } | undefined
}

/** What stands in the way of a form, by the code of its refusal. */
const OBSTACLES: Record<string, 'sign-in' | 'verification' | 'invitation' | 'press'> = {
  'sign-in-to-answer': 'sign-in',
  'verification-needed': 'verification',
  'invitation-needed': 'invitation',
  'press-again': 'press',
}

/** Shown above a form that was not accepted, for a reason other than its answers. */
export function ResendNotice({ survey, form, ending }: ResendNoticeProps) {
  const { t, say } = useSurveyWords()
  if (isMapShown(form) || form.faults.length === 0) return null
  const refused = form.faults[0]?.code ?? ''
  if (refused === 'quota-full') {
    return (
      <Notice kind="warning" title={say(ending?.title).text || t('full.title')}>
        {say(ending?.text).text || t('full.text')}
      </Notice>
    )
  }
  const obstacle = OBSTACLES[refused] ?? 'again'
  const page = `/projects/${survey.project.slug}/surveys/${survey.slug}`
  return (
    <Notice kind="error" title={t(`unsent.${obstacle}`)}>
      <p>{t(`unsent.${obstacle}-text`)}</p>
      {obstacle !== 'press' && obstacle !== 'again' && (
        <p>
          <a
            href={obstacle === 'invitation' ? toLocalHref(page) : buildSignInHref(obstacle === 'sign-in' ? '/sign-in' : '/verify', page)}
            target="_blank"
            rel="noopener"
          >
            {t(`unsent.${obstacle}-link`)}
          </a>
        </p>
      )}
    </Notice>
  )
}
