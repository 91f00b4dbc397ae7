import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fault, isAppError } from '#app/lib/app-error.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { TEXT_GAP_CODES, toTextName } from '#app/lib/translated-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { useTextNames } from './use-text-names.ts'

/** A text that is missing or out of date in a language, with the words that ask to leave it so. */
interface NamedGap {
  /** The name to waive it by. */
  name: string
  label: string
}

/** Says in words what the server, or an editor's own check, found missing or out of date. */
export function useGapLabels(): (faults: readonly Fault[]) => NamedGap[] {
  const { t } = useTranslation('admin')
  const nameText = useTextNames()
  return (faults) =>
    faults
      .filter(({ code }) => TEXT_GAP_CODES.has(code))
      .map(({ code, pointer = '', values }) => {
        const place = pointer.replace(/^\/data\/attributes/, '')
        const language = CONTENT_LANGUAGES.find((one) => one === values?.['language'])
        const texts = { field: nameText(place), language: language ? getLanguageName(language) : '' }
        return {
          name: String(values?.['name'] ?? toTextName(place)),
          label:
            code === 'translation-stale'
              ? t('gaps.stale', texts)
              : code === 'alternative-missing'
                ? t('gaps.alternative', texts)
                : t('gaps.missing', texts),
        }
      })
}

/** The faults of a refusal, if it is about languages only and can be waived. */
const NO_FAULTS: readonly Fault[] = []
const listGapFaults = (error: unknown): readonly Fault[] =>
  isAppError(error) && error.faults.every(({ code, values }) => TEXT_GAP_CODES.has(code) && values?.['name'] !== undefined)
    ? error.faults
    : NO_FAULTS

interface LanguageGapsDialogProps {
  /** What the server answered to saving or publishing; the dialog opens if it names texts that are missing or out of date. */
  error: unknown
  /** Tries again without what was ticked. */
  onPublish: (waived: string[]) => Promise<unknown>
  onClose: () => void
  publishLabel?: string
}

/** Asks about each text and language that is missing or out of date before it is published. */
export function LanguageGapsDialog({ error, onPublish, onClose, publishLabel }: LanguageGapsDialogProps) {
  const { t } = useTranslation('admin')
  const nameGaps = useGapLabels()
  const [waived, setWaived] = useState<readonly string[]>([])
  const [asked, setAsked] = useState<readonly Fault[]>([])
  const faults = listGapFaults(error)
  // While it is tried again, the answer is not known yet: the dialog stays as it is.
  if (faults.length > 0 && faults !== asked) setAsked(faults)
  const gaps = nameGaps(faults.length > 0 ? faults : asked)
  const close = () => {
    setWaived([])
    setAsked([])
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('gaps.title')}
      isOpen={gaps.length > 0}
      onClose={close}
      onConfirm={() => onPublish([...waived]).then(close, () => setAsked([]))}
      confirmLabel={publishLabel ?? t('gaps.publish')}
      cancelLabel={t('confirm.cancel')}
      confirmDisabled={gaps.some(({ name }) => !waived.includes(name))}
    >
      <MissingTexts
        title={t('gaps.legend')}
        hint={t('gaps.text')}
        waiveAllLabel={t('gaps.all')}
        missing={gaps}
        waived={waived}
        onChange={setWaived}
      />
    </ConfirmDialog>
  )
}

/** What the refusal of a mutation names that can be waived; kept while it is tried again, and forgotten when that is over. */
export function useRefusedGaps({ error, isPending }: { error: unknown; isPending: boolean }): NamedGap[] {
  const nameGaps = useGapLabels()
  const [asked, setAsked] = useState<readonly Fault[]>([])
  const faults = listGapFaults(error)
  if (faults.length > 0 ? faults !== asked : !isPending && asked.length > 0) setAsked(faults)
  return nameGaps(asked)
}

/** What the editor found, and what only the server knows, such as translations that are out of date. */
export const mergeGaps = <Gap extends NamedGap>(known: readonly Gap[], refused: readonly NamedGap[]): (Gap | NamedGap)[] => [
  ...known,
  ...refused.filter(({ name }) => !known.some((one) => one.name === name)),
]
