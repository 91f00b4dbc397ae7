import { useTranslation } from 'react-i18next'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { groupFaultsByField } from '#app/lib/validate.ts'
import type { SaveState } from '#app/ui/admin/save-bar.tsx'
import { useSite } from './page-state.tsx'
import { useFaultTexts } from './use-fault-texts.ts'

/** Texts shared by every admin editor: its languages, saving and faults. */
export function useEditorTexts(error: unknown) {
  const { t } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const { listFaults } = useFaultTexts()
  const { locale } = useSite()
  const known: AppError | undefined = isAppError(error) ? error : undefined
  const byField = known ? groupFaultsByField(known.faults) : {}
  return {
    stale: known?.code === 'stale',
    faults: listFaults(error),
    messageOf: (field: string) => {
      const fault = byField[field]
      return fault && errors(...toFaultTitle(fault))
    },
    form: {
      problem: t('editor.problem'),
      stale: t('editor.conflict'),
      staleText: t('editor.stale-text'),
      save: t('save.save'),
      state: (state: SaveState, count: number) => t(`save.${state}`, { count }),
    },
    texts: {
      languages: t('editor.languages'),
      missing: (count: number) => t('editor.missing', { count }),
      source: t('editor.in-language', { language: getLanguageName(locale) }),
      copy: t('editor.copy'),
    },
  }
}
