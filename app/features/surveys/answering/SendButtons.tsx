import { Button } from '#app/ui/button.tsx'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'
import type { SavedMeanwhile } from '../surveys.views.ts'

/** Sends the answers. If another device changed them meanwhile, it says over which version, or keeps that one. */
export function SendButtons({ meanwhile, disabled }: { meanwhile: SavedMeanwhile | null | undefined; disabled: boolean }) {
  const { t } = useSurveyWords()
  if (!meanwhile)
    return (
      <Button type="submit" disabled={disabled}>
        {t('send')}
      </Button>
    )
  return (
    <>
      <input type="hidden" name="over" value={meanwhile.edit} />
      <Button type="submit">{t('meanwhile.send')}</Button>
      <Button type="submit" kind="secondary" name="go" value="keep">
        {t('meanwhile.keep')}
      </Button>
    </>
  )
}
