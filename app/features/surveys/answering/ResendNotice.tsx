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

/** Shown above a form that was not accepted, for a reason other than its answers. */
export function ResendNotice({ survey, form, ending }: ResendNoticeProps) {
  const { t, say } = useSurveyWords()
  if (isMapShown(form)) return null
  if (form.faults[0]?.code === 'quota-full') {
    return (
      <Notice kind="warning" title={say(ending?.title).text || t('full.title')}>
        {say(ending?.text).text || t('full.text')}
      </Notice>
    )
  }
  const refused = form.faults[0]?.code
  if (refused === 'sign-in-to-answer' || refused === 'verification-needed') {
    const way = refused === 'sign-in-to-answer' ? 'sign-in' : 'verification'
    const href = buildSignInHref(way === 'sign-in' ? '/sign-in' : '/verify', `/projects/${survey.project.slug}/surveys/${survey.slug}`)
    return (
      <Notice kind="error" title={t(`unsent.${way}`)}>
        <p>{t(`unsent.${way}-text`)}</p>
        <p>
          <a href={href} target="_blank" rel="noopener">
            {t(`unsent.${way}-link`)}
          </a>
        </p>
      </Notice>
    )
  }
  if (form.faults[0]?.code === 'invitation-needed') {
    return (
      <Notice kind="error" title={t('unsent.invitation')}>
        <p>{t('unsent.invitation-text')}</p>
        <p>
          <a href={toLocalHref(`/projects/${survey.project.slug}/surveys/${survey.slug}`)} target="_blank" rel="noopener">
            {t('unsent.invitation-link')}
          </a>
        </p>
      </Notice>
    )
  }
  if (refused === 'press-again') {
    return (
      <Notice kind="error" title={t('unsent.press')}>
        {t('unsent.press-text')}
      </Notice>
    )
  }
  return (
    <Notice kind="error" title={t('unsent.again')}>
      {t('unsent.again-text')}
    </Notice>
  )
}
