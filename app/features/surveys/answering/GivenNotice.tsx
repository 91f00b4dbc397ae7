import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { GivenAnswers } from '../surveys.views.ts'

/** Tells somebody that they have answered already, and what they can do about it. */
export function GivenNotice({ given }: { given: GivenAnswers }) {
  const { t } = useSurveyWords()
  const href = toLocalHref(given.path)
  return (
    <Notice title={t('given.title')}>
      {given.mayAnswerAgain && <p>{t('given.again')}</p>}
      <form method="post" action={href} className="row">
        <a href={href} className={getButtonClass({ kind: 'secondary', size: 'small' })}>
          {t('given.see')}
        </a>
        {given.mayChange && (
          <>
            <input type="hidden" name="form" value="change" />
            <Button type="submit" kind="secondary" size="small">
              {t('change.do')}
            </Button>
          </>
        )}
      </form>
    </Notice>
  )
}
